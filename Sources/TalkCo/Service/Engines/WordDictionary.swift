package import Foundation
package import ServerKit

/// The Chinese words for English ones, from a dictionary of Chinese in the format of CC-CEDICT.
///
/// An entry is `傳統 传统 [chuan2 tong3] /tradition/traditional/`: the word in Traditional and in Simplified characters, its sound,
/// and its meanings. Lines that begin with `#` are comments.
package struct WordDictionary: Sendable {
    /// Maximum count of Chinese words for an English one.
    private static let maximumCount = 4
    /// Maximum size of the file, in bytes; CC-CEDICT has 10 MB.
    private static let maximumSize = 100_000_000

    /// Chinese words by English word in lowercase, the best first.
    private var words: [String: [(word: String, rank: Double)]] = [:]

    /// Reads a file.
    ///
    /// - Throws: `StartupError` for a file that cannot be read, or has no entries.
    package init(contentsOf file: URL) throws(StartupError) {
        let data: Data
        do {
            let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            guard size <= Self.maximumSize else { throw StartupError("The dictionary \(file.path) is larger than 100 MB") }
            data = try Data(contentsOf: file)
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError("The dictionary \(file.path) cannot be read")
        }
        self.init(String(decoding: data, as: UTF8.self))
        if words.isEmpty {
            throw StartupError(
                "The dictionary \(file.path) has no entries in the format of CC-CEDICT; a packed file has to be unpacked first")
        }
    }

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") { add(line) }
    }

    private mutating func add(_ line: Substring) {
        guard let space = line.firstIndex(of: " "), let start = line.firstIndex(of: "/"), space < start else { return }
        let word = String(line[..<space])
        // Entries with Latin letters or parts of characters are not words.
        guard word.unicodeScalars.allSatisfy({ (0x3400...0x9FFF).contains($0.value) }) else { return }
        for (index, gloss) in line[start...].split(separator: "/").prefix(8).enumerated() {
            for (part, meaning) in gloss.split(separator: ";").enumerated() {
                guard let key = Self.key(meaning) else { continue }
                let rank = Double(index) + 0.25 * Double(part) + 0.5 * Double(abs(word.count - 2))
                insert(word, rank, for: key)
            }
        }
    }

    private mutating func insert(_ word: String, _ rank: Double, for key: String) {
        var known = words[key] ?? []
        if let index = known.firstIndex(where: { $0.word == word }) {
            known[index].rank = min(known[index].rank, rank)
        } else {
            known.append((word, rank))
        }
        known.sort { $0.rank < $1.rank }
        words[key] = Array(known.prefix(Self.maximumCount))
    }

    /// Returns the English word of a meaning, without *to*, articles and notes in parentheses; nil for more than two words.
    private static func key(_ meaning: Substring) -> String? {
        var text = meaning.lowercased()
        while let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") {
            text.removeSubrange(open...close)
        }
        var words = text.split(whereSeparator: \.isWhitespace)
        if words.count > 1, ["to", "a", "an", "the"].contains(words[0]) { words.removeFirst() }
        guard (1...2).contains(words.count), words.allSatisfy({ $0.allSatisfy { $0.isLetter || $0 == "'" || $0 == "-" } }) else {
            return nil
        }
        return words.joined(separator: " ")
    }

    /// Returns the Chinese words for an English word in any form; nil for an unknown word.
    package func meaning(of word: String) -> String? {
        for form in Self.forms(of: word) {
            if let known = words[form] { return known.map(\.word).joined(separator: "、") }
        }
        return nil
    }

    /// Returns the word, and the words of which it may be a form.
    static func forms(of word: String) -> [String] {
        let word = word.lowercased().replacing("’", with: "'").trimmingCharacters(in: .alphanumerics.inverted)
        guard !word.isEmpty else { return [] }
        var forms = [word]
        if let base = irregular[word] { forms.append(base) }
        for (ending, replacements) in endings where word.hasSuffix(ending) && word.count > ending.count + 1 {
            let stem = String(word.dropLast(ending.count))
            forms += replacements.map { stem + $0 }
            // Stopped, running, bigger.
            if ending.first != "i", let last = stem.last, stem.dropLast().last == last { forms.append(String(stem.dropLast())) }
        }
        return forms
    }

    private static let endings: [(String, [String])] = [
        ("'s", [""]), ("n't", [""]), ("ies", ["y"]), ("es", ["", "e"]), ("s", [""]), ("ied", ["y"]), ("ed", ["", "e"]),
        ("ing", ["", "e"]), ("ier", ["y"]), ("er", ["", "e"]), ("iest", ["y"]), ("est", ["", "e"]), ("ly", [""]),
    ]

    private static let irregular: [String: String] = Dictionary(
        """
        am be are be is be was be were be been be has have had have does do did do done do goes go went go gone go came come saw see seen see \
        took take taken take made make got get gotten get gave give given give knew know known know thought think told tell said say found \
        find left leave felt feel kept keep began begin begun begin wrote write written write ate eat eaten eat drank drink drunk drink bought \
        buy brought bring caught catch taught teach fought fight sold sell sent send spent spend slept sleep met meet lost lose won win ran run \
        sat sit stood stand understood understand spoke speak spoken speak broke break broken break chose choose chosen choose drove drive \
        driven drive flew fly flown fly forgot forget forgotten forget grew grow grown grow heard hear held hold led lead lent lend paid pay \
        rode ride ridden ride rose rise sang sing sung sing swam swim threw throw thrown throw wore wear worn wear built build hid hide hidden \
        hide meant mean men man women woman children child people person feet foot teeth tooth mice mouse better good best good worse bad \
        worst bad
        """.split(whereSeparator: \.isWhitespace).map(String.init).pairs, uniquingKeysWith: { first, _ in first })
}

extension [String] {
    /// The elements in pairs.
    fileprivate var pairs: [(String, String)] {
        stride(from: 0, to: count - 1, by: 2).map { (self[$0], self[$0 + 1]) }
    }
}
