import Foundation
import TalkCoWire
import WireKit

/// A scripted talk on a topic.
///
/// ```
///  greeting + question ─▶ answer ─▶ remark or recast + follow-up ─▶ answer ─▶ remark + next question ─▶ …
///                            ├── not understood, Chinese, "I don't understand" ─▶ the question in easier words, two sentences
///                            └── a question, "once more", "thank you" ─▶ an answer, and the question again
/// ```
///
/// No question is asked twice unless the learner asks for it, and none that the learner has answered before. When all have been asked,
/// the tutor returns to details that the learner mentioned, and then says goodbye.
struct ConversationScript: TutorScript {
    /// A question that waits for an answer.
    private struct Pending {
        var ask: String
        /// The question in easier words; nil if the question was asked in easier words.
        var easier: String?
        var answers: [String]
        /// True after the learner was asked for more than "yes" or "no".
        var wasDeepened = false

        /// True for a question that "yes" or "no" answers.
        var isYesNo: Bool { ChoiceGrammar.words(of: ask).first.map(Self.verbs.contains) ?? true }

        private static let verbs: Set<String> = [
            "do", "does", "did", "is", "are", "was", "were", "have", "has", "had", "can", "could", "will", "would", "should",
        ]
    }

    /// Maximum count of details to return to later.
    private static let maximumDetailCount = 30
    /// Maximum length of a question to beginners, in words.
    private static let maximumEasyLength = 12

    private static let pastWords: Set<String> = ["did", "was", "were", "surprised", "happened"]

    private let brief: TalkBrief
    private let texts: TutorTexts
    private let script: TopicScript
    private let opening: Greeting
    private let recast: Recast
    private var phrases: Phrases
    /// The unasked questions, the next one last.
    private var remaining: [Question]
    private var current: Question?
    private var pending: Pending?
    /// Count of follow-ups to `current` so far.
    private var depth = 0
    private var choices: [String] = []
    private var asked: Set<String> = []
    private var details: [String] = []
    private var said: [LearnerTurn] = []
    private var tutor = ""
    private var isSlow = false
    private var hasEnded = false
    private var talked = 0
    /// Count of successive turns that were not understood.
    private var puzzledCount = 0

    init(
        _ brief: TalkBrief, texts: TutorTexts, timeZone: TimeZone = .current, recast: Recast = Recast(),
        random: any RandomNumberGenerator & Sendable
    ) {
        self.brief = brief
        self.texts = texts
        self.recast = recast
        let script = texts.topic(brief.topic)
        self.script = script
        opening = Greeting(brief: brief, subject: script.subject, timeZone: timeZone)
        var phrases = Phrases(texts.phrases, random: random)
        var remaining = phrases.shuffled(script.questions)
        // A talk begins with one of the first questions: they are the easiest to answer.
        if let index = remaining.lastIndex(where: { script.questions.prefix(4).contains($0) }) {
            remaining.append(remaining.remove(at: index))
        }
        self.phrases = phrases
        self.remaining = remaining
        resume()
    }

    /// Restores the state from the turns before the conversation was reopened.
    private mutating func resume() {
        for turn in brief.turns {
            said.append(LearnerTurn(turn.learner, texts: texts))
            remaining.removeAll { turn.tutor.contains($0.ask) || turn.tutor.contains($0.easier) }
            asked.formUnion(
                script.questions.flatMap(\.followUps).map(\.ask).filter { turn.tutor.contains($0) })
        }
        talked = brief.turns.count
    }

    mutating func greeting() -> ScriptReply {
        let words = brief.turns.isEmpty ? opening.text(with: &phrases) : phrases.draw(.resumed)
        return reply([words, nextQuestion() ?? ""])
    }

    mutating func notUnderstood() -> ScriptReply { reply([phrases.draw(.misheard)]) }

    mutating func answer(_ words: String) -> ScriptReply {
        let turn = LearnerTurn(words, texts: texts)
        // An offered sentence is an answer, even if it is a question: "Are you happy?"
        let isOffered = choices.contains { ChoiceGrammar.words(of: $0) == turn.words }
        // "How do you ask for help?" is answered with a question.
        let takesQuestions = pending?.answers.contains { $0.contains("?") } ?? false
        let act = isOffered && pending != nil && !hasEnded && !turn.isFarewell ? nil : turn.act
        if act == .end { return farewell() }
        let wasEnded = hasEnded
        hasEnded = false
        if turn.isChinese { return easier(after: phrases.draw(.chinese)) }
        if turn.isEmpty || turn.isNoise && !turn.isUnderstood && act == nil { return notUnderstood() }
        if wasEnded, act != .skip, turn.words.count < 6 || remaining.isEmpty { return farewell() }
        if let act, let reply = answer(to: act, turn) { return reply }
        if !isOffered, !takesQuestions, let answer = answerToQuestion(turn) { return answer }
        return answer(to: turn, isOffered: isOffered)
    }

