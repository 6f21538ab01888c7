import Foundation
import TalkCoEnglish
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// What the built-in tutor answers to sentences of learners that it has not offered.
@Suite struct FreeTalkTests {
    /// A sentence of a learner.
    struct Line: Sendable, CustomTestStringConvertible {
        var topic: String
        /// The tutor's question.
        var question: String
        var said: String
        /// A regular expression that the answer matches, without regard to case.
        var answer: String

        init(_ topic: String, _ question: String, _ said: String, _ answer: String) {
            (self.topic, self.question, self.said, self.answer) = (topic, question, said, answer)
        }

        var testDescription: String { "\(topic): \(said)" }
    }

    private static func brief(_ topic: String, _ level: TalkCoWire.CEFRLevel?) -> TalkBrief {
        TalkBrief(
            mode: .conversation, topic: .known(.init(topic)), level: level, now: Timestamp("2026-11-23T08:00:00.000Z")!)
    }

    /// A talk that begins with a question.
    private func talk(_ topic: String, asking question: String, level: TalkCoWire.CEFRLevel? = .b1) throws -> ConversationScript {
        var texts = TutorTexts.bundled
        let questions = try #require(texts.topics[topic]?.questions)
        let first = try #require(questions.first { $0.ask == question }, "\(question)")
        texts.topics[topic]?.questions = [first] + questions.filter { $0 != first }
        for seed in UInt64(0)..<200 {
            var script = ConversationScript(
                Self.brief(topic, level), texts: texts, timeZone: .gmt, recast: Recast(rules: EnglishRules { _ in [] }),
                random: SeededGenerator(seed: seed))
            let greeting = script.greeting().text
            if greeting.hasSuffix(first.ask) || greeting.hasSuffix(first.easier) { return script }
        }
        throw NotAsked()
    }

    private struct NotAsked: Error {}

    private func matches(_ text: String, _ pattern: String) throws -> Bool {
        try text.firstMatch(of: Regex(pattern).ignoresCase()) != nil
    }

    // MARK: Sentences

    @Test(arguments: lines) func sentenceIsAnswered(line: Line) throws {
        var script = try talk(line.topic, asking: line.question)
        let reply = script.answer(line.said)

        #expect(try matches(reply.text, line.answer), "\(reply.text)")
        #expect(reply.choices.count >= 2)
    }

    /// Beginners hear short sentences, whatever they say.
    @Test(arguments: lines) func beginnersHearShortSentences(line: Line) throws {
        var script = try talk(line.topic, asking: line.question, level: .a2)
        let reply = script.answer(line.said)

        // The tutor's own sentences, without those that it offers.
        let spoken = reply.text.replacing(try Regex("“[^”]*”"), with: "…")
        for sentence in SpokenSentences.of(spoken) {
            #expect(ChoiceGrammar.words(of: sentence).count <= 14, "\(sentence)")
        }
    }

    /// Twenty free sentences in a row: no question and no remark comes twice, and no answer says what the learner did not.
    @Test(arguments: Topic.all, [TalkCoWire.CEFRLevel.a1, .b1, .c1]) func longFreeTalkRepeatsNothing(
        topic: Topic, level: TalkCoWire.CEFRLevel
    ) throws {
        var script = ConversationScript(
            Self.brief(topic.id.rawValue, level), texts: .bundled, timeZone: .gmt, recast: Recast(rules: EnglishRules { _ in [] }),
            random: SeededGenerator(seed: 5))
        var heard = SpokenSentences.of(script.greeting().text).filter { $0.hasSuffix("?") }
        for line in Self.lines where line.topic == topic.id.rawValue {
            let turn = LearnerTurn(line.said, texts: .bundled)
            guard turn.act == nil, turn.inquiry == nil, !turn.isChinese, turn.askedMeaning == nil else { continue }
            heard += SpokenSentences.of(script.answer(line.said).text).filter { !$0.contains("“") && $0.count > 12 }
        }

        let repeated = Dictionary(grouping: heard) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(repeated.isEmpty, "\(repeated)")
    }

    // MARK: Kinds

    @Test func unknownWordsAreAdmittedAndTwoSentencesOffered() throws {
        var script = try talk("travel", asking: "Where did you go on your last trip?")
        let reply = script.answer("purple seventeen")

        #expect(reply.choices == ["I went to Japan.", "I went to the beach in the south with my family."])
        #expect(reply.choices.allSatisfy { reply.text.contains("“\($0)”") })
        #expect(script.answer("zigzag purple").choices.count == 2)
        // The third time another question is easier for both.
        #expect(script.answer("purple rectangle").choices.count == 3)
    }

