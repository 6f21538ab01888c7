import Foundation

/// A splitter of arriving text into sentences, so that the first can be spoken while the rest is still written.
struct SentenceSplitter {
    /// Maximum length of a sentence, in characters. A longer sentence is split at a comma or a space.
    private static let maximumLength = 300
    private static let abbreviations: Set<String> = [
        "mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "vs.", "etc.", "e.g.", "i.e.", "no.", "a.m.", "p.m.", "u.s.", "u.k.",
    ]

    private var buffer = ""
    /// True if the buffer starts at the beginning of a line.
    private var isAtLineStart = true

    /// Appends a piece of text, and returns the sentences that it completes.
    mutating func receive(_ text: String) -> [String] {
        buffer += text
        var sentences: [String] = []
        while let end = sentenceEnd() ?? longEnd() {
            let sentence = SpeechText.of(buffer[..<end])
            if !sentence.isEmpty { sentences.append(sentence) }
            isAtLineStart = buffer[..<end].last?.isNewline == true
            buffer = String(buffer[end...])
        }
        return sentences
    }

    /// Returns the rest of the text; nil for none.
    mutating func finish() -> String? {
        defer { buffer = "" }
        let rest = SpeechText.of(buffer)
        return rest.isEmpty ? nil : rest
    }

    /// Returns the end of the first sentence; nil until the character after the sentence is known: "3." may become "3.5".
    private func sentenceEnd() -> String.Index? {
        var index = buffer.startIndex
        while index < buffer.endIndex {
            let character = buffer[index]
            let next = buffer.index(after: index)
            if character.isNewline { return next }
            if "。！？".contains(character) { return next }
            if ".!?…".contains(character) {
                var end = next
                while end < buffer.endIndex, ".!?…\"'”’)".contains(buffer[end]) { end = buffer.index(after: end) }
                guard end < buffer.endIndex else { return nil }
                if buffer[end].isWhitespace, !isAbbreviation(endingAt: end) { return end }
                index = end
                continue
            }
            index = next
        }
        return nil
    }

    private func isAbbreviation(endingAt end: String.Index) -> Bool {
        let words = buffer[..<end].split(whereSeparator: \.isWhitespace)
        let word = words.last ?? ""
        // "1. Apples", not "in 1990."
        if isAtLineStart, SpeechText.isListNumber(word), !words.dropLast().contains(where: { $0.contains(where: \.isLetter) }) {
            return true
        }
        if Self.abbreviations.contains(word.lowercased()) { return true }
        // An initial: "J. Smith". But "I." ends a sentence.
        return word.count == 2 && word.last == "." && word.first?.isLetter == true && word.first != "I"
    }

    private func longEnd() -> String.Index? {
        guard let limit = buffer.index(buffer.startIndex, offsetBy: Self.maximumLength, limitedBy: buffer.endIndex) else {
            return nil
        }
        let head = buffer[..<limit]
        let split = head.lastIndex { ",;:".contains($0) } ?? head.lastIndex { $0.isWhitespace }
        return split.map { buffer.index(after: $0) } ?? limit
    }
}
