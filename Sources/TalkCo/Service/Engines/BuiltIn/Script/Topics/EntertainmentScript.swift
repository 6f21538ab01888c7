extension TopicScript {
    static let entertainment = TopicScript(
        subject: "movies, music and other fun things",
        questions: [
            Question(
                "What was the last movie or series that you enjoyed?", easier: "Do you like movies?",
                [
                    "I watched a comedy.", "I watched a Korean series about a hospital.",
                    "It was an old movie about two brothers, and it made me cry.",
                ],
                [
                    FollowUp(
                        .words("korean japanese american british"), "Do you watch it with subtitles?",
                        ["Yes, I do.", "I use English subtitles to learn new words.", "I turn them off when I know the story."]),
                    FollowUp(
                        .words("cry sad story brothers love"), "How did the story end?",
                        [
                            "It had a happy end.", "I don't want to tell you the end.",
                            "They met again after many years, and everyone was crying.",
                        ]),
                    FollowUp(
                        .anything, "What did you like about it?",
                        ["It was funny.", "The actors were really good.", "The ending surprised me, so I watched it twice."]),
                ]),
            Question(
                "What kind of music do you listen to?", easier: "Do you like music?",
                [
                    "I like pop music.", "I listen to rock music when I drive.",
                    "It depends on my mood, but I often listen to jazz.",
                ],
                [
                    FollowUp(
                        .words("pop rock jazz classical rap"), "Have you ever been to a concert?",
                        [
                            "No, never.", "Yes, I saw my favorite band last year.",
                            "I went to one in a park, and we danced in the rain.",
                        ]),
                    FollowUp(
                        .anything, "When do you usually listen to music?",
                        ["In the morning.", "On the train, with my headphones.", "While I am cooking, because it makes me happy."]),
                ]),
            Question(
                "Do you play any games?", easier: "Do you like games?",
                [
                    "Yes, on my phone.", "I play board games with my friends.",
                    "I used to play a lot, but now I have no time for it.",
                ],
                [
                    FollowUp(
                        .words("phone computer online video"), "What do you like about that game?",
                        [
                            "It is exciting.", "I can play it with people from all over the world.",
                            "It helps me to forget a bad day.",
                        ]),
                    FollowUp(
                        .words("board cards friends"), "Do you get angry when you lose?",
                        ["No, I don't.", "A little, but I don't show it.", "My brother does, so we let him win sometimes."]),
                    FollowUp(
                        .words("no time used"), "What do you do for fun instead?",
                        ["I watch videos.", "I go out with friends.", "I read novels, mostly at night."]),
                ]),
            Question(
                "Do you read books for fun?", easier: "Do you like books?",
                [
                    "Yes, I like comics.", "I read one book a month, usually a love story.",
                    "I want to read more, but I fall asleep after two pages.",
                ],
                [
                    FollowUp(
                        .words("comics comic manga"), "Which comic would you recommend to me?",
                        [
                            "One about pirates.", "There is a funny one about a cat.",
                            "A long story about a boy who wants to be a cook.",
                        ]),
                    FollowUp(
                        .words("story novel novels book month"), "What is your book about?",
                        [
                            "It is about love.", "It is about a girl who moves to a big city.",
                            "A man finds an old letter, and everything changes.",
                        ]),
                ]),
            Question(
                "What do you usually watch on the internet?", easier: "Do you watch videos?",
                [
                    "I watch cat videos.", "I watch people who travel and cook.",
                    "I follow a teacher who explains English in a funny way.",
                ],
                [
                    FollowUp(
                        .words("cook cooking travel food"), "Have you ever tried something that you saw there?",
                        ["No, not yet.", "Yes, I cooked a dish from a video.", "I visited a village that I had seen in a video."]),
                    FollowUp(
                        .anything, "How long can you watch without getting bored?",
                        ["Ten minutes.", "About an hour.", "For much too long, and then I feel bad about it."]),
                ]),
            Question(
                "Do you prefer watching a movie at home or at the cinema?", easier: "Do you go to the cinema?",
                ["At home.", "I like the cinema because of the big screen.", "At home I can stop the movie whenever I want to."],
                [
                    FollowUp(
                        .words("cinema screen theater popcorn"), "Who do you usually go with?",
                        ["With my friends.", "I go with my girlfriend.", "I go alone, because then nobody talks to me."]),
                    FollowUp(
                        .words("home sofa stop"), "What do you eat while you are watching?",
                        ["Nothing.", "I eat potato chips.", "We order chicken, and it's gone before the movie starts."]),
                ]),
            Question(
                "Is there a sport that you like to watch?", easier: "Do you watch sports?",
                ["I like baseball.", "I watch basketball games with my father.", "Not really, but I watch the Olympic Games."],
                [
                    FollowUp(
                        .words("baseball basketball football soccer tennis"), "Have you ever seen a game in a stadium?",
                        [
                            "No, only on TV.", "Yes, and it was very loud.",
                            "We went last month, and our team won in the last minute.",
                        ]),
                    FollowUp(
                        .anything, "Why do so many people love sports, do you think?",
                        ["It is exciting.", "Because they like to win together.", "You never know what is going to happen."]),
                ]),
            Question(
                "If you could meet any famous person, who would it be?", easier: "Who is your favorite star?",
                ["I like a singer.", "I would like to meet my favorite actor.", "I would rather meet a writer than a movie star."],
                [
                    FollowUp(
                        .anything, "What would you ask that person?",
                        ["Are you happy?", "I would ask about the early years.", "I would be too nervous to ask anything."])
                ]),
            Question(
                "What did you like to do for fun when you were a child?", easier: "What games did you play as a child?",
                [
                    "I played outside.", "I played with my cousins in the village.",
                    "I watched cartoons every afternoon and knew all the songs.",
                ],
                [
                    FollowUp(
                        .words("outside village cousins park played"), "Do children still play like that today?",
                        ["No, they don't.", "Some of them do, in the country.", "They have less time, because they study so much."]),
                    FollowUp(
                        .words("cartoons cartoon songs tv"), "Can you still remember one of the songs?",
                        [
                            "Yes, I can.", "I remember the melody, but not the words.",
                            "Of course, and my friends and I still sing it.",
                        ]),
                ]),
            Question(
                "Do you sing, dance or play an instrument?", easier: "Can you sing?",
                [
                    "No, I can't.", "I like to sing karaoke with my friends.",
                    "I learned the piano for six years, but I have forgotten a lot.",
                ],
                [
                    FollowUp(
                        .words("sing karaoke song"), "Which song do you always sing?",
                        [
                            "An old love song.", "I sing whatever my friends choose.",
                            "A song that everyone knows, so that they sing along.",
                        ]),
                    FollowUp(
                        .words("piano guitar violin instrument drums"), "Would you like to start again?",
                        ["Yes, I would.", "Yes, if I had more time.", "No, I would rather learn something new."]),
                    FollowUp(
                        .no, "Which instrument would you choose if you could play one?",
                        ["The guitar.", "I would choose the violin.", "The drums, although my neighbors would hate me."]),
                ]),
            Question(
                "Can you recommend something for a rainy weekend?", easier: "What do you do when it rains?",
                [
                    "Watch a movie.", "You could visit a museum and have coffee there.",
                    "Stay in bed with a good book and a lot of tea.",
                ],
                [
                    FollowUp(
                        .anything, "And what do you do when your friends want to go out anyway?",
                        ["I go with them.", "I tell them that I am tired.", "I usually say no at first and then I go."])
                ]),
            Question(
                "Do you think that artists should earn more than doctors?", easier: "Do singers earn too much money?",
                [
                    "No, I don't.", "I think doctors are more important.",
                    "Both are important, because people need joy as well as health.",
                ],
                [
                    FollowUp(
                        .anything, "Who should decide how much people earn?",
                        [
                            "The market.", "I think the government should have rules.",
                            "That is a difficult question, and I have no answer.",
                        ])
                ]),
        ])
}
