import Foundation
package import Logging
package import ServerKit
package import StorageKit
import TalkCoEnglish
import TalkCoWire
package import WireKit

/// TalkCo's backend: spoken conversations with a tutor, and their reviews.
///
/// Contract: `Docs/Protocols/TalkCo.md`.
package enum TalkCoService {
    package static let name = "talkco"
    /// The contract's port for a backend alone.
    package static let standardPort = 8000
    /// The schema of the service's database.
    package static var migrations: [Migration] { TalkMigrations.all }

    /// Opens the store and declares the routes. Owns no port and opens no conversation.
    ///
    /// - Parameters:
    ///   - installable: Engines that replace `engines` while they run; nil for none.
    ///   - models: The network of the models that learners choose; nil for none.
    ///   - clock: Measures time limits and the pauses between the attempts of jobs.
    ///   - now: Returns the time of stored events.
    /// - Throws: `StartupError`.
    package static func build(
        _ configuration: TalkCoConfiguration, engines: Engines, installable: InstallableEngines? = nil,
        models: ModelNetwork? = nil,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp = { .now },
        metrics: MetricsRegistry, logger: Logger
    ) async throws -> ServiceParts {
        let missing = GrammarChecker.missingPackages
        if !missing.isEmpty {
            logger.notice(
                "TalkCo marks no mistakes without a model: install \(missing.joined(separator: " and "))",
                metadata: ["talkco.packages": "\(missing.joined(separator: " "))"])
        }
        let store: Database
        do {
            store = try Database(at: configuration.database, migrations: TalkMigrations.all)
        } catch {
            throw StartupError(error.description)
        }
        return Backend(
            configuration, store: store, engines: engines, installable: installable, models: models, clock: clock, now: now,
            metrics: metrics,
            logger: logger
        ).parts
    }
}

/// A backend, assembled from its parts.
struct Backend: Sendable {
    let store: Database
    let live: LiveSessions
    let parts: ServiceParts

    init(
        _ configuration: TalkCoConfiguration, store: Database, engines: Engines, installable: InstallableEngines? = nil,
        models: ModelNetwork? = nil,
        clock: any Clock<Duration>, now: @escaping @Sendable () -> Timestamp, limits: TurnLimits = TurnLimits(),
        metrics: MetricsRegistry, logger: Logger
    ) {
        self.store = store
        let info = engines.info
        let current: @Sendable () -> Engines = { [present = engines] in
            if let installable, installable.speech.isRunning { installable.engines } else { present }
        }
        let engines =
            installable.map { engines.replaced(by: $0.engines, while: { [speech = $0.speech] in speech.isRunning }) } ?? engines
        let live = LiveSessions(
            .init(
                count: configuration.maximumConversations, countForUser: configuration.maximumConversationsPerUser,
                countForNetwork: configuration.maximumConversationsPerNetwork,
                idleTime: configuration.idleTime), metrics: metrics, now: now)
        self.live = live
        let work = JobWork(store: store, judge: engines.judge, now: now, metrics: metrics, logger: logger)
        let jobs = Jobs(work: work, clock: clock, metrics: metrics, logger: logger)
        let hosts = models.map { ModelHosts($0, clock: clock, now: now) }
        let engine = hosts.map {
            LearnersModelEngine(standard: engines.speech, current: current, hosts: $0, clock: clock, logger: logger)
        }
        let services = LiveSession.Services(
            store: store, engine: engine ?? engines.speech, clock: clock, now: now, metrics: metrics, limits: limits,
            audioCapacity: configuration.replayAudioSize, recordingCapacity: configuration.recordingsSize, logger: logger)
        let talks = TalkLimits(
            age: configuration.talkAge, countForUser: configuration.talksPerUser, size: configuration.talksSize)
        let judging = Shares(of: 16, perNetwork: 4, "Too many sentences are being judged")
        let routes = TalkRoutes(
            info: info, installable: installable,
            sessions: Sessions(store: store, live: live, services: services, jobs: jobs, talks: talks, hosts: hosts, now: now),
            reviews: Reviews(store: store, judge: engines.judge, judging: judging, clock: clock, now: now, logger: logger),
            profiles: Profiles(
                store: store, judge: engines.judge, judging: judging, talks: talks, clock: clock, now: now, logger: logger),
            helping: Helping(help: engines.help, judging: judging, clock: clock, logger: logger),
            models: TutorModels(store: store, hosts: hosts, current: current, now: now),
            speaking: Speaking(engines.voice, limits: limits, clock: clock), uploads: UploadBudget(clock: clock))
        let age = configuration.replayAudioAge
        parts = ServiceParts(
            name: TalkCoService.name, responder: routes.responder(),
            background: (installable.map { [$0.speech] } ?? []) + [
                jobs, LiveSessionsEnd(live: live),
                Periodic("talkco idle conversations", every: .seconds(60), logger: logger) {
                    await live.closeIdle()
                    await hosts?.closeIdle()
                },
                Periodic("talkco pruning", every: .seconds(3600), logger: logger) {
                    while try await store.write({ try $0.dropAudio(before: now() - age) }) {}
                    while try await store.write({ try $0.dropRecordings(before: now() - Reviews.recordingAge) }) {}
                    while case let open = await live.ids,
                        try await store.write({ try $0.pruneTalks(talks, keeping: open, at: now()) })
                    {}
                    try await store.shrink()
                },
            ],
            close: {
                await installable?.close()
                await live.closeAll(draining: .zero)
                await hosts?.closeAll()
                store.close()
            })
    }
}
