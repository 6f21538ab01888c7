import Foundation
import TalkCoWire

/// A scripted session in the mode `review`: drills of sentences that the learner once got wrong.
///
/// ```
///  greeting + drill ─▶ right ─▶ praise + next drill
///                   └▶ wrong ─▶ the right sentence, once more ─▶ right or wrong ─▶ next drill
/// ```
struct ReviewScript: TutorScript {
    /// A sentence to practise.
    struct Drill: Hashable, Sendable {
        var wrong: String
        var correct: String
        /// True if the learner is asked for the right sentence, and not told.
        var isQuestion = false
    }

    private static let maximumDrillCount = 10

    private let brief: TalkBrief
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

    /// - Parameter hasErrors: Judges an answer that is not the expected sentence.
    init(
        _ brief: TalkBrief, timeZone: TimeZone = .current,
        hasErrors: @escaping @Sendable (String) -> Bool = { !EnglishRules().findings(in: $0).isEmpty },
        random: any RandomNumberGenerator & Sendable
    ) {
        self.brief = brief
        self.hasErrors = hasErrors
        phrases = Phrases(random: random)
        let greeting = Greeting(brief: brief, subject: "", timeZone: timeZone)
        let cards = brief.cards.map { Drill(wrong: $0.wrong, correct: $0.correct, isQuestion: true) }
        let own = cards + Self.drills(of: brief.weakPoints).filter { drill in !cards.contains { $0.correct == drill.correct } }
        // The next one last.
        drills = Array((own.isEmpty ? phrases.shuffled(Self.standard) : own).prefix(Self.maximumDrillCount).reversed())
        let purpose =
            own.isEmpty
            ? "You have no weak points on your list yet, so let's practice some sentences that many learners get wrong."
            : "Today we practice some sentences from your earlier talks."
        greetingText = "\(greeting.hello)\(greeting.name)! \(purpose)"
    }

    mutating func greeting() -> ScriptReply {
        ScriptReply(text: "\(greetingText) \(nextTask())", choices: choices)
    }

    mutating func notUnderstood() -> ScriptReply {
        ScriptReply(text: phrases.draw(Misheard.phrases), choices: choices)
    }

    mutating func answer(_ words: String) -> ScriptReply {
        let turn = LearnerTurn(words)
        guard let current, !turn.wantsToEnd else { return closing() }
        if (turn.isEmpty || turn.isNoise) && !turn.isChinese { return notUnderstood() }
        let said = ChoiceGrammar.words(of: words)
        let correct = ChoiceGrammar.words(of: current.correct)
        if said == correct || said.count > correct.count && Self.contains(said, correct) {
            if !hasFailed { rightCount += 1 }
            return next(after: phrases.draw(hasFailed ? Self.latePraise : Self.praise))
        }
        if turn.wantsAnotherQuestion { return next(after: "All right.") }
        if hasFailed { return next(after: "Let's leave it there. The sentence is: “\(current.correct)”") }
        hasFailed = true
        choices = [current.correct]
        if !turn.isChinese, turn.words.count > 2, said != ChoiceGrammar.words(of: current.wrong), !hasErrors(words), !turn.needsHelp
        {
            return ScriptReply(
                text:
                    "I found no mistake in your sentence. The one that I had in mind is: “\(current.correct)” Please say it as well.",
                choices: choices)
        }
        return ScriptReply(
            text: phrases.draw(["Not quite.", "Almost.", "Let's look at it again."])
                + " The better sentence is: “\(current.correct)” Please say it.",
            choices: choices)
    }

    private mutating func next(after remark: String) -> ScriptReply {
        finishedCount += 1
        guard !drills.isEmpty else { return closing(after: remark) }
        return ScriptReply(text: "\(remark) \(nextTask())", choices: choices)
    }

