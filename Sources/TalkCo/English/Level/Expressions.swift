/// A useful expression in a learner's words.
package struct UsedExpression: Hashable, Sendable {
    /// The expression in its dictionary form, such as `make up one's mind`.
    package var name: String
    package var range: Range<String.Index>

    package init(name: String, range: Range<String.Index>) {
        self.name = name
        self.range = range
    }
}

/// The finder of idioms, phrasal verbs and collocations that a learner used.
package struct Expressions: Sendable {
    package init() {}

    /// Returns the expressions in a text, in the order of their ranges, without those that a finding overlaps.
    ///
    /// - Parameter findings: The findings in the same text, which exclude expressions that the learner used wrongly.
    package func used(in text: String, findings: [Finding]) -> [UsedExpression] {
        Sentence.sentences(of: text).flatMap { expressions(in: $0, findings) }
    }

    /// Returns the expressions in a text to which the checker has no objection.
    package func used(in text: String) -> [UsedExpression] { used(in: text, findings: GrammarChecker().objections(in: text)) }

    private func expressions(in sentence: Sentence, _ findings: [Finding]) -> [UsedExpression] {
        var found: [UsedExpression] = []
        var index = 0
        while index < sentence.count {
            var longest: (name: String, span: Range<Int>)?
            for (name, pattern) in Self.byWord[sentence[index].word] ?? [] {
                guard let span = pattern.match(sentence, at: index)?.span, span.count > longest?.span.count ?? 0 else { continue }
                longest = (name, span)
            }
            guard let longest else {
                index += 1
                continue
            }
            let range = sentence[longest.span.lowerBound].range.lowerBound..<sentence[longest.span.upperBound - 1].range.upperBound
            // An error in the word after "look forward to" is an error in the use of the expression.
            let next = min(longest.span.upperBound, sentence.count - 1)
            let checked = range.lowerBound..<sentence[next].range.upperBound
            if !findings.contains(where: { $0.range.overlaps(checked) }) {
                found.append(UsedExpression(name: longest.name, range: range))
            }
            index = longest.span.upperBound
        }
        return found
    }

    /// The patterns of expressions worth learning, one for each line of the file.
    static let lines = DataFile.read("expressions.txt") {
        String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The patterns by the words that they begin with.
    private static let byWord: [String: [(String, Pattern)]] = {
        var result: [String: [(String, Pattern)]] = [:]
        for line in lines {
            let pattern = Pattern(line)
            for word in pattern.triggers ?? [] { result[word, default: []].append((name(of: line), pattern)) }
        }
        return result
    }()

    /// Returns the name of a pattern: "make up one's mind" for "make* up <POSS> mind".
    private static func name(of line: String) -> String {
        let words = line.words.filter { !$0.hasPrefix("!") && !$0.hasSuffix("?") }.map { word -> String in
            switch word {
            case "<POSS>": "one's"
            case "<OBJ>": "someone"
            case "<ING>": "doing"
            case "<NUM>": "some"
            case "i": "I"
            case "'d": "had"
            case let word where word.hasPrefix("am|is|"): "be"
            default: word.split(separator: "|").first.map { $0.filter { $0 != "*" } } ?? word
            }
        }
        return words.joined(separator: " ").replacing(" '", with: "'").replacing("had rather", with: "would rather")
    }
}
