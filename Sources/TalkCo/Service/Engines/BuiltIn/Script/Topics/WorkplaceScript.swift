extension TopicScript {
    static let workplace = TopicScript(
        subject: "work",
        questions: [
            Question(
                "What do you do for a living, or what are you studying?", easier: "What is your job?",
                [
                    "I am a student.", "I work in an office and write reports.",
                    "I'm an engineer, and my company makes parts for computers.",
                ],
                [
                    FollowUp(
                        .words("student study studying university college school"), "What would you like to do after school?",
                        [
                            "I want to be a teacher.", "I would like to work for a big company.",
                            "I'm not sure yet, but I would like to work abroad.",
                        ]),
                    FollowUp(
                        .words("engineer computers software program factory"),
                        "What is the most interesting part of being in that field?",
                        [
                            "I solve problems.", "I learn something new every week.",
                            "I like it when something that I built really works.",
                        ]),
                    FollowUp(
                        .anything, "How long have you been doing that?",
                        ["For two years.", "I started after college.", "For almost ten years, and I still like it."]),
                ]),
            Question(
                "What does a typical day at work or school look like?", easier: "When do you start in the morning?",
                [
                    "I start at nine.", "I answer e-mails in the morning and have meetings after lunch.",
                    "Every day is different, because our customers call at any time.",
                ],
                [
                    FollowUp(
                        .words("meetings meeting"), "Do you think your meetings are useful?",
                        [
                            "Yes, some of them.", "Many of them are too long.",
                            "I would like to have fewer of them and better plans.",
                        ]),
                    FollowUp(
                        .words("e-mails mails email emails customers call"), "Do you have to write or speak English for that?",
                        ["Yes, sometimes.", "I write e-mails in English every week.", "Only when a customer from abroad calls us."]),
                ]),
            Question(
                "What are your colleagues or classmates like?", easier: "Do you like your colleagues?",
                [
                    "They are nice.", "Most of them are friendly, and we have lunch together.",
                    "One of them is difficult, but I have learned to stay calm.",
                ],
                [
                    FollowUp(
                        .words("lunch eat together friendly nice"), "What do you talk about with them?",
                        [
                            "We talk about food.", "We talk about our families and our plans.",
                            "About everything but work, because we need a break.",
                        ]),
                    FollowUp(
                        .words("difficult problem calm strict"), "What happened with that person?",
                        ["We had an argument.", "He never answers my questions.", "She changed my work without telling me."]),
                ]),
            Question(
                "What do you like most about your work or your studies?", easier: "Do you like your work?",
                [
                    "I like the people.", "I like it because I can learn new things.",
                    "I enjoy the freedom, since I can sometimes work from home.",
                ],
                [
                    FollowUp(
                        .words("home freedom remote"), "Is it easy to concentrate at home?",
                        [
                            "Yes, it is.", "No, there are too many distractions.",
                            "It's easier than in the office, where people talk all day.",
                        ]),
                    FollowUp(
                        .anything, "And what would you like to change?",
                        [
                            "The long hours.", "I would like to have a better computer.",
                            "I wish my boss would listen to us more often.",
                        ]),
                ]),
            Question(
                "How do you deal with a tight deadline?", easier: "Are you often busy?",
                [
                    "I work longer.", "I make a list and do the important things first.",
                    "I ask my colleagues for help, because we are a team.",
                ],
                [
                    FollowUp(
                        .words("list first plan important"), "How do you decide what is important?",
                        ["I ask my boss.", "I look at the date.", "I think about who is waiting for my work."]),
                    FollowUp(
                        .words("longer late night hours"), "How does that make you feel the next day?",
                        ["I feel tired.", "I feel tired, but also proud.", "I need a lot of coffee to get through the morning."]),
                ]),
            Question(
                "Have you ever had a job interview in English?", easier: "Did you have a job interview?",
                [
                    "No, never.", "Yes, once, and I was very nervous.",
                    "I had one last year, and I practiced the answers for weeks.",
                ],
                [
                    FollowUp(
                        .no, "What would be difficult for you in an interview?",
                        [
                            "To speak fast.", "I don't like to talk about myself.",
                            "I would be afraid that I don't understand the question.",
                        ]),
                    FollowUp(
                        .anything, "Which question do you remember?",
                        [
                            "Why do you want this job?", "They asked me about my weaknesses.",
                            "I had to describe a problem that I had solved.",
                        ]),
                ]),
            Question(
                "Imagine you need help from a busy colleague. How would you ask?", easier: "How do you ask for help?",
                [
                    "Can you help me?", "Excuse me, do you have a minute?",
                    "I know that you are busy, but could you have a look at this?",
                ],
                [
                    FollowUp(
                        .anything, "That sounds polite. What would you say if the answer is no?",
                        [
                            "No problem, thank you.", "That's fine, I will ask somebody else.",
                            "I understand. When would be a better time for you?",
                        ])
                ]),
            Question(
                "What makes somebody a good boss?", easier: "Is your boss nice?",
                [
                    "A good boss is fair.", "A good boss listens and gives clear tasks.",
                    "Somebody who trusts you and helps you when you make a mistake.",
                ],
                [
                    FollowUp(
                        .words("mistake mistakes trust trusts helps"), "Can you remember a mistake that taught you something?",
                        ["Yes, I can.", "I sent an e-mail to the wrong person.", "I did not ask when I should have asked."]),
                    FollowUp(
                        .anything, "Would you like to be a boss yourself one day?",
                        ["No, I wouldn't.", "Yes, but only of a small team.", "I think so, although it means more stress."]),
                ]),
            Question(
                "How do you get to your office or school, and how long does it take?", easier: "How do you go to work?",
                [
                    "I go by bus.", "I take the subway for about half an hour.",
                    "I ride my scooter, which is fast but not much fun in the rain.",
                ],
                [
                    FollowUp(
                        .words("bus subway train metro"), "What do you do on the way?",
                        ["I look at my phone.", "I listen to English programs.", "I close my eyes and try to sleep a little."]),
                    FollowUp(
                        .words("scooter car drive bike walk"), "Have you ever been late because of the traffic?",
                        ["Yes, many times.", "No, I leave home early.", "Once there was an accident, and I missed a meeting."]),
                ]),
            Question(
                "How do you keep work and free time apart?", easier: "Do you work on weekends?",
                [
                    "I don't work on Sunday.", "I turn off my phone after dinner.",
                    "It's difficult, because my boss sends messages at night.",
                ],
                [
                    FollowUp(
                        .words("boss messages message phone night"), "Do you answer messages in the evening?",
                        ["No, I don't.", "Only when they are really urgent.", "Yes, because I am afraid that I miss something."]),
                    FollowUp(
                        .anything, "What do you do to forget about work?",
                        ["I play sports.", "I meet friends who do something else.", "I cook a big meal and turn on some music."]),
                ]),
            Question(
                "Which skill would you like to learn for your job?", easier: "What do you want to learn?",
                [
                    "I want to learn English.", "I want to speak better in front of people.",
                    "I would like to learn how to lead a team.",
                ],
                [
                    FollowUp(
                        .words("english language speak"), "When do you need English most at work?",
                        [
                            "On the phone.", "When we have guests from other countries.",
                            "In meetings, where I have to answer quickly.",
                        ]),
                    FollowUp(
                        .anything, "How could you learn that?",
                        [
                            "I could take a class.", "I can learn it from a colleague.",
                            "By doing it again and again, even if it feels strange.",
                        ]),
                ]),
            Question(
                "Where do you see yourself in five years?", easier: "What is your plan for next year?",
                [
                    "I don't know.", "I hope to have my own small business.",
                    "I would like to work in another country for a year or two.",
                ],
                [
                    FollowUp(
                        .words("business company shop own"), "What kind of business would that be?",
                        [
                            "A coffee shop.", "I would sell things on the internet.",
                            "Something with design, because I love beautiful things.",
                        ]),
                    FollowUp(
                        .words("country abroad overseas"), "What would be the hardest part of living abroad?",
                        [
                            "The language.", "I would miss my family and the food.",
                            "It takes time to find good friends in a new place.",
                        ]),
                ]),
        ])
}