    @Test func yesToAnOpenQuestionIsAskedForMoreOnce() throws {
        var script = try talk("travel", asking: "Where did you go on your last trip?")

        #expect(script.answer("Yes, I did.").choices.count == 2)
        #expect(script.answer("Yes.").choices.count == 3)
    }

    @Test(arguments: [
        "Can you repeat that?", "Sorry?", "Please speak slowly.", "Thank you.", "Hello!", "What does “beach” mean?",
        "How do you spell beach?", "How do you say 海邊 in English?", "Are you a robot?", "Can you swim?", "What time is it?",
        "Who made you?", "What about you?",
    ])
    func questionComesAgainAfterADigression(words: String) throws {
        var script = try talk("travel", asking: "Where did you go on your last trip?")
        let reply = script.answer(words)

        #expect(reply.text.hasSuffix("Where did you go on your last trip?") && reply.choices.count == 3, "\(reply.text)")
    }

    @Test func slowSpeechLasts() throws {
        var script = try talk("travel", asking: "Where did you go on your last trip?")

        #expect(script.answer("Slower, please.").isSlow)
        #expect(script.answer("I went to Korea.").isSlow)
    }

    @Test func wordsAreSpelledAndExplained() throws {
        var script = try talk("workplace", asking: "How do you deal with a tight deadline?")

        #expect(script.answer("What does deadline mean?").text.contains("the day when your work must be ready"))
        #expect(script.answer("How do you spell deadline?").text.contains("D-E-A-D-L-I-N-E"))
        #expect(script.answer("What does xylophone mean?").text.contains("“xylophone”"))
    }

    /// What an answer contains is not asked.
    @Test(arguments: [
        (
            "daily_life", "Do you do any sports or exercise?", "I play badminton three times a week with my sister.",
            "How often|Who do you"
        ),
        ("travel", "Where did you go on your last trip?", "I went swimming at the beach.", "Did you go swimming"),
        ("travel", "Where did you go on your last trip?", "I want to go to Japan.", "surprised|like best about"),
        ("travel", "Where did you go on your last trip?", "I have never been to Japan.", "surprised|like best about"),
        ("daily_life", "Do you have a pet, or would you like to have one?", "I don't have a cat.", "like about cats"),
        ("food_dining", "Do you cook, or do you prefer to eat out?", "I can't cook, I never learned it.", "did you cook"),
        (
            "current_events", "How do you usually get your news?", "My grandmother watches TV, I don't watch TV.",
            "news at home\\?.*TV"
        ),
    ])
    func answeredQuestionIsNotAsked(topic: String, question: String, said: String, asked: String) throws {
        var script = try talk(topic, asking: question)
        #expect(try !matches(script.answer(said).text, asked))
    }

    @Test func questionThatWasAnsweredBeforeIsLeftOut() throws {
        for seed in UInt64(0)..<8 {
            var script = ConversationScript(
                Self.brief("travel", .b1), texts: .bundled, timeZone: .gmt, recast: Recast(rules: EnglishRules { _ in [] }),
                random: SeededGenerator(seed: seed))
            var asked = [script.greeting().text]
            guard !asked[0].contains("alone or with") else { continue }
            asked.append(script.answer("I always travel with my parents.").text)
            for _ in 0..<30 { asked.append(script.answer("It was good.").text) }
            #expect(!asked.contains { $0.contains("alone or with") })
        }
    }

