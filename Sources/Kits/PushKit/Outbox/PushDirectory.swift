package import StorageKit
package import WireKit

/// A device of a recipient, or a browser, with the ways to reach it.
package struct PushTarget: Hashable, Sendable {
    /// Names the device among those of its recipient. Does not change when a token does.
    package var id: String
    /// The routes, best first. A later one is used only when the earlier ones are dead or refuse the message.
    package var routes: [PushRoute]

    package init(id: String, routes: [PushRoute]) {
        self.id = id
        self.routes = routes
    }
}

/// The service's side of the outbox: who can be reached by which route, and what became of an entry.
///
/// All of it runs inside transactions of the service's database: it must not wait.
package protocol PushDirectory: Sendable {
    /// The devices that can receive `entry` now. Called when the entry is about to be sent, not when it is enqueued.
    ///
    /// An error fails this entry alone, as ``PushReason/unreadable``.
    func targets(of entry: PushEntry, at time: Timestamp, in transaction: WriteTransaction) throws -> [PushTarget]

    /// Forgets a route that its push service declared dead.
    ///
    /// - Parameter since: The time since when it is dead, where the push service tells. A route that was registered again later lives.
    func forget(_ route: PushRoute, of entry: PushEntry, since: Timestamp?, in transaction: WriteTransaction) throws

    /// Learns the result of an entry: `completed`, `failed`, `expired`, `withdrawn` or `unreachable`.
    ///
    /// - Parameter receipt: Non-nil for a completed entry.
    func entryDidEnd(_ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction) throws
}

extension PushDirectory {
    package func entryDidEnd(_ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction) {}
}
