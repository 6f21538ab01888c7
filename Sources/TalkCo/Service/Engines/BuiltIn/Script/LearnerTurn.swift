import EnglishKit
import Foundation

/// The words of a learner, read for what a scripted tutor can pick up on.
struct LearnerTurn: Sendable {
    /// A question of the learner.
    enum Inquiry: Hashable, Sendable {
        /// "And you?"
        case aboutTutor
        case howAreYou
        case name
        /// The meaning of a word, or how to say something.
        case language
        case other
    }

    /// The maximum number of characters that are read.
    private static let maximumLength = 2_000

    let text: String
    /// In small letters.
    let words: [String]
    private let phrase: String

    init(_ text: String) {
        self.text = String(text.prefix(Self.maximumLength))
        words = ChoiceGrammar.words(of: self.text)
        phrase = " " + words.joined(separator: " ") + " "
    }

    /// True if most of the text is Chinese.
    var isChinese: Bool {
        var (han, letters) = (0, 0)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3400...0x9FFF, 0x20000...0x2FA1F, 0xF900...0xFAFF, 0x3100...0x312F: han += 1
            default: if scalar.properties.isAlphabetic { letters += 1 }
            }
        }
        // A Chinese character is about as much as two letters.
        return han > 0 && han * 2 >= letters
    }

    /// True for letters without a sense.
    var isNoise: Bool { !EnglishText.isEnglish(text) }

    /// True if there is no word to react to.
    var isEmpty: Bool { !words.contains { word in word.contains { $0.isLetter } } }

    /// Nil if the answer is neither.
    var polarity: Bool? {
        guard let first = words.first else { return nil }
        if ["yes", "yeah", "yep", "sure", "definitely", "certainly", "absolutely", "course"].contains(first) { return true }
        if has("of course") || has("i think so") { return true }
        if ["no", "nope", "never", "none", "nothing"].contains(first) || starts(with: "not ") || has("i don't think so") {
            return false
        }
        if has("i don't") || has("i do not") || has("i can't") || has("i haven't") || has("i'm not") { return false }
        return nil
    }

    var wantsToEnd: Bool {
        [
            "goodbye", "bye bye", "see you", "have to go", "need to go", "must go now", "end the talk", "finish the talk",
            "stop here",
            "let's stop", "that's all for today", "talk to you later", "good night",
        ].contains { has($0) }
            || words == ["bye"] || words.suffix(1) == ["bye"] || ["再見", "結束", "掰掰"].contains { text.contains($0) }
    }

    var needsHelp: Bool {
        if words.count > 14 { return false }
        return [
            "don't understand", "do not understand", "didn't understand", "not understand", "say that again", "say it again",
            "repeat", "pardon", "what do you mean", "too difficult", "too hard for me", "don't know what to say", "slowly",
            "don't get it",
        ].contains { has($0) }
            || ["what", "sorry", "huh"].contains { words == [$0] } || text.trimmingCharacters(in: .whitespaces) == "?"
    }

    /// True if the learner does not want the question.
    var wantsAnotherQuestion: Bool {
        [
            "next question", "another question", "one more question", "something else", "change the topic", "skip",
            "i don't want to talk about",
        ].contains {
            has($0)
        }
    }

    var inquiry: Inquiry? {
        if ["how are you", "how do you do", "how is it going", "how's it going"].contains(where: { has($0) }) { return .howAreYou }
        if ["your name", "who are you", "are you a robot", "are you real", "are you human", "are you a computer", "are you an ai"]
            .contains(where: { has($0) })
        {
            return .name
        }
        if ["what about you", "how about you", "and you", "and yours"].contains(where: { has($0) }) { return .aboutTutor }
        let isQuestion = text.contains("?") || text.contains("？")
        if has("what does") && has("mean") || has("how do you say") || has("how do i say") || has("how to say")
            || has("in english") && isQuestion
        {
            return .language
        }
        guard isQuestion else { return nil }
        return [" do you ", " have you ", " can you ", " are you ", " did you ", " would you ", " your "].contains {
            phrase.contains($0)
        }
            ? .aboutTutor : .other
    }

    /// True if the learner gives a reason.
    var hasReason: Bool { ["because", "since", "so that", "that's why", "the reason"].contains { has($0) } }

    /// The number of words of an answer that says something.
    var isShort: Bool { words.count < 4 }

    /// The first word that occurs in a list of words, separated by spaces.
    func match(_ list: String) -> String? {
        let wanted = Set(list.split(separator: " ").map { String($0) })
        return words.first { wanted.contains($0) }
    }

    func matches(_ trigger: FollowUp.Trigger) -> Bool {
        switch trigger {
        case .yes: polarity == true
        case .no: polarity == false
        case .words(let list): match(list) != nil
        case .anything: !isEmpty
        }
    }

    /// The first detail of a kind.
    func detail(_ kind: Detail) -> String? { words.first { kind.words.contains($0) } }

    private func has(_ text: String) -> Bool { phrase.contains(" \(text) ") }
    private func starts(with text: String) -> Bool { phrase.hasPrefix(" \(text)") }
}

/// A kind of detail that a tutor can mention again.
enum Detail: CaseIterable, Sendable {
    case sad
    case happy
    case person
    case food
    case place
    case activity
    case often

    var words: Set<String> { Self.lists[self] ?? [] }

    private static let lists: [Detail: Set<String>] = [
        .sad: list(
            "sad tired stressed stressful nervous worried lonely angry afraid sick ill bored boring difficult hard terrible bad lost scared"
        ),
        .happy: list(
            "happy excited wonderful great fantastic amazing beautiful delicious fun funny love loved enjoy enjoyed proud interesting perfect relaxing"
        ),
        .person: list(
            "mother father mom dad parents sister brother grandmother grandfather grandma grandpa wife husband boyfriend girlfriend son daughter children kids friend friends family boss colleague colleagues coworkers roommate roommates teacher cousin cousins uncle aunt"
        ),
        .food: list(
            "noodles rice soup beef chicken fish pork tofu dumplings pizza pasta coffee tea bread eggs vegetables fruit cake chocolate seafood hot-pot sushi ramen steak salad curry sandwich breakfast lunch dinner"
        ),
        .place: list(
            "japan tokyo osaka kyoto korea seoul taipei taichung tainan kaohsiung hualien taiwan canada america italy france england germany thailand vietnam singapore australia beach mountain mountains park museum temple office school university hospital gym library market supermarket restaurant hotel airport village countryside city"
        ),
        .activity: list(
            "hiking swimming running cooking reading shopping dancing singing traveling travelling drawing painting camping surfing cycling fishing gardening yoga basketball badminton baseball tennis football soccer movies movie music games series books novels comics concerts"
        ),
        .often: list("always usually often sometimes seldom rarely everyday daily weekly"),
    ]

    private static func list(_ words: String) -> Set<String> { Set(words.split(separator: " ").map { String($0) }) }
}
