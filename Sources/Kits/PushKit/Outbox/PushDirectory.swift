package import StorageKit
package import WireKit

/// A device of a recipient, or a browser, with the ways to reach it.
package struct PushTarget: Hashable, Sendable {
    /// The id of the device, unique among those of its recipient. It does not change when a token does.
    package var id: String
    /// The routes, best first. A later route is used only if the earlier ones are dead or refuse the message.
    package var routes: [PushRoute]

    package init(id: String, routes: [PushRoute]) {
        self.id = id
        self.routes = routes
    }
}

/// The service's part of the outbox: the routes to a recipient, and the handling of results.
///
/// All methods run inside transactions of the service's database, and must not wait.
package protocol PushDirectory: Sendable {
    /// Returns the devices that can receive `entry` now. Called when the entry is about to be sent, not when it is enqueued.
    ///
    /// An error fails this entry alone, as ``PushReason/unreadable``.
    func targets(of entry: PushEntry, at time: Timestamp, in transaction: WriteTransaction) throws -> [PushTarget]

    /// Forgets a route that its push service declared dead.
    ///
    /// - Parameter since: The time since which the route is dead; nil if unknown. A route that was registered again later stays.
    func forget(_ route: PushRoute, of entry: PushEntry, since: Timestamp?, in transaction: WriteTransaction) throws

    /// Handles the end of an entry: `completed`, `failed`, `expired`, `withdrawn` or `unreachable`.
    ///
    /// - Parameter receipt: Non-nil for a completed entry.
    func entryDidEnd(_ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction) throws
}

extension PushDirectory {
    package func entryDidEnd(_ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction) {}
}
