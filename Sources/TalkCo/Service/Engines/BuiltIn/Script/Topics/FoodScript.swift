extension TopicScript {
    static let food = TopicScript(
        subject: "food",
        questions: [
            Question(
                "What is your favorite dish?", easier: "What do you like to eat?",
                [
                    "I like noodles.", "My favorite dish is beef noodle soup.",
                    "I could eat dumplings every day, especially those of my grandmother.",
                ],
                [
                    FollowUp(
                        .words("noodles noodle soup beef ramen"), "Where can you get the best noodles in your city?",
                        [
                            "Near my home.", "There is a small shop next to the station.",
                            "In an old restaurant where you always have to wait.",
                        ]),
                    FollowUp(
                        .words("dumplings dumpling grandmother mother"), "Did she teach you how to make them?",
                        [
                            "No, she didn't.", "Yes, we make them together at New Year.",
                            "She showed me, but mine never taste as good.",
                        ]),
                    FollowUp(
                        .anything, "What does it taste like?",
                        ["It is a bit spicy.", "It is salty and very rich.", "It's hard to describe, but it reminds me of home."]),
                ]),
            Question(
                "Do you cook, or do you prefer to eat out?", easier: "Can you cook?",
                [
                    "I eat out.", "I can cook simple dishes like fried rice.",
                    "I cook on weekends, because I have no time during the week.",
                ],
                [
                    FollowUp(
                        .words("cook rice cooking weekends"), "What did you cook last time?",
                        [
                            "I cooked fish.", "I made a soup with chicken and ginger.",
                            "I tried a recipe from the internet, and it went wrong.",
                        ]),
                    FollowUp(
                        .words("out restaurant restaurants buy no"), "How often do you eat in a restaurant?",
                        ["Every day.", "Two or three times a week.", "Almost every day, because my kitchen is tiny."]),
                ]),
            Question(
                "Is there a restaurant that you like? What is it like?", easier: "Do you have a favorite restaurant?",
                [
                    "It is small.", "It is a Japanese restaurant near my office.",
                    "The food is simple, but the owner remembers every guest.",
                ],
                [
                    FollowUp(
                        .words("japanese italian chinese thai korean"), "What do you usually order there?",
                        ["I order the set meal.", "I always have the same dish.", "I ask the waiter what is good today."]),
                    FollowUp(
                        .anything, "Who do you go there with?",
                        [
                            "With my family.", "I go there with my colleagues after work.",
                            "I like to go there alone and read a book.",
                        ]),
                ]),
            Question(
                "What do you like to eat at a night market?", easier: "Do you like night markets?",
                [
                    "I like fried chicken.", "I always buy grilled corn and papaya milk.",
                    "I don't go there often, because it is too crowded for me.",
                ],
                [
                    FollowUp(
                        .words("chicken corn milk fried grilled tofu squid"), "Is it healthy, do you think?",
                        ["No, it isn't.", "No, but it tastes so good.", "It's fine if you don't eat it every day."]),
                    FollowUp(
                        .words("crowded don't never quiet"), "Where do you go instead?",
                        ["I stay at home.", "I go to a quiet restaurant.", "I go there late, when most people have left."]),
                ]),
            Question(
                "Is there any food that you cannot eat or really dislike?", easier: "What food don't you like?",
                [
                    "I don't like onions.", "I can't eat seafood because I am allergic.",
                    "I have tried stinky tofu many times, but I still can't stand it.",
                ],
                [
                    FollowUp(
                        .words("allergic allergy sick"), "How do you explain that in a restaurant?",
                        [
                            "I ask the waiter.", "I say that I am allergic to seafood.",
                            "I carry a card that explains it in two languages.",
                        ]),
                    FollowUp(
                        .anything, "Did you dislike it as a child, too?",
                        ["Yes, always.", "No, I liked it when I was small.", "My mother made me eat it, and that made it worse."]),
                ]),
            Question(
                "What did you have for dinner yesterday?", easier: "What did you eat yesterday?",
                ["I had rice.", "I had fried rice and a bowl of soup.", "We ordered pizza, because nobody wanted to cook."],
                [
                    FollowUp(
                        .words("pizza ordered order delivery"), "How often do you order food at home?",
                        ["Once a week.", "Only when it rains.", "Too often, because it's so easy with my phone."]),
                    FollowUp(
                        .anything, "Did it taste good?",
                        ["Yes, very good.", "It was delicious, but a bit too salty.", "It was all right, but I have had better."]),
                ]),
            Question(
                "How would you order a meal in English? Please try it with me.", easier: "How do you order a coffee?",
                [
                    "A coffee, please.", "I would like the chicken with rice, please.",
                    "Could I have the soup first, and then the fish without garlic?",
                ],
                [
                    FollowUp(
                        .anything, "Certainly! And what would you like to drink?",
                        ["Water, please.", "I would like a glass of iced tea.", "Do you have anything without sugar?"])
                ]),
            Question(
                "Do you have a sweet tooth?", easier: "Do you like cake?",
                [
                    "Yes, I love cake.", "I like bubble tea, but with little sugar.",
                    "Not really, I would rather have something salty.",
                ],
                [
                    FollowUp(
                        .words("tea bubble sugar drink"), "How many cups a week do you drink?",
                        ["Two or three.", "One every day after lunch.", "I drank one every day, but now I try to drink less."]),
                    FollowUp(
                        .words("cake chocolate ice cream cookies yes"), "Can you bake something yourself?",
                        ["No, I can't.", "I can bake a simple cheese cake.", "I tried once, but the cake was as hard as a stone."]),
                ]),
            Question(
                "What do people in your family eat on special days?", easier: "What do you eat at New Year?",
                [
                    "We eat fish.", "We have hot pot together at New Year.",
                    "Everybody brings a dish, and the table is always too small.",
                ],
                [
                    FollowUp(
                        .words("hot pot fish dumplings"), "Who does the cooking?",
                        [
                            "My mother does.", "My father cooks, and we help him.",
                            "We all stand in the kitchen and talk at the same time.",
                        ]),
                    FollowUp(
                        .anything, "What do you like best about these days?",
                        [
                            "The food.", "I like that everyone is at home.",
                            "The children get red envelopes, and nobody is in a hurry.",
                        ]),
                ]),
            Question(
                "Do you try to eat healthy food?", easier: "Do you eat vegetables?",
                ["Yes, I do.", "I try to eat more vegetables and less meat.", "I know what is healthy, but I don't always do it."],
                [
                    FollowUp(
                        .words("vegetables vegetable meat vegetarian less"), "Is that easy where you live?",
                        [
                            "Yes, it's easy.", "There are many good places for that.",
                            "At home it is easy, but not when I eat with friends.",
                        ]),
                    FollowUp(
                        .anything, "What is the hardest thing to give up?",
                        ["Fried food.", "I can't live without coffee.", "Midnight snacks, because that's when I get hungry."]),
                ]),
            Question(
                "If a visitor had only one meal in your country, what should it be?",
                easier: "What food is famous in your country?",
                [
                    "Beef noodles.", "They should try the small steamed dumplings.",
                    "I would take them to a breakfast shop, because that is real life.",
                ],
                [
                    FollowUp(
                        .anything, "How would you explain that dish to someone who doesn't know it?",
                        [
                            "It is a kind of soup.", "It is soft, hot and full of meat.",
                            "You have to be careful, because there is hot soup inside.",
                        ])
                ]),
            Question(
                "What was the strangest thing that you have ever eaten?", easier: "Do you like to try new food?",
                [
                    "I ate a snake.", "I tried chicken feet, and I liked them.",
                    "A friend gave me something and told me later what it was.",
                ],
                [
                    FollowUp(
                        .anything, "Would you eat it again?",
                        ["No, never.", "Yes, why not?", "Only if somebody paid me a lot of money."])
                ]),
        ])
}
