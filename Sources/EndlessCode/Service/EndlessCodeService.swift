import EndlessCodeWire
import Foundation
package import Logging
package import ServerKit
import StorageKit
package import WireKit

/// EndlessCode's server: runs coding agents, and shows them to phones.
///
/// Contract: `Docs/Protocols/EndlessCode.md`.
public enum EndlessCodeService {
    public static let name = "endlesscode"
    /// The contract's port.
    public static let standardPort = 8180

    /// Opens the store and declares the routes. Owns no port, and starts no agent.
    ///
    /// - Throws: `StartupError`.
    package static func build(
        _ configuration: EndlessCodeConfiguration, launcher: AgentLauncher, projects: any ProjectSource,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp = { .now },
        metrics: MetricsRegistry, logger: Logger
    ) async throws -> ServiceParts {
        try await Server(
            configuration, launcher: launcher, projects: projects, clock: clock, now: now, metrics: metrics, logger: logger
        ).parts
    }
}

/// The parts of a server, put together.
struct Server: Sendable {
    let store: Database
    let tokens: AccessTokens
    let phones: Phones
    let sessions: Sessions
    let parts: ServiceParts

    init(
        _ configuration: EndlessCodeConfiguration, launcher: AgentLauncher, projects: any ProjectSource, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp, metrics: MetricsRegistry, logger: Logger
    ) async throws {
        let tokens = try AccessTokens(folder: configuration.dataFolder)
        let audit = try AuditFile(configuration.audit)
        let store: Database
        do {
            store = try Database(path: configuration.database.path, migrations: ServiceMigrations.all)
        } catch {
            throw StartupError(error.description)
        }
        let phones = Phones(metrics: metrics)
        let sessions = Sessions(
            SessionServices(
                store: store, phones: phones, audit: audit, launcher: launcher, promptTimeout: configuration.promptTimeout,
                clock: clock,
                now: now, logger: logger), projects: projects)
        let retention = Retention(age: configuration.retentionAge, size: configuration.retentionSize)
        (self.store, self.tokens, self.phones, self.sessions) = (store, tokens, phones, sessions)
        do {
            try await sessions.recover()
        } catch {
            store.close()
            throw error
        }
        let routes = ServiceRoutes(
            store: store, tokens: tokens, sessions: sessions, projects: projects, phones: phones, now: now, logger: logger)
        parts = ServiceParts(
            name: EndlessCodeService.name, responder: routes.responder(),
            background: [
                Periodic("endlesscode deadlines", every: .seconds(1), logger: logger) { try await sessions.tick() },
                Periodic("endlesscode token", every: .seconds(1), logger: logger) {
                    if try tokens.reload() { phones.expireToken() }
                },
                Periodic("endlesscode pruning", every: .seconds(3600), logger: logger) { try await sessions.prune(retention) },
            ],
            close: {
                await sessions.close()
                store.close()
            })
    }
}
