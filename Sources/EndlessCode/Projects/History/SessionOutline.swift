import Foundation
import WireKit

/// The times of the first and the last message of a session's file, found without reading the rest.
struct SessionOutline: Sendable {
    /// Maximum bytes read at each end of the file.
    private static let size: Int64 = 64 << 10

    var first: Timestamp
    var last: Timestamp
    /// Count of records, estimated from the bytes that were read. A record may have no message, or several.
    var recordCount: Int

    /// - Returns: Nil if neither end of the file has a message.
    init?(_ descriptor: Descriptor, _ version: HistoryFolder.Version) throws(ProjectError) {
        let tailStart = max(0, version.size - Self.size)
        let head = try descriptor.read(Int(min(version.size, Self.size)))
        let tail = tailStart == 0 ? head : try descriptor.read(Int(Self.size), at: tailStart)
        let lines = Self.lines(of: head)
        let first = Self.time(head, lines)
        // The first line of the tail may be the end of a longer line, which does not parse as a record.
        let last = Self.time(tail, (tailStart == 0 ? lines : Self.lines(of: tail)).reversed())
        guard let time = first ?? last else { return nil }
        self.first = time
        self.last = max(time, last ?? version.modified)
        let estimate = Double(lines.count) * Double(version.size) / Double(max(1, head.count))
        recordCount = max(1, Int(min(estimate, Double(SessionIndex.maximumRecords))))
    }

    private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
        bytes.withUnsafeBytes { bytes in
            var lines: [Range<Int>] = []
            var start = 0
            while start < bytes.count, let base = bytes.baseAddress {
                let end = memchr(base + start, 0x0a, bytes.count - start).map { UnsafeRawPointer($0) - base } ?? bytes.count
                if end > start { lines.append(start..<end) }
                start = end + 1
            }
            return lines
        }
    }

    /// Returns the time of the first line that is a message; nil if there is none.
    private static func time(_ bytes: [UInt8], _ lines: some Sequence<Range<Int>>) -> Timestamp? {
        for line in lines {
            let found = bytes[line].withUnsafeBufferPointer { HistoryRecord(JSONBytes(bytes: $0)) }
            if let found, found.messageCount > 0, let time = found.time { return time }
        }
        return nil
    }
}
