import Foundation
import WireKit

/// A language model that continues a chat.
protocol ChatModel: Sendable {
    /// The model's name in errors, with a capital letter: "The chat server".
    var subject: String { get }
    /// The model's name as users see it; nil while unknown.
    var name: String? { get }
    /// The clock that measures the silence of the model.
    var clock: any Clock<Duration> { get }
    /// True once the model has written a thought without its opening tag.
    var startsInThoughts: Locked<Bool> { get }

    /// Checks within a few seconds that the model can be used.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func check() async throws
    /// Streams an answer, piece by piece.
    ///
    /// - Parameter receive: Called with each piece, and with an empty one for any other data, such as thoughts in their own field.
    /// - Throws: ``EngineError``, also when the answer breaks off; the errors of `receive`; `CancellationError`.
    func stream(_ messages: [ChatMessage], _ receive: @escaping @Sendable (String) async throws -> Void) async throws
    /// Requests a JSON object.
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
    /// Finds the JSON object in a model's answer, also within a code fence or between sentences; nil for none.
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
