import Foundation
import WireKit

/// A language model that goes on with a chat.
protocol ChatModel: Sendable {
    /// The name in errors, with a capital letter: "The chat server".
    var subject: String { get }
    /// The name for users; nil while it is not known.
    var name: String? { get }
    /// Measures the silence of the model.
    var clock: any Clock<Duration> { get }
    /// True once the model has written a thought without its opening tag.
    var startsInThoughts: Locked<Bool> { get }

    /// Checks that the model is there, in a few seconds.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func check() async throws
    /// Streams an answer, piece by piece.
    ///
    /// - Parameter receive: Called with each piece, and with an empty one for each other sign of life, such as thoughts of their own field.
    /// - Throws: ``EngineError``, also when the answer breaks off; the errors of `receive`; `CancellationError`.
    func stream(_ messages: [ChatMessage], _ receive: @escaping @Sendable (String) async throws -> Void) async throws
    /// Asks for a JSON object.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func object(_ instructions: String, _ data: JSONValue) async throws -> JSONValue
}

/// A message of a chat.
struct ChatMessage: Hashable, Sendable {
    enum Role: String { case system, user, assistant }
    var role: Role
    var text: String

    init(_ role: Role, _ text: String) {
        self.role = role
        self.text = text
    }

    var json: JSONValue { .object(["role": .string(role.rawValue), "content": .string(text)]) }
}

extension JSONValue {
    /// The JSON object in a model's answer, also within a code fence or between sentences.
    init?(objectIn text: String) {
        if let value = Self.object(text[...]) {
            self = value
            return
        }
        guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), start < end,
            let value = Self.object(text[start...end])
        else { return nil }
        self = value
    }

    private static func object(_ text: Substring) -> JSONValue? {
        guard let value = try? WireJSON.decode(JSONValue.self, from: Data(text.utf8)), case .object = value else { return nil }
        return value
    }
}
