import Foundation
import TestKit
import Testing

/// The fuzzing tool itself.
@Suite struct FuzzingTests {
    private static let corpus = [#"{"seq":9,"type":"ack"}"#, #"["a",-1.5e3,null]"#].map { Data($0.utf8) }
    private let mutator = Mutator(corpus.map { Array($0) })

    private func inputs(_ seed: UInt64) -> [[UInt8]] { (0..<2000).map { mutator.input($0, seed: seed) } }

    @Test func inputsDependOnTheSeedOnly() {
        let inputs = inputs(1)
        #expect(self.inputs(1) == inputs)
        #expect(zip(self.inputs(2), inputs).count { $0 == $1 } < 100)
        #expect(inputs.prefix(2).map { Data($0) } == Self.corpus)
        #expect(Set(inputs).count > 1500)
    }

    @Test func inputsAreVariedAndBounded() {
        let inputs = inputs(3)
        let texts = inputs.map { String(validating: $0, as: UTF8.self) }
        #expect(inputs.allSatisfy { $0.count <= Mutator.maximumSize })
        #expect(inputs.contains { $0.isEmpty })
        #expect(texts.contains(nil))
        for text in [String(repeating: "[", count: 65), "9223372036854775808", "\u{0}", #"\ud800"#] {
            #expect(texts.contains { $0?.contains(text) == true }, "\(text)")
        }
        // An input spliced from two others.
        #expect(texts.contains { $0?.contains("seq") == true && $0?.contains("null]") == true })
        #expect(texts.count { $0.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) } != nil } > 100)
    }

    private struct TooLong: Error {}

    @Test func firstFailingInputIsReportedAndReproducible() async throws {
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

    @Test func crashingInputIsLeftInAFile() async throws {
        await #expect(processExitsWith: .failure) {
            try await fuzz([Data("abcdef".utf8)], count: 10, seed: 1, test: "trapped") { input in
                precondition(input == Data("abcdef".utf8))
            }
        }
        // An earlier run of this test may have left the same file.
        let files = try Self.traces(of: "trapped")
        #expect(!files.isEmpty)
        for file in files {
            guard let stored = try? Data(contentsOf: file) else { continue }
            let mutator = Mutator([Array("abcdef".utf8)])
            let index = try #require((0..<10).first { mutator.input($0, seed: 1) != mutator.input(0, seed: 1) })
            let input = mutator.input(index, seed: 1)
            let head = String(decoding: stored.prefix(128), as: UTF8.self)
            #expect(head.hasPrefix("input \(index) of seed 1, \(input.count) bytes "))
            #expect(Array(stored.dropFirst(128).prefix(input.count)) == input)
            try? FileManager.default.removeItem(at: file)
        }
    }

    @Test func successLeavesNoFile() async throws {
        try await fuzz(Self.corpus, count: 10, test: "untroubled") { _ in }
        #expect(try Self.traces(of: "untroubled").isEmpty)
    }
}
