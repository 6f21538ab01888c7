/// The tokenizer of a text. Its time is linear in the length of the text.
struct Tokenizer {
    private let text: String
    private let scalars: String.UnicodeScalarView
    private var index: String.Index
    private var tokens: [Token] = []
    private var isAttached = false

    static func tokens(of text: String) -> [Token] {
        var tokenizer = Tokenizer(text)
        tokenizer.run()
        return tokenizer.tokens
    }

    private init(_ text: String) {
        self.text = text
        scalars = text.unicodeScalars
        index = text.unicodeScalars.startIndex
    }

    private mutating func run() {
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let start = index
            if scalar.isBlank {
                index = scalars.index(after: index)
                // A line break ends a sentence, as a period does.
                if scalar.isLineBreak { append(.end, start) }
                isAttached = false
                continue
            } else if scalar.isLatinLetter {
                readWord()
            } else if scalar.isDigit {
                readNumber()
            } else {
                index = scalars.index(after: index)
                append(kind(of: scalar, at: start), start)
            }
            isAttached = true
        }
    }

    private mutating func append(_ kind: Token.Kind, _ start: String.Index) {
        append(kind, start..<index, String(scalars[start..<index]))
    }

    private mutating func append(_ kind: Token.Kind, _ range: Range<String.Index>, _ word: String) {
        guard !range.isEmpty else { return }
        var token = Token(kind: kind, word: word, range: range)
        token.isAttached = isAttached
        token.isCapitalized = kind == .word && scalars[range.lowerBound].properties.isUppercase
        tokens.append(token)
        isAttached = true
    }

    private func kind(of scalar: Unicode.Scalar, at position: String.Index) -> Token.Kind {
        switch scalar {
        case "!", "?", "…", "。", "！", "？": return .end
        case ".":
            // The period of "3.5", "a.m." or "Mr." does not end a sentence.
            if index < scalars.endIndex, scalars[index].isLatinLetter || scalars[index].isDigit { return .pause }
            if let last = tokens.last, isAttached, Self.abbreviations.contains(last.word) { return .other }
            return .end
        case ",", ";", ":", "(", ")", "[", "]", "\"", "“", "”", "–", "—", "-", "，", "、", "；", "：", "（", "）", "「", "」", "/", "'",
            "’", "‘":
            return .pause
        default: return .other
        }
    }

    private static let abbreviations: Set<String> = ["mr", "mrs", "ms", "dr", "st", "vs", "etc", "a", "p", "m", "e", "g", "u", "s"]

    private mutating func readNumber() {
        let start = index
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            let joins = scalar == "." || scalar == "," || scalar == ":"
            guard
                scalar.isDigit || scalar.isLatinLetter || scalar == "%" || joins && next < scalars.endIndex && scalars[next].isDigit
            else { break }
            index = next
        }
        append(.number, start..<index, String(scalars[start..<index]).lowercased())
    }

    private mutating func readWord() {
        let start = index
        var word = ""
        // The place of the first apostrophe, in the text and in the word.
        var apostrophe: (String.Index, Int)?
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            if scalar.isLatinLetter || scalar.isCombiningMark || scalar.isDigit {
                word.unicodeScalars.append(scalar)
            } else if scalar.isApostrophe, next < scalars.endIndex, scalars[next].isLatinLetter {
                if apostrophe == nil { apostrophe = (index, word.unicodeScalars.count) }
                word.unicodeScalars.append("'")
            } else if scalar == "-", next < scalars.endIndex, scalars[next].isLatinLetter || scalars[next].isDigit {
                word.unicodeScalars.append("-")
            } else {
                break
            }
            index = next
        }
        word = word.lowercased()
        let end = index
        if let (middle, _) = apostrophe, let tail = Self.tails.first(where: { word.hasSuffix($0) }) {
            let head = String(word.dropLast(tail.count))
            // "Tom's" stays one token: it may be a possessive.
            if tail != "'s" || Self.takesIs.contains(head) {
                append(.word, start..<middle, head)
                append(.word, middle..<end, tail)
                return
            }
        } else if let (head, tail) = Self.unmarked[word] {
            let middle = scalars.index(start, offsetBy: head.unicodeScalars.count)
            append(.word, start..<middle, head)
            append(.word, middle..<end, tail)
            return
        }
        append(.word, start..<end, Self.restored[word] ?? word)
    }

    private static let tails = ["'m", "'re", "'ve", "'ll", "'d", "'s"]
    private static let takesIs = Set(
        "he she it that there here what where who how when why everyone everybody someone somebody everything something let".words)
    /// Contractions as recognizers write them, without an apostrophe.
    private static let unmarked = [
        "im": ("i", "'m"), "ive": ("i", "'ve"), "youre": ("you", "'re"), "theyre": ("they", "'re"), "thats": ("that", "'s"),
        "theres": ("there", "'s"), "whats": ("what", "'s"), "hes": ("he", "'s"), "shes": ("she", "'s"),
    ]
    private static let restored = Dictionary(
        uniqueKeysWithValues:
            "don't doesn't didn't can't won't isn't aren't wasn't weren't haven't hasn't couldn't wouldn't shouldn't".words
            .map { ($0.replacing("'", with: ""), $0) })
}

extension StringProtocol {
    /// The parts between white space.
    var words: [String] {
        let parts: [SubSequence] = split { $0 == " " || $0 == "\n" }
        return parts.map { String($0) }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { self >= "0" && self <= "9" }
    fileprivate var isCombiningMark: Bool { value >= 0x300 && value <= 0x36F }
    fileprivate var isApostrophe: Bool { self == "'" || self == "’" || self == "ʼ" || self == "＇" }
    fileprivate var isBlank: Bool { properties.isWhitespace }
    fileprivate var isLineBreak: Bool { value == 0x0A || value == 0x0D || value == 0x85 || value == 0x2028 || value == 0x2029 }
    fileprivate var isLatinLetter: Bool {
        switch value {
        case 0x41...0x5A, 0x61...0x7A: true
        case 0xC0...0x24F: properties.isAlphabetic
        default: false
        }
    }
}
