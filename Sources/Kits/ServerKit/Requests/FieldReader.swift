import Foundation
public import HummingbirdCore
import NIOCore
public import WireKit

/// A validation error in one field of a request.
public struct FieldIssue: Hashable, Sendable {
    /// The kind of error, for a service to map to its contract's wording.
    public enum Kind: Hashable, Sendable {
        case missing
        /// Another JSON type than `expected` (`string`, `integer`, `boolean`).
        case wrongType(expected: String)
        /// A string whose length in Unicode scalar values is outside `allowed`.
        case wrongLength(allowed: ClosedRange<Int>)
        /// A number outside `allowed`.
        case outOfRange(allowed: ClosedRange<Int>)
        /// A string with U+0000, which some databases cannot store.
        case containsNull
        /// The right type in the wrong form.
        case invalid
    }

    public var field: String
    public var kind: Kind
    /// A sentence for developers.
    public var message: String

    public init(field: String, kind: Kind, message: String) {
        self.field = field
        self.kind = kind
        self.message = message
    }
}

/// The validation errors of a request: at least one, in the order in which the fields were read.
public struct FieldErrors: Error, Equatable {
    public var issues: [FieldIssue]

    public init(issues: [FieldIssue]) { self.issues = issues }
}

/// The reason why a request body could not be read as a JSON object.
public enum BodyError: Error, Equatable {
    /// Larger than `limit` bytes.
    case tooLarge(limit: Int)
    /// Not JSON, empty, not UTF-8, or nested too deeply; the text names the problem.
    case malformed(String)
    /// JSON of another type than object.
    case notAnObject
}

/// The connection broke while a request was read, so no reply is possible. Not logged.
public struct PeerGone: Error {}

/// A request body that a route decodes field by field, with validation errors in the contract's wording.
public protocol FieldDecodable {
    /// - Throws: An error that ends the request immediately. Errors reported to `fields` are thrown by ``FieldReader/finish()``.
    init(from fields: inout FieldReader) throws
}

extension FieldDecodable {
    /// Reads the whole body of `request`.
    ///
    /// - Parameter limit: The maximum size of the body in bytes.
    /// - Throws: ``FieldErrors``; ``BodyError``; ``PeerGone``; the errors of ``init(from:)``; `CancellationError`.
    public init(bodyOf request: Request, limit: Int = 65_536) async throws {
        var fields = try FieldReader(parsing: Data(try await request.collectBody(upTo: limit).readableBytesView))
        self = try Self(from: &fields)
        try fields.finish()
    }
}

/// Reads typed fields from a JSON object and collects their validation errors.
///
/// Each read returns a value; an invalid field yields a placeholder, and ``finish()`` throws. A reply can therefore name every
/// error at once. Unknown fields are ignored.
///
///     extension Recipient: FieldDecodable {
///         init(from fields: inout FieldReader) { self.init(to: fields.string("to", length: 1...30)) }
///     }
public struct FieldReader: Sendable {
    /// The reason in ``BodyError/malformed(_:)`` for an absent body, for routes that accept one.
    public static let emptyBodyMessage = "The body is empty"

    private let object: [String: JSONValue]
    public private(set) var issues: [FieldIssue] = []

    public init(_ object: [String: JSONValue]) {
        self.object = object
    }

    init(parsing data: Data) throws(BodyError) {
        if data.isEmpty { throw .malformed(Self.emptyBodyMessage) }
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
        self.object = object
    }

    /// The JSON value of a field; nil when the field is absent or null.
    public subscript(field: String) -> JSONValue? {
        object[field].flatMap { $0 == .null ? nil : $0 }
    }

    /// True when the field is present, also as null.
    public func contains(_ field: String) -> Bool { object[field] != nil }

    /// Reads a required string.
    ///
    /// - Parameters:
    ///   - length: The allowed length in Unicode scalar values.
    ///   - allowsNull: True to accept U+0000, for a caller that validates characters itself.
    ///   - message: Replaces the standard message when the field is missing or not a string.
    public mutating func string(
        _ field: String, length: ClosedRange<Int>? = nil, allowsNull: Bool = false, message: String? = nil
    ) -> String {
        guard self[field] != nil else {
            report(field, .missing, message)
            return ""
        }
        return optionalString(field, length: length, allowsNull: allowsNull, message: message) ?? ""
    }

    /// Reads an optional string: nil when absent or null.
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

    /// Reads a required integer. `2.0` is valid; `2.5`, `"2"` and `true` are not.
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

    /// Adds a validation error that the caller found.
    public mutating func report(_ field: String, _ kind: FieldIssue.Kind, _ message: String? = nil) {
        issues.append(FieldIssue(field: field, kind: kind, message: message ?? kind.sentence(about: field)))
    }

    /// - Throws: ``FieldErrors`` when at least one field was invalid.
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
