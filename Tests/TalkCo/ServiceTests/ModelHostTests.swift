import CryptoPrimitives
import Foundation
import HTTPTypes
import HyperDHT
import HyperswarmTestKit
import LocalLLMService
import LocalLLMTestKit
import LocalLLMWire
import NIOTransport
import NetworkingKit
import ServerKit
import StorageKit
import SwarmTransport
import TalkCoStandIns
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// A LocalLLM host that a learner chooses as the tutor's model.
@Suite struct ModelHostTests {
    private let network = TestPeers()

    /// A box whose own tutor is scripted, and which reaches the hosts of ``network``.
    private func backend(voice: ScriptedVoice? = nil) async throws -> TestBackend {
        let network = network
        return try await TestBackend(
            voice: voice, models: ModelNetwork(secret: Data(repeating: 5, count: 32)) { network.dialler($0) }, realTime: true)
    }

    private func choose(_ text: String?, for user: String = "ada", at backend: TestBackend) async throws -> ServiceReply {
        try await backend.parts.call(TalkCoEndpoints.setModel, TutorModelChoice(serverId: text), ["id": user])
    }

    private func model(of user: String = "ada", at backend: TestBackend) async throws -> TutorModel {
        try await backend.parts.call(TalkCoEndpoints.model, ["id": user]).value()
    }

    private func wait(
        for state: TutorModel.State, of user: String = "ada", at backend: TestBackend
    ) async throws -> TutorModel {
        try await eventually { try await model(of: user, at: backend).state == state.rawValue }
        return try await model(of: user, at: backend)
    }

    // MARK: The choice

    @Test func chosenHostTellsItsModel() async throws {
        let host = try await RealHost(on: network)
        let backend = try await backend()
        #expect(try await model(at: backend).state == "none")
        let reply = try await choose(" localllm://\(host.id) \n", at: backend)
        #expect(try reply.status == 200 && reply.value(TutorModel.self).serverId == host.id.text)
        let model = try await wait(for: .ready, at: backend)
        #expect(model.hostName == "Ada’s Mac" && model.model == "llama" && model.engine.name == "llama")
        #expect(model.engine.kind == .pipeline && model.engine.hearing == .nothing)
        // The choice is the learner's own, and survives the process.
        #expect(try await self.model(of: "bob", at: backend).state == "none")
        #expect(try await backend.store.read { try $0.modelChoice(of: Learner.ID("ada"), from: .machine) }?.host == host.id)
        #expect(try await choose(nil, at: backend).value(TutorModel.self).state == "none")
        #expect(try await self.model(at: backend).serverId == nil)
        try await eventually { await host.host.waitingPhones.isEmpty }
        await backend.parts.close()
    }

    @Test(arguments: [
        "nonsense", "1111", "http://example.com", String(repeating: "1", count: 33), "localllm://", "0OIl", "../../etc/passwd",
        "localllm://4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi?invite=!",
    ])
    func otherTextIsRefused(text: String) async throws {
        let backend = try await backend()
        let reply = try await choose(text, at: backend)
        #expect(reply.status == 400 && reply.detail?.contains("Server ID") == true)
        #expect(network.dials.isEmpty)
        await backend.parts.close()
    }

