/// A filter that separates the thoughts of a model from its answer, in text that arrives in pieces of any size.
///
/// Models mark thoughts with tags such as `<think>…</think>`. If a model's template begins the thoughts itself, the text has the
/// closing tag only, and all text before the tag is thought. Tags inside code are text, so that a model can write about them. An
/// opening tag that is never closed is text as well, except at the beginning, where it hides the rest.
package struct ThoughtFilter: Sendable {
    package enum Output: Hashable, Sendable {
        /// Text of the answer; never empty.
        case text(String)
        /// The model is thinking.
        case thought
        /// All text before was thought, as the closing tag `tag` shows.
        case withdraw(tag: String)
    }

    private enum Place: Hashable {
        case answer
        /// Inside thoughts that end with the tag `closing`; nil for any closing tag.
        case thought(closing: String?)
    }

    private var place: Place
    /// True if the thoughts began before all other text.
    private var isAtBeginning = true
    /// White space at the beginning, which is dropped if thoughts follow.
    private var leadingSpace = ""
    /// The thoughts since the opening tag, as long as they may turn out to be text.
    private var held = ""
    /// The opening tag of ``held``.
    private var opening = ""
    /// The beginning of a tag, whose rest has not come yet.
    private var pending: [Unicode.Scalar] = []
    private var code = CodeContext()
    /// True while white space is dropped, after thoughts or a tag around an answer.
    private var skipsSpace = false
    /// Maximum size of ``thoughts``, in UTF-8 bytes. Later thoughts are dropped.
    package static let maximumThoughtSize = 262_144
    /// The text of the thoughts at the beginning, which is not part of the output.
    package private(set) var thoughts = ""
    /// True if thoughts were found.
    package private(set) var hasThoughts = false
    /// True if a closing tag came without an opening one.
    package private(set) var isMissingOpening = false

    /// - Parameter startsInThoughts: True if the model's template begins the thoughts. Without a closing tag, everything is text.
    package init(startsInThoughts: Bool = false) { place = startsInThoughts ? .thought(closing: nil) : .answer }

    /// Takes the next piece, and returns the outputs so far.
    package mutating func receive(_ piece: String) -> [Output] {
        var output = FilterOutput()
        var rest = pending + Array(piece.unicodeScalars)
        pending = []
        var index = 0
        while index < rest.count {
            guard Tag.mayBegin(with: rest[index]) else {
                index = takeText(rest, from: index, &output)
                continue
            }
            switch Tag.match(rest[index...], in: tags) {
            case .whole(let tag):
                take(tag, as: String(String.UnicodeScalarView(rest[index..<index + tag.length])), &output)
                index += tag.length
            case .beginning:
                pending = Array(rest[index...])
                rest.removeLast(rest.count - index)
            case .none:
                take(rest[index], &output)
                index += 1
            }
        }
        output.flush()
        return output.list
    }

    /// Ends the text, and returns the last outputs.
    package mutating func finish() -> [Output] {
        var output = FilterOutput()
        for scalar in pending { take(scalar, &output) }
        pending = []
        output.text += leadingSpace
        leadingSpace = ""
        // Unclosed thoughts at the beginning stay hidden.
        if case .thought(let closing) = place, closing == nil || !isAtBeginning {
            if closing == nil { thoughts = "" }
            output.text += opening + held
            (place, held, opening) = (.answer, "", "")
        }
        output.flush()
        return output.list
    }

    /// Returns the answer in a whole text.
    package static func answer(in text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "[") || $0 == 0xe2 }) else { return text }
        var filter = ThoughtFilter()
        var answer = ""
        for output in filter.receive(text) + filter.finish() {
            switch output {
            case .text(let text): answer += text
            case .thought: break
            case .withdraw: answer = ""
            }
        }
        return answer
    }

    // MARK: Tags and text

    /// The tags that are recognized at the place.
    private var tags: [Tag] {
        switch place {
        case .answer: code.isCode ? [] : Tag.all
        // The model may write the tag that its template has written already.
        case .thought(nil): held.allSatisfy(\.isWhitespace) ? Tag.all : Tag.closing
        case .thought(let closing?): Tag.closing.filter { $0.text == closing }
        }
    }

    private mutating func take(_ tag: Tag, as text: String, _ output: inout FilterOutput) {
        switch (place, tag.kind) {
        case (.thought, .opening(let closing)): (place, held) = (.thought(closing: closing), "")
        case (.thought, .frame): break
        case (.thought, .closing):
            (place, held, opening) = (.answer, "", "")
            (hasThoughts, skipsSpace, code) = (true, true, CodeContext())
        case (.answer, .opening(let closing)):
            place = .thought(closing: closing)
            (opening, leadingSpace) = (text, "")
            output.flush()
            output.list.append(.thought)
        case (.answer, .closing):
            output.flush()
            output.list.append(.withdraw(tag: text))
            (hasThoughts, isMissingOpening, skipsSpace, isAtBeginning, code) = (true, true, true, true, CodeContext())
        case (.answer, .frame): skipsSpace = true
        }
    }

    /// Takes the text up to the next scalar that may begin a tag or code, at least one scalar.
    ///
    /// - Returns: The index of the next scalar.
    private mutating func takeText(_ scalars: [Unicode.Scalar], from start: Int, _ output: inout FilterOutput) -> Int {
        var end = start
        if place == .answer, !isAtBeginning, !skipsSpace {
            while end < scalars.count, !Tag.mayBegin(with: scalars[end]), !CodeContext.isMark(scalars[end]) { end += 1 }
        }
        guard end > start else {
            take(scalars[start], &output)
            return start + 1
        }
        code.takeText(scalars[start..<end])
        output.text.unicodeScalars.append(contentsOf: scalars[start..<end])
        return end
    }

    private mutating func take(_ scalar: Unicode.Scalar, _ output: inout FilterOutput) {
        if case .thought(let closing) = place {
            // Thoughts that were announced at the beginning are not part of the text.
            if closing == nil || !isAtBeginning { held.unicodeScalars.append(scalar) }
            if isAtBeginning, thoughts.utf8.count < Self.maximumThoughtSize { thoughts.unicodeScalars.append(scalar) }
            if output.list.last != .thought { output.list.append(.thought) }
            return
        }
        if skipsSpace, scalar.properties.isWhitespace { return }
        skipsSpace = false
        code.take(scalar)
        if isAtBeginning, scalar.properties.isWhitespace {
            leadingSpace.unicodeScalars.append(scalar)
            return
        }
        isAtBeginning = false
        output.text += leadingSpace
        leadingSpace = ""
        output.text.unicodeScalars.append(scalar)
    }
}

