import EndlessCodeWire
import Foundation
package import Logging
import PushKit
package import ServerKit
import StorageKit
package import WireKit

/// EndlessCode's server: runs coding agents, and shows them to phones.
///
/// Contract: `Docs/Protocols/EndlessCode.md`.
package enum EndlessCodeService {
    package static let name = "endlesscode"
    /// The contract's port.
    package static let standardPort = 8180

    /// Opens the store, ends what a killed server left, and declares the routes. Owns no port, and starts no agent.
    ///
    /// - Parameters:
    ///   - tokens: The token of the server, where others need it too; nil: the one in the data folder.
    ///   - didRenewToken: Called when the user has drawn a new token and no phone is connected with the old one any more.
    /// - Throws: `StartupError`.
    package static func build(
        _ configuration: EndlessCodeConfiguration, tokens: AccessTokens? = nil, launcher: AgentLauncher,
        projects: any ProjectSource, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = { .now }, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        metrics: MetricsRegistry, logger: Logger,
        didRenewToken: @escaping @Sendable () -> Void = {}
    ) async throws -> ServiceParts {
        try await Server(
            configuration, tokens: tokens, launcher: launcher, projects: projects,
            senders: configuration.push.senders(logger: logger), clock: clock, now: now, uptime: uptime, metrics: metrics,
            logger: logger,
            didRenewToken: didRenewToken
        ).parts
    }
}

/// The parts of a server, put together.
struct Server: Sendable {
    /// The time after which the agents are killed at the end.
    static let endTimeout = Duration.seconds(5)

    let store: Database
    let tokens: AccessTokens
    let phones: Phones
    let sessions: Sessions
    let pushes: SessionPushes
    let parts: ServiceParts

    /// - Parameter senders: Nil to leave notifications in the outbox.
    init(
        _ configuration: EndlessCodeConfiguration, tokens: AccessTokens? = nil, launcher: AgentLauncher,
        projects: any ProjectSource, senders: [any PushSender]? = nil, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        metrics: MetricsRegistry, logger: Logger, didRenewToken: @escaping @Sendable () -> Void = {}
    ) async throws {
        let tokens = try tokens ?? AccessTokens(folder: configuration.dataFolder)
        let audit = try AuditFile(configuration.audit)
        let store: Database
        do {
            store = try Database(path: configuration.database.path, migrations: ServiceMigrations.all)
        } catch {
            throw StartupError(error.description)
        }
        let phones = Phones(metrics: metrics)
        let outbox = PushOutbox(
            database: store, directory: PhoneDirectory<PushPhones>(services: configuration.push), system: EndlessCodeService.name,
            metrics: metrics, now: now)
        let pushes = SessionPushes(
            store: store, outbox: outbox, foreground: ForegroundClients(now: uptime), tokens: tokens, services: configuration.push,
            now: now)
        let sessions = Sessions(
            SessionServices(
                store: store, pushes: pushes, audit: audit, launcher: launcher,
                promptTimeout: configuration.promptTimeout,
                clock: clock,
                now: now, uptime: uptime, logger: logger), projects: projects)
        let retention = Retention(age: configuration.retentionAge, size: configuration.retentionSize)
        (self.store, self.tokens, self.phones, self.sessions, self.pushes) = (store, tokens, phones, sessions, pushes)
        do {
            // Only this process has the store open, so no running host owns these agents.
            let leftovers = try launcher.killLeftovers()
            if leftovers > 0 {
                logger.notice("Killed agents that an earlier host left", metadata: ["endlesscode.agents": "\(leftovers)"])
            }
            try await sessions.start()
            // The token may have been replaced while no server ran.
            try await pushes.removeStrangers()
        } catch {
            store.close()
            throw error
        }
        let routes = ServiceRoutes(
            store: store, tokens: tokens, sessions: sessions, projects: projects, phones: phones, pushes: pushes, logger: logger)
        parts = ServiceParts(
            name: EndlessCodeService.name, responder: routes.responder(),
            background: [
                Periodic("endlesscode deadlines", every: .seconds(1), logger: logger) { try await sessions.tick() },
                Periodic("endlesscode token", every: .seconds(1), logger: logger) {
                    guard try tokens.reload() else { return }
                    phones.expireToken()
                    try await pushes.removeStrangers()
                    didRenewToken()
                },
                Periodic("endlesscode pruning", every: .seconds(3600), logger: logger) {
                    try await sessions.prune(retention)
                    try await outbox.prune()
                },
            ] + (senders.map { [PushDelivery(of: outbox, senders: $0, logger: logger)] } ?? []),
            close: {
                await sessions.end(timeout: Server.endTimeout)
                store.close()
            })
    }
}
