import Foundation
public import Logging
import Pager2077Wire
public import ServerKit
import StorageKit
import WireKit

/// The pager's server side: users, friendships, messages, scores, live events.
///
/// Contract: `Docs/Protocols/Pager2077.md` and `Pager2077-Live.md`.
public enum PagerService {
    public static let name = "pager2077"
    /// The contract's port for a pager alone.
    public static let standardPort = 3000

    /// Opens the store and declares the routes. Owns no port and starts nothing.
    ///
    /// - Throws: `StartupError`.
    public static func build(
        _ configuration: PagerConfiguration, metrics: MetricsRegistry, logger: Logger
    ) async throws -> ServiceParts {
        let store: Database
        do {
            store = try Database(path: configuration.database.path, migrations: PagerMigrations.all)
        } catch {
            throw StartupError(error.description)
        }
        return try await build(configuration, store: store, metrics: metrics, logger: logger)
    }

    static func build(
        _ configuration: PagerConfiguration, store: Database, metrics: MetricsRegistry, logger: Logger,
        now: @escaping @Sendable () -> Timestamp = { .now },
        drawHexCode: @escaping @Sendable () -> HexCode = { HexCode(.random(in: .min ... .max)) }
    ) async throws -> ServiceParts {
        let accounts = Accounts(store: store, now: now, drawHexCode: drawHexCode)
        let presence = Presence(accounts: accounts, metrics: metrics, logger: logger, now: now)
        let routes = PagerRoutes(
            store: store, now: now, tokens: PagerTokens(signer: await TokenSigner(secret: configuration.secret), now: now),
            accounts: accounts, friendships: Friendships(store: store, now: now), messaging: Messaging(store: store, now: now),
            scores: Scores(store: store, now: now), presence: presence,
            registrations: RateLimiter(limit: configuration.registrationsPerMinute, per: .seconds(60)),
            unknownHexCodes: RateLimiter(limit: configuration.unknownHexCodesPerMinute, per: .seconds(60)))
        return ServiceParts(
            name: name, responder: routes.responder(),
            background: [
                presence,
                Periodic("pager2077 pruning", every: .seconds(3600), logger: logger) { try await store.prune(now: now()) },
            ], close: { store.close() })
    }
}
