extension TopicScript {
    static let travel = TopicScript(
        subject: "travel",
        questions: [
            Question(
                "Where did you go on your last trip?", easier: "Do you like to travel?",
                [
                    "I went to Japan.", "I went to the beach in the south with my family.",
                    "Last summer I traveled around the island by train, and I loved it.",
                ],
                [
                    FollowUp(
                        .words("japan tokyo osaka kyoto"), "What surprised you most in Japan?",
                        [
                            "It was very clean.", "Everybody was so polite and quiet.",
                            "The trains were always on time, even in heavy rain.",
                        ]),
                    FollowUp(
                        .words("beach sea island coast swim"), "Did you go swimming there?",
                        ["Yes, every day.", "No, the water was too cold.", "I tried surfing for the first time, and I fell a lot."]),
                    FollowUp(
                        .words("train trains bus car plane"), "What did you see on the way?",
                        [
                            "I saw the sea.", "There were mountains and small villages.",
                            "I slept most of the time, but the view was beautiful.",
                        ]),
                    FollowUp(
                        .anything, "What did you like best about it?",
                        [
                            "The food was great.", "I liked the people, because they were so friendly.",
                            "It was good to forget about work for a while.",
                        ]),
                ]),
            Question(
                "Do you like to plan everything before a trip?", easier: "Do you plan your trips?",
                [
                    "Yes, I do.", "I book the hotel, but I don't plan every day.",
                    "I prefer to decide in the morning, because I like surprises.",
                ],
                [
                    FollowUp(
                        .words("surprises surprise decide no don't"), "Has that ever gone wrong?",
                        [
                            "No, never.", "Once we could not find a room for the night.",
                            "We missed the last bus and had to walk for two hours.",
                        ]),
                    FollowUp(
                        .yes, "How long before the trip do you start?",
                        [
                            "One month before.", "I start when I see a cheap flight.",
                            "Half a year before, because I enjoy the planning.",
                        ]),
                ]),
            Question(
                "Which country would you like to visit one day, and why?", easier: "Where do you want to go next?",
                [
                    "I want to go to Canada.", "I would like to see Italy because of the food.",
                    "I dream of seeing the northern lights in Norway.",
                ],
                [
                    FollowUp(
                        .words("food italy eat pizza"), "What would you eat there first?",
                        ["A real pizza.", "I would try the ice cream.", "I would ask the people there and order the same."]),
                    FollowUp(
                        .words("canada norway lights snow nature mountains"), "Could you live in a place that is so cold?",
                        ["No, I like warm weather.", "Maybe for one winter.", "Yes, if I had a warm house and good friends."]),
                    FollowUp(
                        .anything, "What stops you from going there?",
                        [
                            "It is expensive.", "I don't have enough days off.",
                            "It is too far for a short holiday, so I have to wait.",
                        ]),
                ]),
            Question(
                "Do you prefer to travel alone or with other people?", easier: "Who do you travel with?",
                [
                    "With my friends.", "I like to travel with my family, because we have fun together.",
                    "I prefer to travel alone, so that I can change my plans.",
                ],
                [
                    FollowUp(
                        .words("alone myself"), "Is it easy for you to meet people when you travel alone?",
                        ["Yes, it is.", "No, because I am a bit shy.", "I usually meet people in hostels or on tours."]),
                    FollowUp(
                        .words("family parents friends friend people"), "What do you do when you want different things?",
                        ["We talk about it.", "We split up and meet again for dinner.", "The person who planned the day decides."]),
                ]),
            Question(
                "Have you ever had a problem at an airport or in a hotel?", easier: "Was your flight ever late?",
                [
                    "No, never.", "Yes, my flight was four hours late.",
                    "Once they lost my suitcase, and I had no clothes for two days.",
                ],
                [
                    FollowUp(
                        .words("flight plane late delayed hours"), "What did you do while you were waiting?",
                        [
                            "I slept on a chair.", "I walked around and looked at the shops.",
                            "I talked to a nice lady who was waiting too.",
                        ]),
                    FollowUp(
                        .words("suitcase luggage bag lost passport"), "How did you get it back?",
                        [
                            "They sent it to my hotel.", "I had to call the airline every day.",
                            "It never came back, so the airline paid for it.",
                        ]),
                    FollowUp(
                        .no, "You are lucky! What do you do to avoid problems?",
                        ["I come early.", "I always make copies of my papers.", "I pack only one small bag and keep it with me."]),
                ]),
            Question(
                "Imagine a friend from abroad visits your city. Where would you take this friend?",
                easier: "What is a nice place in your city?",
                [
                    "To the night market.", "I would show my friend an old temple.",
                    "First we would go up the mountain, and then to a hot spring.",
                ],
                [
                    FollowUp(
                        .words("market food eat restaurant"), "What should your friend try there?",
                        [
                            "Fried chicken.", "They should try the famous tofu.",
                            "I would order many small dishes, so that we can share.",
                        ]),
                    FollowUp(
                        .words("temple museum mountain spring old park"), "What is special about that place?",
                        ["It is very old.", "It is quiet, although it is in the city.", "You can see the whole city from there."]),
                ]),
            Question(
                "What do you never forget to pack?", easier: "What is in your travel bag?",
                [
                    "My phone.", "I always take a good book with me.",
                    "I never leave without my own pillow, because I sleep badly in hotels.",
                ],
                [
                    FollowUp(
                        .anything, "And what do you usually forget?",
                        ["My toothbrush.", "I often forget my umbrella.", "I make a list, so I seldom forget anything."])
                ]),
            Question(
                "Do you speak English when you travel?", easier: "Is it easy to speak English in a shop?",
                [
                    "Yes, a little.", "I use English to ask for directions.",
                    "I try to, but I get nervous when people answer quickly.",
                ],
                [
                    FollowUp(
                        .words("directions ask way street station"), "Can you remember a time when you got lost?",
                        [
                            "Yes, in a big station.", "I walked in the wrong direction for an hour.",
                            "A stranger helped me and even went with me.",
                        ]),
                    FollowUp(
                        .words("nervous shy quickly fast difficult"), "What helps you when people speak too fast?",
                        ["I ask them to repeat it.", "I ask them to write it down.", "I smile and say that I am still learning."]),
                ]),
            Question(
                "Would you rather spend a holiday in a big city or close to nature?", easier: "Do you like cities or nature?",
                [
                    "I like cities.", "I like nature, because I can relax there.",
                    "A few days in the city and then some days by the sea would be perfect.",
                ],
                [
                    FollowUp(
                        .words("nature mountains sea forest relax"), "What do you do there all day?",
                        ["I walk and sleep.", "I go hiking early in the morning.", "I take pictures of birds and flowers."]),
                    FollowUp(
                        .words("city cities shopping museums"), "What do you look at first in a new city?",
                        ["The shops.", "I visit a museum or a market.", "I walk without a map and see what I find."]),
                ]),
            Question(
                "What was the best meal you have ever had on a trip?", easier: "What did you eat on your last trip?",
                [
                    "I had fresh fish.", "I ate noodles in a tiny restaurant in Osaka.",
                    "An old woman cooked for us at her home, and it was delicious.",
                ],
                [
                    FollowUp(
                        .anything, "Could you cook something like that at home?",
                        [
                            "No, I can't.", "I tried it once, but it was not the same.",
                            "Maybe, if I could find the right ingredients.",
                        ])
                ]),
            Question(
                "How do you keep the memories of a trip?", easier: "Do you take many photos?",
                [
                    "I take photos.", "I take hundreds of photos and never look at them.",
                    "I write a few lines in my diary every evening.",
                ],
                [
                    FollowUp(
                        .words("photos photo pictures picture camera"), "Do you share your photos with other people?",
                        [
                            "Yes, with my friends.", "I put the best ones on the internet.",
                            "I only show them to people who ask for them.",
                        ]),
                    FollowUp(
                        .words("diary write notes book"), "Do you read it again later?",
                        ["Yes, sometimes.", "I read it when I miss that time.", "My children may read it one day."]),
                ]),
            Question(
                "Where will your next trip go?", easier: "Do you have a plan for a trip?",
                [
                    "I don't know yet.", "I'm going to Korea in spring with a friend.",
                    "We want to rent a car and drive along the east coast.",
                ],
                [
                    FollowUp(
                        .words("korea spring friend"), "What are you looking forward to most?",
                        ["The food.", "I want to see the old palaces.", "I'm looking forward to speaking with people there."]),
                    FollowUp(
                        .words("know yet no"), "When do you usually have time to travel?",
                        ["In summer.", "At the end of the year, when work is quiet.", "Whenever I find a cheap ticket."]),
                    FollowUp(
                        .words("car drive rent coast"), "Who is going to drive?",
                        [
                            "I will drive.", "My brother, because he likes driving.",
                            "We will take turns, so that nobody gets tired.",
                        ]),
                ]),
        ])
}
