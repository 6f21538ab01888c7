import Foundation
import Testing

@testable import TalkCoEnglish

@Suite struct GrammarCheckerFuzzTests {
    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
    }

    private static let count = ProcessInfo.processInfo.environment["SWITCHBOARD_SOAK"] == "1" ? 20_000 : 200
    private static let seed = ProcessInfo.processInfo.environment["SWITCHBOARD_SEED"].flatMap { UInt64($0) } ?? 2077

    private static let lines = [
        DevelopmentMistakes.grammar, DevelopmentMistakes.sentenceStructure, DevelopmentMistakes.naturalness,
        DevelopmentMistakes.vocabulary,
        DevelopmentCorrect.sentences,
    ].flatMap { $0.split(separator: "\n").map(String.init) }

    private static let odd = [
        "😀", "我", "’", "'", "'s", "'m", "\u{301}", "\u{0}", "\n", "?", "...", ",", "-", "’’", "25", "I", "there", "of", "\u{200D}",
    ]

    /// Exchanges, repeats, drops and damages words.
    private static func mutated(_ generator: inout Generator) -> String {
        var words = (lines.randomElement(using: &generator) ?? "").split(separator: " ").map(String.init)
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !words.isEmpty {
            let index = Int.random(in: 0..<words.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: words.remove(at: index)
            case 1: words.insert(words[index], at: index)
            case 2: words.swapAt(index, Int.random(in: 0..<words.count, using: &generator))
            case 3: words.insert(odd.randomElement(using: &generator) ?? "", at: index)
            case 4: words[index] += odd.randomElement(using: &generator) ?? ""
            default: words += (lines.randomElement(using: &generator) ?? "").split(separator: " ").map(String.init)
            }
        }
        return words.joined(separator: Bool.random(using: &generator) ? " " : "  ")
    }

    @Test func damagedSentencesKeepTheContract() {
        var generator = Generator(state: Self.seed)
        let checker = GrammarChecker()
        for number in 0..<Self.count {
            let text = Self.mutated(&generator)
            var end = text.startIndex
            for finding in checker.findings(in: text) {
                let holds =
                    finding.range.lowerBound >= end && !finding.range.isEmpty && text[finding.range] == finding.original
                    && finding.suggestion != finding.original && !finding.suggestion.isEmpty && !finding.explanation.isEmpty
                #expect(holds, "\(finding.rule) in \(text.debugDescription), number \(number) of seed \(Self.seed)")
                guard finding.range.upperBound >= end else { return }
                end = finding.range.upperBound
            }
        }
    }
}