/// Outputs in order, with adjacent text joined.
private struct FilterOutput {
    var list: [ThoughtFilter.Output] = []
    var text = ""

    mutating func flush() {
        guard !text.isEmpty else { return }
        list.append(.text(text))
        text = ""
    }
}

/// A tag of a model around its thoughts or its answer.
private struct Tag: Sendable {
    enum Kind: Hashable {
        /// Begins thoughts that the given tag ends.
        case opening(closing: String)
        case closing
        /// A tag around an answer.
        case frame
    }

    enum Match {
        case whole(Tag)
        /// The text may become a tag.
        case beginning
        case none
    }

    let kind: Kind
    /// The tag in lowercase.
    let text: String
    private let scalars: [Unicode.Scalar]

    var length: Int { scalars.count }

    private init(_ kind: Kind, _ text: String) { (self.kind, self.text, scalars) = (kind, text, Array(text.unicodeScalars)) }

    /// The tags of public models: DeepSeek, Qwen and most others; Magistral; Command A; Open Thoughts; Kimi; Seed; Gemma; gpt-oss without a parser.
    static let all: [Tag] = {
        let names = ["think", "thinking", "thought", "thoughts", "reasoning", "seed:think"]
        var pairs = names.map { ("<\($0)>", "</\($0)>") }
        pairs += [
            ("[think]", "[/think]"), ("<|start_thinking|>", "<|end_thinking|>"),
            ("<|begin_of_thought|>", "<|end_of_thought|>"), ("◁think▷", "◁/think▷"), ("<|channel>thought", "<channel|>"),
            ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
        ]
        let frames = [
            "<|start_response|>", "<|end_response|>", "<|begin_of_solution|>", "<|end_of_solution|>", "<|start|>assistant",
            "<|return|>",
        ]
        return pairs.flatMap { [Tag(.opening(closing: $1), $0), Tag(.closing, $1)] } + frames.map { Tag(.frame, $0) }
    }()
    static let closing = all.filter { $0.kind == .closing }

