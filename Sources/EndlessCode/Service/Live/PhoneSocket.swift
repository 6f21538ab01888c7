import EndlessCodeWire
import ServerKit
import StorageKit

/// One phone's open connection.
final class PhoneSocket: Sendable {
    /// The phone's own identifier, or one that the server drew.
    let connectionId: String
    /// The phone's name.
    let name: String?
    /// The events of all sessions.
    let feed: EventFeed
    private let connection: WebSocketConnection

    init(connectionId: String, name: String?, following store: Database, on connection: WebSocketConnection) {
        (self.connectionId, self.name, self.connection) = (connectionId, name, connection)
        feed = store.feed(ofGroup: Session.ID.logGroup, maximumLag: Limits.backlogSize) { Self.closeSlow(connection) }
    }

    /// Answers a frame of the phone.
    func answer(_ frame: ServerFrame) {
        if !connection.post(frame.text) { Self.closeSlow(connection) }
    }

    /// Writes a last frame and closes the connection.
    func end(_ text: String, code: UInt16, reason: String) {
        _ = connection.post(text)
        connection.close(.init(rawValue: code), reason: reason)
    }

    /// Closes the connection of a phone that does not read. It comes back with its cursors.
    private static func closeSlow(_ connection: WebSocketConnection) {
        connection.close(.init(rawValue: CloseCode.tooSlow), reason: "Too slow")
    }
}
