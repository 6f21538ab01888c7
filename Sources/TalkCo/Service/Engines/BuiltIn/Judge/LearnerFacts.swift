import Foundation

/// Finds facts that learners tell about themselves, by simple patterns.
enum LearnerFacts {
    /// The maximum length of a fact.
    private static let maximumWordCount = 8

    /// In English, in the third person: "Lives in Taipei".
    static func of(_ texts: [String]) -> [String] {
        var facts: [String] = []
        for sentence in texts.flatMap({ SpokenSentences.of($0) }) {
            guard let fact = fact(in: sentence), !facts.contains(fact) else { continue }
            facts.append(fact)
        }
        return facts
    }

    private static func fact(in sentence: String) -> String? {
        let words = sentence.replacing("’", with: "'").split(separator: " ").map { String($0) }
        let plain = words.map { $0.lowercased().filter { $0.isLetter || $0 == "'" } }
        for (pattern, prefix) in patterns {
            let parts = pattern.split(separator: " ").map { String($0) }
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
                if stops.contains(clean.lowercased()) || clean.isEmpty { break }
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

    private static let patterns: [(String, String)] = [
        ("i live in", "Lives in"), ("i live with", "Lives with"), ("i live alone", "Lives alone"), ("i work as", "Works as"),
        ("i work in", "Works in"),
        ("i work for", "Works for"), ("i work at", "Works at"), ("my name is", "Is called"), ("i am from", "Is from"),
        ("i'm from", "Is from"),
        ("i come from", "Is from"), ("i have a", "Has a"), ("i have an", "Has an"), ("i have two", "Has two"),
        ("i have three", "Has three"),
        ("i am a", "Is a"), ("i'm a", "Is a"), ("i am an", "Is an"), ("i'm an", "Is an"), ("i study", "Studies"),
        ("my job is", "Job:"),
        ("my hobby is", "Hobby:"),
    ]
    private static let stops: Set<String> = [
        "and", "but", "because", "so", "when", "if", "which", "who", "that", "now", "since", "for", "then", "although", "where",
        "lot", "bit",
        "problem", "question", "cold", "headache", "little", "meeting", "test",
    ]
}
