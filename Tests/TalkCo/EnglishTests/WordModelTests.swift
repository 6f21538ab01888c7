import Foundation
import Testing

@testable import TalkCoEnglish

@Suite struct WordModelTests {
    private static let isInstalled = FileManager.default.isReadableFile(atPath: WordModel.debianPath)

    /// A model of the words </s>, <s>, a and b: 4 words, 1 pair, 1 triple.
    private static func small() -> Data {
        var data = Data("Trie Language Model".utf8)
        data.append(3)
        func append(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) } }
        for number: UInt32 in [4, 1, 1, 1] { append(number) }
        data.append(Data(count: 3 * 4 * 65_536))
        for _ in 0..<5 {
            append(Float(-10_000).bitPattern)
            append(0)
            append(0)
        }
        // 3 bits for a word, 32 for numbers, 1 for the next triple; 3 and 16 bits.
        data.append(Data(count: (2 * 36 + 7) / 8 + 8))
        data.append(Data(count: (2 * 19 + 7) / 8 + 8))
        let words = Data("</s>\0<s>\0a\0b\0".utf8)
        append(UInt32(words.count))
        return data + words
    }

    @Test func readsItsFormat() throws {
        let model = try WordModel(Self.small())
        #expect(model.word("a") == 2 && model.word("c") == nil)
        // Each word has e^-1.
        #expect(abs(model.gain(in: model.words(["a", "b"]), replacing: 1..<2, with: []) - 1) < 0.01)
    }

    @Test func damagedFilesAreRefusedOrRead() throws {
        let file = Self.small()
        #expect(throws: WordModel.FormatError.self) { try WordModel(Data()) }
        #expect(throws: WordModel.FormatError.self) { try WordModel(file.dropLast()) }
        #expect(throws: WordModel.FormatError.self) { try WordModel(file + [0]) }
        #expect(throws: WordModel.FormatError.self) { try WordModel(Data(repeating: 0xFF, count: 1000)) }
        var state: UInt64 = 2077
        for _ in 0..<50 {
            var damaged = file
            for _ in 0..<20 {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                // The unigrams and what follows them.
                let position = 786_468 + Int(state >> 33) % (file.count - 786_468)
                damaged[position] = UInt8(truncatingIfNeeded: state >> 20)
            }
            guard let model = try? WordModel(damaged) else { continue }
            #expect(model.gain(in: model.words(["a", "b", "a"]), replacing: 0..<1, with: model.words(["b"])).isFinite)
        }
    }

    @Test(.enabled(if: isInstalled, "pocketsphinx-en-us is not installed")) func nearWordsDifferInALetter() throws {
        let model = try WordModel(path: WordModel.debianPath)
        // Exchanged, missing, extra and other letters, behind the first.
        for word in ["recieve", "receve", "receivee", "receave"] { #expect(model.words(near: word).contains("receive"), "\(word)") }
        #expect(!model.words(near: "eceive").contains("receive") && !model.words(near: "receive").contains("receive"))
        #expect(model.words(near: "xqzvxqzv").isEmpty && model.words(near: "").isEmpty)
    }

    @Test(.enabled(if: isInstalled, "pocketsphinx-en-us is not installed")) func likelyWordsAreLikelier() throws {
        let model = try WordModel(path: WordModel.debianPath)
        func gain(_ sentence: String, _ range: Range<Int>, _ words: String) -> Double {
            model.gain(in: model.words(sentence.words), replacing: range, with: model.words(words.words))
        }
        #expect(gain("i am agree with you", 1..<2, "") > 5)
        #expect(gain("he is teacher", 2..<2, "a") > 2)
        #expect(gain("it gets a cold in winter", 2..<3, "") > 2)
        #expect(gain("i like it", 1..<2, "like") == 0)
        #expect(gain("i went home", 0..<3, "i xqz home") < -5)
    }
}
