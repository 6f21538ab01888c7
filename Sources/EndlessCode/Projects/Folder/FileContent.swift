import Foundation

/// The content of a file, or its beginning.
package struct FileContent: Hashable, Sendable {
    package enum Encoding: String, Hashable, Sendable {
        /// Text. ``FileContent/content`` is UTF-8, whatever ``FileContent/charset`` the file has.
        case utf8
        case binary
    }

    /// Maximum bytes read without `full`: 1 MiB.
    package static let previewSize = 1 << 20
    /// Maximum bytes read with `full`: 20 MiB.
    package static let maximumSize = 20 << 20

    package var path: String
    /// The size of the whole file in bytes.
    package var size: Int64
    /// The encoding, decided by the bytes that were read.
    package var encoding: Encoding
    /// The registered name of the file's encoding, such as `EUC-KR`; nil for plain UTF-8. A guess without a byte order mark.
    package var charset: String?
    /// The text, cut between two Unicode scalars if ``truncated``; nil if the file is binary.
    package var content: String?
    /// True if the file has more bytes than were read.
    package var truncated: Bool

    package init(path: String, size: Int64, encoding: Encoding, charset: String? = nil, content: String?, truncated: Bool) {
        (self.path, self.size, self.encoding, self.content, self.truncated) = (path, size, encoding, content, truncated)
        self.charset = charset
    }
}

extension FileContent {
    init(of path: String, in folder: ProjectFolder, full: Bool) throws(ProjectError) {
        let walk = try FolderWalk(path, below: folder.path)
        let (descriptor, place) = try walk.file()
        let limit = full ? Self.maximumSize : Self.previewSize
        // One byte more shows whether the file ends there. The reported size may be wrong, for files that grow or are generated.
        var bytes = try descriptor.read(limit + 1)
        let truncated = bytes.count > limit
        var plain = bytes
        if truncated {
            guard !full else {
                throw ProjectError(.fileTooLarge, "\(path.prefix(200)) has more than \(Self.maximumSize) bytes")
            }
            plain.removeLast(bytes.count - UTF8Text.boundary(in: bytes, upTo: limit))
            bytes.removeLast()
        }
        let hasMark = bytes.starts(with: TextEncoding.mark)
        var text = hasMark ? nil : UTF8Text.string(plain)
        var charset: String?
        if text == nil, let decoded = TextEncoding.decode(hasMark ? plain : bytes, isCut: truncated) {
            (text, charset) = (decoded.text, decoded.name)
        }
        self.init(
            path: walk.names.map(FileName.text).joined(separator: "/"), size: max(Int64(place.status.st_size), Int64(bytes.count)),
            encoding: text == nil ? .binary : .utf8, charset: charset, content: text, truncated: truncated)
    }
}

/// Validation and cutting of UTF-8.
enum UTF8Text {
    /// Returns the bytes as text; nil if they are not UTF-8 or contain NUL.
    static func string(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty else { return "" }
        guard bytes.withUnsafeBytes({ memchr($0.baseAddress!, 0, $0.count) }) == nil else { return nil }
        guard let text = String(bytes: bytes, encoding: .utf8) else { return nil }
        let isSame = text.utf8.withContiguousStorageIfAvailable { text in
            bytes.withUnsafeBytes { text.count == $0.count && memcmp(text.baseAddress!, $0.baseAddress!, $0.count) == 0 }
        }
        return isSame ?? text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// Returns the last position up to `limit` that is not inside a scalar; `limit` itself if the bytes are not UTF-8.
    static func boundary(in bytes: some RandomAccessCollection<UInt8>, upTo limit: Int) -> Int {
        guard bytes.count > limit else { return bytes.count }
        var position = limit
        while position > 0, limit - position < 4 {
            if bytes[bytes.index(bytes.startIndex, offsetBy: position)] & 0xc0 != 0x80 { return position }
            position -= 1
        }
        return limit
    }
}
