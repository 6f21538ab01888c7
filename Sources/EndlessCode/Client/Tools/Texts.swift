public import EndlessCodeWire
public import Foundation
public import WireKit

// Values of WireKit as views need them, which do not know that module.

extension AgentClient {
    /// The identifier as a text, to be stored with a page.
    public nonisolated static func text(_ id: Session.ID) -> String { id.rawValue }

    /// The identifier in a text; nil for another text.
    public nonisolated static func sessionID(_ text: String) -> Session.ID? {
        let id = Session.ID(text)
        return id.isWireIdentifier ? id : nil
    }
}

extension Session {
    /// The time of the latest activity.
    public var lastActive: Date { lastActiveAt.date }
}

extension Project {
    /// The time of the latest activity; nil for a project without sessions.
    public var lastUse: Date? { lastUsed?.date }
}
