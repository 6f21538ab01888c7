import Foundation
import TalkCoEnglish
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

@Suite struct BuiltInJudgeTests {
    /// Three errors, so that the tests do not depend on the rules of TalkCoEnglish.
    private static let rules = EnglishRules { text in
        [
            ("I go yesterday", "I went yesterday", "tense.past-time-last", FindingKind.grammar, "yesterday 表示過去，動詞要用過去式。"),
            ("very like", "like very much", "order.very-like", .sentenceStructure, "very 不能直接修飾動詞。"),
            ("a apple", "an apple", "article.a-an", .grammar, "母音前用 an。"),
        ].flatMap { wrong, right, rule, kind, reason in
            text.ranges(of: wrong).map {
                Finding(rule: rule, kind: kind, range: $0, original: wrong, suggestion: right, explanation: reason)
            }
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
    private let judge = BuiltInJudge(rules: rules, texts: .bundled)
    private let profile = Profile(
        userId: .init("1"), userName: nil, level: nil, learningGoal: nil, needsReview: false, profileData: ProfileData(),
        updatedAt: TalkTime(Timestamp(milliseconds: 0)))

    private func turns(_ words: String...) -> [TalkTurn] {
        words.enumerated().map { TalkTurn(index: $0, learner: $1, tutor: "I see.") }
    }

    private func talk(_ words: String...) async throws -> ReviewedTalk {
        let turns = words.enumerated().map { TalkTurn(index: $0, learner: $1, tutor: "I see.") }
        let marks = try await judge.marks(turns).map {
            (
                $0.turnIndex,
                [
                    Mark(
                        id: 1, issueTypes: $0.issueTypes, original: $0.original, suggestion: $0.suggestion,
                        explanation: $0.explanation)
                ]
            )
        }
        return ReviewedTalk(topic: Topic.all[1], turns: turns, marks: Dictionary(uniqueKeysWithValues: marks), corrections: [:])
    }

    private func isChinese(_ text: String) -> Bool { text.unicodeScalars.contains { 0x4E00...0x9FFF ~= $0.value } }

    // MARK: Marks

    @Test func turnHasTheMarkOfItsWorstError() async throws {
        let marks = try await judge.marks(turns("I ate a apple.", "I very like it and I ate a apple.", "All is well."))

        #expect(marks.map(\.turnIndex) == [0, 1])
        #expect(marks[1].original == "very like" && marks[1].issueTypes == ["sentence_structure"])
    }

    @Test func suggestionContainsNoFurtherError() async throws {
        let rules = EnglishRules { text in
            let pairs = text.contains("she don't") ? [("she don't", "don't")] : [("don't", "doesn't")]
            return pairs.flatMap { wrong, right in
                text.ranges(of: wrong).map {
                    Finding(
                        rule: "double.subject", kind: .sentenceStructure, range: $0, original: wrong, suggestion: right,
                        explanation: "…")
                }
            }
        }

        let marks = try await BuiltInJudge(rules: rules, texts: .bundled).marks(turns("My sister she don't like planes."))

        #expect(marks.first?.original == "she don't" && marks.first?.suggestion == "doesn't")
    }

    // MARK: Questions

    @Test func chineseQuestionIsAnsweredInChinese() async throws {
        let turn = turns("I go yesterday and ate a apple.")[0]

        let answer = try await judge.correction("為什麼不對？", about: turn, marks: [])

        #expect(answer.correction == "I went yesterday and ate an apple.")
        #expect(answer.explanation.contains("過去式") && answer.explanation.contains("an"))
    }

    @Test func englishQuestionIsAnsweredInEnglish() async throws {
        let answer = try await judge.correction("Why is it wrong?", about: turns("I go yesterday.")[0], marks: [])

        #expect(answer.correction == "I went yesterday.")
        #expect(answer.explanation.contains("tense") && !isChinese(answer.explanation))
    }

    @Test func marksOfModelsAreExplainedToo() async throws {
        let mark = Mark(
            id: 1, issueTypes: ["naturalness"], original: "eat medicine", suggestion: "take medicine", explanation: "吃藥要用 take。")

        let answer = try await judge.correction("這樣說對嗎？", about: turns("I eat medicine.")[0], marks: [mark])

        #expect(answer.correction == "I take medicine." && answer.explanation.contains("take"))
    }

    @Test func otherWayIsOffered() async throws {
        let answer = try await judge.correction("還有別的說法嗎？", about: turns("I want to see it.")[0], marks: [])

        #expect(answer.correction == "I would like to see it.")
    }

    @Test(arguments: [
        ("I like to swim.", "I like to swim."), ("Because of the rain I stayed.", "Because of the rain I stayed."),
        ("It is a very good book.", "It is an excellent book."), ("I think so.", "I think so."),
        ("We had a lot of fun.", "We had plenty of fun."),
    ]) func otherWayStaysRight(sentence: String, other: String) async throws {
        let answer = try await judge.correction("Another way, please?", about: turns(sentence)[0], marks: [])

        #expect(answer.correction == other || answer.correction.hasPrefix("It's"), "\(answer.correction)")
    }

    @Test(arguments: ["What does “stubborn” mean?", "stubborn 是什麼意思？", "請翻譯成中文", "Tell me a joke"]) func limitsAreAdmitted(
        question: String
    ) async throws {
        let answer = try await judge.correction(question, about: turns("He is stubborn.")[0], marks: [])

        #expect(answer.correction == "He is stubborn.")
        #expect(answer.explanation.contains("語言模型") || answer.explanation.contains("language model"))
        #expect(isChinese(answer.explanation) == isChinese(question))
    }

    // MARK: Summaries

    @Test func summaryStatesFactsInChinese() async throws {
        let talk = try await talk(
            "I go yesterday to the beach with my friends.", "I stayed there because it was cheap and I had a good time.",
            "I very like the sea.")

        let summary = try await judge.summary(talk)

        #expect(summary.strengths.first?.contains("3 次") == true)
        #expect(summary.strengths.contains { $0.contains("have a good time") })
        #expect(summary.weaknesses["grammar"]??.contains("I go yesterday") == true)
        #expect(summary.weaknesses["sentence_structure"]??.contains("very like") == true)
        #expect(summary.weaknesses["vocabulary"] == .some(nil))
        #expect(summary.overall.contains("旅遊") && isChinese(summary.levelAssessment ?? ""))
    }

    /// The rules find common mistakes only: what they do not mark is not said to be right.
    @Test func unmarkedTalkIsNotSaidToBeFaultless() async throws {
        let little = try await judge.summary(try await talk("All is well.", "I am here.", "Yes, I am."))
        #expect(little.overall.contains("看不出有沒有錯誤"))
        let long = "I stayed at home because it was raining all day and I wanted to read the book that my sister gave me last week."
        let more = try await judge.summary(try await talk(long, long))
        #expect(more.overall.contains("不代表每一句都對"))
        for summary in [little, more] {
            #expect(!(summary.strengths + [summary.overall]).joined().contains(/沒有發現|\d 句裡有|有 \d+ 句沒有/))
        }
    }

    /// Sentences that were read aloud are the tutor's: they prove nothing about the learner.
    @Test func sentencesReadAloudAreNotJudged() async throws {
        let offered = try #require(TutorTexts.bundled.topics["travel"]).questions.compactMap(\.answers.last)
        let turns = offered.enumerated().map { TalkTurn(index: $0, learner: $1, tutor: "I see.") }
        let talk = ReviewedTalk(topic: Topic.all[1], turns: turns, marks: [:], corrections: [:])

        let summary = try await judge.summary(talk)

        #expect(summary.overall.contains("念提示的句子") && summary.levelAssessment?.contains("無法判斷") == true)
        #expect(summary.strengths == ["這次你念了 \(offered.count) 句提示的句子。"])
        let changes = try await judge.profile(profile, after: talk)
        #expect(changes.level == nil && changes.learnedExpressions == nil && changes.personalFacts == [])
        #expect(judge.levelWords(in: offered)! == (0, 25))
    }

    @Test(arguments: [["我昨天去夜市吃了很多東西。", "天氣很好"], ["asdf qwer", "hmm"], ["今天 ok", "zxcvb"]])
    func chineseAndNoiseAreNotPraised(words: [String]) async throws {
        let turns = words.enumerated().map { TalkTurn(index: $0.offset, learner: $0.element, tutor: "Hm?") }
        let talk = ReviewedTalk(topic: Topic.all[1], turns: turns, marks: [:], corrections: [:])

        // The model is not even asked.
        for summary in [
            try await judge.summary(talk), try await JudgeWithRules(Praising(), rules: judge, logger: .quiet).summary(talk),
        ] {
            #expect(summary.strengths.isEmpty && summary.overall.contains("沒有聽到英文"))
            #expect(summary.levelAssessment?.contains("無法判斷") == true)
        }
        #expect(try await judge.profile(profile, after: talk).level == nil)
        #expect(try #require(judge.levelWords(in: words)).count < 2)
        #expect(try await judge.marks(turns).isEmpty)
    }

    @Test func onlyEnglishTurnsCount() async throws {
        let summary = try await judge.summary(try await talk("I like it.", "我不知道怎麼說", "It is good."))

        #expect(summary.strengths.first?.contains("2 次") == true && summary.overall.contains("1 次不是英文"))
    }

    private struct Praising: TextJudge {
        private static let praise = SessionSummary(strengths: ["好"], weaknesses: [:], levelAssessment: "C2", overall: "太棒了！")
        func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft] { [] }
        func correction(_: String, about: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft {
            .init(correction: "", explanation: "")
        }
        func summary(_: ReviewedTalk) async throws -> SessionSummary { Self.praise }
        func talkSummary(_: [TalkTurn]) async throws -> String { "Great." }
        func profile(_: Profile, after: ReviewedTalk) async throws -> ProfileChanges { ProfileChanges(level: .c2) }
        func level(_: LearnerRecord) async throws -> LevelJudgement? { nil }
        func progressNotes(_: LearnerRecord) async throws -> String { "好" }
        func quickReview(_: LearnerRecord) async throws -> [QuickReview] { [] }
        func reviewOutcome(_: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome {
            .init(practiced: [], notes: "")
        }
    }

    @Test func modelIsToldWhatIsNotEnglish() {
        #expect(JudgeData.turn(TalkTurn(index: 0, learner: "天氣很好", tutor: "Pardon?"))["is_english"] == .bool(false))
        #expect(JudgeData.turn(TalkTurn(index: 0, learner: "It is sunny", tutor: "Yes"))["is_english"] == nil)
    }

    @Test func tutorsSummaryIsEnglishAndCorrect() async throws {
        let summary = try await judge.talkSummary(turns("I live in Tainan.", "I go yesterday to the beach with my friends."))

        #expect(summary.contains("I went yesterday") && summary.contains("Lives in Tainan"))
        #expect(try await judge.talkSummary([]) == "The learner said very little.")
    }

    // MARK: Profile

    @Test func profileGainsPatternsFactsAndExpressions() async throws {
        let talk = try await talk(
            "I go yesterday. I live in New Taipei City, and I have a cat.", "My name is Mei and I'm a nurse.",
            "I look forward to it, and I very like cats.")

        let changes = try await judge.profile(profile, after: talk)

        #expect(
            changes.weakPoints?["grammar"] == [
                WeakPoint(pattern: "動詞時態", examples: [.init(wrong: "I go yesterday.", correct: "I went yesterday.")])
            ])
        #expect(changes.weakPoints?["sentence_structure"]?.first?.pattern == "語序")
        #expect(changes.learnedExpressions == ["look forward to"])
        #expect(changes.personalFacts == ["Lives in New Taipei City", "Is called Mei"])
        #expect(changes.quickReview?.contains { $0.english == "I went yesterday." && isChinese($0.chinese) } == true)
    }

    @Test(arguments: [
        ("I work as an engineer because I like it.", "Works as an engineer"), ("Well, I'm from Japan.", "Is from Japan"),
        ("I have two brothers!", "Has two brothers"),
    ]) func factIsFound(sentence: String, fact: String) {
        #expect(LearnerFacts.of([sentence], TutorTexts.bundled.facts) == [fact])
    }

    @Test(arguments: [
        "If I live in Paris one day", "She said I work as a spy", "I have a lot of time", "I'm from the", "I have a cold",
    ])
    func noFactIsInvented(sentence: String) {
        #expect(LearnerFacts.of([sentence], TutorTexts.bundled.facts).isEmpty)
    }

    @Test func levelNeedsEnoughWordsAndGrowsWithThem() async throws {
        func record(_ sentences: [String]) -> LearnerRecord {
            LearnerRecord(
                profile: profile, summaries: [], sentences: sentences, talkSummaries: [], reviewNotes: [], marks: [],
                corrections: [])
        }
        let simple = Array(repeating: ["I like tea.", "It is good.", "I go home.", "I am happy."], count: 5).flatMap { $0 }
        let rich = [
            "Although I was exhausted after the meeting, I decided to help my colleague because she had been waiting for hours.",
            "If I had more time, I would rather spend it outside, which is something that my family has never understood.",
            "While we were travelling along the coast, we found a tiny restaurant whose owner used to be a famous musician.",
        ]

        #expect(try await judge.level(record(["Hello."])) == nil)
        let (low, high) = (try #require(try await judge.level(record(simple))), try #require(try await judge.level(record(rich))))
        #expect(low.level == .a1 && [.b2, .c1].contains(high.level))
        #expect(high.evidence.allSatisfy { evidence in rich.contains(evidence.sentence) && isChinese(evidence.reason) })
    }

    @Test func levelMovesOneStepAtATime() async throws {
        var beginner = profile
        beginner.level = .a1
        let words =
            "Although I was exhausted after the meeting, I decided to help my colleague because she had been waiting for hours, which was unusual."

        #expect(try await judge.profile(beginner, after: try await talk(words, words)).level == .a2)
    }

    @Test func reviewOutcomeNamesWhatIsStillHard() async throws {
        let points = [
            "grammar": [
                WeakPoint(pattern: "冠詞", examples: [.init(wrong: "a apple", correct: "an apple")]),
                WeakPoint(pattern: "時態", examples: [.init(wrong: "I go.", correct: "I went.")]),
                WeakPoint(pattern: "介系詞", examples: [.init(wrong: "in Monday", correct: "on Monday")]),
            ]
        ]
        let turns = [TalkTurn(index: 0, learner: "An apple!", tutor: "The better sentence is: “I went.”")]

        let outcome = try await judge.reviewOutcome(turns, weakPoints: points)

        #expect(outcome.practiced == ["冠詞", "時態"])
        #expect(outcome.notes.contains("Still difficult: 時態"))
    }

    // MARK: Second opinion

    private struct Model: TextJudge {
        var drafts: [MarkDraft]?
        private func fail<Result>() throws -> Result { throw EngineError(.failed, "half JSON") }
        func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft] { try drafts ?? fail() }
        func correction(_: String, about: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft { try fail() }
        func summary(_: ReviewedTalk) async throws -> SessionSummary { try fail() }
        func talkSummary(_: [TalkTurn]) async throws -> String { throw CancellationError() }
        func profile(_: Profile, after: ReviewedTalk) async throws -> ProfileChanges { try fail() }
        func level(_: LearnerRecord) async throws -> LevelJudgement? { try fail() }
        func progressNotes(_: LearnerRecord) async throws -> String { try fail() }
        func quickReview(_: LearnerRecord) async throws -> [QuickReview] { try fail() }
        func reviewOutcome(_: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome { try fail() }
    }

    @Test func modelsQuotationInAnotherFormCountsAsItsMark() async throws {
        let own = MarkDraft(
            turnIndex: 0, issueTypes: ["grammar"], original: "i go yesterday.", suggestion: "I went yesterday.", explanation: "…")
        let judge = JudgeWithRules(Model(drafts: [own]), rules: judge, logger: .quiet)

        #expect(try await judge.marks(turns("I go yesterday.")) == [own])
    }

    @Test func modelsMarksComeFirstAndRulesFillTheGaps() async throws {
        let own = MarkDraft(
            turnIndex: 0, issueTypes: ["naturalness"], original: "I go", suggestion: "I was going", explanation: "…")
        let invented = MarkDraft(turnIndex: 1, issueTypes: ["grammar"], original: "not said", suggestion: "x", explanation: "…")
        let judge = JudgeWithRules(Model(drafts: [own, invented]), rules: judge, logger: .quiet)

        let marks = try await judge.marks(turns("I go yesterday.", "I ate a apple.", "Fine."))

        #expect(marks == [own, invented] + (try await self.judge.marks(turns("", "I ate a apple."))))
    }

    @Test func rulesJudgeWhereTheModelFails() async throws {
        let judge = JudgeWithRules(Model(), rules: judge, logger: .quiet)

        #expect(try await judge.marks(turns("I go yesterday.")).count == 1)
        #expect(try await judge.summary(try await talk("All is well.")).overall.contains("旅遊"))
        await #expect(throws: CancellationError.self) { try await judge.talkSummary(turns("Hello.")) }
    }
}
