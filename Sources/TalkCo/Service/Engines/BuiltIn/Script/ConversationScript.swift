import Foundation
import TalkCoWire
import WireKit

/// A scripted talk on a topic.
///
/// ```
///  greeting + question ─▶ answer ─▶ remark or recast + follow-up ─▶ answer ─▶ remark + next question ─▶ …
///                            └── not understood, Chinese ─▶ the same question, easier
/// ```
///
/// No question is asked twice. When all have been asked, the tutor returns to details that the learner mentioned, and then says goodbye.
struct ConversationScript: TutorScript {
    /// The maximum number of details to return to later.
    private static let maximumDetailCount = 30
    private static let farewells = ["Thank you, goodbye!", "I enjoyed our talk.", "One more question, please."]

    private let brief: TalkBrief
    private let script: TopicScript
    private let greetingText: String
    private let recast: Recast
    private var phrases: Phrases
    /// The questions that were not asked yet, the next one last.
    private var remaining: [Question]
    private var current: Question?
    /// The follow-ups to `current` so far.
    private var depth = 0
    private var choices: [String] = []
    private var asked: Set<String> = []
    private var details: [String] = []
    private var wasMadeEasier = false
    private var hasEnded = false
    private var talked = 0

    init(
        _ brief: TalkBrief, timeZone: TimeZone = .current, recast: Recast = Recast(), random: any RandomNumberGenerator & Sendable
    ) {
        self.brief = brief
        self.recast = recast
        let script = TopicScript.of(brief.topic)
        self.script = script
        var phrases = Phrases(random: random)
        greetingText = Greeting(brief: brief, subject: script.subject, timeZone: timeZone).text(with: &phrases)
        var remaining = phrases.shuffled(script.questions)
        // A talk begins with one of the first questions: they are the easiest to answer.
        if let index = remaining.lastIndex(where: { script.questions.prefix(4).contains($0) }) {
            remaining.append(remaining.remove(at: index))
        }
        self.remaining = remaining
        self.phrases = phrases
    }

    mutating func greeting() -> ScriptReply {
        let question = nextQuestion() ?? ""
        return reply([greetingText, question])
    }

    mutating func notUnderstood() -> ScriptReply {
        ScriptReply(text: phrases.draw(Misheard.phrases), choices: choices)
    }

    mutating func answer(_ words: String) -> ScriptReply {
        let turn = LearnerTurn(words)
        if turn.wantsToEnd { return farewell() }
        let wasEnded = hasEnded
        hasEnded = false
        if turn.isChinese { return makeEasier(phrases.draw(Self.chineseRemarks)) }
        if turn.needsHelp { return makeEasier(phrases.draw(Self.helpRemarks)) }
        if turn.isEmpty || turn.isNoise { return notUnderstood() }
        if wasEnded, !turn.wantsAnotherQuestion, turn.words.count < 6 || remaining.isEmpty { return farewell() }
        if turn.wantsAnotherQuestion { return next(after: phrases.draw(["Of course.", "No problem.", "Sure."])) }
        talked += 1
        remember(turn)
        let remark = recast.of(turn.text) ?? Acknowledgement.of(turn, with: &phrases)
        if let inquiry = turn.inquiry { return next(after: answer(to: inquiry)) }
        if let followUp = followUp(to: turn) {
            depth += 1
            return ask(followUp.ask, followUp.answers, after: remark)
        }
        return next(after: remark)
    }

    // MARK: Questions

    private mutating func followUp(to turn: LearnerTurn) -> FollowUp? {
        guard let current else { return nil }
        // Beginners get one follow-up to a question, others up to two.
        let limit = brief.level == .a1 || brief.level == nil ? 1 : 2
        guard depth < limit else { return nil }
        let open = current.followUps.filter { !asked.contains($0.ask) }
        // The second one has to fit; the first may be general.
        return open.first { $0.trigger != .anything && turn.matches($0.trigger) }
            ?? (depth == 0 ? open.first { turn.matches($0.trigger) } : nil)
    }

    private mutating func next(after remark: String) -> ScriptReply {
        if let question = nextQuestion() {
            let bridge = talked > 0 && phrases.occurs(oneIn: 2) ? phrases.draw(Self.bridges) : ""
            return reply([remark, bridge, question])
        }
        current = nil
        if let detail = details.popLast() {
            choices = [
                "It is important to me.", "I would like to tell you more, but I need more words.",
                "That's all for today, thank you.",
            ]
            let question = phrases.draw(Self.returns).replacing("{detail}", with: detail)
            asked.insert(question)
            return reply([remark, question])
        }
        hasEnded = true
        choices = Self.farewells
        return reply([
            remark,
            "We have talked about everything on my list, and you did a great job. You can end the talk now and look at your sentences in the review.",
        ])
    }

