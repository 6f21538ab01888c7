import Foundation
import HTTPTypes
public import HummingbirdCore
import NIOCore
import NIOHTTP1
public import WireKit

/// What was wrong with one field of a request.
public struct FieldIssue: Hashable, Sendable {
    /// The kinds of mistake, named so that a contract can map them to its own words.
    public enum Kind: Hashable, Sendable {
        case missing
        /// Of another JSON type than `expected` (`string`, `integer`, `boolean`).
        case wrongType(expected: String)
        /// A text whose count of characters (Unicode scalar values) is outside `allowed`.
        case wrongLength(allowed: ClosedRange<Int>)
        /// A number outside `allowed`.
        case outOfRange(allowed: ClosedRange<Int>)
        /// A text with U+0000, which databases cannot hold.
        case containsNull
        /// Right type, wrong form.
        case invalid
    }

    public var field: String
    public var kind: Kind
    /// A sentence for developers.
    public var message: String
}

/// A request whose fields were wrong. Holds at least one issue, in the order in which the fields were read.
public struct FieldErrors: Error, Equatable {
    public var issues: [FieldIssue]
}

/// Why a request body could not be read as a JSON object.
public enum BodyError: Error, Equatable {
    /// Longer than the route reads, in bytes.
    case tooLarge(limit: Int)
    /// Not JSON, empty, not UTF-8, or nested too deep; the text says which.
    case malformed(String)
    /// JSON, but no object.
    case notAnObject
}

/// The connection broke while a request was read. There is nobody to answer, and nothing to log.
public struct PeerGone: Error {}

/// A request body that a route reads, field by field, with the contract's own words for what may be wrong.
public protocol FieldDecodable {
    /// - Throws: What the contract answers at once; what is only reported to `fields` is thrown by its ``FieldReader/finish()``.
    init(from fields: inout FieldReader) throws
}

extension FieldDecodable {
    /// Reads the body of `request`, all of it.
    ///
    /// - Parameter limit: The most bytes that it may have.
    /// - Throws: ``FieldErrors``; ``BodyError``; ``PeerGone``; what the contract answers at once; `CancellationError`.
    public init(bodyOf request: Request, limit: Int = 65_536) async throws {
        var fields = try await FieldReader(body: request, limit: limit)
        self = try Self(from: &fields)
        try fields.finish()
    }
}

/// Reads typed fields from a JSON object and collects what is wrong with them.
///
/// Each read gives a value in any case; a wrong one is a stand-in, and ``finish()`` then throws. So a reply can name every
/// mistake at once. Unknown fields are ignored.
///
///     var fields = try await FieldReader(body: request, limit: 65_536)
///     let to = fields.string("to", length: 1...30)
///     try fields.finish()
public struct FieldReader: Sendable {
    private let object: [String: JSONValue]
    public private(set) var issues: [FieldIssue] = []

    public init(_ object: [String: JSONValue]) {
        self.object = object
    }

    /// Collects and parses the body of `request`.
    ///
    /// - Throws: ``BodyError``; ``PeerGone``; `CancellationError` when the server ends.
    public init(body request: Request, limit: Int) async throws {
        let bytes: ByteBuffer
        do {
            if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
                throw BodyError.tooLarge(limit: limit)
            }
            bytes = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw BodyError.tooLarge(limit: limit)
        } catch is HTTPParserError {
            throw BodyError.malformed("The body was cut off or is not HTTP")
        } catch let error where error is IOError || error is ChannelError {
            throw PeerGone()
        }
        try self.init(parsing: Data(bytes.readableBytesView))
    }

    init(parsing data: Data) throws(BodyError) {
        if data.isEmpty { throw .malformed("The body is empty") }
        let value: JSONValue
        do {
            value = try WireJSON.decode(from: data)
        } catch WireJSONError.notUTF8 {
            throw .malformed("The body is not UTF-8")
        } catch WireJSONError.tooDeep {
            throw .malformed("The body is nested more than \(WireJSON.maximumDepth) levels deep")
        } catch {
            throw .malformed("The body is not valid JSON")
        }
        guard case .object(let object) = value else { throw .notAnObject }
        self.init(object)
    }

    /// The value as sent; nil when absent or null.
    public subscript(field: String) -> JSONValue? {
        object[field].flatMap { $0 == .null ? nil : $0 }
    }

    /// Whether the field is there at all, be it null.
    public func contains(_ field: String) -> Bool { object[field] != nil }

    /// A text that has to be there.
    ///
    /// - Parameters:
    ///   - length: How many characters it may have.
    ///   - allowsNull: Whether U+0000 is passed on, because the caller checks characters itself.
    ///   - message: What to say instead of the standard sentence when it is missing or no text.
    public mutating func string(
        _ field: String, length: ClosedRange<Int>? = nil, allowsNull: Bool = false, message: String? = nil
    ) -> String {
        guard self[field] != nil else {
            report(field, .missing, message)
            return ""
        }
        return optionalString(field, length: length, allowsNull: allowsNull, message: message) ?? ""
    }

    /// A text that may be absent or null.
    public mutating func optionalString(
        _ field: String, length: ClosedRange<Int>? = nil, allowsNull: Bool = false, message: String? = nil
    ) -> String? {
        guard let value = self[field] else { return nil }
        guard case .string(let text) = value else {
            report(field, .wrongType(expected: "string"), message)
            return nil
        }
        if !allowsNull, text.utf8.contains(0) {
            report(field, .containsNull)
        } else if let length, !length.contains(text.unicodeScalars.count) {
            report(field, .wrongLength(allowed: length))
        }
        return text
    }

    /// A whole number that has to be there. `2.0` is one, `2.5`, `"2"` and `true` are none.
    public mutating func integer(_ field: String, in range: ClosedRange<Int>? = nil, message: String? = nil) -> Int {
        guard let value = self[field] else {
            report(field, .missing, message)
            return 0
        }
        guard case .integer(let wide) = value, let number = Int(exactly: wide) else {
            report(field, .wrongType(expected: "integer"), message)
            return 0
        }
        if let range, !range.contains(number) { report(field, .outOfRange(allowed: range), message) }
        return number
    }

    /// Adds a mistake that only the caller can see.
    public mutating func report(_ field: String, _ kind: FieldIssue.Kind, _ message: String? = nil) {
        issues.append(FieldIssue(field: field, kind: kind, message: message ?? kind.sentence(about: field)))
    }

    /// - Throws: ``FieldErrors`` when anything was wrong.
    public func finish() throws(FieldErrors) {
        if !issues.isEmpty { throw FieldErrors(issues: issues) }
    }
}

extension FieldIssue.Kind {
    fileprivate func sentence(about field: String) -> String {
        switch self {
        case .missing: "\(field) is required"
        case .wrongType(let expected): "\(field) must be \(expected == "integer" ? "an" : "a") \(expected)"
        case .wrongLength(let allowed):
            "\(field) must have \(allowed.lowerBound) to \(allowed.upperBound) characters"
        case .outOfRange(let allowed): "\(field) must be between \(allowed.lowerBound) and \(allowed.upperBound)"
        case .containsNull: "\(field) must not contain null characters"
        case .invalid: "\(field) is invalid"
        }
    }
}
