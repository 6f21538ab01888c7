import Foundation

/// Removes the thoughts that models write in tags, wherever they stand in an answer that is arriving.
///
/// Some models leave out the opening tag: what stands before a closing tag alone is a thought too.
struct ThoughtFilter {
    /// A part of the answer.
    enum Piece: Hashable {
        case text(String)
        /// All text so far was a thought.
        case retraction
    }

    private static let tags: [(opening: String, closing: String)] =
        ["think", "thinking", "thought", "thoughts", "reasoning"].map { ("<\($0)>", "</\($0)>") } + [("[THINK]", "[/THINK]")]

    /// What may still become a tag; the whole answer while an opening tag is assumed.
    private var buffer = ""
    /// The end of the thought that is arriving; nil outside of one.
    private var closing: String?
    /// True while the answer is held back because the model is known to leave out the opening tag.
    private var isAssumed: Bool
    /// True after white space: none is needed after a thought.
    private var isAfterSpace = true

    /// - Parameter beginsWithThought: True for a model that leaves out the opening tag.
    init(beginsWithThought: Bool = false) { isAssumed = beginsWithThought }

    /// Takes a piece of text, and returns what is no thought.
    mutating func receive(_ text: String) -> [Piece] {
        buffer += text
        var pieces: [Piece] = []
        while let (tag, range, isOpening) = nextTag() {
            if closing == nil {
                if isOpening {
                    add(buffer[..<range.lowerBound], to: &pieces)
                } else {
                    pieces.append(.retraction)
                    isAfterSpace = true
                }
            }
            closing = isOpening ? tag : nil
            isAssumed = false
            buffer = String(buffer[range.upperBound...])
        }
        guard !isAssumed else { return pieces }
        let held = heldLength()
        if closing == nil { add(buffer.dropLast(held), to: &pieces) }
        buffer = String(buffer.suffix(held))
        return pieces
    }

    /// The text that was held back because it could have become a thought.
    mutating func finish() -> [Piece] {
        var pieces: [Piece] = []
        if closing == nil { add(buffer[...], to: &pieces) }
        buffer = ""
        return pieces
    }

    private mutating func add(_ text: Substring, to pieces: inout [Piece]) {
        let text = isAfterSpace ? text.drop(while: \.isWhitespace) : text
        guard let last = text.last else { return }
        isAfterSpace = last.isWhitespace
        pieces.append(.text(String(text)))
    }

    /// The first tag that matters now: the end of the thought, or either tag outside of one.
    private func nextTag() -> (closing: String, range: Range<String.Index>, isOpening: Bool)? {
        var first: (closing: String, range: Range<String.Index>, isOpening: Bool)?
        func find(_ tag: String, _ closing: String, isOpening: Bool) {
            guard let range = buffer.range(of: tag, options: .caseInsensitive),
                first.map({ range.lowerBound < $0.range.lowerBound }) ?? true
            else { return }
            first = (closing, range, isOpening)
        }
        if let closing {
            find(closing, closing, isOpening: false)
        } else {
            for (opening, closing) in Self.tags {
                find(opening, closing, isOpening: true)
                find(closing, closing, isOpening: false)
            }
        }
        return first
    }

    /// The number of characters at the end of the buffer that may be the beginning of a tag.
    private func heldLength() -> Int {
        let tags = closing.map { [$0] } ?? Self.tags.flatMap { [$0.opening, $0.closing] }
        let text = buffer.lowercased()
        let longest = min(text.count, (tags.map(\.count).max() ?? 1) - 1)
        return (0...longest).reversed().first { length in
            length == 0 || tags.contains { $0.lowercased().hasPrefix(text.suffix(length)) }
        } ?? 0
    }
}
