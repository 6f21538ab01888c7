public import WireKit

/// The most that notifications of a phone may show.
public enum PushContent: String, Codable, Hashable, Sendable, CaseIterable {
    /// That an agent asks or has finished.
    case nothing = "none"
    /// Also the project, the question or the tool, and the beginning of the agent's last words.
    case full
}

/// The ids of notifications: of those that the app shows itself, and of the same ones from a push service.
///
/// A phone shows one notification for each id. A session has one, which tells its latest event.
public enum NoticeID {
    private static let prefix = "session-"

    public static func session(_ id: Session.ID) -> String { prefix + id.rawValue }

    /// The session of a notification; nil for any other id.
    public static func session(of id: String) -> Session.ID? {
        guard id.hasPrefix(prefix) else { return nil }
        let session = Session.ID(String(id.dropFirst(prefix.count)))
        return session.isWireIdentifier ? session : nil
    }
}

/// A phone that notifications are sent to.
public enum PushPhone {
    /// The phone's own identifier: ``SocketQuery/connectionId``.
    public typealias ID = Identifier<PushPhone>
}
