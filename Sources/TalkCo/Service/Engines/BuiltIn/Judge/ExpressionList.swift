/// Expressions that are worth to be learned as a whole.
enum ExpressionList {
    /// The expressions that a text uses, in the form of a dictionary.
    static func used(in text: String) -> [String] {
        let phrase = " " + ChoiceGrammar.words(of: text).joined(separator: " ") + " "
        return forms.filter { $0.forms.contains { phrase.contains(" \($0) ") } }.map(\.name)
    }

    private struct Expression: Sendable {
        var name: String
        var forms: [String]
    }

    private static let forms: [Expression] = list.map { line in
        let parts = line.split(separator: "|").map { String($0) }
        return Expression(name: parts[0], forms: parts.count > 1 ? Array(parts.dropFirst()) : parts)
    }

    /// A name, then its forms if there are others.
    private static let list = [
        "look forward to|look forward to|looking forward to", "used to|used to",
        "be used to|am used to|are used to|get used to|got used to",
        "would rather", "in my opinion", "it depends on|it depends on|depends on", "as well as", "take turns",
        "give up|give up|gave up|given up",
        "fall asleep|fall asleep|fell asleep", "on time", "in time", "on the way", "be interested in|interested in",
        "be good at|good at",
        "be afraid of|afraid of", "be proud of|proud of", "not only", "as soon as", "so that", "even if", "instead of",
        "because of",
        "a couple of", "plenty of", "stay in touch|stay in touch|keep in touch", "from time to time", "once in a while",
        "at the moment",
        "as far as i know", "to be honest", "by the way", "on the other hand", "for example", "at first", "in the end", "make sure",
        "get along with|get along with|got along with", "hang out|hang out|hung out|hanging out", "find out|find out|found out",
        "turn on|turn on|turned on",
        "turn off|turn off|turned off", "take care of|take care of|took care of|taking care of", "have a look|have a look",
        "have a good time|had a good time|have a good time",
        "make a mistake|make a mistake|make mistakes|made a mistake", "make friends|make friends|made friends", "can't stand",
        "no matter",
        "spend time|spend time|spent time|spending time", "be in a hurry|in a hurry", "break up|break up|broke up",
        "catch up|catch up|caught up",
        "come up with|come up with|came up with", "deal with|deal with|dealt with", "grow up|grow up|grew up",
        "run out of|run out of|ran out of",
        "work out|work out|worked out", "get rid of|get rid of|got rid of", "be worth|worth it", "feel like|feel like|felt like",
        "how about",
        "would like to|would like to|i'd like to", "have to|had to", "be able to|able to", "be supposed to|supposed to",
        "more and more",
    ]
}