    /// A keyword inside another sense is no keyword.
    @Test(arguments: [
        "I skip breakfast because I am late.", "My friends help me a lot.", "The exam was too difficult.",
        "I said goodbye to my friend.",
        "I just change the subject.", "I walk slowly to school.", "My phone died yesterday.", "People speak too fast in London.",
        "I don't understand my boss.", "I can see you like it.", "I want to see it once more.", "I repeat new words every day.",
    ])
    func sentenceIsNoCommand(words: String) { #expect(LearnerTurn(words, texts: .bundled).act == nil) }

    @Test(arguments: [
        ("My grandmother passed away last month.", Act.grief), ("My cat died.", .grief), ("He died in a car accident", .grief),
        ("I want to die", .danger), ("I don't know", .noIdea), ("I already told you that", .already), ("See you tomorrow!", .end),
        ("Let's talk about something else", .skip), ("this makes no sense whatsoever!", .easier),
        ("Let me ask a question", .mayIAsk),
    ])
    func actIsHeard(words: String, act: Act) { #expect(LearnerTurn(words, texts: .bundled).act == act) }

    @Test func griefIsNotFollowedByAQuiz() throws {
        var script = try talk("daily_life", asking: "What was the best moment of your week?")
        let reply = script.answer("My father died on Monday.")

        #expect(reply.text.contains("sorry") && reply.choices.count == 2)
        #expect(try !matches(script.answer("He was very kind to me.").text, "why was that important|best part"))
    }

    @Test(arguments: [
        ("My friend's sister lives in Paris.", ["Paris"]), ("I went with my older brother.", ["your brother"]),
        ("I don't like swimming but I like running.", ["swimming", "running"]), ("I am an engineer.", ["an engineer"]),
        ("We book a hotel.", ["the hotel"]), ("Jay Chou is my idol.", ["Jay Chou"]), ("I get up at seven.", ["at seven"]),
        ("Three times a week.", ["three times a week"]), ("Every Tuesday.", ["every Tuesday"]), ("I work hard.", []),
        ("It is too expensive.", ["too expensive"]),
        ("Maybe Iceland.", ["Iceland"]), ("I met Kevin in Wulai.", ["Kevin", "Wulai"]),
        ("I made my own bracelet.", ["your bracelet"]), ("I run a small tea shop.", ["the tea shop"]),
        ("I study computer science.", []), ("A good boss never yells.", []), ("I play League of Legends.", ["League of Legends"]),
        ("My English is bad.", []), ("It was a long time ago.", []),
    ])
    func mentionsAreNamedAsTheTutorSaysThem(words: String, names: [String]) {
        let turn = LearnerTurn(words, texts: .bundled)
        #expect(turn.mentions.filter { $0.kind != .verb }.map(\.name) == names)
    }

    @Test func negationEndsWithItsClause() {
        let turn = LearnerTurn("I don't like swimming or running, but I love hiking.", texts: .bundled)
        #expect(turn.mentions.filter(\.isNegated).map(\.name).contains("running"))
        #expect(turn.mentions.contains { $0.name == "hiking" && !$0.isNegated })
        #expect(LearnerTurn("Why not?", texts: .bundled).polarity == true)
        #expect(LearnerTurn("No I went to Japan", texts: .bundled).mentions.contains { $0.name == "Japan" && !$0.isNegated })
    }

    @Test func talkThatIsOpenedAgainGoesOn() throws {
        var brief = Self.brief("travel", .b1)
        let question = try #require(TutorTexts.bundled.topics["travel"]?.questions[0])
        brief.turns = [
            TalkTurn(index: 0, learner: "I like to travel with my parents.", tutor: "Oh, your parents. \(question.ask)")
        ]
        var script = ConversationScript(brief, texts: .bundled, timeZone: .gmt, random: SeededGenerator(seed: 3))
        var heard = script.greeting().text
        #expect(!heard.contains("Good") && heard.contains("?"))
        for _ in 0..<40 { heard += script.answer("It was good.").text }
        #expect(!heard.contains(question.ask) && !heard.contains("alone or with"))
    }

    // MARK: The sentences

    private static let lines = [
        // travel
        Line("travel", "Where did you go on your last trip?", "I went to Korea with my sister.", "Korea"),
        Line("travel", "Where did you go on your last trip?", "Last month we visit Hualien by train.", "Hualien"),
        Line(
            "travel", "Where did you go on your last trip?", "I didn't go anywhere because I had to work.",
            "^(Okay|I see why|I understand|That's fine|That's a clear)(?!.*best about it)"),
        Line(
            "travel", "Where did you go on your last trip?", "I have never been abroad.", "^(?!.*(surprised|best about|on the way))"
        ),
        Line(
            "travel", "Where did you go on your last trip?", "We stayed at a small hotel near the beach for three days.",
            "beach|hotel"),
        Line("travel", "Do you like to plan everything before a trip?", "My husband always plans it, I just follow.", "husband"),
        Line("travel", "Do you like to plan everything before a trip?", "Not really, I hate planning.", "gone wrong"),
        Line(
            "travel", "Which country would you like to visit one day?", "Maybe Switzerland, because the mountains are amazing.",
            "Switzerland"),
        Line("travel", "Do you prefer to travel alone or with other people?", "Alone is better, nobody waits for me.", "alone|why"),
        Line("travel", "Do you prefer to travel alone or with other people?", "I travel with my parents twice a year.", "parents"),
        Line(
            "travel", "Have you ever had a problem at an airport or in a hotel?", "Yes, they lost my suitcase in London.",
            "London.*get it back"),
        Line("travel", "Have you ever had a problem at an airport or in a hotel?", "No", "avoid problems"),
        Line("travel", "What do you never forget to pack?", "My toothbrush and an umbrella.", "umbrella"),
        Line("travel", "Do you speak English when you travel?", "I am too shy to speak.", "feel(ing| that way)"),
        Line("travel", "What was the best meal you had on a trip?", "A bowl of ramen in Fukuoka.", "ramen|Fukuoka"),
        Line("travel", "How do you keep the memories of a trip?", "I post the pictures on Instagram.", "Instagram"),
        Line("travel", "Where are you going on your next trip?", "I don't know yet, maybe Okinawa.", "Okinawa"),
        Line("travel", "Where did you go on your last trip?", "How old are you?", "birthdays.*Where did you go on your last trip"),
        Line("travel", "Where did you go on your last trip?", "what does trip mean", "a visit to another place.*last trip"),
        Line(
            "travel", "Where did you go on your last trip?", "Please speak more slowly.",
            "slowly.*Where did you go on your last trip"),
        // food_dining
        Line("food_dining", "What is your favorite dish?", "I love my mother's beef noodle soup.", "beef noodle soup"),
        Line("food_dining", "What is your favorite dish?", "stinky tofu, it smells bad but tastes good", "tofu"),
        Line("food_dining", "What is your favorite dish?", "I don't have a favorite dish.", "^(?!.*taste)"),
        Line("food_dining", "Do you cook, or do you prefer to eat out?", "I can't cook at all.", "restaurant"),
        Line("food_dining", "Do you cook, or do you prefer to eat out?", "My wife cooks every evening.", "wife"),
        Line(
            "food_dining", "Is there a restaurant that you like?", "There is a Thai restaurant near the MRT station.",
            "restaurant|station"),
        Line(
            "food_dining", "What do you like to eat at a night market?", "I never go to night markets, too many people.", "instead"),
        Line("food_dining", "What do you like to eat at a night market?", "grilled squid and papaya milk", "squid"),
        Line(
            "food_dining", "Is there any food that you really dislike?", "I can't eat peanuts because I'm allergic.",
            "explain that in a restaurant"),
        Line("food_dining", "Is there any food that you really dislike?", "coriander", "coriander"),
        Line(
            "food_dining", "What did you have for dinner yesterday?", "I forgot.",
            "^(That's all right|No problem|You don't have|That's fine)"),
        Line("food_dining", "What did you have for dinner yesterday?", "I didn't eat dinner, I was too busy.", "tiring|rest"),
        Line("food_dining", "I am a waiter now. What would you like to eat?", "Can I have a hamburger and fries, please?", "drink"),
        Line("food_dining", "Do you have a sweet tooth?", "What is sweet tooth?", "sweet food"),
        Line("food_dining", "Do you have a sweet tooth?", "Yes, I eat chocolate every day.", "chocolate"),
        Line(
            "food_dining", "What do people in your family eat on special days?", "We eat hot pot with my grandparents.",
            "hot pot|grandparents"),
        Line("food_dining", "Do you try to eat healthy food?", "I try, but fast food is so convenient.", "fast food"),
        Line("food_dining", "What is the strangest thing that you have eaten?", "I ate a scorpion in Thailand.", "Thailand"),
        Line("food_dining", "What is your favorite dish?", "Can you cook?", "program|only talk"),
        Line("food_dining", "What is your favorite dish?", "I'm hungry now.", "ungry"),
        // daily_life
        Line("daily_life", "What does a normal morning look like for you?", "I wake up at six and walk my dog.", "your dog"),
        Line("daily_life", "What does a normal morning look like for you?", "I am always late for school.", "chool|morning"),
        Line("daily_life", "Who do you live with?", "I live alone since my divorce.", "alone"),
        Line("daily_life", "Who do you live with?", "With my boyfriend and two cats.", "boyfriend"),
        Line("daily_life", "What did you do last weekend?", "Nothing special.", "^(Okay|I understand|That's fine)"),
        Line("daily_life", "What did you do last weekend?", "I had a fever and stayed in bed.", "sorry|isn't nice"),
        Line("daily_life", "What did you do last weekend?", "I went to my friend's wedding in Tainan.", "Tainan|wedding"),
        Line("daily_life", "How do you usually spend your evenings?", "I do my homework until eleven.", "homework"),
        Line("daily_life", "Is there a habit that you would like to change?", "I bite my nails.", "nails"),
        Line("daily_life", "Do you have a pet, or would you like to have one?", "No, I am allergic to cats.", "cats|reason"),
        Line("daily_life", "Do you have a pet, or would you like to have one?", "My dog died last week.", "sorry"),
        Line("daily_life", "What kind of housework do you dislike the most?", "washing the dishes", "enjoy"),
        Line(
            "daily_life", "Tell me about your neighborhood. What is it like?", "It's very noisy because of the construction.",
            "noisy|why|reason"),
        Line("daily_life", "How do you relax after a stressful day?", "I play the guitar for an hour.", "the guitar"),
        Line("daily_life", "Do you do any sports or exercise?", "I play badminton three times a week.", "badminton"),
        Line("daily_life", "What are your plans for the next few days?", "I have an exam on Friday, I'm so nervous.", "feel"),
        Line("daily_life", "What was the best moment of your week?", "My son said his first word!", "son"),
        Line(
            "daily_life", "What was the best moment of your week?", "There was no good moment.",
            "^(Okay|I understand|That's fine)(?!.*important to you)"),
        Line("daily_life", "Who do you live with?", "Why do you ask?", "practice.*Who do you live with"),
        Line(
            "daily_life", "Who do you live with?", "it's a secret",
            "^(Of course|No problem|Sure|All right)(?!.*Who do you live with)"),
        // workplace
        Line("workplace", "What is your job, or what do you study?", "I am a nurse in a big hospital.", "nurse"),
        Line("workplace", "What is your job, or what do you study?", "I lost my job last month.", "sorry"),
        Line("workplace", "What is your job, or what do you study?", "I'm looking for a job.", "job"),
        Line("workplace", "What does a typical day at work or school look like?", "Meetings, meetings and meetings.", "meetings"),
        Line(
            "workplace", "What does a typical day at work or school look like?", "I teach math to children.",
            "children(?!.*What are children)"),
        Line("workplace", "What are your colleagues or classmates like?", "My boss shouts at us every day.", "boss"),
        Line("workplace", "What are your colleagues or classmates like?", "They are friendly but they talk too much.", "riendly"),
        Line(
            "workplace", "What do you like most about your work or your studies?", "Honestly, I hate my work.",
            "^(?!.*(Great|glad|nice))"),
        Line("workplace", "How do you deal with a tight deadline?", "I drink coffee and work all night.", "coffee"),
        Line(
            "workplace", "How do you deal with a tight deadline?", "What is deadline?",
            "the day when your work must be ready.*tight deadline"),
        Line("workplace", "Have you ever had a job interview in English?", "Yes, at Google. It was terrible.", "Google"),
        Line(
            "workplace", "You need help from a busy colleague. How do you ask?", "Could you help me with this report, please?",
            "report.*answer is no"),
        Line("workplace", "What makes somebody a good boss?", "He should listen to his people.", "boss yourself"),
        Line("workplace", "How do you get to your office or school?", "By scooter, it takes 20 minutes.", "scooter"),
        Line(
            "workplace", "How do you keep work and free time apart?", "I can't, my customers call me on Sundays.", "your customers"),
        Line("workplace", "Which skill would you like to learn for your job?", "I want to learn Japanese.", "learn that"),
        Line("workplace", "Where do you see yourself in five years?", "I hope I will be a manager.", "plan|works out"),
        Line("workplace", "Where do you see yourself in five years?", "retired haha", "[?]"),
        Line("workplace", "What is your job, or what do you study?", "I work in a bank. And you?", "program|eat or sleep"),
        Line("workplace", "What is your job, or what do you study?", "I'm not working now, I take care of my baby.", "baby"),
        // entertainment
        Line(
            "entertainment", "What was the last movie or series that you enjoyed?", "I watched Frozen with my daughter.",
            "daughter|Frozen"),
        Line(
            "entertainment", "What was the last movie or series that you enjoyed?", "I don't watch movies.",
            "movies(?!.*(subtitles|end|like about it))"),
        Line("entertainment", "What kind of music do you listen to?", "K-pop, especially BTS.", "K-pop"),
        Line("entertainment", "What kind of music do you listen to?", "I hate music.", "^(?!.*When do you usually)"),
        Line("entertainment", "Do you play any games?", "I play mobile games on the train.", "games"),
        Line("entertainment", "Do you play any games?", "No, games are a waste of time.", "for fun instead"),
        Line("entertainment", "Do you read books for fun?", "I'm reading Harry Potter in English.", "Harry Potter"),
        Line("entertainment", "Do you read books for fun?", "sometimes", "ometimes"),
        Line("entertainment", "What do you usually watch on the internet?", "cooking videos", "cooking|videos"),
        Line(
            "entertainment", "Do you watch movies at home or at the cinema?", "At home, because tickets are expensive.",
            "ickets|why|reason"),
        Line("entertainment", "Is there a sport that you like to watch?", "Baseball! My team is the Brothers.", "Baseball"),
        Line("entertainment", "Which famous person would you like to meet?", "Jay Chou, he is my idol.", "Jay Chou"),
        Line("entertainment", "Which famous person would you like to meet?", "Nobody.", "^(?!.*ask that person)"),
        Line(
            "entertainment", "What did you do for fun when you were a child?", "I caught fish in the river with my brother.",
            "brother|river|fish"),
        Line("entertainment", "Do you sing, dance or play an instrument?", "I can play the piano a little.", "piano"),
        Line("entertainment", "Can you recommend something for a rainy weekend?", "You can bake a cake.", "cake"),
        Line(
            "entertainment", "Do you think that artists should earn more than doctors?", "I have no opinion.",
            "^(Okay|I understand|That's fine)"),
        Line("entertainment", "What kind of music do you listen to?", "Can you sing?", "not good at that"),
        Line(
            "entertainment", "What kind of music do you listen to?", "this is a boring question",
            "^(Of course|No problem|Sure|All right)"),
        Line("entertainment", "Do you play any games?", "you are stupid", "sorry"),
        // current_events
        Line("current_events", "How do you usually get your news?", "From my phone, on LINE.", "your phone"),
        Line("current_events", "How do you usually get your news?", "I don't read the news, it makes me sad.", "sorry|isn't easy"),
        Line(
            "current_events", "Did you find a story in the news interesting lately?", "There was an earthquake in Hualien.",
            "Hualien|earthquake"),
        Line("current_events", "Did you find a story in the news interesting lately?", "The election is everywhere.", "election"),
        Line("current_events", "What is the biggest problem in your city?", "The housing prices are too high.", "prices"),
        Line(
            "current_events", "What is the biggest problem in your city?", "We have no problem.", "^(Okay|I understand|That's fine)"
        ),
        Line(
            "current_events", "Do you think that people spend too much time online?",
            "Yes, my children look at their phones all day.", "children"),
        Line("current_events", "What do you do to protect the environment?", "I ride a bike to work.", "bike"),
        Line(
            "current_events", "What do you do to protect the environment?", "I do nothing, sorry.",
            "^(Okay|I understand|That's fine)"),
        Line("current_events", "Will computers do most of our jobs one day?", "I'm afraid of losing my job.", "feel"),
        Line("current_events", "Will computers do most of our jobs one day?", "What do you think?", "no opinion.*Will computers"),
        Line(
            "current_events", "Is life better now than in your grandparents' time?", "My grandfather was a farmer and he was poor.",
            "grandfather"),
        Line(
            "current_events", "Should people work four days a week instead of five?", "Of course! Three days is better.", "free day"
        ),
        Line("current_events", "What good news have you heard recently?", "My cousin had a baby.", "cousin|baby"),
        Line("current_events", "What good news have you heard recently?", "none", "^(Okay|I understand|That's fine)"),
        Line(
            "current_events", "Is it important to know what happens in other countries?", "It depends on the country.",
            "Which country"),
        Line("current_events", "If you could change one law, which one would it be?", "I would lower taxes.", "really happen"),
        Line(
            "current_events", "How do you talk with a friend who disagrees with you?", "I just change the subject.",
            "changed your mind"),
        Line(
            "current_events", "Did you find a story in the news interesting lately?", "I can't understand the question",
            "What is in the news this week"),
        Line("current_events", "How do you usually get your news?", "可以說中文嗎", "Do you read the news"),
    ]
}
