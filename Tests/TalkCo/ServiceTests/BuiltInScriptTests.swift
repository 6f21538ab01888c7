import Foundation
import TalkCoEnglish
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

@Suite struct BuiltInScriptTests {
    private static let monday = Timestamp("2026-11-23T08:00:00.000Z")!
    private static func topic(_ id: String) -> TopicScript { TutorTexts.bundled.topic(.known(.init(id))) }
    private static let utc = TimeZone(identifier: "UTC")!

    private func brief(_ topic: String = "daily_life", level: TalkCoWire.CEFRLevel? = .b1) -> TalkBrief {
        TalkBrief(mode: .conversation, topic: .known(.init(topic)), level: level, now: Self.monday)
    }

    private func script(_ brief: TalkBrief, seed: UInt64 = 1, recast: Recast = Recast(rules: EnglishRules { _ in [] }))
        -> ConversationScript
    {
        ConversationScript(brief, texts: .bundled, timeZone: Self.utc, recast: recast, random: SeededGenerator(seed: seed))
    }

    /// The questions of an answer.
    private func questions(_ text: String) -> [String] { SpokenSentences.of(text).filter { $0.hasSuffix("?") && $0.count > 14 } }

    // MARK: The texts

    @Test(arguments: Topic.all) func topicHasEnoughQuestionsWithoutDoubles(topic: Topic) {
        let questions = TutorTexts.bundled.topic(topic).questions
        let asked = questions.flatMap { [$0.ask, $0.easier] + $0.followUps.map(\.ask) }

        #expect(questions.count >= 12)
        #expect(Set(asked).count == asked.count)
        #expect(questions.allSatisfy { $0.answers.count == 3 && Set($0.answers).count == 3 })
        #expect(questions.flatMap(\.followUps).allSatisfy { $0.answers.count == 3 && Set($0.answers).count == 3 })
    }

    /// The choices of a question sound different enough to be told apart.
    @Test(arguments: Topic.all) func everyWordOfTheChoicesIsInTheDictionary(topic: Topic) async throws {
        let path = "\(ChoiceRecognizer.debianModel)/cmudict-en-us.dict"
        guard FileManager.default.isReadableFile(atPath: path) else { return }
        let questions = TutorTexts.bundled.topic(topic).questions
        let words = Set(
            (questions.flatMap(\.answers) + questions.flatMap(\.followUps).flatMap(\.answers)).flatMap {
                ChoiceGrammar.words(of: $0)
            })

        let known = try await PronunciationDictionary(path: path).pronunciations(of: words)

        #expect(words.filter { known[$0] == nil } == [])
    }

    /// Whoever reads a choice aloud is not marked for it.
    @Test(arguments: Topic.all) func tutorsSentencesAndChoicesHaveHardlyAnyFindings(topic: Topic) {
        let questions = TutorTexts.bundled.topic(topic).questions
        let texts = questions.flatMap { [$0.ask, $0.easier] + $0.answers + $0.followUps.flatMap { [$0.ask] + $0.answers } }

        let findings = texts.flatMap { GrammarChecker().findings(in: $0) }
        // The goal of the rules is less than 2 % of false marks.
        #expect(findings.count * 50 <= texts.count, "\(findings.map { "\($0.rule): \($0.original) -> \($0.suggestion)" })")
    }

    @Test func topicsHaveScriptsOfTheirOwn() {
        #expect(Set(Topic.all.map { TutorTexts.bundled.topic($0).subject }).count == 6)
        #expect(TutorTexts.bundled.topic(nil) == Self.topic("daily_life"))
    }

    // MARK: Talks

    @Test(arguments: Topic.all, 0..<4) func tenTurnsRepeatNoQuestion(topic: Topic, seed: Int) {
        var random = SeededGenerator(seed: 9, number: seed)
        var script = script(brief(topic.id.rawValue), seed: UInt64(seed))
        var reply = script.greeting()
        var asked = questions(reply.text)
        for _ in 0..<10 {
            #expect((2...4).contains(reply.choices.count))
            reply = script.answer(reply.choices.randomElement(using: &random)!)
            #expect(!questions(reply.text).isEmpty, "\(reply.text)")
            asked += questions(reply.text)
        }
        #expect(Set(asked).count == asked.count, "\(asked)")
    }

