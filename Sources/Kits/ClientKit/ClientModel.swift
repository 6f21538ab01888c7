package import NetworkingKit

/// The system-specific part of a client: its user, its connections, and the effect of each message. ``ClientEngine`` does the rest.
///
/// A message takes these steps. The sequence rules and `received(_:)` run on the main actor, both short:
///
/// ```
///   peer ─▶ connection ─▶ decoded ─▶ sequence rules ─▶ received(_:) ─▶ saved with the cursor ─▶ acknowledged
/// ```
@MainActor
package protocol ClientModel: AnyObject, Sendable {
    /// The signed-in user or device. A change ends the line and the outbox of the previous identity.
    associatedtype Identity: Equatable & Sendable
    associatedtype Incoming: Sendable
    associatedtype Outgoing: Sendable
    /// The service's reply to an item of the outbox.
    associatedtype Receipt: Hashable & Sendable

    nonisolated static var backoff: Backoff { get }
    nonisolated static var numbering: EventCursor.Numbering { get }
    /// The values that an earlier version stored among the phone's preferences, by key. They move into the database at the first start.
    nonisolated static var formerPreferences: [String] { get }

    /// An SQL statement that brings items of the outbox from the form of an earlier version into today's; nil when there was no other. Runs at
    /// each start, changes nothing from the second time on, and leaves payloads that are not JSON alone.
    nonisolated static var formerOutboxChange: String? { get }

    /// Opens a connection that replays the events after `cursor`.
    ///
    /// - Throws: `LineFailure`; `TransportError`; `CancellationError`.
    @concurrent nonisolated static func connect(
        as identity: Identity, after cursor: Int64?
    ) async throws -> any LineConnection<Incoming, Outgoing>
    nonisolated static func position(of message: Incoming) -> LogPosition

    /// Restores the state that an earlier launch saved, and signs in if possible. Called first in each run.
    ///
    /// - Throws: Any error while the phone is locked, to be called again when it is unlocked, or the app comes to the front.
    func restore() async throws
    /// Does the client's work beside the line while a user is signed in, until its task is cancelled.
    func work() async

    func lineDidChange()
    /// Applies a message: each event once, in order.
    ///
    /// - Throws: Any error, to end the connection; the line then reconnects.
    func received(_ message: Incoming) throws
    /// Returns the recovery from a failure after which the line does not reconnect by itself.
    func lineDidFail(_ failure: LineFailure) async -> LineRecovery
    /// Returns the acknowledgement of every event up to `number`, saved and, in front, also seen; nil if none is needed now.
    func acknowledgement(of number: Int64) -> Outgoing?
    /// Returns the message to send at each heartbeat; nil for none.
    func keepalive() -> Outgoing?

    /// Makes one attempt to deliver an item of the outbox.
    func deliver(_ item: OutboxItem) async -> Outbox<Receipt>.Delivery
    func outboxDidChange(_ change: Outbox<Receipt>.Change)

    /// Called when a screen of the app has come to the front, or the last one has left it.
    func foregroundDidChange()
    func notificationWasTapped(_ id: String)
}

extension ClientModel {
    package nonisolated static var backoff: Backoff { .standard }
    package nonisolated static var formerPreferences: [String] { [] }
    package nonisolated static var formerOutboxChange: String? { nil }
    package func keepalive() -> Outgoing? { nil }
    package func foregroundDidChange() {}
}