    /// Moves on to the next question.
    private mutating func nextQuestion() -> String? {
        depth = 0
        wasMadeEasier = false
        current = remaining.popLast()
        guard let current else { return nil }
        let isBeginner = brief.level == .a1
        if isBeginner { wasMadeEasier = true }
        let text = isBeginner ? current.easier : current.ask
        asked.insert(text)
        choices = ordered(current.answers)
        return text
    }

    private mutating func ask(_ question: String, _ answers: [String], after remark: String) -> ScriptReply {
        asked.insert(question)
        choices = ordered(answers)
        return reply([remark, question])
    }

    /// Asks the current question in easier words; the next one if that was done before.
    private mutating func makeEasier(_ remark: String) -> ScriptReply {
        guard let current, !wasMadeEasier, depth == 0, !asked.contains(current.easier) else {
            guard let question = remaining.popLast() else { return next(after: remark) }
            self.current = question
            (depth, wasMadeEasier) = (0, true)
            return ask(question.easier, question.answers, after: remark)
        }
        wasMadeEasier = true
        return ask(current.easier, current.answers, after: remark)
    }

    /// Easy answers first for beginners, rich ones first for the advanced.
    private func ordered(_ answers: [String]) -> [String] {
        switch brief.level {
        case .b2, .c1, .c2: answers.reversed()
        default: answers
        }
    }

    // MARK: Other answers

    private mutating func answer(to inquiry: LearnerTurn.Inquiry) -> String {
        switch inquiry {
        case .aboutTutor:
            phrases.draw([
                "Me? I'm only a small program, so I don't do such things, but I like to hear about your life.",
                "I would love to say yes, but I'm a program that lives in a computer. Your answers are much more interesting!",
                "I never eat, sleep or travel, so I have to ask you about it.",
                "As a program I have a quiet life. I talk with learners all day.",
            ])
        case .howAreYou:
            phrases.draw(["I'm fine, thank you for asking!", "Very well, thank you. I always enjoy talking with you."])
        case .name: "I'm your TalkCo tutor, a simple program that follows a script and loves English."
        case .language:
            phrases.draw([
                "Good question! I can't explain words during our talk, but you can ask about every sentence in the review.",
                "I'm not able to explain that here. Try to say it with simple words for now.",
            ])
        case .other:
            phrases.draw([
                "That's a good question, but I don't know enough to answer it.",
                "I'm afraid my script has no answer to that. Let me ask you something instead.",
            ])
        }
    }

    private mutating func farewell() -> ScriptReply {
        hasEnded = true
        choices = Self.farewells
        let thanks = phrases.draw(["Thank you for talking with me", "It was nice to talk with you", "I enjoyed our talk"])
        let praise = talked > 5 ? " You said a lot today." : ""
        return reply([
            "\(thanks)\(Greeting(brief: brief, subject: "", timeZone: .gmt).name)!\(praise)",
            "Now you can end the talk and look at your sentences in the review. Goodbye!",
        ])
    }

    private mutating func remember(_ turn: LearnerTurn) {
        for kind in [Detail.person, .food, .activity] {
            guard let word = turn.detail(kind), !details.contains(word), details.count < Self.maximumDetailCount else { continue }
            details.insert(word, at: 0)
        }
    }

    private func reply(_ parts: [String]) -> ScriptReply {
        ScriptReply(text: parts.filter { !$0.isEmpty }.joined(separator: " "), choices: choices)
    }

    private static let bridges = [
        "Let me ask you something else.", "Here is another question.", "I have another question for you.",
        "Let's talk about something different.",
        "Now I'm curious about this:", "And one more thing:",
    ]
    /// Questions about a detail that the learner mentioned.
    private static let returns = [
        "Before, you said something about {detail}. What else can you tell me about that?",
        "You also talked about {detail}. Why is that important to you?",
        "I remember that you mentioned {detail}. When was the last time?",
        "Let's go back to {detail} for a moment. What would you like to add?",
    ]
    private static let chineseRemarks = [
        "I understand only English, but don't worry. Here is an easier question.",
        "Let's try it in English. A few simple words are enough.",
        "That was Chinese, I think! Try to answer in English with short sentences.",
        "It's all right if you don't know the words. Let me make it easier.",
    ]
    private static let helpRemarks = [
        "No problem, let me say it in another way.", "Sorry, that was difficult. Let me ask it more simply.",
        "Of course. Here is an easier question.",
        "Let's try an easier one.",
    ]
}

extension TopicScript {
    /// The script of a topic; that of everyday life for an unknown one.
    static func of(_ topic: Topic?) -> TopicScript {
        switch topic?.id.rawValue {
        case "travel": travel
        case "workplace": workplace
        case "food_dining": food
        case "entertainment": entertainment
        case "current_events": currentEvents
        default: dailyLife
        }
    }
}
