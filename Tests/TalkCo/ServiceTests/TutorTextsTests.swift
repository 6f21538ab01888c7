import Foundation
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

extension TutorTexts {
    /// The texts of the service; empty if they are damaged, which ``TutorTextsTests`` reports.
    static let bundled = (try? installed()) ?? TutorTexts()
}

/// The text files of the built-in tutor: the real ones, and damaged copies.
@Suite struct TutorTextsTests {
    /// A damage, and the words of its error.
    struct Damage: Sendable, CustomTestStringConvertible {
        var file: String
        /// The text that is replaced, and its replacement.
        var change: (old: String, new: String)
        var problem: String

        var testDescription: String { "\(file): \(problem)" }
    }

    /// A copy of the texts.
    private func copy() throws -> (folder: TemporaryFolder, texts: URL) {
        let folder = try TemporaryFolder()
        let texts = folder.url.appending(path: "Tutor")
        try FileManager.default.copyItem(at: try #require(TutorTexts.folder), to: texts)
        return (folder, texts)
    }

    private func reading(_ texts: URL) -> String? {
        do throws(TutorTextsError) {
            _ = try TutorTexts(in: texts)
            return nil
        } catch { return error.description }
    }

    @Test func textsOfTheServiceAreRead() throws {
        let texts = try TutorTexts.installed()

        #expect(texts.topics.count == Topic.all.count)
        #expect(texts.words.count > 500 && texts.inquiries.count > 10 && texts.meanings.count > 40)
        #expect(texts.drills.count >= 10 && texts.rephrasings.count > 20)
        #expect(texts.isOffered("i went to japan") && !texts.isOffered("I went to Korea."))
    }

    @Test(arguments: [
        Damage(
            file: "Topics/travel.txt", change: ("easier: Do you like to travel?", "easyer: Do you like to travel?"),
            problem: "unknown key “easyer”"),
        Damage(
            file: "Topics/travel.txt", change: ("question: Where did you go on your last trip?", "question:"),
            problem: "nothing follows “question:”"),
        Damage(file: "Topics/travel.txt", change: ("- I went to Japan.\n", ""), problem: "has 2 sentences below it, not 3"),
        Damage(file: "Topics/travel.txt", change: ("- I went to Japan.", "- I went to 日本."), problem: "“日” cannot be spoken"),
        Damage(
            file: "Topics/travel.txt", change: ("- I went to Japan.", "- It was very clean.\n- It was very clean."),
            problem: "twice: “It was very clean.”"),
        Damage(
            file: "Topics/travel.txt", change: ("- I went to Japan.", "- " + String(repeating: "very ", count: 60) + "far."),
            problem: "more than the 240 that are spoken at once"),
        Damage(
            file: "Topics/travel.txt", change: ("- I went to Japan.", "- I went to {place}."),
            problem: "nothing stands for “{place}”"),
        Damage(
            file: "Topics/travel.txt", change: ("- I went to Japan.", "I went to Japan."),
            problem: "is neither “key: value” nor “- sentence”"),
        Damage(
            file: "Topics/travel.txt",
            change: ("question: What do you never forget to pack?", "question: Where did you go on your last trip?"),
            problem: "asked twice"),
        Damage(
            file: "Topics/travel.txt", change: ("subject: travel", "subject: travel\n- today"),
            problem: "no sentence belongs to “subject:”"),
        Damage(
            file: "Topics/travel.txt", change: ("on: japan tokyo", "on: Japan, tokyo"),
            problem: "“Japan,” is no word in small letters"),
        Damage(file: "words.txt", change: ("words: food", "words: foood"), problem: "unknown kind “foood”"),
        Damage(file: "phrases.txt", change: ("phrase: puzzled", "phrase: puzled"), problem: "“phrase: puzzled” is missing"),
        Damage(file: "phrases.txt", change: ("{second}", "{third}"), problem: "“{second}” is missing"),
        Damage(file: "acts.txt", change: ("act: end", "act: ending"), problem: "unknown act “ending”"),
        Damage(file: "acts.txt", change: ("- =goodbye", "- Goodbye!"), problem: "“Goodbye!” needs small letters"),
        Damage(file: "follow-ups.txt", change: ("kind: person\n", "kind: persons\n"), problem: "unknown kind “persons”"),
        Damage(file: "meanings.txt", change: ("meaning: argue\n", "meaning: abroad\n"), problem: "twice: “abroad”"),
        Damage(
            file: "drills.txt", change: ("right: I agree with you.", "right: I am agree with you."), problem: "has the same words"),
        Damage(file: "facts.txt", change: ("fact: Lives in\n", ""), problem: "“fact:” is missing"),
        Damage(file: "patterns.txt", change: ("kind: vocabulary", "kind: words"), problem: "unknown or twice: “words”"),
        Damage(file: "rephrasings.txt", change: ("other: perhaps\n", ""), problem: "“other:” is missing below this"),
        Damage(
            file: "inquiries.txt", change: ("question: who made you", "questions: who made you"), problem: "unknown key “questions”"
        ),
    ])
    func damageIsNamedWithFileAndLine(damage: Damage) throws {
        let (folder, texts) = try copy()
        let file = texts.appending(path: damage.file)
        let text = try String(contentsOf: file, encoding: .utf8)
        let range = try #require(text.ranges(of: damage.change.old).first)
        try Data(text.replacingCharacters(in: range, with: damage.change.new).utf8).write(to: file)

        let problems = try #require(reading(texts))

        #expect(problems.contains(damage.problem), "\(problems)")
        #expect(problems.contains("\(damage.file):"), "\(problems)")
        // Whole lists that are missing have no line.
        let line = try Regex(#"[a-z_/-]+\.txt:\d+: "#).ignoresCase()
        #expect(problems.contains(line) || damage.problem.hasPrefix("“phrase"), "\(problems)")
        withExtendedLifetime(folder) {}
    }

    @Test func missingAndForeignFilesAreNamed() throws {
        let (folder, texts) = try copy()
        try FileManager.default.removeItem(at: texts.appending(path: "words.txt"))
        try FileManager.default.removeItem(at: texts.appending(path: "Topics/travel.txt"))
        try Data([0xFF, 0xFE, 0x00]).write(to: texts.appending(path: "acts.txt"))
        try Data("subject: sport\n".utf8).write(to: texts.appending(path: "Topics/sport.txt"))

        let problems = try #require(reading(texts))

        #expect(problems.contains("words.txt: the file cannot be read") && problems.contains("Topics/travel.txt: the file cannot"))
        #expect(problems.contains("acts.txt: the file is not UTF-8") && problems.contains("Topics/sport.txt: there is no topic"))
        #expect(reading(folder.url.appending(path: "none"))?.contains("words.txt: the file cannot") == true)
    }

    /// Whatever happens to a file, the result is texts or an error.
    @Test(arguments: 0..<6) func anyBytesAreReadOrRefused(seed: Int) throws {
        var random = SeededGenerator(seed: 0x7e47, number: seed)
        let (folder, texts) = try copy()
        let names = try FileManager.default.subpathsOfDirectory(atPath: texts.path).filter { $0.hasSuffix(".txt") }.sorted()
        for name in names {
            let file = texts.appending(path: name)
            var bytes = Array(try Data(contentsOf: file))
            for _ in 0..<5 {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(start..<min(start + 40, bytes.count))
                default: bytes.insert(contentsOf: Array("\n- {it}: \n:\n".utf8), at: start)
                }
            }
            try Data(bytes).write(to: file)
        }

        if let problems = reading(texts) { #expect(problems.contains(".txt")) }
        withExtendedLifetime(folder) {}
    }
}
