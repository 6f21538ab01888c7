/// Other ways to say a sentence, by replacing common phrases.
enum Rephrasing {
    /// - Returns: At most two sentences that differ from the given one; empty if no phrase is known.
    static func of(_ sentence: String) -> [String] {
        var results: [String] = []
        for (phrase, other) in replacements {
            guard results.count < 2, let range = range(of: phrase, in: sentence) else { continue }
            var text = sentence
            var replacement = other
            if sentence[range].first?.isUppercase == true {
                replacement = replacement.prefix(1).uppercased() + replacement.dropFirst()
            }
            text.replaceSubrange(range, with: replacement)
            if !results.contains(text), text != sentence { results.append(text) }
        }
        return results
    }

    /// The first occurrence at the borders of words.
    private static func range(of phrase: String, in sentence: String) -> Range<String.Index>? {
        for range in sentence.ranges(of: phrase) + sentence.ranges(of: phrase.prefix(1).uppercased() + phrase.dropFirst()) {
            let before = range.lowerBound == sentence.startIndex || !sentence[sentence.index(before: range.lowerBound)].isLetter
            let after =
                range.upperBound == sentence.endIndex || !sentence[range.upperBound].isLetter && sentence[range.upperBound] != "'"
            if before, after { return range }
        }
        return nil
    }

    private static let replacements: [(String, String)] = [
        ("I want to", "I would like to"), ("I think that", "In my opinion,"), ("I think", "In my opinion,"),
        ("I really like", "I'm very fond of"),
        ("I don't like", "I'm not very fond of"), ("I like", "I'm fond of"), ("I love", "I really enjoy"),
        ("very good", "excellent"),
        ("very tired", "exhausted"), ("very big", "huge"), ("very small", "tiny"), ("very happy", "delighted"),
        ("very hungry", "starving"),
        ("very cold", "freezing"), ("very important", "essential"), ("very interesting", "fascinating"),
        ("very beautiful", "gorgeous"),
        ("very difficult", "really hard"), ("a lot of", "plenty of"), ("every day", "on a daily basis"), ("because", "since"),
        ("maybe", "perhaps"),
        ("I usually", "I tend to"), ("I can't", "I'm not able to"), ("I have to", "I need to"), ("go to bed", "turn in"),
        ("delicious", "really tasty"),
        ("I went", "I decided to go"), ("fun", "enjoyable"), ("expensive", "pricey"), ("cheap", "affordable"),
        ("I'm going to", "I'm planning to"),
        ("I stayed at home", "I spent the time at home"), ("my friends and I", "we"), ("It is", "It's"), ("I am", "I'm"),
        ("do not", "don't"),
    ]
}
