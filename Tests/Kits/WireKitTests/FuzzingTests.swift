import Foundation
import TestKit
import Testing

/// The tool that tests of bad input are made with.
@Suite struct FuzzingTests {
    private static let corpus = [#"{"seq":9,"type":"ack"}"#, #"["a",-1.5e3,null]"#].map { Data($0.utf8) }
    private let mutator = Mutator(corpus.map { Array($0) })

    private func inputs(_ seed: UInt64) -> [[UInt8]] { (0..<2000).map { mutator.input($0, seed: seed) } }

    @Test func aSeedGivesTheSameInputsAndAnotherOneOthers() {
        let inputs = inputs(1)
        #expect(self.inputs(1) == inputs)
        #expect(zip(self.inputs(2), inputs).count { $0 == $1 } < 100)
        #expect(inputs.prefix(2).map { Data($0) } == Self.corpus)
        #expect(Set(inputs).count > 1500)
    }

    @Test func inputsAreOfEveryKindAndBounded() {
        let inputs = inputs(3)
        let texts = inputs.map { String(validating: $0, as: UTF8.self) }
        #expect(inputs.allSatisfy { $0.count <= Mutator.maximumSize })
        #expect(inputs.contains { $0.isEmpty })
        #expect(texts.contains(nil))
        for text in [String(repeating: "[", count: 65), "9223372036854775808", "\u{0}", #"\ud800"#] {
            #expect(texts.contains { $0?.contains(text) == true }, "\(text)")
        }
        // Of two that were put together.
        #expect(texts.contains { $0?.contains("seq") == true && $0?.contains("null]") == true })
        #expect(texts.count { $0.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) } != nil } > 100)
    }

    private struct TooLong: Error {}

    @Test func theFirstInputThatFailsIsReportedAndFoundAgain() async throws {
        let finding = try await #require(throws: FuzzFinding.self) {
            try await fuzz(Self.corpus, count: 2000, seed: 5) { if $0.count > 40 { throw TooLong() } }
        }
        #expect(finding.error is TooLong && finding.input.count > 40)
        #expect(finding.input == mutator.input(finding.index, seed: 5))
        #expect((0..<finding.index).allSatisfy { mutator.input($0, seed: 5).count <= 40 })
        #expect("\(finding)".contains("input \(finding.index) of seed 5: "))
    }

    private static func traces(of test: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: FileManager.default.temporaryDirectory, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("switchboard-fuzz-") && $0.lastPathComponent.hasSuffix(test) }
    }

    @Test func theInputOfATrapIsLeftInAFile() async throws {
        await #expect(processExitsWith: .failure) {
            try await fuzz([Data("abcdef".utf8)], count: 10, seed: 1, test: "trapped") { input in
                precondition(input == Data("abcdef".utf8))
            }
        }
        // Another run of the same test leaves the same.
        let files = try Self.traces(of: "trapped")
        #expect(!files.isEmpty)
        for file in files {
            guard let kept = try? Data(contentsOf: file) else { continue }
            let mutator = Mutator([Array("abcdef".utf8)])
            let index = try #require((0..<10).first { mutator.input($0, seed: 1) != mutator.input(0, seed: 1) })
            let input = mutator.input(index, seed: 1)
            let head = String(decoding: kept.prefix(128), as: UTF8.self)
            #expect(head.hasPrefix("input \(index) of seed 1, \(input.count) bytes "))
            #expect(Array(kept.dropFirst(128).prefix(input.count)) == input)
            try? FileManager.default.removeItem(at: file)
        }
    }

    @Test func nothingIsLeftOtherwise() async throws {
        try await fuzz(Self.corpus, count: 10, test: "untroubled") { _ in }
        #expect(try Self.traces(of: "untroubled").isEmpty)
    }
}
