package import Foundation
import HTTPTypes
import Logging
package import NetworkingKit
package import PhoneTestKit
import PlatformKit
import ServerKit
import ServiceLifecycle
import TalkCoClient
package import TalkCoService
package import TalkCoWire
package import TestKit
import Testing
package import WireKit

/// A real service on a real database, whose tutor and judge follow a script, and phones that reach it in process.
package final class TalkBox: Sendable {
    package let folder: TemporaryFolder
    package let tutor = ScriptedTutor()
    package let judge = ScriptedJudge()
    /// The network of the phones.
    package let network: TestNetwork
    /// Cuts streams of the phones when it is told to.
    package let cutter: ReplyCutter
    private let info: EngineInfo
    private let talksPerUser: Int
    private let help: ScriptedHelp?
    private let models: ModelNetwork?
    private let running: Locked<Running?>

    /// A service from its start to its end.
    private struct Running {
        var parts: ServiceParts
        var background: Task<Void, Never>
    }

    package init(
        hearing: EngineInfo.Hearing = .anything, speaks: Bool = true, talksPerUser: Int = 500, help: ScriptedHelp? = nil,
        models: ModelNetwork? = nil
    ) async throws {
        self.talksPerUser = talksPerUser
        self.help = help
        self.models = models
        folder = try TemporaryFolder()
        info = EngineInfo(kind: .pipeline, name: "Scripted", hearing: hearing, speaks: speaks, judge: nil)
        let parts = try await Self.build(folder, info, tutor, judge, talksPerUser, help, models)
        cutter = ReplyCutter(InProcessTransport(services: [parts], logger: .quiet))
        network = TestNetwork(cutter, keeping: folder)
        running = Locked(Running(parts: parts, background: Self.run(parts)))
    }

    deinit {
        guard let left = running.withLock({ $0 }) else { return }
        left.background.cancel()
        Task { await left.parts.close() }
    }

    private static func build(
        _ folder: TemporaryFolder, _ info: EngineInfo, _ tutor: ScriptedTutor, _ judge: ScriptedJudge,
        _ talksPerUser: Int, _ help: ScriptedHelp?, _ models: ModelNetwork?
    ) async throws -> ServiceParts {
        var configuration = TalkCoConfiguration(database: try TestDatabase.location(folder.file("talkco.db")))
        configuration.talksPerUser = talksPerUser
        return try await TalkCoService.build(
            configuration,
            engines: Engines(info: info, speech: tutor, judge: judge, voice: info.speaks ? tutor : nil, help: help), models: models,
            metrics: MetricsRegistry(),
            logger: .quiet)
    }

    private static func run(_ parts: ServiceParts) -> Task<Void, Never> {
        Task {
            await withTaskGroup { group in
                for service in parts.background { group.addTask { try? await service.run() } }
            }
        }
    }

    // MARK: The service

    /// Ends the service, while the network is down.
    package func stop() async {
        network.cut()
        let left = running.withLock { running in
            defer { running = nil }
            return running
        }
        left?.background.cancel()
        await left?.background.value
        await left?.parts.close()
        cutter.lead(to: InProcessTransport(services: [], logger: .quiet))
    }

    /// Starts the service again on the same data.
    package func start() async throws {
        let built = Locked<ServiceParts?>(nil)
        // The last task of the service before may hold its database a moment longer.
        try await eventually { [folder, info, tutor, judge, talksPerUser, help, models] in
            do {
                let parts = try await Self.build(folder, info, tutor, judge, talksPerUser, help, models)
                built.withLock { $0 = parts }
                return true
            } catch let error as StartupError where error.description.contains("in use") {
                return false
            }
        }
        guard let parts = built.withLock({ $0 }) else { throw NotThere() }
        cutter.lead(to: InProcessTransport(services: [parts], logger: .quiet))
        let background = Self.run(parts)
        running.withLock { $0 = Running(parts: parts, background: background) }
        network.mend()
    }

    package func restart() async throws {
        await stop()
        try await start()
    }

    package static let address = InProcessTransport.address.appending(path: TalkCoService.name)
    package var service: RemoteService { RemoteService(address: Self.address, http: network, sockets: network) }

    /// A call as another device makes it.
    package func send(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> Data {
        let content = body.map { HTTPBody.data(Data($0.utf8)) } ?? .none
        let reply = try await cutter.direct.send(
            try service.request(method, path, headers: [.contentType: "application/json"]), body: content)
        guard reply.head.status == .ok else { throw NotThere() }
        return reply.body
    }

    package func send<Value: Decodable>(
        _ method: HTTPMethod, _ path: String, _ body: String?, as _: Value.Type
    ) async throws -> Value { try WireJSON.decode(from: try await send(method, path, body)) }

    /// The review of a session, as the service has stored it.
    package func review(_ session: Session.ID) async throws -> Review {
        let request = try service.request(.get, "/sessions/\(session.rawValue)/review")
        return try WireJSON.decode(from: try await cutter.direct.send(request).body)
    }

    // MARK: Phones

    /// The attempts of a phone in real time follow each other at once.
    package static let hurriedBackoff = Backoff(delays: [.milliseconds(1)], jitter: 0)

    /// A phone that records a second of sound each time.
    @MainActor
    package static func device() -> TestPhone {
        let phone = TestPhone()
        phone.speech.recordings = [Samples.tone()]
        return phone
    }

    /// A phone with the app in front.
    @MainActor
    package func phone(
        _ phone: TestPhone = device(), clock: any Clock<Duration> = ContinuousClock(), backoff: Backoff? = nil
    ) -> TalkPhone {
        let backoff = backoff ?? (clock is TestClock ? .standard : Self.hurriedBackoff)
        return TalkPhone(
            phone, TalkCo(phone: phone.phone(clock: clock), service: service, backoff: backoff, random: { 0.5 }))
    }

    /// A phone that knows the engine.
    @MainActor
    package func connected(
        _ phone: TestPhone = device(), clock: any Clock<Duration> = ContinuousClock(), backoff: Backoff? = nil
    ) async throws -> TalkPhone {
        let hand = self.phone(phone, clock: clock, backoff: backoff)
        try await hand.until { $0.phase == .ready && $0.engine != nil }
        return hand
    }
}

/// Something that a test needs is not there.
package struct NotThere: Error {}
