package import EndlessCodeWire
package import Foundation
import HighlightKit
import WireKit

// Values of WireKit in forms for views, which do not import that module.

extension AgentClient {
    /// Returns the identifier as a text, to store with a page.
    package nonisolated static func text(_ id: Session.ID) -> String { id.rawValue }

    /// Returns the identifier in a text; nil for another text.
    package nonisolated static func sessionID(_ text: String) -> Session.ID? {
        let id = Session.ID(text)
        return id.isWireIdentifier ? id : nil
    }
}

extension AgentClient {
    /// Returns a server's sentence for developers, as a screen shows it.
    package nonisolated static func shown(_ words: String) -> String { String(words.prefix(500)).visible }
}

extension Session {
    /// The time of the latest activity.
    package var lastActive: Date { lastActiveAt.date }
}

extension Project {
    /// The time of the latest activity; nil for a project without sessions.
    package var lastUse: Date? { lastUsed?.date }
}

extension PromptRequest {
    /// Returns true if the texts of the question and of the tool's input have fewer than `size` bytes.
    package func isSmaller(than size: Int) -> Bool {
        let options = question.options.reduce(0) { $0 + $1.label.utf8.count + ($1.description?.utf8.count ?? 0) }
        var rest = size - question.question.utf8.count - options
        func take(_ value: JSONValue) {
            guard rest > 0 else { return }
            switch value {
            case .string(let text): rest -= text.utf8.count
            case .array(let values): for value in values { take(value) }
            case .object(let members):
                for (key, value) in members {
                    rest -= key.utf8.count
                    take(value)
                }
            case .null, .bool, .integer, .number: rest -= 8
            }
        }
        if let toolInput { take(toolInput) }
        return rest > 0
    }
}
