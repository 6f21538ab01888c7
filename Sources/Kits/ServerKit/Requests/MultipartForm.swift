package import Foundation
import HTTPTypes
package import HummingbirdCore
import NIOFoundationCompat

/// A form of the media type `multipart/form-data`, as browsers and phones upload files (RFC 7578, with the syntax of RFC 2046,
/// section 5.1).
package struct MultipartForm: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package var name: String
        /// Nil for a plain field.
        package var filename: String?
        /// The media type that the client states; nil without one.
        package var contentType: String?
        package var content: Data

        /// The content as text; nil when it is not UTF-8.
        package var text: String? { String(data: content, encoding: .utf8) }
    }

    /// Maximum parts of a form.
    package static let maximumPartCount = 32
    /// Maximum size of a part's header, in bytes.
    package static let maximumHeaderSize = 8_192

    /// The parts in the order of the body.
    package var parts: [Part]

    /// The first part with a name; nil if there is none.
    package subscript(name: String) -> Part? { parts.first { $0.name == name } }

    /// Reads the whole body of `request`.
    ///
    /// - Parameter limit: Maximum size of the body in bytes.
    /// - Returns: nil when the body has another media type; it is not read then.
    /// - Throws: ``FormError``; ``BodyError``; ``PeerGone``; `CancellationError` when the server shuts down.
    package init?(bodyOf request: Request, limit: Int) async throws {
        guard let type = request.headers[.contentType], let boundary = try Self.boundary(of: type) else { return nil }
        let bytes = try await request.collectBody(upTo: limit)
        try self.init(parsing: Data(buffer: bytes, byteTransferStrategy: .noCopy), boundary: boundary)
    }

    /// Parses a body.
    ///
    /// - Parameter boundary: 1 to 70 bytes, as the media type states it.
    /// - Throws: ``FormError`` when the body is not such a form or exceeds a limit.
    package init(parsing body: Data, boundary: String) throws(FormError) {
        guard (1...70).contains(boundary.utf8.count) else { throw FormError("The boundary must have 1 to 70 characters") }
        parts = []
        let reader = FormBytes(body, delimiter: "\r\n--" + boundary)
        guard var position = reader.firstDelimiter else { throw FormError("The form's boundary does not occur in the body") }
        while !position.isLast {
            guard parts.count < Self.maximumPartCount else {
                throw FormError("The form has more than \(Self.maximumPartCount) parts")
            }
            guard let header = reader.header(at: position.end, limit: Self.maximumHeaderSize) else {
                throw FormError("The header of a part is cut off, or larger than \(Self.maximumHeaderSize) bytes")
            }
            // The line break before a delimiter belongs to the delimiter, even if that line break also ends the header.
            guard let next = reader.delimiter(from: header.end - 2) else { throw FormError("The form is cut off") }
            parts.append(try Part(header: header.text, content: reader.data(header.end..<max(header.end, next.start))))
            position = next
        }
    }

    /// Returns the boundary of a media type.
    ///
    /// - Returns: nil for another type than `multipart/form-data`.
    /// - Throws: ``FormError`` if the type has no usable boundary.
    static func boundary(of type: String) throws(FormError) -> String? {
        let fields = HeaderFields(type)
        guard fields.value.lowercased() == "multipart/form-data" else { return nil }
        guard let boundary = fields.parameters["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw FormError("The form's media type has no usable boundary")
        }
        return boundary
    }
}

/// The reason why a body could not be read as a form.
package struct FormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for developers.
    package var description: String

    init(_ description: String) { self.description = description }
}

extension MultipartForm.Part {
    /// - Parameter header: Lines that end with a line break.
    fileprivate init(header: String, content: Data) throws(FormError) {
        var disposition: HeaderFields?
        var contentType: String?
        for line in header.components(separatedBy: "\r\n") where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { throw FormError("A line in the header of a part has no colon") }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            switch line[..<colon].lowercased() {
            case "content-disposition": disposition = HeaderFields(value)
            case "content-type": contentType = value
            case "content-transfer-encoding" where !["binary", "8bit", "7bit"].contains(value.lowercased()):
                throw FormError("A part of the form is encoded; send it as it is")
            default: break
            }
        }
        guard let disposition, disposition.value.lowercased() == "form-data", let name = disposition.parameters["name"] else {
            throw FormError("A part of the form has no name")
        }
        self.init(name: name, filename: disposition.parameters["filename"], contentType: contentType, content: content)
    }
}

