import GRDB
import SimBridgeWire
import StorageKit
import WireKit

/// How long commands wait, and who ends them: nothing stays pending for ever.
struct Deadlines: Sendable {
    /// A text is worth sending a day later.
    static let text: Duration = .seconds(86_400)
    /// Whoever wanted to call has hung up by then.
    static let other: Duration = .seconds(60)

    static func of(_ command: Command.Name) -> Duration { command == .sendText ? text : other }

    let store: SQLiteStore
    let now: @Sendable () -> Timestamp

    /// Ends what is overdue now. Called once a second.
    func expire() async throws {
        let time = now()
        guard try await store.read({ try $0.isAnyOverdue(at: time) }) else { return }
        try await store.write { try $0.database.expire(at: time) }
    }
}
