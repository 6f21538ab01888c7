import Foundation
package import Logging
import Pager2077Wire
import PushKit
package import ServerKit
package import StorageKit
import WireKit

/// The pager's server side: users, friendships, messages, scores, live events.
///
/// Contract: `Docs/Protocols/Pager2077.md` and `Pager2077-Live.md`.
package enum PagerService {
    package static let name = "pager2077"
    /// The contract's port for a pager alone.
    package static let standardPort = 3000
    /// The schema of the service's database.
    package static var migrations: [Migration] { PagerMigrations.all }

    /// Opens the store and declares the routes. Owns no port and starts nothing.
    ///
    /// - Throws: `StartupError`.
    package static func build(
        _ configuration: PagerConfiguration, metrics: MetricsRegistry, logger: Logger
    ) async throws -> ServiceParts {
        let store: Database
        do {
            store = try Database(at: configuration.database, migrations: PagerMigrations.all)
        } catch {
            throw StartupError(error.description)
        }
        return try await build(
            configuration, store: store, senders: try configuration.push.senders(logger: logger),
            channels: Set(PushChannel.allCases).subtracting(configuration.push.apns == nil ? [.apns] : []),
            metrics: metrics, logger: logger)
    }

    /// - Parameters:
    ///   - senders: Nil to leave notifications in the outbox.
    ///   - channels: The channels whose push services are called, not only logged.
    static func build(
        _ configuration: PagerConfiguration, store: Database, senders: [any PushSender]? = nil,
        channels: Set<PushChannel> = Set(PushChannel.allCases), metrics: MetricsRegistry,
        logger: Logger,
        now: @escaping @Sendable () -> Timestamp = { .now },
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        drawHexCode: @escaping @Sendable () -> HexCode = { HexCode(.random(in: .min ... .max)) }
    ) async throws -> ServiceParts {
        let directory = PagerDirectory(services: configuration.push, channels: channels, pathPrefix: configuration.pathPrefix)
        let outbox = PushOutbox(database: store, directory: directory, system: name, metrics: metrics, now: now)
        let pushes = PagerPushes(outbox: outbox, foreground: ForegroundClients(now: uptime))
        let accounts = Accounts(
            store: store, pushes: pushes, now: now, drawHexCode: drawHexCode, maximumUsers: configuration.retention.users)
        let orders = OperatorOrders(database: configuration.database, store: store, now: now, logger: logger)
        let presence = Presence(accounts: accounts, metrics: metrics, logger: logger, now: now)
        let routes = PagerRoutes(
            store: store, now: now, tokens: PagerTokens(signer: await TokenSigner(secret: configuration.secret), now: now),
            accounts: accounts, devices: Devices(store: store, services: configuration.push, now: now),
            friendships: Friendships(store: store, pushes: pushes, now: now),
            messaging: Messaging(store: store, pushes: pushes, now: now, retention: configuration.retention),
            scores: Scores(store: store, now: now), blocks: Blocks(store: store, pushes: pushes, now: now),
            reports: Reports(store: store, pushes: pushes, now: now, logger: logger), presence: presence,
            registrations: RateLimiter(limit: configuration.registrationsPerMinute, per: .seconds(60)),
            unknownHexCodes: UnknownHexCodes(
                perMinute: configuration.unknownHexCodesPerMinute, perHour: configuration.unknownHexCodesPerHour, now: now,
                uptime: uptime),
            pushReports: RateLimiter(limit: PagerRoutes.reportsPerMinute, per: .seconds(60)),
            userReports: RateLimiter(limit: PagerRoutes.userReportsPerHour, per: .seconds(3600)), contact: configuration.contact,
            uptime: uptime)
        return ServiceParts(
            name: name, responder: routes.responder(),
            background: [
                presence,
                Periodic("pager2077 pruning", every: .seconds(3600), logger: logger) {
                    try await store.prune(now: now())
                    try await configuration.retention.prune(store, now: now())
                    try await store.write {
                        try $0.removeEndedActivities(at: now())
                        try $0.removeOldTraces(at: now())
                        try $0.removeOldReports(at: now())
                    }
                    try await outbox.prune()
                },
                Periodic("pager2077 orders of the operator", every: .seconds(5), logger: logger) {
                    try await orders.carryOut { presence.end($0) }
                },
            ] + (senders.map { [PushDelivery(of: outbox, senders: $0, logger: logger)] } ?? []), close: { store.close() })
    }
}
