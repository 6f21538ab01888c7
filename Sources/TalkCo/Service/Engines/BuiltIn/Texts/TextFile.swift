import Foundation

/// A text file of the tutor, read as entries.
///
/// ```
/// # a comment
/// key: value
/// - an item
/// - another item
/// ```
struct TextFile: Sendable {
    /// A key and value, `key: value`, with the items below it.
    struct Entry: Hashable, Sendable {
        var line: Int
        var key: String
        /// Trimmed; empty if there is none.
        var value: String
        var items: [Item] = []
    }

    /// An item, `- text`.
    struct Item: Hashable, Sendable {
        var line: Int
        var text: String
    }

    /// Maximum size of a file, in bytes.
    static let maximumSize = 1_000_000

    /// The file's path below the folder of the texts, for error messages.
    let name: String
    let entries: [Entry]

    /// - Parameter problems: Collects the mistakes of the file.
    init(name: String, text: String, problems: inout TextProblems) {
        self.name = name
        var entries: [Entry] = []
        for (index, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = String(raw).trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.contains(where: { $0 == "\t" || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }) {
                problems.add("a control character", in: name, line: index + 1)
            } else if line == "-" || line.hasPrefix("- ") {
                let text = String(line.dropFirst()).trimmed
                if entries.isEmpty {
                    problems.add("“\(line)” needs a line “key: value” above it", in: name, line: index + 1)
                } else if text.isEmpty {
                    problems.add("nothing follows the “-”", in: name, line: index + 1)
                } else {
                    entries[entries.count - 1].items.append(Item(line: index + 1, text: text))
                }
            } else if let colon = line.firstIndex(of: ":"),
                case let key = line[..<colon], !key.isEmpty, key.allSatisfy({ $0.isASCII && $0.isLowercase || $0 == "-" })
            {
                entries.append(
                    Entry(line: index + 1, key: String(key), value: String(line[line.index(after: colon)...]).trimmed))
            } else {
                problems.add("“\(line.prefix(40))” is neither “key: value” nor “- sentence”", in: name, line: index + 1)
            }
        }
        self.entries = entries
    }
}

/// The mistakes in the tutor's text files.
struct TextProblems: Hashable, Sendable {
    /// Maximum count of described mistakes; further ones are only counted.
    private static let maximumCount = 20

    private(set) var descriptions: [String] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ problem: String, in file: String, line: Int? = nil) {
        count += 1
        if descriptions.count < Self.maximumCount { descriptions.append("\(file)\(line.map { ":\($0)" } ?? ""): \(problem)") }
    }
}

/// The error of text files of the tutor that have mistakes.
struct TutorTextsError: Error, Hashable, Sendable, CustomStringConvertible {
    var problems: TextProblems

    /// One line for each mistake: file, line, mistake.
    var description: String {
        let more = problems.count - problems.descriptions.count
        return (["The built-in tutor's texts cannot be used"] + problems.descriptions + (more > 0 ? ["and \(more) more"] : []))
            .joined(separator: "\n  ")
    }
}
