extension TopicScript {
    static let currentEvents = TopicScript(
        subject: "the news and the world around us",
        questions: [
            Question(
                "How do you usually get your news?", easier: "Do you read the news?",
                [
                    "On my phone.", "I read the news on my phone on the way to work.",
                    "My parents watch the news on TV, so I hear it at dinner.",
                ],
                [
                    FollowUp(
                        .words("phone internet online social media"), "Do you believe everything that you read there?",
                        ["No, I don't.", "I check it on a second page.", "It depends on who wrote it."]),
                    FollowUp(
                        .words("tv television parents newspaper radio"), "Do you talk about the news at home?",
                        ["Yes, often.", "Sometimes, but then we argue.", "We talk about it when it concerns our city."]),
                    FollowUp(
                        .no, "Why don't you follow the news?",
                        ["I have no time.", "It makes me sad.", "There is too much of it, and most of it is bad."]),
                ]),
            Question(
                "Is there a story in the news that you found interesting lately?", easier: "What is in the news this week?",
                [
                    "The weather is in the news.", "I read about a new train line in my city.",
                    "There was a report about robots that work in hospitals.",
                ],
                [
                    FollowUp(
                        .words("train line city road building"), "Will that change something for you?",
                        ["Yes, it will.", "I could get to work faster.", "Not for me, but for the people in the north."]),
                    FollowUp(
                        .words("robots robot computers technology intelligence ai"), "Do you find that exciting or a bit scary?",
                        ["It is exciting.", "A bit of both, I think.", "I worry about the people who lose their jobs."]),
                    FollowUp(
                        .words("weather rain storm typhoon earthquake hot"), "How does the weather affect your life?",
                        [
                            "I stay at home.", "It's too hot to go outside in summer.",
                            "When there is a typhoon, we buy food and wait.",
                        ]),
                    FollowUp(
                        .anything, "Why did it interest you?",
                        ["It was funny.", "Because it happened near my home.", "It showed me something that I did not know."]),
                ]),
            Question(
                "What is the biggest problem in your city at the moment?", easier: "What is a problem in your city?",
                [
                    "The traffic.", "Apartments are too expensive for young people.",
                    "There are too many cars, and the air is getting worse.",
                ],
                [
                    FollowUp(
                        .words("apartments houses rent expensive prices price money"), "What could the city do about the prices?",
                        [
                            "Build more houses.", "They should build homes for young families.",
                            "I don't think that the city can do much about it.",
                        ]),
                    FollowUp(
                        .words("traffic cars scooters air parking"), "Would you give up your car or your scooter?",
                        ["No, I wouldn't.", "Yes, if the buses came more often.", "I did it last year, and I don't miss it."]),
                ]),
            Question(
                "Do you think that people spend too much time online?", easier: "Do you use your phone a lot?",
                [
                    "Yes, I think so.", "Yes, because they don't talk to each other anymore.",
                    "I don't think so, since many people work and learn online.",
                ],
                [
                    FollowUp(
                        .yes, "Should schools forbid phones?",
                        [
                            "Yes, they should.", "Only in class, not in the breaks.",
                            "I would rather teach children how to use them well.",
                        ]),
                    FollowUp(
                        .no, "What is the best thing about being online?",
                        [
                            "I can learn a lot.", "I can stay in touch with friends abroad.",
                            "You can find people who share your hobby.",
                        ]),
                ]),
            Question(
                "What do you do to protect the environment?", easier: "Do you recycle?",
                ["I recycle.", "I bring my own bag and my own cup.", "I try to, but I think that companies have to do more."],
                [
                    FollowUp(
                        .words("bag bags cup cups plastic recycle bottle"), "Do most people around you do the same?",
                        ["Yes, most of them.", "Young people do, I think.", "More and more people do, because it saves money."]),
                    FollowUp(
                        .words("companies company government factories"), "How could we make them do more?",
                        [
                            "With strict laws.", "We could buy from other companies.",
                            "People should ask questions and not stay silent.",
                        ]),
                ]),
            Question(
                "Do you think that computers will do most of our jobs one day?", easier: "Do you like new technology?",
                [
                    "No, I don't.", "Yes, but there will also be new jobs.",
                    "They may do the boring work, so that we have time for people.",
                ],
                [
                    FollowUp(
                        .yes, "Which jobs will disappear first?",
                        ["Drivers, I think.", "Jobs in shops and banks.", "Maybe translators, which makes me a bit sad."]),
                    FollowUp(
                        .anything, "Which job can only be done by a person?",
                        [
                            "A nurse.", "I think a good teacher is always a person.",
                            "Everything where people need somebody to listen.",
                        ]),
                ]),
            Question(
                "Is life today better than in the time of your grandparents?", easier: "Is life easy today?",
                [
                    "Yes, it is better.", "We have more money, but also more stress.",
                    "In many ways it is, but people knew their neighbors then.",
                ],
                [
                    FollowUp(
                        .words("stress busy work money"), "Where does the stress come from?",
                        ["From work.", "Everybody wants everything at once.", "We compare ourselves with others all the time."]),
                    FollowUp(
                        .words("neighbors grandparents family people"), "What did your grandparents tell you about their life?",
                        [
                            "They were poor.", "They worked in the fields as children.",
                            "My grandfather walked to school for an hour every day.",
                        ]),
                ]),
            Question(
                "Should people work four days a week instead of five?", easier: "Do people work too much?",
                [
                    "Yes, they should.", "Yes, because tired people make mistakes.",
                    "It would be nice, but small companies could not pay for it.",
                ],
                [
                    FollowUp(
                        .yes, "What would you do with the free day?",
                        ["I would sleep.", "I would spend it with my children.", "I would finally do a sport or learn something."]),
                    FollowUp(
                        .anything, "How many hours a week are enough, in your opinion?",
                        ["Forty hours.", "Thirty hours would be perfect.", "It depends on the job and on the person."]),
                ]),
            Question(
                "What good news have you heard recently?", easier: "Did you hear any good news?",
                ["My friend got married.", "Our team won an important game.", "A small village near us has got its school back."],
                [
                    FollowUp(
                        .words("married wedding baby friend"), "How did you celebrate?",
                        ["We had dinner.", "There was a big party with good food.", "I could not be there, but I sent a present."]),
                    FollowUp(
                        .anything, "Why is there so little good news on TV?",
                        ["I don't know.", "Because bad news sells better.", "Good things are slow, and nobody films them."]),
                ]),
            Question(
                "Is it important to know what happens in other countries?", easier: "Do you like to read about other countries?",
                [
                    "Yes, it is.", "It is important because it affects our daily life.",
                    "I think so, although I don't always understand it.",
                ],
                [
                    FollowUp(
                        .anything, "Which country would you like to know more about?",
                        [
                            "India.", "I would like to know more about Africa.",
                            "A country that is never in the news, such as Iceland.",
                        ])
                ]),
            Question(
                "If you could change one law, which one would it be?", easier: "Which rule don't you like?",
                [
                    "I don't know.", "I would make public transport free.",
                    "I would give every parent more time with a small child.",
                ],
                [
                    FollowUp(
                        .words("free transport buses money"), "Who would pay for that?",
                        ["The government.", "People with big cars should pay.", "All of us would pay, but it would be worth it."]),
                    FollowUp(
                        .anything, "Do you think that it could really happen?",
                        ["No, I don't.", "Maybe in ten years.", "If enough people ask for it, why not?"]),
                ]),
            Question(
                "How do you talk with a friend who has a very different opinion?", easier: "Do you argue with your friends?",
                ["I listen.", "I ask why my friend thinks so.", "We agree that we don't agree, and then we have dinner."],
                [
                    FollowUp(
                        .anything, "Has a friend ever changed your mind?",
                        ["Yes, once.", "No, I am quite stubborn.", "Yes, about food, but never about politics."])
                ]),
        ])
}
