import Foundation

/// A line of an agent's standard output.
package enum AgentLine: Hashable, Sendable {
    /// - Parameters:
    ///   - text: Without the line break. Invalid UTF-8 is replaced by U+FFFD.
    ///   - isLarge: Over ``AgentLineReader/largeLineLength``.
    case text(String, isLarge: Bool)
    case dropped(AgentDroppedLine)
}

/// Splits the output of an agent into lines, within bounded memory.
///
/// A line without a break is dropped as soon as it is too long, and with it all bytes up to the next break.
package struct AgentLineReader: Sendable {
    /// Lines over this length are flagged. In bytes: 1 MiB.
    package static let largeLineLength = 1_048_576
    /// Longer lines are dropped. In bytes: 10 MiB.
    package static let maximumLineLength = 10 * 1_048_576

    private var buffer: [UInt8] = []
    /// The start of the first line that was not returned.
    private var start = 0
    /// The bytes before this index contain no line break.
    private var searched = 0
    /// The rest of a dropped line is skipped.
    private var isSkipping = false

    package init() {}

    /// Adds bytes. Call ``next()`` until it returns nil before the next append.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(0..<start)
            (searched, start) = (searched - start, 0)
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next complete line. Empty lines are skipped.
    package mutating func next() -> AgentLine? {
        while true {
            guard let end = lineBreak() else {
                searched = buffer.count
                guard isSkipping || buffer.count - start > Self.maximumLineLength else { return nil }
                let line = isSkipping ? nil : dropped(start..<buffer.count, .tooLong)
                isSkipping = true
                clear()
                return line
            }
            defer { (start, searched) = (end + 1, end + 1) }
            if isSkipping {
                isSkipping = false
                continue
            }
            if end - start > Self.maximumLineLength { return dropped(start..<end, .tooLong) }
            if let line = line(start..<end) { return line }
        }
    }

    /// The rest at the end of the output: a line without a break. Complete JSON is accepted by the drivers as a line.
    package mutating func finish() -> AgentLine? {
        defer { clear() }
        return isSkipping ? nil : line(start..<buffer.count)
    }

    private mutating func clear() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= Self.largeLineLength)
        (start, searched) = (0, 0)
    }

    private func lineBreak() -> Int? {
        buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, searched < bytes.count else { return nil }
            guard let found = memchr(base + searched, 0x0a, bytes.count - searched) else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private func line(_ range: Range<Int>) -> AgentLine? {
        // JSON allows white space around a value; a line of white space only says nothing.
        var range = range
        while let last = range.last, buffer[last] == 0x0d || buffer[last] == 0x20 || buffer[last] == 0x09 {
            range = range.lowerBound..<last
        }
        if range.isEmpty { return nil }
        return .text(String(decoding: buffer[range], as: UTF8.self), isLarge: range.count > Self.largeLineLength)
    }

    private func dropped(_ range: Range<Int>, _ reason: AgentDroppedLine.Reason) -> AgentLine {
        .dropped(AgentDroppedLine(reason: reason, line: String(decoding: buffer[range].prefix(800), as: UTF8.self)))
    }
}

extension AgentDroppedLine {
    init(reason: Reason, line: String) { self.init(reason: reason, beginning: String(line.prefix(200))) }
}