    /// The next drill: to repeat a sentence, or to choose the right one of two.
    private mutating func nextTask() -> String {
        current = drills.popLast()
        hasFailed = false
        drillCount += 1
        guard let current else { return "" }
        if current.isQuestion {
            choices = phrases.shuffled([current.correct, current.wrong])
            return phrases.draw([
                "You once said: “\(current.wrong)” How do you say it right?",
                "In a talk you said: “\(current.wrong)” Can you say it better?",
                "Something was not right here: “\(current.wrong)” How should it be?",
            ])
        }
        // The first one is easy.
        if drillCount > 1, phrases.occurs(oneIn: 2) {
            choices = phrases.shuffled([current.correct, current.wrong])
            return phrases.draw([
                "Which sentence is right?", "Choose the better sentence and say it.", "One of these two is correct. Which one?",
            ])
                + " “\(choices[0])” or “\(choices[1])”"
        }
        choices = [current.correct]
        return phrases.draw([
            "Once it was: “\(current.wrong)” A better way is: “\(current.correct)” Please say it.",
            "Instead of “\(current.wrong)” we say “\(current.correct)” Now you.",
            "Listen: “\(current.correct)” Please repeat it, and be careful not to say “\(current.wrong)”",
        ])
    }

    private mutating func closing(after remark: String = "") -> ScriptReply {
        current = nil
        drills = []
        choices = ["Thank you, goodbye!", "See you next time."]
        let result = finishedCount > 0 ? " You said \(rightCount) of \(finishedCount) sentences right at once." : ""
        return ScriptReply(
            text: [
                remark,
                "That's all for today.\(result) You can end the session now. See you soon\(Greeting(brief: brief, subject: "", timeZone: .gmt).name)!",
            ]
            .filter { !$0.isEmpty }.joined(separator: " "),
            choices: choices)
    }

    private static func contains(_ words: [String], _ part: [String]) -> Bool {
        guard !part.isEmpty, words.count >= part.count else { return false }
        return (0...words.count - part.count).contains { Array(words[$0..<$0 + part.count]) == part }
    }

    /// One example of each pattern in turn, the newest first.
    private static func drills(of weakPoints: [String: [WeakPoint]]) -> [Drill] {
        var examples = weakPoints.sorted { $0.key < $1.key }.flatMap(\.value).map(\.examples)
        var drills: [Drill] = []
        while examples.contains(where: { !$0.isEmpty }) {
            for index in examples.indices {
                guard let example = examples[index].popLast() else { continue }
                let drill = Drill(wrong: example.wrong, correct: example.correct)
                let words = ChoiceGrammar.words(of: drill.correct)
                if !LearnerTurn(drill.correct).isChinese, (1...30).contains(words.count),
                    words != ChoiceGrammar.words(of: drill.wrong), !drills.contains(drill)
                {
                    drills.append(drill)
                }
            }
        }
        return drills
    }

    private static let praise = ["Excellent!", "Exactly right!", "Perfect!", "Very good!", "Yes, that's it!", "Well done!"]
    private static let latePraise = ["Now it's right!", "Good, that's better.", "Yes, now you have it."]

    /// For learners without weak points.
    private static let standard = [
        Drill(wrong: "I very like music.", correct: "I like music very much."),
        Drill(wrong: "I am agree with you.", correct: "I agree with you."),
        Drill(wrong: "She go to work by bus.", correct: "She goes to work by bus."),
        Drill(wrong: "Yesterday I go to the park.", correct: "Yesterday I went to the park."),
        Drill(wrong: "I have two brother.", correct: "I have two brothers."),
        Drill(wrong: "Although it rained, but we went out.", correct: "Although it rained, we went out."),
        Drill(wrong: "Please open the light.", correct: "Please turn on the light."),
        Drill(wrong: "He is good in English.", correct: "He is good at English."),
        Drill(wrong: "I am interesting in history.", correct: "I am interested in history."),
        Drill(wrong: "How to say this in English?", correct: "How do you say this in English?"),
        Drill(wrong: "There have many people here.", correct: "There are many people here."),
        Drill(wrong: "I look forward to see you.", correct: "I look forward to seeing you."),
    ]
}
