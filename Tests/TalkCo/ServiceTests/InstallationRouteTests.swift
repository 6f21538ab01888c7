import Foundation
import HTTPTypes
import NetworkingKit
import ServerKit
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The installation of engines by the app: who may start it, and what the app is told.
@Suite struct InstallationRouteTests {
    private static let page = "127.0.0.1 phone 1"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A service whose installer finds no Python, so that an installation ends at once.
    private func service(allowsPages: Bool = true) throws -> ServiceParts {
        let speech = SpeechEngines(SpeechFolder(in: URL(filePath: folder.file("data"))), logger: .quiet)
        let info = EngineInfo(kind: .builtIn, name: "Script", hearing: .choices, speaks: true, judge: nil)
        let engines = Engines(info: info, speech: ScriptedEngine(), judge: ScriptedJudge(), voice: nil)
        var better = engines
        better.info.hearing = .anything
        let installable = InstallableEngines(
            speech, used: better, allowsPages: allowsPages,
            installer: SpeechInstaller(speech.folder, environment: ["PATH": "/none"]),
            logger: .quiet)
        let database = try TestDatabase.location(folder.file("\(UUID()).db"))
        return Backend(
            TalkCoConfiguration(database: database), store: try Database(at: database, migrations: TalkMigrations.all),
            engines: engines, installable: installable, clock: ContinuousClock(), now: { .now }, metrics: MetricsRegistry(),
            logger: .quiet
        ).parts
    }

    private func call(
        _ method: HTTPRequest.Method, _ path: String, from network: String, _ parts: ServiceParts
    ) async throws -> (status: Int, info: EngineInfo?) {
        let transport = InProcessTransport(services: [parts], logger: .quiet).calling(from: { network })
        let service = RemoteService(
            address: InProcessTransport.address.appending(path: parts.name), http: transport, sockets: transport)
        let request = try HTTPRequest(method, path, below: service.address)
        let reply = try await transport.send(request, body: .none)
        return (reply.head.status.code, try? WireJSON.decode(EngineInfo.self, from: reply.body))
    }

    @Test func onlyAPageOnThisMachineInstalls() async throws {
        let parts = try service()
        for network in [
            "127.0.0.1", "::1", "in process", "browser phones", "10.1.2.3", "10.1.2.3 phone 1", "10.1.2.3 browser phones",
        ] {
            #expect(try await call(.post, "/engine/installation", from: network, parts).status == 403, "\(network)")
            let info = try #require(try await call(.get, "/engine", from: network, parts).info)
            #expect(info.hearing == .choices && info.installation == EngineInstallation(state: .absent, isAllowed: false))
        }
        #expect(try await call(.get, "/engine/installation", from: Self.page, parts).status == 405)
        let behindProxy = try service(allowsPages: false)
        #expect(try await call(.post, "/engine/installation", from: Self.page, behindProxy).status == 403)
        #expect(try await call(.post, "/engine/installation", from: Self.page, parts).status == 200)
        await parts.close()
        await behindProxy.close()
    }

    @Test func failureIsToldToThePage() async throws {
        let parts = try service()
        #expect(try await call(.post, "/engine/installation", from: Self.page, parts).info?.installation?.isAllowed == true)
        try await within(.seconds(60)) {
            while try await call(.get, "/engine", from: Self.page, parts).info?.installation?.hasFailed != true {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        let installation = try #require(try await call(.get, "/engine", from: Self.page, parts).info?.installation)
        #expect(installation.state == .absent && installation.text?.contains("python3") == true)
        // Others are not told.
        #expect(try await call(.get, "/engine", from: "10.1.2.3 phone 2", parts).info?.installation?.text == nil)
        await parts.close()
    }

    @Test func serviceWithoutInstallableEnginesHasNone() async throws {
        let backend = try await TestBackend()
        #expect(try await call(.get, "/engine", from: Self.page, backend.parts).info?.installation == nil)
        #expect(try await call(.post, "/engine/installation", from: Self.page, backend.parts).status == 200)
    }
}
