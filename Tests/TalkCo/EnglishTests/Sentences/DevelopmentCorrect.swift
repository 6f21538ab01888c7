/// Correct sentences that the rules were developed with. See `Docs/Marker-Quality.md`.
enum DevelopmentCorrect {
    static let sentences = """
        I go to school by bus every day.
        She works in a hospital near the river.
        My brother and sister live in Canada.
        The people I live with go to bed early.
        He suggested that she take a day off.
        It's important that he be on time.
        Let it go.
        I saw her cross the street.
        She made him apologize.
        Does he like it?
        What does your brother do?
        Should he call you back?
        Everyone I know is worried about the economy.
        There's a lot of people in here.
        There is nothing to do here.
        There are a lot of things I want to tell you.
        A lot of my friends are getting married.
        One of my friends is a pilot.
        Most of the people in my office drive to work.
        Most people like ice cream.
        The police are looking for him.
        Physics was my favorite subject.
        Twenty dollars is enough.
        Five kilometers isn't that far.
        My family is very important to me.
        The team have been training hard.
        I have a meeting at nine and another one at two.
        I have class in the morning.
        She's at work right now.
        He went to bed late last night.
        I love playing basketball.
        Chicken is my favorite food.
        I had chicken for lunch and fish for dinner.
        We took part in a charity run.
        He's head of sales at a small company.
        As a child, I was very shy.
        As a teacher, I see this every day.
        I want to be a doctor when I grow up.
        What a good idea!
        It was such a nice day that we went for a walk.
        It's an honor to meet you.
        She goes to a university in the United States.
        He's a European citizen.
        I waited for an hour and a half.
        I used to be afraid of dogs.
        We're used to working late.
        This knife is used to cut bread.
        I look forward to the weekend.
        I object to paying extra.
        I stopped smoking two years ago.
        I tried to call you, but nobody answered.
        I tried calling you three times.
        I'd like some water, please.
        Would you like to come over for dinner?
        I feel like having pizza tonight.
        It feels like summer already.
        I can't help laughing.
        Can you help me move this table?
        Help yourself to some snacks.
        I need help with my homework.
        She needs a new phone.
        I plan to work abroad next year.
        My plan is to save enough money first.
        I hope you like it.
        I hope to see you soon.
        I think so too.
        I don't think so.
        I don't think it will rain.
        Do you think he'll come?
        Where do you think we should go?
        I wonder what happened to her.
        I know who did it.
        Do you know who lives there?
        Tell me what is going on.
        I don't know what to say.
        I don't know how to say it in English.
        I asked where he was from.
        You know what? Let's just stay home.
        What you said really hurt me.
        What matters is that you tried.
        How you feel is important.
        When you get there, give me a call.
        When I was a student, I worked part-time at a bakery.
        When I was in college, I lived in a dorm.
        Why not try something new?
        How about tomorrow night?
        How come you're so late?
        Although she's busy, she always finds time to read.
        She's busy, but she always finds time to read.
        Because I was so tired, I skipped dinner.
        I was tired, so I skipped dinner.
        Because it was so hot, we stayed inside.
        I went out even though it was raining.
        Not everyone agrees with you.
        I'm afraid I can't make it.
        I'm sure you're right.
        I'm not sure if I can come.
        I'm glad you came.
        I'm happy to help.
        She's happy with her new job.
        She seems tired today.
        The soup tastes great.
        That sounds good to me.
        It's been raining all day.
        It is raining outside.
        Is it raining?
        Is anyone home?
        Are you free this weekend?
        Are you open on Sundays?
        Have a nice day!
        Have some cake.
        Have fun!
        See you tomorrow.
        Sounds great!
        Nice to meet you.
        Sorry, I didn't catch that.
        Yesterday was my birthday.
        Last night was so much fun.
        I think yesterday was better than today.
        I remember last summer very well.
        I know you called me yesterday.
        I still miss the house we sold last year.
        This is better than last year.
        I have been here since last year.
        I've known him for ten years.
        I lived in Japan for two years.
        I study for two hours every day.
        I've already eaten.
        I have never been to Europe.
        It's the first time I've tried sushi.
        This is the best coffee I have ever had.
        If it rains tomorrow, we'll cancel the picnic.
        If I had known, I would have told you.
        If I were rich, I would travel the world.
        I don't know if he will come.
        I don't know when she'll be back.
        When will you be back?
        I wish I could speak French.
        You'd better hurry.
        I'd rather not say.
        He must have forgotten.
        You should have called me.
        She could have been hurt.
        I had to work late yesterday.
        I didn't have to wait long.
        They let me leave early.
        My parents made me study hard.
        He told me to wait.
        I want you to be happy.
        She asked me to help her.
        He promised to call me.
        I enjoy cooking for my family.
        I finished work at eight.
        I keep forgetting his name.
        I don't mind waiting.
        She suggested going by train.
        I'm thinking about changing jobs.
        I'm good at drawing.
        He's interested in history.
        I was interested in what she said.
        The lecture was interesting.
        I was bored during the meeting.
        He's a boring person.
        She is interesting to talk to.
        We were excited about the trip.
        My brother is funny.
        It was a fun trip.
        The movie was really funny.
        Two of my coworkers quit last month.
        I have three cats and a dog.
        It's a five-minute walk.
        She's twenty years old.
        My son is five.
        I'm in my twenties.
        I've been there many times.
        How much time do we have?
        How many times have you been there?
        There isn't much to do in this town.
        I don't have much money.
        He has a lot of experience.
        It was an interesting experience.
        I have some homework to finish.
        Could you give me some advice?
        The information was very useful.
        My hair is too long.
        I found a hair in my soup.
        I work at a bank and my wife works at home.
        I have work to do.
        I got a new job.
        Business travel is tiring.
        I love to travel.
        We discussed it yesterday.
        Let's talk about the budget.
        She married a doctor.
        She is married to a doctor.
        I listened to music on the train.
        I can hear music from next door.
        Did you hear the news?
        Look at this picture.
        You look great.
        Wait a minute.
        I'm waiting for the bus.
        Call me when you get home.
        I go home at six.
        I'm at home.
        It's in the middle of the park.
        I'll be there in ten minutes.
        I'll do it on Monday morning.
        The store opens at ten in the morning.
        In the last few years, a lot has changed.
        Next time, let's go to the beach.
        On the other hand, it's expensive.
        He's taller than his father.
        It's more expensive than I expected.
        I have more free time now.
        There are more old people in the countryside.
        She's the most famous singer in Taiwan.
        It's as big as my room.
        I prefer staying home to going out.
        You can open the door now.
        Please close the window and turn off the light.
        He speaks English very well.
        She said that she was tired.
        She told me a funny story.
        Could I borrow your pen?
        Could you lend me your pen?
        I watch TV after dinner.
        I saw a movie last night.
        I read the news on my phone.
        I took the bus to work.
        I missed the bus this morning.
        I lost my wallet yesterday.
        I made a mistake at work.
        I did my homework.
        Do you want to make friends with her?
        My kids play with their friends after school.
        The house prices are going up.
        The traffic was terrible.
        It rained heavily last night.
        She always has a smile on her face.
        He is always late.
        I always am the last to know, he said.
        I really like this place.
        Thank you very much.
        I like it very much.
        I'm very tired.
        My favorite thing about summer is the food.
        The man sitting next to you is my boss.
        The girl he married is from Korea.
        The book you lent me was great.
        People who exercise regularly live longer.
        Many people like bubble tea.
        There are people who don't agree.
        There's someone at the door.
        There was a man waiting outside.
        I have a friend who lives in Japan.
        I had my car fixed.
        I got my phone stolen.
        The cake was made by my sister.
        English is spoken all over the world.
        The bridge was built in 1920.
        Whether we go or not depends on the weather.
        um i think it's a good idea you know
        so yeah we ended up staying until midnight
        i'm not really sure what happened but it was kind of weird
        well to be honest i don't really care
        Honestly, who cares?
        I mean, it's not that bad.
        Me too.
        """
}