    @Test func textThatIsTooLongAndAMissingFieldAreNamed() async throws {
        let backend = try await backend()
        #expect(try await choose(String(repeating: "1", count: 513), at: backend).status == 422)
        #expect(
            try await backend.call(.post, "/users/ada/model", headers: [.contentType: "application/json"], body: "{}").status == 422
        )
        await backend.parts.close()
    }

    @Test func serviceWithoutANetworkSaysSo() async throws {
        let backend = try await TestBackend()
        #expect(try await backend.parts.call(TalkCoEndpoints.model, ["id": "ada"]).status == 501)
    }

    @Test func hostThatIsNotThereIsNamed() async throws {
        let backend = try await backend()
        network.fault = .failure(DialError(.notFound, at: .lookup))
        _ = try await choose(ServerID([UInt8](repeating: 7, count: 32))!.text, at: backend)
        let model = try await wait(for: .failed, at: backend)
        #expect(model.detail == "No computer is online under the Server ID of your model. Start LocalLLM’s host there.")
        await backend.parts.close()
    }

    /// A host that knows one learner of a box asks about the next one: a Server ID is no secret.
    @Test func hostsAdmitLearnersOneByOne() async throws {
        let host = try await RealHost(on: network, approvesPhones: true)
        let backend = try await backend()
        _ = try await choose(host.id.text, at: backend)
        _ = try await wait(for: .approval, at: backend)
        try await host.decide(isApproved: true)
        _ = try await wait(for: .ready, at: backend)
        _ = try await choose(host.id.text, for: "bob", at: backend)
        let model = try await wait(for: .approval, of: "bob", at: backend)
        let caller = try #require(model.caller)
        #expect(await host.waitingPhones.first?.hasPrefix(caller) == true)
        try await host.decide(isApproved: true)
        _ = try await wait(for: .ready, of: "bob", at: backend)
        // An invitation in the link spares the question.
        let invitation = try #require(await host.invite())
        _ = try await choose(HostLink(host.id, invitation: invitation).text, for: "eve", at: backend)
        _ = try await wait(for: .ready, of: "eve", at: backend)
        await backend.parts.close()
    }

    @Test func deletedLearnersConnectionIsClosed() async throws {
        let host = try await ScriptedHost(on: network)
        let backend = try await backend()
        _ = try await choose(host.id.text, at: backend)
        _ = try await wait(for: .ready, at: backend)
        #expect(try await backend.parts.call(TalkCoEndpoints.deleteLearner, ["id": "ada"]).status == 200)
        #expect(try await model(at: backend).serverId == nil)
        await backend.parts.close()
    }

    @Test func connectionsAreBounded() async throws {
        let hosts = ModelHosts(
            ModelNetwork(secret: Data(repeating: 5, count: 32)) { [network] in network.dialler($0) }, clock: ContinuousClock(),
            now: { Timestamp("2026-11-20T12:00:00.000Z")! })
        let host = ServerID([UInt8](repeating: 7, count: 32))!
        func choice(_ number: Int, _ network: Int64) -> ModelChoice {
            ModelChoice(learner: Learner.ID("learner \(number)"), host: host, network: CallerNetwork(number: network))
        }
        for number in 0..<ModelHosts.maximumCountPerNetwork { _ = try await hosts.caller(for: choice(number, 1)) }
        await #expect(throws: (any Error).self) { try await hosts.caller(for: choice(100, 1)) }
        // Others are not kept out.
        for number in 200..<(200 + ModelHosts.maximumCount - ModelHosts.maximumCountPerNetwork) {
            _ = try await hosts.caller(for: choice(number, 0))
        }
        await #expect(throws: (any Error).self) { try await hosts.caller(for: choice(300, 2)) }
        await hosts.closeAll()
        _ = try await hosts.caller(for: choice(300, 2))
    }

    // MARK: Talks

    @Test func talkGoesThroughTheHost() async throws {
        let host = try await RealHost(on: network)
        let backend = try await backend()
        _ = try await choose(host.id.text, at: backend)
        let id = try await backend.create(accept: [.text])
        let greeting = Task { try await backend.start(id) }
        try await host.engine.say("Hello! ")
        try await host.engine.say("Where would you like to go?")
        try await host.engine.end()
        #expect(try await greeting.value.events.content.contains(.response("Hello! Where would you like to go?")))
        let turn = Task { try await backend.say("To Korea.", in: id) }
        try await host.engine.say("Korea is close.")
        try await host.engine.end()
        let events = try await turn.value.events.content
        #expect(events.contains(.response("Korea is close.")) && events.contains(.transcript("To Korea.")))
        let turns = try #require(host.lastTurns)
        #expect(turns.first?.content.contains("patient tutor") == true)
        #expect(turns.map(\.role) == [.user, .assistant, .user, .assistant, .user])
        #expect(turns.suffix(2).map(\.content) == ["Hello! Where would you like to go?", "To Korea."])
        await backend.parts.close()
    }

    /// The box's own tutor answers meanwhile, and the reason is said.
    @Test func talkGoesOnWhileTheHostIsAway() async throws {
        let host = try await ScriptedHost(on: network)
        let backend = try await backend()
        _ = try await choose(host.id.text, at: backend)
        _ = try await wait(for: .ready, at: backend)
        network.fault = .failure(DialError(.notFound, at: .lookup))
        await host.quit()
        let id = try await backend.create()
        let greeting = try await backend.start(id).events.content
        #expect(greeting.contains { if case .substitution = $0 { true } else { false } })
        #expect(greeting.contains { if case .response = $0 { true } else { false } })
        // It is back.
        network.fault = nil
        let back = try await RealHost(on: network)
        // A turn waits four seconds for the connection, which a busy machine may not make in that time.
        let turn = Task {
            while true {
                let events = try await backend.say("I like trains.", in: id).events.content
                if !events.contains(where: { if case .substitution = $0 { true } else { false } }) { return events }
            }
        }
        try await back.engine.say("So do I.")
        try await back.engine.end()
        #expect(try await turn.value.contains(.response("So do I.")))
        await backend.parts.close()
    }

    @Test func failureOfTheHostsModelIsSaid() async throws {
        let host = try await RealHost(on: network)
        let backend = try await backend()
        _ = try await choose(host.id.text, at: backend)
        let id = try await backend.create()
        let greeting = Task { try await backend.start(id) }
        try await host.engine.fail(.init(.failed, "The model ran out of memory."))
        let reason = try await greeting.value.events.compactMap { if case .substitution(let detail) = $0 { detail } else { nil } }
        #expect(reason == ["Your model did not answer. It says: The model ran out of memory."])
        await backend.parts.close()
    }

    // MARK: What the host is asked

    @Test func conversationIsShortenedByItsOldestTurns() {
        let messages =
            [ChatMessage(.system, "Instructions")]
            + (0..<20).flatMap { [ChatMessage(.user, "question \($0)"), ChatMessage(.assistant, "answer \($0)")] }
            + [ChatMessage(.user, "now")]
        let start = HostModel.request(messages, historySize: 100)
        #expect(start.prompt == "now" && start.messages.prefix(2).map(\.content) == ["Instructions", "I understand."])
        #expect(start.messages.dropFirst(2).reduce(0) { $0 + $1.content.utf8.count } <= 100)
        #expect(start.messages.last?.content == "answer 19" && start.messages.count % 2 == 0)
        let long = HostModel.request([ChatMessage(.user, String(repeating: "長", count: 4_000))], historySize: 100)
        #expect(Limits.accepts(prompt: long.prompt) && long.messages.contains { $0.content.utf8.count == 12_000 })
    }
}

