import SimBridgeWire
import StorageKit
import WireKit

/// The time that commands may wait, and the end of those that waited too long.
struct Deadlines: Sendable {
    /// A text is still worth sending a day later.
    static let text: Duration = .seconds(86_400)
    /// The caller has hung up by then.
    static let other: Duration = .seconds(60)

    static func of(_ command: Command.Name) -> Duration { command == .sendText ? text : other }

    let store: Database
    let now: @Sendable () -> Timestamp

    /// Ends the messages that are overdue. Called once a second.
    func expire() async throws {
        let time = now()
        guard try await store.read({ try $0.isAnyOverdue(at: time) }) else { return }
        try await store.write { try $0.expire(at: time) }
    }
}
