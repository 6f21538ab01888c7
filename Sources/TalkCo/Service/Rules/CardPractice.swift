import TalkCoWire

/// The result of a card in a practice, by the first of the right and the wrong words that the learner said.
///
/// Only the words that differ between the two sentences are compared, with a neighbour on each side, so that an answer in another
/// sentence counts as well. A repetition of the right sentence that the tutor has just said does not count.
struct CardPractice {
    enum Result { case right, wrong, open }

    /// Minimum count of words that identify a sentence.
    private static let leastWordCount = 3

    let result: Result

    init(of sentence: WeakPoint.Example, in turns: [TalkTurn]) {
        let (wrong, right) = (ChoiceGrammar.words(of: sentence.wrong), ChoiceGrammar.words(of: sentence.correct))
        let (wrongPart, rightPart) = (Self.difference(of: wrong, to: right), Self.difference(of: right, to: wrong))
        var told = false
        for turn in turns {
            let said = ChoiceGrammar.words(of: turn.learner)
            if Self.contains(said, rightPart), !Self.contains(said, wrongPart) || Self.contains(rightPart, wrongPart) {
                result = told ? .open : .right
                return
            }
            if Self.contains(said, wrongPart) {
                result = .wrong
                return
            }
            let tutor = ChoiceGrammar.words(of: turn.tutor)
            told = Self.contains(tutor, right) && !Self.contains(tutor, wrong)
        }
        result = .open
    }

    /// Returns the words of a sentence that differ from the other one, with their neighbours.
    private static func difference(of words: [String], to other: [String]) -> [String] {
        let prefix = zip(words, other).prefix { $0 == $1 }.count
        let rest = min(words.count, other.count) - prefix
        let suffix = zip(words.reversed(), other.reversed()).prefix(rest).prefix { $0 == $1 }.count
        var (start, end) = (max(prefix - 1, 0), min(words.count - suffix + 1, words.count))
        while end - start < leastWordCount, start > 0 || end < words.count {
            if end < words.count { end += 1 } else { start -= 1 }
        }
        return Array(words[start..<end])
    }

    private static func contains(_ words: [String], _ part: [String]) -> Bool {
        guard !part.isEmpty, words.count >= part.count else { return false }
        return (0...words.count - part.count).contains { words[$0..<$0 + part.count].elementsEqual(part) }
    }
}
