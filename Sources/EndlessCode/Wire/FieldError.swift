public import Foundation
import WireKit

/// An error in the JSON of a message, with the field that is wrong. The sender receives it as ``ErrorCode/invalidMessage``.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the field: `message.chat.content`, `options.2.label`. Empty for the whole message.
    public var field: String
    /// The problem as a predicate for developers, such as `is missing`.
    public var problem: String

    public init(_ field: String, _ problem: String) { (self.field, self.problem) = (field, problem) }

    public var description: String { "\(field.isEmpty ? "The message" : field) \(problem)." }

    /// - Parameter error: An error of a decoder or of `WireJSON`.
    init(_ error: any Error) {
        switch error {
        case let error as FieldError: self = error
        case DecodingError.keyNotFound(let key, let context): self.init(Self.path(context.codingPath + [key]), "is missing")
        case DecodingError.valueNotFound(_, let context): self.init(Self.path(context.codingPath), "is null")
        case DecodingError.typeMismatch(let type, let context):
            self.init(Self.path(context.codingPath), "is not \(Self.name(of: type))")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(Self.path(context.codingPath), "has a wrong value")
        case WireJSONError.tooDeep: self.init("", "is nested too deeply")
        default: self.init("", "is not JSON")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        // A hostile sender may choose long keys.
        keys.map { $0.intValue.map(String.init) ?? String($0.stringValue.prefix(40)) }.joined(separator: ".")
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type: "an integer"
        case is Double.Type: "a number"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "of the expected type"
        }
    }
}

/// Decoding of messages with errors that name the field.
public enum EndlessCodeJSON {
    /// Decodes bytes received from the other side.
    ///
    /// - Throws: ``FieldError``.
    public static func decode<Value: Decodable>(_: Value.Type = Value.self, from data: Data) throws(FieldError) -> Value {
        do {
            return try WireJSON.decode(from: data)
        } catch {
            throw FieldError(error)
        }
    }
}