    @Test(arguments: Topic.all) func longTalkComesToAnEndWithoutRepeats(topic: Topic) {
        var script = script(brief(topic.id.rawValue))
        var reply = script.greeting()
        var asked = questions(reply.text)
        var turnCount = 0
        while reply.choices.first != "Thank you, goodbye!", turnCount < 200 {
            turnCount += 1
            reply = script.answer(reply.choices[turnCount % reply.choices.count])
            asked += questions(reply.text)
        }

        #expect((15..<120).contains(turnCount))
        #expect(Set(asked).count == asked.count, "\(Dictionary(grouping: asked) { $0 }.filter { $0.value.count > 1 }.keys)")
        #expect(script.answer("Thank you, goodbye!").text.contains("oodbye"))
    }

    @Test func talksWithDifferentSeedsDiffer() {
        let talks = (UInt64(0)..<6).map { seed -> String in
            var script = script(brief("travel"), seed: seed)
            return script.greeting().text
        }

        #expect(Set(talks).count > 3)
        var again = script(brief("travel"), seed: 0)
        #expect(again.greeting().text == talks[0])
    }

    @Test func followUpPicksUpOnTheLearnersWords() throws {
        let question = try #require(Self.topic("travel").questions.first { $0.ask == "Where did you go on your last trip?" })
        for (words, followUp) in [
            ("I went to Osaka with my sister.", "What surprised you most in Japan?"),
            ("We were at the sea for a week.", "Did you go swimming there?"),
            ("I visited my old school.", "What did you like best about it?"),
        ] {
            var seed: UInt64 = 0
            var talk = script(brief("travel"), seed: seed)
            while !talk.greeting().text.hasSuffix(question.ask) {
                seed += 1
                talk = script(brief("travel"), seed: seed)
            }

            #expect(talk.answer(words).text.hasSuffix(followUp))
        }
    }

    @Test func errorIsRecastWithoutBeingRepeated() {
        let rules = EnglishRules { text in
            text.ranges(of: "go" as String).prefix(1).map {
                Finding(rule: "tense.past", kind: .grammar, range: $0, original: "go", suggestion: "went", explanation: "過去式")
            }
        }
        var script = script(brief(), recast: Recast(rules: rules))
        _ = script.greeting()

        let reply = script.answer("Yesterday I go there with my friends.")

        #expect(reply.text.hasPrefix("Ah, yesterday you went there with your friends."))
    }

    @Test func sentencesAreAddressedToTheLearner() {
        #expect(Recast.addressed("I was at home.") == "you were at home")
        #expect(Recast.addressed("My friends gave me a book") == "your friends gave you a book")
        #expect(Recast.addressed("I'm happy, and we are together") == "you're happy, and you are together")
        #expect(Recast.addressed("Taipei is big.") == "Taipei is big")
        #expect(Recast.addressed("Do you like it?") == nil)
        #expect(Recast.addressed("I like you.") == nil)
        #expect(Recast.addressed("我 go") == nil)
        #expect(Recast.addressed("") == nil)
    }

    @Test func chineseIsAnsweredInEnglishWithAnEasierQuestion() throws {
        var script = script(brief())
        let first = script.greeting()
        let question = try #require(Self.topic("daily_life").questions.first { first.text.hasSuffix($0.ask) })

        let reply = script.answer("我不知道怎麼說，可以用中文嗎？")

        #expect(reply.text.hasSuffix(question.easier))
        #expect(reply.text.allSatisfy { $0.isASCII || "“”".contains($0) })
        #expect(!script.answer("還是不會").text.contains(question.easier))
    }

    @Test func helpMakesTheQuestionEasier() throws {
        var script = script(brief())
        let first = script.greeting()
        let question = try #require(Self.topic("daily_life").questions.first { first.text.hasSuffix($0.ask) })

        #expect(script.answer("Sorry, I don't understand.").text.hasSuffix(question.easier))
    }

    @Test func beginnersHearTheEasierQuestion() {
        var script = script(brief(level: .a1))
        let greeting = script.greeting().text

        #expect(Self.topic("daily_life").questions.contains { greeting.hasSuffix($0.easier) })
    }