    /// Replies to the learner's answer to a question.
    private mutating func answer(to turn: LearnerTurn, isOffered: Bool) -> ScriptReply {
        let isExpected = current?.followUps.contains { turn.matches($0.trigger) } ?? false
        guard isOffered || isExpected || turn.isUnderstood || turn.isQuestion else { return puzzled() }
        puzzledCount = 0
        if turn.isBarePolarity, !isOffered, let pending, !pending.isYesNo, !pending.wasDeepened {
            self.pending?.wasDeepened = true
            return offerTwo(.sayMore)
        }
        talked += 1
        defer { said.append(turn) }
        remember(turn)
        let remark = (isOffered ? nil : recast.of(turn.text)) ?? Remark(turn: turn, tutor: tutor).text(with: &phrases)
        if let followUp = followUp(to: turn) {
            depth += 1
            return ask(Pending(ask: followUp.ask, answers: followUp.answers), after: remark)
        }
        return next(after: remark)
    }

    // MARK: Questions

    private mutating func followUp(to turn: LearnerTurn) -> FollowUp? {
        guard let current else { return nil }
        // Beginners get one follow-up to a question, others up to two.
        let limit = isBeginner && brief.level != .a2 ? 1 : 2
        guard depth < limit else { return nil }
        let open = current.followUps.filter { fits($0.ask, turn) }
        if let match = open.first(where: { turn.matches($0.trigger) }) { return match }
        if depth == 0, turn.polarity != false, let general = open.first(where: { $0.trigger.anything }) { return general }
        return detailFollowUp(to: turn)
    }

    /// Returns a question about a thing that the learner mentioned; nil for none.
    private func detailFollowUp(to turn: LearnerTurn) -> FollowUp? {
        guard let mention = Remark(turn: turn, tutor: tutor).mention, !mention.isNegated,
            !(turn.isWish && (mention.kind.isFeeling || mention.kind == .job)),
            // Without "your", people are not known to the learner: "children".
            mention.kind != .people || mention.name.hasPrefix("your ")
        else { return nil }
        for followUp in texts.followUps[mention.kind] ?? [] {
            let ask = followUp.ask.filled(["it": mention.name])
            if fits(ask, turn), !said.contains(where: { $0.mentions.contains(mention) }) {
                return FollowUp(trigger: followUp.trigger, ask: ask, answers: followUp.answers)
            }
        }
        return nil
    }

    /// Returns true if a question is new, short enough for the learner, not answered, and takes no wish of the learner for a fact.
    private func fits(_ question: String, _ turn: LearnerTurn) -> Bool {
        let words = ChoiceGrammar.words(of: question)
        return !asked.contains(question) && !turn.answers(question)
            && !(isBeginner && words.count > Self.maximumEasyLength)
            && !(turn.isWish && (question.hasSuffix(" like?") || words.contains { Self.pastWords.contains($0) }))
    }

    private mutating func next(after remark: String) -> ScriptReply {
        if let question = nextQuestion() {
            let bridge = talked > 0 && phrases.occurs(oneIn: 3) ? phrases.drawFresh(.bridge) ?? "" : ""
            return reply([remark, bridge, question])
        }
        (current, pending) = (nil, nil)
        if let detail = details.popLast(), let question = phrases.drawFresh(.return, ["it": detail]) {
            choices = phrases.all(.returnChoices)
            asked.insert(question)
            return reply([remark, question])
        }
        hasEnded = true
        choices = phrases.all(.farewellChoices)
        return reply([remark, phrases.draw(.finished)])
    }

    /// Moves on to the next question that the learner has not answered yet.
    private mutating func nextQuestion() -> String? {
        depth = 0
        repeat {
            current = remaining.popLast()
        } while current.map { question in said.contains { $0.says(question.known) } } ?? false
        guard let current else { return nil }
        let isEasy = brief.level == .a1 || isBeginner && ChoiceGrammar.words(of: current.ask).count > Self.maximumEasyLength
        let pending = Pending(
            ask: isEasy ? current.easier : current.ask, easier: isEasy ? nil : current.easier, answers: current.answers)
        return wait(for: pending)
    }

    /// Makes a question the pending one.
    ///
    /// - Returns: The question.
    private mutating func wait(for question: Pending) -> String {
        pending = question
        puzzledCount = 0
        asked.insert(question.ask)
        choices = ordered(question.answers)
        return question.ask
    }

    private mutating func ask(_ question: Pending, after remark: String) -> ScriptReply { reply([remark, wait(for: question)]) }

    /// Asks the pending question in easier words; asks the next one if the easier words were used before.
    private mutating func easier(after remark: String) -> ScriptReply {
        guard let pending, let easier = pending.easier, !asked.contains(easier) else { return easyNext(after: remark) }
        return ask(Pending(ask: easier, answers: pending.answers), after: remark)
    }

    private mutating func easyNext(after remark: String) -> ScriptReply {
        guard nextQuestion() != nil, let pending else { return next(after: remark) }
        asked.remove(pending.ask)
        return ask(Pending(ask: pending.easier ?? pending.ask, answers: pending.answers), after: remark)
    }

    /// Asks the pending question once more.
    private mutating func again(after remark: String) -> ScriptReply {
        guard let pending else { return next(after: remark) }
        choices = ordered(pending.answers)
        return reply([remark, pending.ask])
    }

