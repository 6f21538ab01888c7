/// Correct sentences that no rule was checked against while it was written. See `Docs/Marker-Quality.md`.
enum HeldOutCorrect {
    static let sentences = """
        I usually have breakfast at seven and then walk to the station.
        My sister lives in Kaohsiung with her husband and their two kids.
        Yesterday I was going to call you, but I fell asleep.
        What I like most about this city is the food.
        I don't know what it is, but it smells amazing.
        Could you tell me where the nearest bank is?
        There used to be a cinema on this corner.
        We have a lot of work to do before Friday.
        I've been learning English since I was in elementary school.
        She's been working here for ten years.
        He said he would call me back, but he never did.
        If I were you, I would take the job.
        I wish I had more free time.
        The news about the earthquake was really shocking.
        Both of my parents are teachers.
        Neither of us likes getting up early.
        Every student has to bring a laptop.
        I'm not used to driving on the left.
        I used to play the piano when I was little.
        It took me three hours to finish the report.
        Let's go get something to eat.
        Do you want to come with us?
        I'd rather stay home and watch a movie.
        You had better see a doctor.
        What do you think I should do?
        Who do you think will win the election?
        I have no idea how much it costs.
        Where are you from?
        Why don't you try the soup?
        How come you didn't tell me?
        So, um, I think it's, like, a really good idea.
        yeah i mean it was fun but also kind of tiring
        well i work as a software engineer in taipei
        The people I work with are really friendly.
        The man who lives next door is a retired police officer.
        Having lived abroad, she speaks three languages.
        I saw him leave the office around six.
        My boss made me rewrite the whole thing.
        They let us leave early on Fridays.
        Could you help me carry these boxes?
        I heard someone singing in the hallway.
        There's a lot of traffic in the morning.
        There are a couple of things we need to talk about.
        The price was too high, so we didn't buy it.
        Although it was raining, we decided to go hiking.
        Because of the typhoon, all flights were canceled.
        Not only is it cheap, but it's also delicious.
        Never have I seen such a beautiful sunset.
        I asked her whether she had eaten.
        She asked me if I was okay.
        I can't stand waiting in line.
        I look forward to hearing from you.
        He stopped to tie his shoes.
        I remember locking the door.
        Don't forget to bring your passport.
        Most of the money goes to rent.
        A number of people have complained about the noise.
        The number of tourists is growing.
        Ten dollars is too much for a sandwich.
        Two years is a long time.
        My favorite food is beef noodle soup.
        I go to the gym three times a week.
        We met at a friend's birthday party.
        He plays basketball with his friends on weekends.
        I prefer tea to coffee.
        This one is much better than the last one.
        It's the best movie I've ever seen.
        The more I practice, the better I get.
        She's as tall as her mother.
        I was so tired that I went straight to bed.
        It's too cold to swim.
        It was boring, so I got bored and left.
        I'm interested in working abroad someday.
        We discussed the plan over lunch.
        He got married to a woman from Japan.
        I arrived at the airport at six in the morning.
        The meeting has been moved to next Monday.
        I'll let you know when I get there.
        As soon as he arrives, we'll start.
        When I get home, I usually take a shower first.
        The government should do more to help young people buy homes.
        Inflation has made everything more expensive.
        Prices have gone up a lot recently.
        Is there anything I can do to help?
        Here is the menu, and there are some specials on the back.
        I haven't decided yet.
        Have you ever been to Hualien?
        Did you have a good time?
        What time does the store close?
        The book I'm reading is about space travel.
        I had my hair cut yesterday.
        He's good at cooking, isn't he?
        You like spicy food, don't you?
        To be honest, I didn't like the ending.
        Long time no see! How have you been?
        No problem, take your time.
        I think I can't make it tonight.
        My English is poor, but I'm trying to improve.
        Taiwan is a small island in East Asia.
        The Philippines is famous for its beaches.
        I went home early because I had a headache.
        Last year was the hardest year of my life.
        Next week I'm flying to Osaka for a trade show.
        I go to bed at eleven and get up at six.
        She goes to church every Sunday.
        I play video games at night to relax.
        Would you mind opening the window?
        I opened the door and turned on the light.
        My brother and I share a room.
        It depends on the weather.
        It’s my first time here, and I’m really excited.
        The staff were very helpful when we lost our luggage.
        What a beautiful view!
        How beautiful the lake is!
        All I want is a good night's sleep.
        """
}
