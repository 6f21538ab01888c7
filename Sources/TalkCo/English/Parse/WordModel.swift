import Foundation

/// Probabilities of English words after two other words, from a trigram model in the binary format of SphinxBase.
///
/// Debian's package `pocketsphinx-en-us` has one of general English: 72,547 words, 2 million pairs and 1.7 million triples. The file is mapped into
/// memory, and each position that is read from it is checked, so that a damaged file gives wrong probabilities and no trap.
///
///     "Trie Language Model"  order: UInt8 = 3   counts: 3 × UInt32   UInt32 = 1
///     3 tables of 65,536 Float: of pairs' probabilities, of pairs' back-off weights, of triples' probabilities
///     unigrams: (counts[0] + 1) × (probability: Float, back-off: Float, index of the first pair: UInt32)
///     pairs: (word before, back-off, probability, index of the first triple), packed in bits, sorted by their word before
///     triples: (word before that, probability), packed in bits, sorted by their word
///     length: UInt32   words, each followed by a zero byte, sorted
///
/// All numbers are little-endian; logarithms are to the base 1.0001.
struct WordModel: Sendable {
    /// The file of Debian's `pocketsphinx-en-us`.
    static let debianPath = "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin"

    /// The reason why a file is not a model.
    struct FormatError: Error, CustomStringConvertible {
        var description: String
    }

    /// The index of a word in the model.
    typealias Word = Int32

    private static let magic = Array("Trie Language Model".utf8)
    private static let tableSize = 65_536

    private let file: Data
    private let words: [String: Word]
    private let counts: [Int]
    private let tables: Int
    private let unigrams: Int
    private let pairs: Packed
    private let triples: Packed
    private let start: Word
    private let end: Word

