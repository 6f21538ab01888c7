import HighlightKit

/// The highlighting of a long file.
public enum HighlightBenchmarks {
    /// Returns Swift code of `lineCount` lines.
    public static func code(lineCount: Int) -> String {
        (0..<lineCount).map { number in
            switch number % 4 {
            case 0: "    /// The value of row \(number), or nil."
            case 1: "    func value\(number)(of key: String, default other: Int = \(number)) async throws -> Int? {"
            case 2: #"        guard let row = rows["\(key)-\(number)"], row.count > 0x1f else { return nil }"#
            default: "    }"
            }
        }.joined(separator: "\n")
    }

    /// Returns the time to find all lines of a text.
    public static func lines(of text: String) -> Duration {
        ContinuousClock().measure {
            let text = HighlightedText(text, language: .swift)
            for line in 0..<text.lineCount { precondition(!text.line(line).isEmpty) }
        }
    }

    /// Returns the time to find all lines of a text and their tokens.
    public static func tokens(of text: String) -> Duration {
        ContinuousClock().measure {
            var text = HighlightedText(text, language: .swift)
            for line in 0..<text.lineCount { precondition(!text.tokens(ofLine: line).isEmpty) }
        }
    }
}
