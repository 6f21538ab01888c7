extension TopicScript {
    static let dailyLife = TopicScript(
        subject: "everyday life",
        questions: [
            Question(
                "What does a normal morning look like for you?", easier: "What time do you get up?",
                [
                    "I get up at seven.", "I usually get up at seven and make a cup of coffee.",
                    "I'm not a morning person, so I always leave the house in a hurry.",
                ],
                [
                    FollowUp(
                        .words("coffee tea breakfast eat"), "What do you usually have for breakfast?",
                        [
                            "I eat bread and eggs.", "I often buy a rice ball on the way to work.",
                            "I skip breakfast because I would rather sleep longer.",
                        ]),
                    FollowUp(
                        .words("hurry late morning sleep"), "Would you like to have more time in the morning?",
                        ["Yes, I would.", "Yes, then I could read the news in peace.", "No, I am used to being in a hurry."]),
                    FollowUp(
                        .anything, "And how do you get to work or school?",
                        [
                            "I take the bus.", "I ride my scooter because it is fast.",
                            "I take the subway and listen to music on the way.",
                        ]),
                ]),
            Question(
                "Who do you live with?", easier: "Do you live alone?",
                [
                    "I live with my family.", "I live with my parents and my younger sister.",
                    "I share an apartment with two friends from college.",
                ],
                [
                    FollowUp(
                        .words("alone myself"), "What do you like about living alone?",
                        ["It is quiet.", "I can do what I want at any time.", "I enjoy the freedom, but sometimes I feel lonely."]),
                    FollowUp(
                        .words("friends friend roommate roommates share"),
                        "Do you and your friends ever argue about the housework?",
                        ["No, never.", "Sometimes we argue about the dishes.", "We made a plan, so everyone knows what to do."]),
                    FollowUp(
                        .words("family parents mother father sister brother wife husband children son daughter"),
                        "What do you like to do together with your family?",
                        [
                            "We eat dinner together.", "We often watch a movie on Friday night.",
                            "We like to go hiking when the weather is good.",
                        ]),
                ]),
            Question(
                "What did you do last weekend?", easier: "Did you have a good weekend?",
                [
                    "I stayed at home.", "I met my friends and we went shopping.",
                    "I went hiking in the mountains with my family, and it was wonderful.",
                ],
                [
                    FollowUp(
                        .words("home slept sleep tired nothing"), "Do you prefer quiet weekends at home?",
                        ["Yes, I do.", "Yes, because my week is very busy.", "No, I would rather go out, but I was too tired."]),
                    FollowUp(
                        .words("shopping bought buy friends"), "Did you find anything nice?",
                        [
                            "Yes, I bought a shirt.", "No, everything was too expensive.",
                            "We only looked around and then had a cup of tea.",
                        ]),
                    FollowUp(
                        .words("hiking mountains mountain beach park walk family"), "How was the weather there?",
                        [
                            "It was sunny.", "It was a bit cold in the morning.",
                            "It rained a little, but we had a good time anyway.",
                        ]),
                ]),
            Question(
                "How do you usually spend your evenings?", easier: "What do you do after dinner?",
                [
                    "I watch TV.", "I usually cook dinner and then watch a series.",
                    "If I'm not too tired, I go running or read a book.",
                ],
                [
                    FollowUp(
                        .words("tv series watch movie phone internet games game"), "How many hours a day do you look at a screen?",
                        ["About three hours.", "Too many, I think.", "At work the whole day, so I try to stop in the evening."]),
                    FollowUp(
                        .words("running run exercise gym book read walk"), "How often do you do that?",
                        ["Twice a week.", "Almost every evening.", "Not as often as I would like to."]),
                ]),
            Question(
                "Is there a habit that you would like to change?", easier: "Do you have a bad habit?",
                [
                    "I sleep too late.", "I would like to drink less bubble tea.",
                    "I look at my phone too much, especially before I go to bed.",
                ],
                [
                    FollowUp(
                        .words("sleep late bed night phone"), "What keeps you awake at night?",
                        [
                            "I watch videos.", "I talk to my friends on my phone.",
                            "I often think about work and cannot fall asleep.",
                        ]),
                    FollowUp(
                        .anything, "Have you ever tried to change it?",
                        [
                            "Yes, but it was hard.", "I tried for a week and then I gave up.",
                            "Not yet, but I want to start next month.",
                        ]),
                ]),
            Question(
                "Do you have a pet, or would you like to have one?", easier: "Do you like animals?",
                [
                    "Yes, I have a cat.", "No, but I would like to have a dog.",
                    "I love animals, but my apartment is too small for a pet.",
                ],
                [
                    FollowUp(
                        .words("cat cats"), "What is your cat like?",
                        ["It is very lazy.", "She is shy, but she likes me.", "It sleeps all day and wakes me up at night."]),
                    FollowUp(
                        .words("dog dogs"), "What would you do with a dog on the weekend?",
                        ["I would go to the park.", "We would take long walks.", "I would take it to the beach and let it run."]),
                    FollowUp(
                        .no, "Is it because of the work, or do you not like animals?",
                        ["It is too much work.", "I am afraid of big dogs.", "I like animals, but I travel too often."]),
                ]),
            Question(
                "What kind of housework do you dislike the most?", easier: "Do you like cleaning your home?",
                [
                    "I don't like cleaning.", "I hate washing the dishes after dinner.",
                    "Ironing shirts is the worst, because it takes so long.",
                ],
                [
                    FollowUp(
                        .anything, "And is there any housework that you enjoy?",
                        ["I like cooking.", "No, not really.", "I enjoy cleaning the kitchen while I listen to music."])
                ]),
            Question(
                "Tell me about your neighborhood. What is it like?", easier: "Is your street quiet or noisy?",
                [
                    "It is quiet.", "There are many small shops and a night market near my home.",
                    "It's convenient, but the traffic is quite noisy during the day.",
                ],
                [
                    FollowUp(
                        .words("shops shop market restaurants convenient"), "Which place there do you go to most often?",
                        [
                            "The supermarket.", "There is a small coffee shop that I like.",
                            "I go to the night market when I don't want to cook.",
                        ]),
                    FollowUp(
                        .words("noisy noise traffic quiet"), "Would you rather live in the city or in the country?",
                        ["In the city.", "In the country, because the air is better.", "I would like a small house near the city."]),
                ]),
            Question(
                "How do you relax after a stressful day?", easier: "What do you do when you are tired?",
                ["I take a hot bath.", "I listen to music and drink some tea.", "I call a good friend and talk about everything."],
                [
                    FollowUp(
                        .words("music songs song"), "What kind of music helps you relax?",
                        ["I like slow songs.", "I usually listen to piano music.", "Anything is fine if it is not too loud."]),
                    FollowUp(
                        .words("friend friends talk call"), "Who is the person you talk to most?",
                        [
                            "My best friend.", "I talk to my sister almost every day.",
                            "A friend from school who knows me very well.",
                        ]),
                ]),
            Question(
                "Do you do any sports or exercise?", easier: "Do you like sports?",
                [
                    "Yes, I swim.", "I play badminton with my colleagues once a week.",
                    "I know I should exercise more, but I never have the time.",
                ],
                [
                    FollowUp(
                        .words("swim badminton basketball run running yoga gym tennis yes"), "When did you start doing that?",
                        ["Last year.", "When I was a child.", "A friend took me there, and I liked it right away."]),
                    FollowUp(
                        .words("time no not never"), "What would help you to move more?",
                        ["A friend who comes with me.", "More free time after work.", "Maybe a gym that is close to my office."]),
                ]),
            Question(
                "What are your plans for the next few days?", easier: "What are you going to do tomorrow?",
                [
                    "I have to work.", "I'm going to visit my grandmother on Sunday.",
                    "I'm planning to clean my room, and then I will meet some friends.",
                ],
                [
                    FollowUp(
                        .words("grandmother grandfather parents family visit"), "How often do you see them?",
                        ["Once a month.", "Every weekend if I can.", "Not very often, because they live far away."]),
                    FollowUp(
                        .words("work busy study exam"), "Are you going to have some free time as well?",
                        ["Yes, on Sunday.", "I hope so, but I am not sure.", "Only in the evening, and then I want to rest."]),
                ]),
            Question(
                "What was the best moment of your week so far?", easier: "What was good this week?",
                [
                    "I met a friend.", "I finished a difficult task and felt very happy.",
                    "My family had dinner together for the first time in weeks.",
                ],
                [
                    FollowUp(
                        .anything, "Why was that important to you?",
                        ["It made me happy.", "Because it does not happen very often.", "I had worked for it for a long time."])
                ]),
            Question(
                "If you had one more free day every week, what would you do with it?", easier: "What do you do on a free day?",
                ["I would sleep.", "I would learn to play the guitar.", "I would spend it outside, far away from my computer."],
                [
                    FollowUp(
                        .words("learn guitar study language"), "What makes it interesting for you?",
                        [
                            "I like the sound.", "I always wanted to do it as a child.",
                            "It is something completely different from my job.",
                        ])
                ]),
        ])
}
