import Foundation

/// A line of an agent's standard output.
package enum AgentLine: Hashable, Sendable {
    /// - Parameters:
    ///   - text: The line without its line break. Invalid UTF-8 is replaced by U+FFFD.
    ///   - isLarge: True for a line over ``AgentLineReader/largeLineLength``.
    case text(String, isLarge: Bool)
    case dropped(AgentDroppedLine)
}

/// Splits the output of an agent into lines, within bounded memory.
///
/// A line is dropped as soon as it is too long, with all bytes up to the next line break.
package struct AgentLineReader: Sendable {
    /// Length above which lines are flagged as large, in bytes: 1 MiB.
    package static let largeLineLength = 1_048_576
    /// Maximum length of a line in bytes: 10 MiB. Longer lines are dropped.
    package static let maximumLineLength = 10 * 1_048_576

    private var buffer: [UInt8] = []
    /// The start of the first line that was not returned.
    private var start = 0
    /// The bytes before this index contain no line break.
    private var searched = 0
    /// True while the rest of a dropped line is skipped.
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

    /// Returns the next complete line, or nil if there is none. Skips empty lines.
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

    /// Returns the rest of the output, a line without a break; nil if nothing is left. Drivers accept complete JSON.
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
        // JSON allows white space around a value. A line of only white space is empty.
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
