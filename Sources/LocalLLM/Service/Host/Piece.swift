import LocalLLMWire

/// A numbered piece of an answer, which fits into a chunk.
struct Piece: Hashable, Sendable {
    /// The sequence number in the answer, from 1 without gaps.
    var seq: Int64
    var text: String
}

/// The size of text in a chunk. A chunk has to fit into a line with its escape sequences and its envelope.
struct ChunkSize: Hashable, Sendable {
    /// Maximum size of a chunk's text as JSON, in bytes. The envelope, with an escaped request id, takes the rest of the line.
    private static let maximumJSON = Limits.lineSize - 4_096

    private(set) var bytes = 0
    private(set) var json = 0

    /// Adds text; false if it does not fit.
    mutating func add(_ text: some StringProtocol) -> Bool {
        var new = self
        for scalar in text.unicodeScalars { new.count(scalar) }
        guard new.fits else { return false }
        self = new
        return true
    }

    /// Adds a character; false if it does not fit.
    mutating func add(_ scalar: Unicode.Scalar) -> Bool {
        var new = self
        new.count(scalar)
        guard new.fits else { return false }
        self = new
        return true
    }

    private var fits: Bool { bytes < Limits.chunkSize && json <= Self.maximumJSON }

    private mutating func count(_ scalar: Unicode.Scalar) {
        let width = UTF8.width(scalar)
        bytes += width
        switch scalar.value {
        case 0..<0x20: json += 6
        case 0x22, 0x5c: json += 2
        // An encoder may escape line separators and the like.
        case 0x7f...0x9f, 0x2028, 0x2029: json += 6
        default: json += width
        }
    }

    /// Splits text into parts that fit into a chunk each.
    static func split(_ text: String) -> [String] {
        var size = ChunkSize()
        if size.add(text) { return text.isEmpty ? [] : [text] }
        var (parts, part) = ([String](), "")
        size = ChunkSize()
        for scalar in text.unicodeScalars {
            if !size.add(scalar) {
                parts.append(part)
                (size, part) = (ChunkSize(), "")
                _ = size.add(scalar)
            }
            part.unicodeScalars.append(scalar)
        }
        return parts + [part]
    }
}
