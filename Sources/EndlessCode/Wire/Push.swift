public import WireKit

/// The content that notifications of a phone may show.
public enum PushContent: String, Codable, Hashable, Sendable, CaseIterable {
    /// Only the fact that an agent asks or has finished.
    case nothing = "none"
    /// In addition the project, the question or the tool, and the beginning of the agent's last text.
    case full
}

/// The ids of notifications, the same for notifications of the app itself and of a push service.
///
/// A phone shows one notification for each id, so a session has one notification, about its latest event.
public enum NoticeID {
    private static let prefix = "session-"

    public static func session(_ id: Session.ID) -> String { prefix + id.rawValue }

    /// Returns the session of a notification's id; nil for any other id.
    public static func session(of id: String) -> Session.ID? {
        guard id.hasPrefix(prefix) else { return nil }
        let session = Session.ID(String(id.dropFirst(prefix.count)))
        return session.isWireIdentifier ? session : nil
    }
}

/// A phone that receives notifications.
public enum PushPhone {
    /// The phone's own identifier: ``SocketQuery/connectionId``.
    public typealias ID = Identifier<PushPhone>
}