    /// Says that the learner was not understood, and offers two sentences; asks another question after the second time.
    private mutating func puzzled() -> ScriptReply {
        puzzledCount += 1
        return puzzledCount > 2 ? next(after: phrases.draw(.skip)) : offerTwo(.puzzled)
    }

    /// Offers the two easiest answers to the pending question.
    private mutating func offerTwo(_ phrase: Phrase) -> ScriptReply {
        guard let answers = pending?.answers, answers.count > 1 else { return next(after: phrases.draw(.skip)) }
        choices = Array(answers.prefix(2))
        return reply([phrases.draw(phrase, ["first": choices[0], "second": choices[1]])])
    }

    private var isBeginner: Bool { brief.level.map { $0 == .a1 || $0 == .a2 } ?? true }

    /// Returns answers in the order of the learner's level: the richest first from B2 on, else the easiest first.
    private func ordered(_ answers: [String]) -> [String] {
        switch brief.level {
        case .b2, .c1, .c2: answers.reversed()
        default: answers
        }
    }

    // MARK: Other answers

    /// Returns the reply to a remark about the talk; nil if the remark has an answer as well: "I don't know, maybe Korea".
    private mutating func answer(to act: Act, _ turn: LearnerTurn) -> ScriptReply? {
        let saysMore = turn.mentions.contains { $0.kind != .verb && $0.kind != .quality && !$0.isNegated }
        switch act {
        case .end: return farewell()
        case .slower:
            isSlow = true
            return again(after: phrases.draw(.slower))
        case .repeat: return again(after: phrases.draw(.repeat))
        case .easier:
            // "What does … mean?" asks for a word.
            if let meaning = meaning(turn) { return again(after: meaning) }
            return easier(after: phrases.draw(.easier))
        case .example: return offerTwo(.example)
        case .noIdea: return saysMore ? nil : next(after: phrases.draw(.noIdea))
        case .skip: return next(after: phrases.draw(.skip))
        case .already: return next(after: phrases.draw(.already))
        case .wrong: return reply([phrases.draw(.wrong)])
        case .wait: return reply([phrases.draw(.wait)])
        case .thanks: return again(after: phrases.draw(.thanks))
        case .hello: return again(after: phrases.draw(.helloAgain))
        case .mayIAsk: return turn.isQuestion && turn.words.count > 9 ? nil : reply([phrases.draw(.askMe)])
        case .danger: return reply([phrases.draw(.danger)])
        case .grief:
            // The tutor asks no follow-ups about the loss, unless the learner wants to continue.
            depth = .max
            choices = phrases.all(.griefChoices)
            pending = nil
            let question = phrases.drawFresh(.griefQuestion)
            return question.map { reply([phrases.draw(.grief), $0]) } ?? next(after: phrases.draw(.grief))
        }
    }

    private mutating func meaning(_ turn: LearnerTurn) -> String? {
        guard let word = turn.askedMeaning, !word.isEmpty, word.count < 30, !["it", "that", "this"].contains(word) else {
            return nil
        }
        guard let meaning = texts.meanings[word] else { return phrases.draw(.unknownMeaning, ["word": word]) }
        return phrases.draw(.meaning, ["word": word, "meaning": meaning])
    }

    /// Answers a question of the learner; nil if the turn has no question that the tutor knows.
    private mutating func answerToQuestion(_ turn: LearnerTurn) -> ScriptReply? {
        if let meaning = meaning(turn) { return again(after: meaning) }
        if let word = turn.askedSpelling, word.count < 30 {
            let letters = word.filter(\.isLetter).map { $0.uppercased() }.joined(separator: "-")
            return again(after: phrases.draw(.spelling, ["word": word, "letters": letters]))
        }
        if turn.asksHowToSay { return again(after: phrases.draw(.sayInEnglish)) }
        guard let inquiry = turn.inquiry else { return nil }
        let answer = phrases.draw(inquiry)
        // "I like tea. What about you?" has answered the question.
        let hasAnswered =
            turn.isQuestion ? turn.words.count > 5 && turn.mentions.contains { $0.isOwn && $0.kind != .verb } : turn.words.count > 3
        guard hasAnswered else { return again(after: answer) }
        talked += 1
        remember(turn)
        said.append(turn)
        return next(after: answer)
    }

    private mutating func farewell() -> ScriptReply {
        hasEnded = true
        choices = phrases.all(.farewellChoices)
        return reply([phrases.draw(.farewell, ["name": opening.name]), phrases.draw(.farewellEnd)])
    }

    private mutating func remember(_ turn: LearnerTurn) {
        for mention in turn.mentions where mention.kind.isTopic && !mention.isNegated {
            guard !details.contains(mention.name), details.count < Self.maximumDetailCount else { continue }
            details.insert(mention.name, at: 0)
        }
    }

    private mutating func reply(_ parts: [String]) -> ScriptReply {
        tutor = parts.filter { !$0.isEmpty }.joined(separator: " ")
        return ScriptReply(text: tutor, choices: choices, isSlow: isSlow)
    }
}
