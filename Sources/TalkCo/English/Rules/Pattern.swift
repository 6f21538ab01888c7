/// A sequence of words and word classes.
///
///     discuss* about            any form of "discuss", then "about"
///     play* [computer|phone]    the brackets mark the replaced part; without brackets it is the whole match
///     <SUBJ> very? <BASE>       a class of ``WordClass``; an optional element
///     ^ is raining $            the start of a clause; the end of a phrase
///     ^^ how to say             the start of the sentence
///     very !<NOUN> much         a word that must not occur there
struct Pattern: Sendable {
    struct Match {
        var span: Range<Int>
        /// The token of each element that is neither an anchor nor a negation; nil for an absent optional element.
        var captures: [Int?]
    }

    private enum Atom: Sendable {
        case words(Set<String>)
        case wordClass(@Sendable (Sentence, Int) -> Bool)

        func matches(_ sentence: Sentence, _ index: Int) -> Bool {
            switch self {
            case .words(let words): words.contains(sentence[index].word)
            case .wordClass(let test): test(sentence, index)
            }
        }
    }

    private enum Element: Sendable {
        case clauseStart, sentenceStart, end, open, close
        case not([Atom])
        case token([Atom], isOptional: Bool)
    }

    private var elements: [Element] = []
    /// Count of the elements that capture a token.
    var captureCount: Int {
        elements.count {
            if case .token = $0 { true } else { false }
        }
    }
    /// The words that the first element allows; nil if it is not a list of words.
    private(set) var triggers: Set<String>?

    init(_ text: String) {
        elements = text.words.flatMap { word -> [Element] in
            switch word {
            case "^": return [.clauseStart]
            case "^^": return [.sentenceStart]
            case "$": return [.end]
            default: break
            }
            var word = Substring(word)
            var result: [Element] = []
            if word.hasPrefix("[") { (result, word) = ([.open], word.dropFirst()) }
            let closes = word.hasSuffix("]")
            if closes { word = word.dropLast() }
            if word.hasPrefix("!") {
                result.append(.not(Self.atoms(word.dropFirst())))
            } else if !word.isEmpty {
                let isOptional = word.hasSuffix("?")
                result.append(.token(Self.atoms(isOptional ? word.dropLast() : word), isOptional: isOptional))
            }
            return closes ? result + [.close] : result
        }
        triggers = firstWords()
    }

    /// Returns a word class of a pattern's text that ``WordClass`` lacks; nil for none.
    static func unknownClass(in text: String) -> String? {
        text.split { !$0.isLetter && $0 != "<" && $0 != ">" }.map(String.init).first {
            $0.hasPrefix("<") && WordClass.all[String($0.dropFirst().dropLast())] == nil
        }
    }

    private static func atoms(_ text: Substring) -> [Atom] {
        var words: Set<String> = []
        var atoms: [Atom] = []
        for part in text.split(separator: "|") {
            if part.hasPrefix("<") {
                guard let test = WordClass.all[String(part.dropFirst().dropLast())] else {
                    preconditionFailure("No word class \(part).")
                }
                atoms.append(.wordClass(test))
            } else if part.hasSuffix("*") {
                words.formUnion(Lexicon.standard.forms(String(part.dropLast())))
            } else {
                words.insert(String(part))
            }
        }
        return words.isEmpty ? atoms : [.words(words)] + atoms
    }

    private func firstWords() -> Set<String>? {
        for element in elements {
            switch element {
            case .clauseStart, .sentenceStart, .open: continue
            case .token(let atoms, isOptional: false):
                guard atoms.count == 1, case .words(let words) = atoms[0] else { return nil }
                return words
            default: return nil
            }
        }
        return nil
    }

    func match(_ sentence: Sentence, at index: Int) -> Match? {
        var match = Match(span: index..<index, captures: [])
        var start: Int?
        var end: Int?
        guard let last = self.match(sentence, index, element: 0, &match.captures, &start, &end) else { return nil }
        let span = (start ?? index)..<max(start ?? index, end ?? last)
        guard !span.isEmpty else { return nil }
        match.span = span
        return match
    }

    /// Returns the index after the last token; nil for no match.
    private func match(
        _ sentence: Sentence, _ index: Int, element: Int, _ captures: inout [Int?], _ start: inout Int?, _ end: inout Int?
    ) -> Int? {
        guard element < elements.count else { return index }
        switch elements[element] {
        case .clauseStart: guard sentence.startsClause(index) else { return nil }
        case .sentenceStart: guard index == 0 || sentence[index - 1].kind != .word && index < 3 else { return nil }
        case .end: guard sentence[index].kind != .number, sentence.endsPhrase(index) else { return nil }
        case .open: start = index
        case .close: end = index
        case .not(let atoms): guard !atoms.contains(where: { $0.matches(sentence, index) }) else { return nil }
        case .token(let atoms, let isOptional):
            let saved = (captures, start, end)
            if atoms.contains(where: { $0.matches(sentence, index) }) {
                // The end of the sentence, which `<END>` matches, is not a token.
                let isToken = index < sentence.count
                captures.append(isToken ? index : nil)
                if let last = match(sentence, isToken ? index + 1 : index, element: element + 1, &captures, &start, &end) {
                    return last
                }
                (captures, start, end) = saved
            }
            guard isOptional else { return nil }
            captures.append(nil)
        }
        return match(sentence, index, element: element + 1, &captures, &start, &end)
    }
}