    /// True for the first scalar of a tag: `<`, `[` and `◁`.
    static func mayBegin(with scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        return value == 0x3C || value == 0x5B || value == 0x25C1
    }

    /// Returns the match of a tag at the beginning of a text, ignoring the case of ASCII letters.
    static func match(_ text: ArraySlice<Unicode.Scalar>, in tags: [Tag]) -> Match {
        guard let first = text.first, mayBegin(with: first) else { return .none }
        var isBeginning = false
        for tag in tags {
            let count = zip(text, tag.scalars).prefix { lowercased($0) == $1 }.count
            if count == tag.scalars.count { return .whole(tag) }
            if count == text.count { isBeginning = true }
        }
        return isBeginning ? .beginning : .none
    }

    private static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(scalar.value + 0x20) ?? scalar : scalar
    }
}

/// A tracker that tells code in Markdown from other text, scalar by scalar: fences, and spans of backticks within a paragraph.
private struct CodeContext: Hashable {
    private enum Code: Hashable {
        case none
        case span(length: Int)
        case fence(Unicode.Scalar, length: Int)
    }

    private var code = Code.none
    /// The length of the run of backticks or tildes that ends here; 0 if there is none.
    private var run = 0
    private var runScalar: Unicode.Scalar = "`"
    /// True if the run began the line.
    private var runBeganLine = false
    /// True if the line has only white space so far.
    private var isAtLineStart = true
    /// True if the line begins with a run that may close the fence.
    private var mayCloseFence = false

    /// True if a scalar that follows is in code.
    var isCode: Bool {
        guard run > 0 else { return code != .none }
        var context = self
        context.endRun()
        return context.code != .none
    }

    /// True for a backtick, a tilde and a line feed.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        return value == 0x60 || value == 0x7E || value == 0x0A
    }

    /// Takes text without marks.
    mutating func takeText(_ scalars: ArraySlice<Unicode.Scalar>) {
        endRun()
        guard isAtLineStart || mayCloseFence, scalars.contains(where: { !$0.properties.isWhitespace }) else { return }
        (isAtLineStart, mayCloseFence) = (false, false)
    }

    mutating func take(_ scalar: Unicode.Scalar) {
        if scalar == "`" || scalar == "~" {
            if run > 0, runScalar == scalar {
                run += 1
            } else {
                endRun()
                (run, runScalar, runBeganLine) = (1, scalar, isAtLineStart)
            }
            isAtLineStart = false
            return
        }
        endRun()
        if scalar == "\n" {
            if mayCloseFence { code = .none }
            // A blank line ends the paragraph, and with it a span that was not closed.
            if isAtLineStart, case .span = code { code = .none }
            (mayCloseFence, isAtLineStart) = (false, true)
        } else if !scalar.properties.isWhitespace {
            (isAtLineStart, mayCloseFence) = (false, false)
        }
    }

    private mutating func endRun() {
        guard run > 0 else { return }
        defer { run = 0 }
        switch code {
        case .none:
            if runBeganLine, run >= 3 {
                code = .fence(runScalar, length: run)
            } else if runScalar == "`" {
                code = .span(length: run)
            }
        case .span(let length): if runScalar == "`", run == length { code = .none }
        case .fence(let scalar, let length): mayCloseFence = runBeganLine && runScalar == scalar && run >= length
        }
    }
}