    /// Reads a model.
    ///
    /// - Throws: ``FormatError``; the error of the file system if the file cannot be read.
    init(path: String) throws {
        try self.init(Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped))
    }

    init(_ file: Data) throws {
        self.file = file
        var position = Self.magic.count
        guard file.count > 64, file.prefix(position).elementsEqual(Self.magic), file[file.startIndex + position] == 3 else {
            throw FormatError(description: "It is not a trigram model in SphinxBase's binary format.")
        }
        position += 1
        func number(_ position: Int) -> Int {
            guard position >= 0, position + 4 <= file.count else { return 0 }
            return Int(UInt32(littleEndian: file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt32.self) }))
        }
        counts = (0..<3).map { number(position + 4 * $0) }
        guard counts.allSatisfy({ (1..<1 << 25).contains($0) }) else {
            throw FormatError(description: "Its counts of words, pairs and triples are \(counts).")
        }
        position += 16
        tables = position
        position += 3 * 4 * Self.tableSize
        unigrams = position
        position += 12 * (counts[0] + 1)
        let wordBits = Self.bits(counts[0])
        let nextBits = Self.bits(counts[2])
        pairs = Packed(start: position, wordBits: wordBits, entryBits: wordBits + 32 + nextBits, nextBits: nextBits)
        position += Packed.length(counts[1], pairs.entryBits)
        triples = Packed(start: position, wordBits: wordBits, entryBits: wordBits + 16, nextBits: 0)
        position += Packed.length(counts[2], triples.entryBits)
        let length = number(position)
        position += 4
        guard position + length == file.count else {
            throw FormatError(description: "It has \(file.count) bytes; \(position + length) were expected.")
        }
        var words: [String: Word] = [:]
        words.reserveCapacity(counts[0])
        for word in file.suffix(length).split(separator: 0, omittingEmptySubsequences: false).prefix(counts[0]) {
            words[String(decoding: word, as: UTF8.self)] = Word(words.count)
        }
        guard words.count == counts[0], let start = words["<s>"], let end = words["</s>"] else {
            throw FormatError(description: "It names \(words.count) words, not \(counts[0]), or lacks the marks of a sentence.")
        }
        self.words = words
        self.start = start
        self.end = end
    }

    private static func bits(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }

    // MARK: Probabilities

    func word(_ word: String) -> Word? { words[word] }

    /// Returns the indices of words in lowercase; nil for words that the model does not know.
    func words(_ sentence: [String]) -> [Word?] { sentence.map { words[$0] } }

    /// Returns the known words at one insertion, deletion, replacement or swap of letters from `word`, with the same first letter.
    func words(near word: String) -> [String] {
        guard !word.isEmpty else { return [] }
        let letters = Array(word.utf8)
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        var near: Set<[UInt8]> = []
        for index in letters.indices.dropFirst() {
            let (head, tail) = (letters[..<index], letters[(index + 1)...])
            near.insert(Array(head + tail))
            if let next = tail.first { near.insert(Array(head + [next, letters[index]] + tail.dropFirst())) }
            for letter in alphabet {
                near.insert(Array(head + [letter] + tail))
                near.insert(Array(head + [letter] + letters[index...]))
            }
        }
        for letter in alphabet { near.insert(letters + [letter]) }
        near.remove(letters)
        return near.map { String(decoding: $0, as: UTF8.self) }.filter { words[$0] != nil }.sorted()
    }

    /// Returns the gain in the logarithm of a sentence's probability when some of its words are replaced. A word that the model
    /// does not know counts as rare.
    func gain(in sentence: [Word?], replacing range: Range<Int>, with words: [Word?]) -> Double {
        // The change affects these words and the next two, of which one may be the end.
        let before: [Word?] =
            range.lowerBound > 1
            ? Array(sentence[range.lowerBound - 2..<range.lowerBound]) : [nil, start] + sentence[..<range.lowerBound]
        let context = Array(before.suffix(2))
        let after = Array((sentence[range.upperBound...] + [end]).prefix(2))
        return logarithm(of: words + after, after: context) - logarithm(of: sentence[range] + after, after: context)
    }

    private func logarithm(of words: [Word?], after context: [Word?]) -> Double {
        file.withUnsafeBytes { bytes in
            let memory = Memory(bytes: bytes)
            var (beforeThat, before) = (context[0], context[1])
            var sum = 0.0
            for word in words {
                if let word { sum += logarithm(word, after: before, beforeThat, memory) } else { sum += Self.unknown }
                (beforeThat, before) = (before, word)
            }
            return sum
        }
    }

    private static let unknown = -17.0
    private static let base = Foundation.log(1.0001)

    private func logarithm(_ word: Word, after before: Word?, _ beforeThat: Word?, _ memory: Memory) -> Double {
        guard let before else { return unigram(word, memory).probability * Self.base }
        let pair = pair(before, word, memory)
        var backOff = 0.0
        if let beforeThat {
            if let pair {
                let next = pairs.start * 8 + pair * pairs.entryBits + pairs.wordBits + 32
                let first = memory.bits(next, pairs.nextBits)
                let range = first..<max(first, memory.bits(next + pairs.entryBits, pairs.nextBits))
                if let triple = triples.index(of: beforeThat, in: range, memory) {
                    return table(2, triples.start * 8 + triple * triples.entryBits + triples.wordBits, memory) * Self.base
                }
            }
            if let history = self.pair(beforeThat, before, memory) {
                backOff = table(1, pairs.start * 8 + history * pairs.entryBits + pairs.wordBits, memory)
            }
        }
        if let pair {
            return (table(0, pairs.start * 8 + pair * pairs.entryBits + pairs.wordBits + 16, memory) + backOff) * Self.base
        }
        return (unigram(word, memory).probability + unigram(before, memory).backOff + backOff) * Self.base
    }

    private func unigram(_ word: Word, _ memory: Memory) -> (probability: Double, backOff: Double, next: Int) {
        let position = unigrams + 12 * Int(word)
        return (memory.float(position), memory.float(position + 4), memory.bits((position + 8) * 8, 32))
    }

    private func pair(_ before: Word, _ word: Word, _ memory: Memory) -> Int? {
        let first = unigram(word, memory).next
        return pairs.index(of: before, in: first..<max(first, unigram(word + 1, memory).next), memory)
    }

    private func table(_ number: Int, _ bit: Int, _ memory: Memory) -> Double {
        memory.float(tables + 4 * (Self.tableSize * number + memory.bits(bit, 16)))
    }

    /// Entries of equal size in bits, sorted by their first word.
    private struct Packed: Sendable {
        var start: Int
        var wordBits: Int
        var entryBits: Int
        var nextBits: Int

        static func length(_ count: Int, _ bits: Int) -> Int { ((1 + count) * bits + 7) / 8 + 8 }

        func index(of word: Word, in range: Range<Int>, _ memory: Memory) -> Int? {
            var (lower, upper) = (range.lowerBound, range.upperBound)
            let word = Int(word)
            while lower < upper {
                let middle = lower + (upper - lower) / 2
                let found = memory.bits(start * 8 + middle * entryBits, wordBits)
                if found == word { return middle }
                if found < word { lower = middle + 1 } else { upper = middle }
            }
            return nil
        }
    }

    /// Bounds-checked reading, which returns zero outside of the file.
    private struct Memory {
        var bytes: UnsafeRawBufferPointer

        func bits(_ bit: Int, _ count: Int) -> Int {
            guard bit >= 0, bit / 8 + 8 <= bytes.count else { return 0 }
            let value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: bit / 8, as: UInt64.self))
            return Int((value >> UInt64(bit % 8)) & (1 << UInt64(count) - 1))
        }

        func float(_ position: Int) -> Double {
            guard position >= 0, position + 4 <= bytes.count else { return 0 }
            let value = Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            return value.isFinite ? Double(value) : 0
        }
    }
}