    @Test func advancedLearnersSeeRichChoicesFirst() throws {
        var (easy, rich) = (script(brief(level: .a2)), script(brief(level: .c1)))

        #expect(easy.greeting().choices == rich.greeting().choices.reversed())
    }

    @Test func questionsToTheTutorAreAnsweredHonestly() {
        var script = script(brief())
        _ = script.greeting()

        #expect(script.answer("I'm fine. How are you?").text.contains("hank you"))
        #expect(
            script.answer("I like tea. What about you?").text.range(of: "program|computer|never", options: .regularExpression)
                != nil)
        #expect(script.answer("What is your name?").text.contains("TalkCo tutor"))
        #expect(script.answer("What does “stubborn” mean?").text.contains("change your mind"))
    }

    @Test func goodbyeClosesAndOneMoreQuestionGoesOn() {
        var script = script(brief())
        _ = script.greeting()

        #expect(script.answer("I have to go now, bye!").text.contains("review"))
        #expect(script.answer("I enjoyed our talk.").text.contains("review"))
        #expect(!questions(script.answer("One more question, please.").text).isEmpty)
    }

    @Test func misheardSpeechKeepsTheChoices() {
        var script = script(brief())
        let choices = script.greeting().choices

        let (first, second) = (script.notUnderstood(), script.notUnderstood())

        #expect(first.choices == choices && second.choices == choices)
        #expect(first.text != second.text)
    }

    // MARK: Greetings

    @Test(arguments: [
        ("2026-11-23T08:00:00Z", "Good morning"), ("2026-11-23T14:00:00Z", "Good afternoon"),
        ("2026-11-23T20:00:00Z", "Good evening"), ("2026-11-23T02:00:00Z", "Hello"),
    ])
    func greetingFollowsTheTimeOfDay(time: String, hello: String) throws {
        var brief = brief()
        brief.now = try #require(Timestamp(time))
        brief.learnerName = "Mei"
        var script = script(brief)

        #expect(script.greeting().text.hasPrefix("\(hello), Mei"))
    }

    @Test func greetingKnowsGoalTownAndEarlierTalks() {
        var brief = brief("travel")
        brief.learningGoal = "speak fluently at meetings."
        brief.personalFacts = ["Has a cat", "Lives in Tainan"]
        brief.earlierTalks = ["The learner talked about Japan."]
        var script = script(brief)

        let text = script.greeting().text

        #expect(text.contains("“speak fluently at meetings”") && text.contains("Tainan"))
        #expect(["new questions", "again", "go on"].contains { text.contains($0) })
    }

    @Test(arguments: ["小美", "A\nB", "<b>", String(repeating: "x", count: 300), "", "   "]) func oddNamesAreNotSpoken(name: String) {
        var brief = brief()
        brief.learnerName = name
        brief.learningGoal = "\u{202E}evil\n\n"
        var script = script(brief)

        let text = script.greeting().text
        #expect(!text.contains("小美") && !text.contains("\n") && !text.contains("xxx"))
    }

    // MARK: Hostile texts

    @Test(arguments: 0..<10) func anyTextIsAnswered(seed: Int) {
        var random = SeededGenerator(seed: 0x7a1c, number: seed)
        var script = script(brief(), recast: Recast())
        _ = script.greeting()
        let pieces = [
            "I ", "go ", "?", "！", "我", "because ", "yes ", "\u{0}", "\u{301}", "🙂", "no ", "“", "'", "--help ", "<s> ", "\n",
            "don't understand ",
            "bye ", String(repeating: "a", count: 500), "한국어 ", "you ", "(2) ", "{detail} ",
        ]
        for _ in 0..<100 {
            let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            let reply = script.answer(text)
            #expect(!reply.text.isEmpty && reply.text.count < 1_000 && !reply.choices.isEmpty)
        }
    }

    @Test(arguments: ["asdf qwer zxcv", "hjkl", "qqqq wwww"]) func noiseIsNotPraised(words: String) {
        var script = script(brief())
        _ = script.greeting()
        #expect(TutorTexts.bundled.phrases[.misheard]?.contains(script.answer(words).text) == true)
    }
}