/// A header field's value with parameters: `form-data; name="audio"; filename="audio.wav"`.
private struct HeaderFields {
    var value: String
    /// The parameters by lower-case name; the first of a repeated name counts.
    var parameters: [String: String] = [:]

    init(_ text: String) {
        var rest = text[...]
        value = String(Self.take(until: ";", from: &rest)).trimmingCharacters(in: .whitespaces)
        while !rest.isEmpty {
            let name = Self.take(until: "=", from: &rest).trimmingCharacters(in: .whitespaces).lowercased()
            rest = rest.drop { $0 == " " || $0 == "\t" }
            let value: String
            if rest.first == "\"" {
                value = Self.takeQuoted(from: &rest)
                _ = Self.take(until: ";", from: &rest)
            } else {
                value = Self.take(until: ";", from: &rest).trimmingCharacters(in: .whitespaces)
            }
            if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
        }
    }

    /// Removes the text up to and including `end`, and returns it without `end`.
    private static func take(until end: Character, from rest: inout Substring) -> Substring {
        let taken = rest.prefix { $0 != end }
        rest = rest[taken.endIndex...].dropFirst()
        return taken
    }

    /// Removes a quoted text, in which a backslash precedes quotes and backslashes, and returns it unquoted.
    private static func takeQuoted(from rest: inout Substring) -> String {
        var value = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(character)
            }
        }
        return value
    }
}

/// The bytes of a form, with positions from zero.
private struct FormBytes {
    /// A delimiter with the rest of its line.
    struct Delimiter {
        var start: Int
        var end: Int
        /// True for the delimiter that ends the form.
        var isLast: Bool
    }

    private let data: Data
    private let delimiter: [UInt8]

    init(_ data: Data, delimiter: String) {
        self.data = data
        self.delimiter = Array(delimiter.utf8)
    }

    func data(_ range: Range<Int>) -> Data {
        data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
    }

    /// The first delimiter. A line break before it is needed only behind a preamble.
    var firstDelimiter: Delimiter? {
        let line = delimiter.dropFirst(2)
        if data.starts(with: line), let first = delimiterLine(start: 0, end: line.count) { return first }
        return delimiter(from: 0)
    }

    /// Returns the first delimiter that begins at `start` or later; nil if there is none.
    func delimiter(from start: Int) -> Delimiter? {
        var start = start
        while let found = find(delimiter, from: start) {
            if let line = delimiterLine(start: found, end: found + delimiter.count) { return line }
            start = found + 1
        }
        return nil
    }

    /// - Returns: nil for a line that only begins like a delimiter.
    private func delimiterLine(start: Int, end: Int) -> Delimiter? {
        if byte(end) == UInt8(ascii: "-"), byte(end + 1) == UInt8(ascii: "-") {
            return Delimiter(start: start, end: end + 2, isLast: true)
        }
        var end = end
        while let byte = byte(end), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { end += 1 }
        guard byte(end) == UInt8(ascii: "\r"), byte(end + 1) == UInt8(ascii: "\n") else { return nil }
        return Delimiter(start: start, end: end + 2, isLast: false)
    }

    /// Returns the header that begins at `start`, and the position after the empty line behind it.
    ///
    /// - Returns: nil when it does not end within the limit, or is not UTF-8.
    func header(at start: Int, limit: Int) -> (text: String, end: Int)? {
        if byte(start) == UInt8(ascii: "\r"), byte(start + 1) == UInt8(ascii: "\n") { return ("", start + 2) }
        let bytes = data(start..<min(data.count, start + limit + 4))
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)),
            let text = String(validating: bytes[..<end.lowerBound], as: UTF8.self)
        else { return nil }
        return (text, start + bytes.distance(from: bytes.startIndex, to: end.upperBound))
    }

    private func byte(_ position: Int) -> UInt8? {
        position < data.count ? data[data.startIndex + position] : nil
    }

    /// Returns the first occurrence at `start` or later. Searches for its first byte, since a recording has megabytes.
    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        data.withUnsafeBytes { bytes in
            pattern.withUnsafeBytes { pattern in
                guard let base = bytes.baseAddress, let wanted = pattern.baseAddress else { return nil }
                var position = max(0, start)
                while position + pattern.count <= bytes.count {
                    let range = bytes.count - pattern.count + 1 - position
                    guard let found = memchr(base + position, Int32(pattern[0]), range) else { return nil }
                    let candidate = base.distance(to: UnsafeRawPointer(found))
                    if memcmp(found, wanted, pattern.count) == 0 { return candidate }
                    position = candidate + 1
                }
                return nil
            }
        }
    }
}
