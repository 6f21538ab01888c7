import Foundation

/// A file of pronunciations in the format of cmudict: `word SOUND SOUND`, `word(2) SOUND SOUND`.
///
/// A search reads the whole file, which takes some milliseconds; found words are cached.
actor PronunciationDictionary {
    /// Maximum count of cached words; beyond it, the cache is emptied.
    private static let maximumWordCount = 20_000

    private let path: String
    /// The cached pronunciations, by word; empty for a word that the file lacks.
    private var known: [String: [String]] = [:]

    init(path: String) {
        self.path = path
    }

    /// Returns the pronunciations of words, without the words that the file lacks.
    ///
    /// - Throws: ``EngineError`` when the file cannot be read.
    func pronunciations(of words: some Sequence<String>) throws -> ChoiceGrammar.Pronunciations {
        let wanted = Set(words)
        let unknown = wanted.filter { known[$0] == nil }
        if !unknown.isEmpty {
            if known.count + unknown.count > Self.maximumWordCount { known = [:] }
            for word in unknown { known[word] = [] }
            try search(unknown)
        }
        return known.filter { wanted.contains($0.key) && !$0.value.isEmpty }
    }

    private func search(_ words: Set<String>) throws {
        guard let file = FileManager.default.contents(atPath: path) else {
            throw EngineError(.failed, "The dictionary \(path) cannot be read")
        }
        let hashes = Dictionary(words.map { (Self.hash($0.utf8), $0) }, uniquingKeysWith: { first, _ in first })
        let lines: [(word: String, line: Range<Int>)] = file.withUnsafeBytes { bytes in
            var (found, start): ([(String, Range<Int>)], Int) = ([], 0)
            while start < bytes.count {
                var (hash, index): (UInt64, Int) = (Self.hashSeed, start)
                while index < bytes.count, bytes[index] != 0x20, bytes[index] != 0x28, bytes[index] != 0x0A {
                    hash = (hash ^ UInt64(bytes[index])) &* Self.hashFactor
                    index += 1
                }
                let word = hashes[hash]
                let wordEnd = index
                // The rest of an entry is several times as long as its word, so a fast search skips it.
                let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
                index +=
                    rest.baseAddress.flatMap { start in
                        memchr(start, 0x0A, rest.count).map { $0 - UnsafeMutableRawPointer(mutating: start) }
                    } ?? rest.count
                if let word, word.utf8.elementsEqual(bytes[start..<wordEnd]) { found.append((word, wordEnd..<index)) }
                start = index + 1
            }
            return found
        }
        for (word, line) in lines {
            let text = String(decoding: file[file.startIndex + line.lowerBound..<file.startIndex + line.upperBound], as: UTF8.self)
            let sounds = text.drop { $0 != " " }.split(separator: " ").prefix { $0 != "#" }.map(String.init)
            if !sounds.isEmpty, sounds.allSatisfy(ChoiceGrammar.sounds.contains) {
                known[word, default: []].append(sounds.joined(separator: " "))
            }
        }
    }

    // FNV-1a.
    private static let hashSeed: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let hashFactor: UInt64 = 0x100_0000_01b3

    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(hashSeed) { ($0 ^ UInt64($1)) &* hashFactor }
    }
}
