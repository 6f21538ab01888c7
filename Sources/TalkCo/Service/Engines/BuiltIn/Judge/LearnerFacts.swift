import Foundation

/// The facts that learners tell about themselves, found by simple patterns.
enum LearnerFacts {
    /// Maximum length of a fact, in words.
    private static let maximumWordCount = 8

    /// Returns the facts in English, in the third person: "Lives in Taipei".
    static func of(_ texts: [String], _ phrases: FactPhrases) -> [String] {
        var facts: [String] = []
        for sentence in texts.flatMap({ SpokenSentences.of($0) }) {
            guard let fact = fact(in: sentence, phrases), !facts.contains(fact) else { continue }
            facts.append(fact)
        }
        return facts
    }

    private static func fact(in sentence: String, _ phrases: FactPhrases) -> String? {
        let words = sentence.replacing("’", with: "'").split(separator: " ").map { String($0) }
        let plain = words.map { $0.lowercased().filter { $0.isLetter || $0 == "'" } }
        for (parts, prefix) in phrases.phrases {
            guard plain.count > parts.count,
                let start = (0...plain.count - parts.count).first(where: { Array(plain[$0..<$0 + parts.count]) == parts })
            else { continue }
            // Only the learner's own statement: not "if I live in …", not a negation.
            guard start == 0 || ["and", "but", "well", "yes", "actually", "so", "hi", "hello"].contains(plain[start - 1]) else {
                continue
            }
            var rest: [String] = []
            for word in words[(start + parts.count)...] {
                let clean = word.trimmingCharacters(in: .punctuationCharacters)
                if phrases.ends.contains(clean.lowercased()) || clean.isEmpty { break }
                rest.append(clean)
                if let last = word.last, ".,;:!?".contains(last) { break }
            }
            guard !rest.isEmpty, rest.count <= maximumWordCount else { continue }
            if prefix == "Is from", rest[0].first?.isUppercase != true { continue }
            if prefix == "Is called", rest.count > 3 { continue }
            return "\(prefix) \(rest.joined(separator: " "))"
        }
        return nil
    }
}

/// The phrases with which learners tell facts: facts.txt.
struct FactPhrases: Sendable {
    /// The words of a phrase in lowercase, and the beginning of the fact.
    var phrases: [(words: [String], fact: String)] = []
    /// The words, in lowercase, before which a fact ends.
    var ends: Set<String> = []
}
