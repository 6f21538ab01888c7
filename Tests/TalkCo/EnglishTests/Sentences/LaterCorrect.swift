/// Correct sentences that were written after most of the rules. See `Docs/Marker-Quality.md`.
enum LaterCorrect {
    static let sentences = """
        I've been thinking about what you said the other day.
        My grandmother, who is ninety, still cooks every day.
        It's not that I don't like him; I just don't trust him.
        The more expensive one isn't always the better one.
        I ended up taking a taxi because I had missed the last train.
        We should probably leave soon if we want to catch the show.
        Nobody knows where he went after the party.
        I can't believe how fast time flies.
        He's the kind of person who never gives up.
        I have to admit that I was wrong.
        It's about time you told her the truth.
        My boss wants me to finish the slides by Thursday.
        I was told that the office would be closed on Monday.
        The reason I called is that I need your advice.
        I had never seen snow before I moved to Canada.
        By the time we got there, the restaurant had already closed.
        She's been trying to lose weight since last summer.
        There's no point in arguing with him.
        I don't feel like going out tonight.
        Could you do me a favor?
        What would you do if you won the lottery?
        I'd love to, but I already have plans.
        If you don't mind me asking, how old are you?
        I was just about to leave when you called.
        They say it's going to rain all week.
        I'm trying to cut down on sugar.
        It takes about forty minutes to get there by train.
        I usually grab a coffee on my way to work.
        My roommate and I take turns cleaning the bathroom.
        We got lost on the way to the hotel and had to ask for directions.
        The flight was delayed for three hours due to bad weather.
        I left my umbrella on the train.
        I'm allergic to peanuts, so I have to be careful.
        The steak was a little overcooked, but the salad was great.
        How would you like your eggs?
        I'll have the same, please.
        Can we get the check, please?
        Do you take credit cards?
        It's my treat today.
        I'm in charge of marketing for the Asian region.
        We need to come up with a better plan.
        The deadline has been pushed back to next Friday.
        Let me get back to you on that.
        I'm looking for a job in the tech industry.
        I've worked as an accountant for six years.
        After graduating from college, I joined the army.
        Working from home has its advantages and disadvantages.
        I find it hard to focus when my kids are around.
        My team works really well together.
        Everyone on my team works really hard.
        What do people usually do on weekends in your country?
        People usually go hiking or hang out with their friends.
        There were so many people that we couldn't even get in.
        The movie is about a man who loses his memory.
        It was so scary I had to close my eyes.
        I'm a big fan of Korean dramas.
        I binge-watched the whole season in one weekend.
        She plays the violin and the piano.
        My favorite band is coming to Taipei next month.
        The concert tickets sold out in two minutes.
        I think the government needs to take climate change more seriously.
        Many young people can't afford to buy a house.
        The cost of living keeps rising, but salaries stay the same.
        The two countries have signed a trade agreement.
        The president gave a speech on national security yesterday.
        Scientists say that the planet is getting warmer.
        I read an article about artificial intelligence this morning.
        Some people believe that AI will replace most jobs.
        It depends on how you look at it.
        On the one hand, tourism brings money; on the other hand, it causes pollution.
        What worries me is that nobody seems to care.
        Had I known about it earlier, I would have done something.
        Hardly had I arrived when it started to rain.
        Only then did I realize how lucky I was.
        So do I.
        Neither do I.
        So am I.
        Here comes the bus.
        There goes my weekend.
        Down the street is a small bakery.
        In front of the station stands a statue of a dog.
        All of a sudden, the lights went out.
        The lights are on, but nobody is home.
        I watched the kids play in the park.
        I heard him say that he was leaving.
        She helped me move into my new apartment.
        We had our house painted last spring.
        I'd like my coffee black.
        I painted the wall blue.
        He called me a liar.
        They elected her president.
        We consider him a friend.
        I find this book interesting.
        It makes me happy to see you smile.
        Seeing is believing.
        To err is human.
        Swimming is good exercise.
        Eating vegetables is good for you.
        Playing games is my hobby.
        Living in a big city is convenient but expensive.
        Learning English takes time.
        Reading books helps me relax.
        What time is it?
        What kind of music do you like?
        Which one do you prefer?
        How long have you been waiting?
        How often do you work out?
        How far is it from here to the station?
        How long does it take to get there?
        Who are you going with?
        Whose bag is this?
        Why are you laughing?
        Why did you do that?
        Where have you been?
        When did you get back?
        Isn't it beautiful?
        Don't you think so?
        Won't you come in?
        Shall we dance?
        May I come in?
        May is my favorite month.
        I was born in May 1995.
        I met her in March.
        I will be on vacation in August.
        Can you pass me the salt?
        The can is empty.
        The will was read by the lawyer.
        He kept his promise.
        She keeps a diary.
        Keep left.
        Keep the change.
        I left early.
        Turn left at the corner.
        I cut my finger.
        He put the keys on the table.
        She read the letter twice.
        He let me in.
        It cost a lot.
        It hurt a lot.
        He set the table.
        She quit her job.
        I hit my head.
        I bet you're tired.
        It fits perfectly.
        That suits you.
        Good for you!
        Poor thing!
        Same here.
        No worries.
        Long story short, we missed the flight.
        First of all, I'd like to thank everyone.
        Last but not least, we need volunteers.
        As far as I know, he's still single.
        As long as you're happy, I'm happy.
        As soon as possible, please.
        In my opinion, it's a waste of money.
        According to the news, a typhoon is coming.
        Thanks to you, I passed the exam.
        In spite of the rain, we enjoyed the trip.
        Despite being tired, he finished the race.
        Instead of complaining, let's do something.
        I'm tired of eating the same thing every day.
        I'm thinking of moving to another city.
        I apologize for being late.
        She insisted on paying.
        He succeeded in passing the test.
        I'm proud of my daughter.
        I'm worried about my exam.
        He's afraid of flying.
        She's crazy about cats.
        I'm fed up with this weather.
        He's responsible for training new staff.
        I'm familiar with this area.
        It's similar to what we did before.
        This is different from what I expected.
        My office is close to the park.
        I live far from downtown.
        I used to live there.
        I got used to it.
        I'm getting used to living alone.
        I would go swimming every day when I was a kid.
        I'd been waiting for an hour when he showed up.
        She'll have finished by then.
        I'm going to have been here for a year next month.
        You must be tired.
        He can't be serious.
        She might be sick.
        It may rain later.
        They could be lost.
        I needn't have worried.
        You don't have to come.
        You mustn't smoke here.
        I ought to call my mom.
        Dad used to work there.
        My dad works in construction and my mom stays at home.
        Mom said dinner is ready.
        Breakfast is included.
        Dinner was delicious.
        Lunch is on me.
        School starts at eight.
        Work has been crazy lately.
        Traffic is terrible on Fridays.
        Life is short.
        Love is blind.
        Time is money.
        Money can't buy happiness.
        Coffee keeps me awake.
        Rice is a staple food in Asia.
        Fruit is expensive in winter.
        Hair grows slowly.
        English is hard but fun.
        Japanese food is healthy.
        Tea or coffee?
        I'd like two coffees and a tea.
        She has long black hair.
        He has big eyes.
        I have a lot of things on my mind.
        I have a feeling that she likes you.
        I have nothing against him.
        I have nowhere to go.
        I've got a headache.
        I've got to go.
        He's got a new car.
        She had a baby last month.
        They have three kids.
        We had a great time.
        Have you got a minute?
        Do you have any idea how hard this is?
        I don't have a clue.
        He doesn't have a driver's license.
        She did not say anything.
        I did tell you.
        I do like it.
        He does look tired.
        Do come in.
        What's done is done.
        Stop it!
        Stop worrying about everything.
        I stopped at a gas station to buy some snacks.
        I'm busy preparing for the exam.
        We went camping by the lake.
        I go running every morning.
        Let's go shopping.
        She went home to change.
        They came to visit us.
        I came here to learn.
        I come from a small town in southern Taiwan.
        He came in first.
        They're building a new subway line near my house.
        A new subway line is being built near my house.
        My phone was stolen on the bus.
        He was fired last week.
        I was surprised by the result.
        I'm married with two kids.
        The door was locked.
        The shop is closed on Mondays.
        I was raised in Tainan.
        The film is based on a true story.
        It's made of wood.
        Wine is made from grapes.
        The letter was written in French.
        you know what i mean
        yeah that makes sense
        i was like what are you talking about
        so we went there and it was closed
        and then he goes i don't care
        it's kind of hard to explain
        i don't know maybe we can go next week
        i guess it depends on what you want to do
        she's a nurse she works nights
        i love it here the people are so friendly
        we stayed at this little hotel by the sea and the food was amazing
        i think that's why i like it
        that's what i thought
        that's how i met my wife
        that's where i grew up
        this is what happens when you don't sleep
        is that what you mean
        what i want to say is that we should try
        to tell you the truth i've never been there
        I usually take the MRT to work because parking is so expensive downtown.
        My manager asked me to reschedule the meeting with our client in Japan.
        We had to wait in line for almost an hour, but it was worth it.
        I've never tried it before, but I'd love to give it a try.
        The last time I went to the dentist was three years ago.
        He's been working from home since the pandemic started.
        I don't eat meat, so I ordered a vegetable curry.
        My son just started elementary school this year.
        The hotel we stayed at last summer had a beautiful view of the ocean.
        It was raining so hard that we couldn't see the road.
        I think it's important to save money when you're young.
        She said she would be late because of the traffic.
        I was watching TV when the phone rang.
        When I got home, my wife was cooking dinner.
        When I was little, my grandmother used to tell me stories.
        While I was waiting for the bus, I met an old classmate.
        After I finish work, I usually go straight home.
        Before I moved here, I had never lived alone.
        Once you get used to it, it's not that hard.
        Even though I was tired, I kept working.
        I was so hungry that I ate two bowls of rice.
        I'm thinking of buying a new car next year.
        I went to the supermarket and bought some vegetables.
        Last weekend I stayed home and watched a few movies.
        I wanted to go, but I had to work.
        I told him that I would help him, but I forgot.
        Whenever I feel stressed, I go for a run.
        I'm not a morning person.
        He isn't very good at remembering names.
        There aren't any good restaurants around here.
        Is there a convenience store near here?
        Are there any seats left?
        Were you at the party last night?
        Was it fun?
        Do you know how to get to the airport?
        Could you tell me what time the museum opens?
        I'm wondering if you could help me.
        I can't remember where I put my keys.
        I have no idea what he's talking about.
        Whoever wins the election will face a lot of problems.
        The government announced that it will raise the minimum wage.
        According to the article, sales dropped by ten percent.
        People who live in cities tend to have smaller families.
        A lot of young people are moving abroad to find better jobs.
        The movie lets you see the world through a child's eyes.
        Her latest album is her best work so far.
        I prefer watching movies at home.
        The ending made me cry.
        I like the way she sings.
        My favorite character is the detective.
        It is said that garlic is good for your health.
        The food was so good that we went back the next day.
        I'd recommend the seafood pasta.
        Can I have a glass of water, please?
        I'll have a cup of black tea.
        The bill came to fifty dollars.
        I left a tip on the table.
        Everything on the menu looks delicious.
        This dish is too salty for me.
        I didn't know what to order, so I asked the waiter.
        We went there by train and came back by plane.
        The plane took off two hours late.
        Our luggage didn't arrive until the next day.
        It took us three hours to get through customs.
        You need a visa to visit that country.
        We rented a car and drove along the coast.
        I got sunburned on the first day.
        The people there were really friendly.
        I bought some souvenirs for my coworkers.
        I can't wait to go back.
        My flight leaves at six in the morning.
        How was your trip?
        Did you take any pictures?
        I work for a trading company in Taichung.
        I'm responsible for customer service.
        I've applied for several jobs, but I haven't heard back yet.
        My coworker quit, so I have to do her work too.
        My job can be stressful at times.
        I have a lot of experience in sales.
        I'm looking forward to the long weekend.
        My boss is strict but fair.
        We have a meeting every Monday morning.
        I got promoted last year.
        He makes more money than I do.
        She speaks better English than me.
        I work better under pressure.
        Nobody told me the meeting had been canceled.
        I get along well with my colleagues.
        The company's profits have doubled.
        Everyone has their own opinion.
        Each of us has a different reason.
        None of my friends live nearby.
        Half of the students are from abroad.
        The rest of the day was boring.
        Some of the money was stolen.
        All of the information is online.
        Much of what he said was true.
        Neither answer is correct.
        Either day works for me.
        More and more people are working remotely.
        The rich get richer and the poor get poorer.
        The older I get, the less I sleep.
        He ran as fast as he could.
        It's twice as expensive as the other one.
        This is by far the best pizza in town.
        That was one of the worst days of my life.
        i'm good thanks how about you
        so what do you do for a living
        oh really that's so cool
        um let me think
        i'd say it's about thirty minutes from here
        yeah i used to play a lot but not anymore
        we should hang out sometime
        sounds like a plan
        it's not like i have a choice
        i was gonna say the same thing
        do you wanna grab lunch
        i gotta go
        my bad
        no way
        that's too bad
        you look tired today
        it smells good in here
        there's this new place i want to try
        the thing is i don't have enough time
        what happened was i missed my stop
        I think what makes a good leader is patience.
        She's the kind of teacher every student remembers.
        We watched the sun set over the ocean.
        They helped my grandmother find her seat.
        I felt the ground shake during the earthquake.
        Does your company have an office in Tokyo?
        Did your parents like the gift?
        Why does everyone like this place so much?
        Can somebody help me?
        Will anyone be there?
        What did the doctor say?
        How much do your shoes cost?
        How many hours do you work a week?
        Which floor is your office on?
        The kids are playing in the park, and their mom is reading a book.
        My wife and I have been married for eight years.
        My friends and I went to a hot spring last weekend.
        My sister and her husband live in Boston.
        It's nice to see everyone get along.
        I had my students write an essay.
        I saw a man steal her bag.
        We heard the baby cry all night.
        Let your sister try.
        Make the sauce first, then cook the pasta.
        Turn right at the bank and walk two blocks.
        Don't be late.
        Be careful.
        Never mind.
        Please have a seat.
        Please be quiet.
        Just do it.
        Believe me, it's worth it.
        Thank God it's Friday.
        God bless you.
        Long live the king.
        So be it.
        Come what may, I'll be there.
        Whatever you decide, I'll support you.
        No matter how hard I try, I can't do it.
        The sooner we leave, the better.
        Once upon a time, there was a princess.
        Sure, why not?
        Not at all.
        Of course not.
        Guess what?
        What about you?
        What if it rains?
        So what?
        Now what?
        Who knows?
        How so?
        Like I said, it's complicated.
        As I said, we need more time.
        If only I had known.
        If it weren't for you, I would have given up.
        Were it not for the rain, we'd be outside.
        Should you need anything, just let me know.
        But for your help, I would have failed.
        I wish it would stop raining.
        I'd rather you didn't smoke here.
        It's high time we left.
        Suppose you won a million dollars.
        I'll be working late tonight.
        I'll have been working here for ten years by then.
        I've been meaning to call you.
        I've been told that before.
        I could use some help.
        I might as well go.
        You may as well tell me.
        He can't have said that.
        There must be some mistake.
        There seems to be a problem.
        There happened to be a doctor on the plane.
        It seems that nobody noticed.
        It turned out that he was right.
        It looks like rain.
        It looks as if it's going to rain.
        It's no use complaining.
        It's worth a visit.
        The book is worth reading.
        I'm dying to see it.
        I'm about to leave.
        I'm bound to forget.
        I'm supposed to meet her at six.
        He is said to be very rich.
        She was seen to enter the building.
        They were made to work overtime.
        I got him to fix my computer.
        I want it done by Friday.
        I need my car washed.
        I like my steak rare.
        I keep my room clean.
        She left the door open.
        He found the box empty.
        Paint it black.
        I consider myself lucky.
        They named their son Kevin.
        I was given a second chance.
        We were shown around the factory.
        He was offered a job in London.
        I'm not used to being alone.
        I'm tired of being told what to do.
        Being a parent isn't easy.
        Having a pet is a big responsibility.
        To be successful, you need to work hard.
        My goal is to save enough for a house.
        All you need is love.
        The best thing about my job is the people.
        What I don't understand is why he left.
        The reason is that we don't have enough staff.
        The fact is, I don't care.
        The problem is the price.
        The question is whether we can afford it.
        Chances are it'll rain.
        Rumor has it that they broke up.
        Word gets around fast.
        """
}
