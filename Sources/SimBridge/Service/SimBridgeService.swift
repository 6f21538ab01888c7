package import Foundation
package import Logging
package import PushKit
package import ServerKit
import SimBridgeWire
package import StorageKit
import WireKit

/// The SimBridge relay, which connects phones with SIM cards to their remote controls.
///
/// Contract: `Docs/Protocols/SimBridge.md` and `SimBridge-Line.md`.
package enum SimBridgeService {
    package static let name = "simbridge"
    /// The default port of a relay that is the only service of its process (contract).
    package static let standardPort = 8100
    /// The schema of the service's database.
    package static var migrations: [Migration] { RelayMigrations.all }

    /// Opens the store and declares the routes. Owns no port and starts nothing.
    ///
    /// - Parameter fetch: Returns a JSON document of the identity provider; throws if the request fails or the status is not 200.
    /// - Throws: `StartupError`.
    package static func build(
        _ configuration: SimBridgeConfiguration, fetch: @escaping @Sendable (URL) async throws -> Data, metrics: MetricsRegistry,
        logger: Logger
    ) async throws -> ServiceParts {
        try await build(
            configuration, fetch: fetch, senders: configuration.push.senders(logger: logger), metrics: metrics, logger: logger)
    }

    /// - Parameter senders: The senders of notifications, in place of the configured push services.
    package static func build(
        _ configuration: SimBridgeConfiguration, fetch: @escaping @Sendable (URL) async throws -> Data,
        senders: [any PushSender], metrics: MetricsRegistry, logger: Logger
    ) async throws -> ServiceParts {
        let store: Database
        do {
            store = try Database(at: configuration.database, migrations: RelayMigrations.all)
        } catch {
            throw StartupError(error.description)
        }
        return try await Relay(configuration, store: store, fetch: fetch, senders: senders, metrics: metrics, logger: logger).parts
    }
}

/// A relay: its store, rules, routes and background tasks.
struct Relay: Sendable {
    let store: Database
    let accounts: Accounts
    let lines: Lines
    let deadlines: Deadlines
    let history: History
    let pushes: RelayPushes
    let parts: ServiceParts

    /// - Parameter senders: The senders of notifications; nil leaves notifications in the outbox.
    init(
        _ configuration: SimBridgeConfiguration, store: Database, fetch: @escaping @Sendable (URL) async throws -> Data,
        senders: [any PushSender]? = nil, metrics: MetricsRegistry, logger: Logger,
        now: @escaping @Sendable () -> Timestamp = { .now },
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        drawCode: @escaping @Sendable () -> String = Pairings.randomCode
    ) async throws {
        self.store = store
        let acknowledging = try await store.read { try $0.all("SELECT id FROM devices WHERE is_keeper = 1", as: Device.ID.self) }
        lines = Lines(acknowledging: Set(acknowledging), metrics: metrics, now: now, uptime: uptime)
        deadlines = Deadlines(store: store, now: now)
        history = History(store: store, now: now, retention: .seconds(configuration.retentionDays * 86_400))
        let outbox = PushOutbox(
            database: store, directory: PhoneDirectory<PushDevices>(services: configuration.push), system: SimBridgeService.name,
            metrics: metrics, now: now)
        pushes = RelayPushes(
            store: store, outbox: outbox, lines: lines, now: now, services: configuration.push,
            confirmationTime: configuration.confirmationTime)
        let quota = Quota(store: store, bytes: configuration.keptBytesPerAccount)
        let google = configuration.googleClientID.map {
            IdentityTokens(issuer: configuration.googleIssuer, audience: $0, fetch: fetch)
        }
        accounts = Accounts(
            store: store, now: now, passwordCost: configuration.passwordCost, maximumHashes: configuration.maximumHashes,
            google: google, lines: lines, passwordRule: PasswordRule(minimumLength: configuration.minimumPasswordLength),
            isRegistrationOpen: configuration.isRegistrationOpen, logger: logger)
        let routes = RelayRoutes(
            store: store,
            tokens: RelayTokens(signer: await TokenSigner(secret: configuration.secret), accounts: accounts, now: now),
            accounts: accounts, pairings: Pairings(store: store, lines: lines, now: now, drawCode: drawCode),
            commands: Commands(store: store, lines: lines, now: now, quota: quota), history: history, lines: lines,
            routing: Routing(store: store, lines: lines, now: now, quota: quota, pushes: pushes), pushes: pushes,
            registrations: RateLimiter(limit: configuration.registrationsPerMinute, per: .seconds(60)),
            logins: RateLimiter(limit: configuration.loginsPerMinute, per: .seconds(60)), now: now, logger: logger)
        parts = ServiceParts(
            name: SimBridgeService.name, responder: routes.responder(),
            background: [
                lines,
                Periodic("simbridge deadlines", every: .seconds(1), logger: logger) { [deadlines] in try await deadlines.expire() },
                Periodic("simbridge pruning", every: .seconds(3600), logger: logger) { [history, accounts] in
                    try await history.prune()
                    try await accounts.removeMessagesOfDeletedAccounts()
                    try await outbox.prune()
                },
            ] + (senders.map { [PushDelivery(of: outbox, senders: $0, logger: logger)] } ?? []), close: { store.close() })
    }
}
