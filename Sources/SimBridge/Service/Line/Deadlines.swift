import GRDB
import Logging
import ServiceLifecycle
import SimBridgeWire
import StorageKit
import WireKit

/// How long commands wait, and who ends them: nothing stays pending for ever.
struct Deadlines: Service {
    /// A text is worth sending a day later.
    static let text: Duration = .seconds(86_400)
    /// Whoever wanted to call has hung up by then.
    static let other: Duration = .seconds(60)

    static func of(_ command: Command.Name) -> Duration { command == .sendText ? text : other }

    let store: SQLiteStore
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// Ends what is overdue now.
    func expire() async throws {
        let time = now()
        guard try await store.read({ try $0.isAnyOverdue(at: time) }) else { return }
        try await store.write { try $0.database.expire(at: time) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    try await expire()
                } catch {
                    logger.error("Could not end overdue commands", metadata: ["error": "\(error)"])
                }
            } while (try? await Task.sleep(for: .seconds(1))) != nil
        }
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
