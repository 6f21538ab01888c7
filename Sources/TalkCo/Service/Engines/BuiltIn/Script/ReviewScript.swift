import Foundation
import TalkCoWire

/// A scripted session in the mode `review`: drills of sentences that the learner once got wrong.
///
/// ```
///  greeting + drill ─▶ right ─▶ praise + next drill
///                   └▶ wrong ─▶ the right sentence, once more ─▶ right or wrong ─▶ next drill
/// ```
struct ReviewScript: TutorScript {
    private static let maximumDrillCount = 10

    private let texts: TutorTexts
    private let name: String
    private let greetingText: String
    private let hasErrors: @Sendable (String) -> Bool
    private var phrases: Phrases
    private var drills: [Drill]
    private var current: Drill?
    private var choices: [String] = []
    private var hasFailed = false
    private var drillCount = 0
    private var rightCount = 0
    private var finishedCount = 0

    /// - Parameter hasErrors: Returns true if an answer that is not the expected sentence has errors.
    init(
        _ brief: TalkBrief, texts: TutorTexts, timeZone: TimeZone = .current,
        hasErrors: @escaping @Sendable (String) -> Bool = { !EnglishRules().findings(in: $0).isEmpty },
        random: any RandomNumberGenerator & Sendable
    ) {
        self.texts = texts
        self.hasErrors = hasErrors
        phrases = Phrases(texts.phrases, random: random)
        let greeting = Greeting(brief: brief, subject: "", timeZone: timeZone)
        name = greeting.name
        let cards = brief.cards.map { Drill(wrong: $0.wrong, correct: $0.correct, isQuestion: true) }
        let own =
            cards + Self.drills(of: brief.weakPoints, texts).filter { drill in !cards.contains { $0.correct == drill.correct } }
        // The next drill is the last one of the list.
        drills = Array((own.isEmpty ? phrases.shuffled(texts.drills) : own).prefix(Self.maximumDrillCount).reversed())
        greetingText = "\(greeting.hello)\(name)! " + phrases.draw(own.isEmpty ? .reviewStandard : .reviewOwn)
    }

    mutating func greeting() -> ScriptReply {
        ScriptReply(text: "\(greetingText) \(nextTask())", choices: choices)
    }

    mutating func notUnderstood() -> ScriptReply {
        ScriptReply(text: phrases.draw(.misheard), choices: choices)
    }

    mutating func answer(_ words: String) -> ScriptReply {
        let turn = LearnerTurn(words, texts: texts)
        guard let current, turn.act != .end else { return closing() }
        if (turn.isEmpty || turn.isNoise) && !turn.isChinese { return notUnderstood() }
        let said = ChoiceGrammar.words(of: words)
        let correct = ChoiceGrammar.words(of: current.correct)
        if said == correct || said.count > correct.count && Self.contains(said, correct) {
            if !hasFailed { rightCount += 1 }
            return next(after: phrases.draw(hasFailed ? .reviewLatePraise : .reviewPraise))
        }
        if turn.act == .skip { return next(after: phrases.draw(.skip)) }
        if hasFailed { return next(after: phrases.draw(.reviewLeave, ["right": current.correct])) }
        hasFailed = true
        choices = [current.correct]
        let isOther =
            !turn.isChinese && turn.words.count > 2 && said != ChoiceGrammar.words(of: current.wrong) && !hasErrors(words)
            && turn.act == nil
        return ScriptReply(
            text: phrases.draw(isOther ? .reviewOther : .reviewWrong, ["right": current.correct]), choices: choices)
    }

    private mutating func next(after remark: String) -> ScriptReply {
        finishedCount += 1
        guard !drills.isEmpty else { return closing(after: remark) }
        return ScriptReply(text: "\(remark) \(nextTask())", choices: choices)
    }

    /// Returns the task of the next drill: to repeat a sentence, or to choose the right one of two.
    private mutating func nextTask() -> String {
        current = drills.popLast()
        hasFailed = false
        drillCount += 1
        guard let current else { return "" }
        if current.isQuestion {
            choices = phrases.shuffled([current.correct, current.wrong])
            return phrases.draw(.reviewCard, ["wrong": current.wrong])
        }
        // The first drill is an easy one.
        if drillCount > 1, phrases.occurs(oneIn: 2) {
            choices = phrases.shuffled([current.correct, current.wrong])
            return phrases.draw(.reviewChoose) + " “\(choices[0])” or “\(choices[1])”"
        }
        choices = [current.correct]
        return phrases.draw(.reviewSay, ["wrong": current.wrong, "right": current.correct])
    }

    private mutating func closing(after remark: String = "") -> ScriptReply {
        current = nil
        drills = []
        choices = phrases.all(.reviewChoices)
        let result = finishedCount > 0 ? phrases.draw(.reviewResult, ["count": "\(rightCount)", "total": "\(finishedCount)"]) : ""
        let end = phrases.draw(.reviewEnd, ["name": name])
        return ScriptReply(text: [remark, result, end].filter { !$0.isEmpty }.joined(separator: " "), choices: choices)
    }

    private static func contains(_ words: [String], _ part: [String]) -> Bool {
        guard !part.isEmpty, words.count >= part.count else { return false }
        return (0...words.count - part.count).contains { Array(words[$0..<$0 + part.count]) == part }
    }

    /// Returns one example of each pattern in turn, the newest first.
    private static func drills(of weakPoints: [String: [WeakPoint]], _ texts: TutorTexts) -> [Drill] {
        var examples = weakPoints.sorted { $0.key < $1.key }.flatMap(\.value).map(\.examples)
        var drills: [Drill] = []
        while examples.contains(where: { !$0.isEmpty }) {
            for index in examples.indices {
                guard let example = examples[index].popLast() else { continue }
                let drill = Drill(wrong: example.wrong, correct: example.correct)
                let words = ChoiceGrammar.words(of: drill.correct)
                if !LearnerTurn(drill.correct, texts: texts).isChinese, (1...30).contains(words.count),
                    words != ChoiceGrammar.words(of: drill.wrong), !drills.contains(drill)
                {
                    drills.append(drill)
                }
            }
        }
        return drills
    }
}
