import Foundation

/// A reader of a file's lines, in pieces of 256 KiB.
struct LineReader {
    /// Maximum length of a line in bytes: 32 MiB. Longer lines are skipped.
    static let maximumLength = 32 << 20

    private let descriptor: Descriptor
    private let end: Int64
    /// The position of the next byte to read.
    private var position: Int64 = 0
    private var buffer: [UInt8] = []
    /// The position in the file of the buffer's first byte.
    private var start: Int64 = 0
    /// Count of bytes at the buffer's beginning that contain no newline.
    private var searched = 0
    private var isSkipping = false

    /// - Parameters:
    ///   - start: The position of the first byte to read. The rest of a line that begins before it is skipped.
    ///   - limit: The position at which the file is considered to end.
    init(_ descriptor: Descriptor, from start: Int64 = 0, limit: Int64) {
        (self.descriptor, end) = (descriptor, limit)
        (position, self.start, isSkipping) = (start, start, start > 0)
    }

    /// Returns the next complete lines, without newlines, and their offsets; nil at the end. The last line needs no newline.
    mutating func next() throws(ProjectError) -> [(offset: Int64, bytes: ArraySlice<UInt8>)]? {
        while true {
            let piece = position < end ? try descriptor.read(Int(min(end - position, 1 << 18)), at: position) : []
            position += Int64(piece.count)
            guard !piece.isEmpty else {
                defer { (buffer, isSkipping) = ([], false) }
                return buffer.isEmpty || isSkipping ? nil : [(start, buffer[...])]
            }
            buffer += piece
            let lines = takeLines()
            if buffer.count > Self.maximumLength {
                isSkipping = true
                start += Int64(buffer.count)
                (buffer, searched) = ([], 0)
            }
            if !lines.isEmpty { return lines }
        }
    }

    private func newline(from start: Int) -> Int? {
        buffer.withUnsafeBytes { buffer in
            guard start < buffer.count, let base = buffer.baseAddress else { return nil }
            return memchr(base + start, 0x0a, buffer.count - start).map { UnsafeRawPointer($0) - base }
        }
    }

    private mutating func takeLines() -> [(offset: Int64, bytes: ArraySlice<UInt8>)] {
        var lines: [(offset: Int64, bytes: ArraySlice<UInt8>)] = []
        var lineStart = 0
        while let newline = newline(from: max(searched, lineStart)) {
            if isSkipping {
                isSkipping = false
            } else if newline > lineStart {
                lines.append((start + Int64(lineStart), buffer[lineStart..<newline]))
            }
            lineStart = newline + 1
        }
        if lineStart > 0 {
            start += Int64(lineStart)
            buffer = Array(buffer[lineStart...])
        }
        if isSkipping {
            start += Int64(buffer.count)
            buffer = []
        }
        searched = buffer.count
        return lines
    }
}
