import Foundation
import HTTPTypes
import ServerKit
import TalkCoStandIns
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// A chat model of one's own, of which only the address is set.
@Suite struct EngineModelTests {
    private func engines(_ base: URL, _ others: [String: String] = [:]) async throws -> Engines {
        let environment = others.merging(["CHAT_URL": base.absoluteString]) { $1 }
        return try await EngineConfiguration(try Settings(environment: environment)).engines(
            logger: .quiet, builtIn: { await .builtIn($0, searchPath: "/nonexistent", texts: .bundled) })
    }

    private static let models = HTTPFault.body(
        #"{"object":"list","data":[{"id":"nomic-embed-text"},{"id":"qwen3:4b"},{"id":"llama"}]}"#)

    /// With `/v1` at the end of the address, and without it.
    @Test(arguments: [true, false]) func theAddressIsEnough(hasVersion: Bool) async throws {
        let servers = ModelServers()
        servers.set(.models, Self.models)
        try await servers.run { base in
            let engines = try await engines(hasVersion ? base : base.deletingLastPathComponent())
            #expect(engines.info.kind == .pipeline && engines.info.name == "qwen3:4b" && engines.info.judge == "qwen3:4b")
            #expect(engines.info.hearing == .nothing && !engines.info.speaks)
            let conversation = try await engines.speech.open(EngineFixtures.brief)
            let turn = try await HeardTurn(conversation.answer(.text("I like trains")))
            #expect(turn.responses == [StandInTutor.greeting] && turn.substitutions.isEmpty)
            #expect(servers.received(.chat).last?.json?["model"]?.text == "qwen3:4b")
            #expect(servers.received(.chat).last?.headers[.authorization] == nil)
        }
    }

    @Test func modelThatIsSetIsNotLookedFor() async throws {
        let servers = ModelServers()
        servers.set(.models, .status(404))
        try await servers.run { base in
            let engines = try await engines(base, ["CHAT_MODEL": "mine"])
            #expect(engines.info.name == "mine")
            let conversation = try await engines.speech.open(EngineFixtures.brief)
            #expect(try await HeardTurn(conversation.greeting()).responses == [StandInTutor.greeting])
            #expect(servers.received(.chat).last?.json?["model"]?.text == "mine")
        }
    }

    @Test func serverWithoutAListIsAskedWithoutAModel() async throws {
        let servers = ModelServers()
        servers.set(.models, .status(404))
        try await servers.run { base in
            let conversation = try await engines(base).speech.open(EngineFixtures.brief)
            #expect(try await HeardTurn(conversation.greeting()).responses == [StandInTutor.greeting])
            #expect(servers.received(.chat).last?.json?.members?["model"] == nil)
        }
    }

    /// The built-in tutor answers while the server does not, and the reason is said; then the model goes on.
    @Test(arguments: [
        (HTTPFault.status(500), "failed (500)"), (.body("<html>Router</html>", contentType: "text/html"), "broke off"),
        (.body(#"{"error":{"message":"model \"x\" not found, try pulling it"}}"#), "not found"),
    ]) func builtInTutorAnswersWhileTheModelDoesNot(fault: HTTPFault, reason: String) async throws {
        let servers = ModelServers()
        servers.set(.models, Self.models)
        try await servers.run { base in
            let conversation = try await engines(base).speech.open(EngineFixtures.brief)
            servers.set(.chat, fault)
            let greeting = try await HeardTurn(conversation.greeting())
            #expect(greeting.responses.count == 1 && greeting.failures.isEmpty)
            #expect(greeting.substitutions.count == 1 && greeting.substitutions[0].contains(reason), "\(greeting.substitutions)")
            #expect(try await HeardTurn(conversation.answer(.text("I like trains"))).substitutions.count == 1)
            servers.set(.chat, .none)
            let turn = try await HeardTurn(conversation.answer(.text("I went to Korea")))
            #expect(turn.substitutions.isEmpty && turn.responses.count == 1)
            // The model knows what was said meanwhile.
            let messages = servers.received(.chat).last?.json?["messages"]?.list?.compactMap { $0["content"]?.text } ?? []
            #expect(messages.contains(greeting.responses[0]) && messages.contains("I like trains"))
        }
    }

    /// A web page in place of a list of models, a wrong port, and a model that is still being loaded.
    @Test(arguments: [
        (HTTPFault.body("<!DOCTYPE html><title>Router</title>", contentType: "text/html"), "web page"),
        (.status(503), "(503)"), (.body("maybe", contentType: "text/plain"), "unreadable"),
    ]) func serverThatIsNoneIsNamed(fault: HTTPFault, reason: String) async throws {
        let servers = ModelServers()
        servers.set(.models, fault)
        try await servers.run { base in
            let engines = try await engines(base)
            #expect(engines.info.name.contains("127.0.0.1"))
            let greeting = try await HeardTurn(try await engines.speech.open(EngineFixtures.brief).greeting())
            #expect(greeting.responses.count == 1 && greeting.substitutions.first?.contains(reason) == true)
            // The model is found when it is there.
            servers.set(.models, Self.models)
            let turn = try await HeardTurn(try await engines.speech.open(EngineFixtures.brief).greeting())
            #expect(turn.substitutions.isEmpty && turn.responses == [StandInTutor.greeting])
        }
    }

    @Test func wrongAddressIsNamed() async throws {
        let engines = try await engines(URL(string: "http://127.0.0.1:1/v1")!)
        let turn = try await HeardTurn(try await engines.speech.open(EngineFixtures.brief).answer(.text("Hello")))
        #expect(turn.substitutions == ["The chat server at http://127.0.0.1:1/v1 cannot be reached."] && turn.responses.count == 1)
    }
}