/// A whole talk over the real peer-to-peer network, through a real host with a model server behind it.
@Suite(.serialized) struct ModelHostOverSwarmTests {
    @Test func talkGoesThroughTheNetwork() async throws {
        let servers = ModelServers()
        servers.set(.models, .body(#"{"data":[{"id":"qwen3:4b"}]}"#))
        try await servers.run { base in
            try await Testnet.with(10) { network in
                let engine = OpenAIEngine(ModelServer(at: base, http: AsyncHTTP()))
                let host = try await RealHost(accepting: SwarmTransport(node: try await network.addPeer()), answering: engine)
                let node = try await network.addPeer()
                let models = ModelNetwork(secret: Data(repeating: 5, count: 32)) { secret in
                    let keyPair = try #require(KeyPair(seed: Array(secret)))
                    return SwarmTransport(node: node, keyPair: keyPair)
                }
                let backend = try await TestBackend(models: models, realTime: true)
                _ = try await backend.parts.call(
                    TalkCoEndpoints.setModel, TutorModelChoice(serverId: host.id.text), ["id": "ada"])
                try await eventually {
                    let model: TutorModel = try await backend.parts.call(TalkCoEndpoints.model, ["id": "ada"]).value()
                    return model.state == "ready" && model.model == "qwen3:4b"
                }
                let id = try await backend.create()
                let greeting = try await backend.start(id).events.content
                #expect(greeting.contains(.response(StandInTutor.greeting)))
                for (number, text) in ["I like trains.", "I went to Korea."].enumerated() {
                    let events = try await backend.say(text, in: id).events.content
                    #expect(events.contains(.response(StandInTutor.answer(number + 1))))
                }
                expect(try await backend.close(id), 200)
                #expect(try await backend.review(id).segments.map(\.userText) == ["I like trains.", "I went to Korea."])
                await backend.parts.close()
                _ = await host.quit()
            }
        }
    }
}
