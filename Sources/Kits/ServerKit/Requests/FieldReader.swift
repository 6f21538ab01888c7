import Foundation
package import HummingbirdCore
import NIOCore
package import WireKit

/// A validation error in one field of a request.
package struct FieldIssue: Hashable, Sendable {
    /// The kind of error, for a service to map to its contract's wording.
    package enum Kind: Hashable, Sendable {
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

    package var field: String
    package var kind: Kind
    /// A sentence for developers.
    package var message: String

    package init(field: String, kind: Kind, message: String) {
        self.field = field
        self.kind = kind
        self.message = message
    }
}

/// The validation errors of a request: at least one, in the order in which the fields were read.
package struct FieldErrors: Error, Equatable {
    package var issues: [FieldIssue]

    package init(issues: [FieldIssue]) { self.issues = issues }
}

/// The reason why a request body could not be read as a JSON object.
package enum BodyError: Error, Equatable {
    /// Larger than `limit` bytes.
    case tooLarge(limit: Int)
    /// Not JSON, empty, not UTF-8, or nested too deeply; the text names the problem.
    case malformed(String)
    /// JSON of another type than object.
    case notAnObject
}

/// The connection broke while a request was read, so no reply is possible. Not logged.
package struct PeerGone: Error {}

/// A request body that a route decodes field by field, with validation errors in the contract's wording.
package protocol FieldDecodable {
    /// - Throws: An error that ends the request immediately. Errors reported to `fields` are thrown by ``FieldReader/finish()``.
    init(from fields: inout FieldReader) throws
}

extension FieldDecodable {
    /// Reads the whole body of `request`.
    ///
    /// - Parameter limit: Maximum size of the body in bytes.
    /// - Throws: ``FieldErrors``; ``BodyError``; ``PeerGone``; the errors of ``init(from:)``; `CancellationError`.
    package init(bodyOf request: Request, limit: Int = 65_536) async throws {
        var fields = try FieldReader(parsing: Data(try await request.collectBody(upTo: limit).readableBytesView))
        self = try Self(from: &fields)
        try fields.finish()
    }
}

/// A reader of typed fields of a JSON object that collects their validation errors.
///
/// Each read returns a value; an invalid field yields a placeholder, and ``finish()`` throws. A reply can therefore name every
/// error at once. Unknown fields are ignored.
///
///     extension Recipient: FieldDecodable {
///         init(from fields: inout FieldReader) { self.init(to: fields.string("to", length: 1...30)) }
///     }
package struct FieldReader: Sendable {
    /// The reason in ``BodyError/malformed(_:)`` for an absent body, for routes that accept one.
    package static let emptyBodyMessage = "The body is empty"

    private let object: [String: JSONValue]
    package private(set) var issues: [FieldIssue] = []

    package init(_ object: [String: JSONValue]) {
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
    package subscript(field: String) -> JSONValue? {
        object[field].flatMap { $0 == .null ? nil : $0 }
    }

    /// True when the field is present, also as null.
    package func contains(_ field: String) -> Bool { object[field] != nil }

    /// Reads a required string.
    ///
    /// - Parameters:
    ///   - length: The allowed length in Unicode scalar values.
    ///   - allowsNull: True to accept U+0000, for a caller that validates characters itself.
    ///   - message: Replaces the standard message when the field is missing or not a string.
    package mutating func string(
        _ field: String, length: ClosedRange<Int>? = nil, allowsNull: Bool = false, message: String? = nil
    ) -> String {
        guard self[field] != nil else {
            report(field, .missing, message)
            return ""
        }
        return optionalString(field, length: length, allowsNull: allowsNull, message: message) ?? ""
    }

    /// Reads an optional string: nil when absent or null.
    package mutating func optionalString(
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
    package mutating func integer(_ field: String, in range: ClosedRange<Int>? = nil, message: String? = nil) -> Int {
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
    package mutating func report(_ field: String, _ kind: FieldIssue.Kind, _ message: String? = nil) {
        issues.append(FieldIssue(field: field, kind: kind, message: message ?? kind.sentence(about: field)))
    }

    /// - Throws: ``FieldErrors`` when at least one field was invalid.
    package func finish() throws(FieldErrors) {
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
