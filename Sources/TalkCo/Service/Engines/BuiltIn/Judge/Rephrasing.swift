/// Another way to say a phrase: rephrasings.txt.
struct Rephrasing: Hashable, Sendable {
    var phrase: String
    var other: String
    /// The words, in lowercase, that must not follow the phrase.
    var unless: Set<String> = []

    /// - Returns: At most two sentences that differ from the given one; empty if no phrase is known.
    static func of(_ sentence: String, _ rephrasings: [Rephrasing]) -> [String] {
        var results: [String] = []
        for rephrasing in rephrasings where results.count < 2 {
            guard let text = rephrasing.applied(to: sentence), !results.contains(text), text != sentence else { continue }
            results.append(text)
        }
        return results
    }

    /// Returns the sentence with the first occurrence of the phrase replaced; nil if the phrase does not occur.
    func applied(to sentence: String) -> String? {
        guard let range = range(in: sentence) else { return nil }
        var (replacement, before) = (other, String(sentence[..<range.lowerBound]))
        if sentence[range].first?.isUppercase == true {
            replacement = replacement.prefix(1).uppercased() + replacement.dropFirst()
        }
        // "a very good" becomes "an excellent".
        for (article, needsVowel) in [("a ", true), ("an ", false)] {
            let isWord = before.dropLast(article.count).last.map { !$0.isLetter } ?? true
            guard before.lowercased().hasSuffix(article), isWord, let first = replacement.first else { continue }
            if "aeiou".contains(first.lowercased()) == needsVowel {
                before = before.dropLast(article.count - 1) + (needsVowel ? "n " : " ")
            }
            break
        }
        return before + replacement + sentence[range.upperBound...]
    }

    /// Returns the first occurrence of the phrase as whole words; nil for none.
    private func range(in sentence: String) -> Range<String.Index>? {
        for range in sentence.ranges(of: phrase) + sentence.ranges(of: phrase.prefix(1).uppercased() + phrase.dropFirst()) {
            let before = range.lowerBound == sentence.startIndex || !sentence[sentence.index(before: range.lowerBound)].isLetter
            let after =
                range.upperBound == sentence.endIndex
                || !sentence[range.upperBound].isLetter && !"'’".contains(sentence[range.upperBound])
            let next = ChoiceGrammar.words(of: String(sentence[range.upperBound...])).first
            if before, after, next.map({ !unless.contains($0) }) ?? true { return range }
        }
        return nil
    }
}
