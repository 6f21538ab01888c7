import LocalLLMWire
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

/// Names of hosts and models, and texts for the log.
@Suite struct ModelChoiceTests {
    @Test func onlyModelsOfTheEngineAreSelected() async throws {
        let models = Locked([EngineModel("llama:latest"), EngineModel("qwen:7b")])
        var engine = ScriptedEngine.saying([])
        engine.list = { models.withLock { $0 } }
        try await HostUnderTest.run(engine) { test in
            try await test.host.selectModel("qwen:7b")
            #expect(await test.host.model == "qwen:7b")
            // A missing tag means `latest`.
            try await test.host.selectModel("llama")
            #expect(await test.host.model == "llama:latest")
            let error = await #expect(throws: EngineError.self) { try await test.host.selectModel("qwen") }
            #expect(error?.detail.contains("llama:latest, qwen:7b") == true)
            #expect(await test.host.model == "llama:latest")
            // One that was installed meanwhile.
            models.withLock { $0.append(EngineModel("new")) }
            try await test.host.selectModel("new")
            #expect(await test.host.model == "new")
        }
    }

    @Test func silentEngineLeavesTheModel() async throws {
        let isGone = Locked(false)
        var engine = ScriptedEngine.saying([])
        engine.list = {
            if isGone.withLock({ $0 }) { throw EngineError(.notFound, "gone") }
            return [EngineModel("m"), EngineModel("n")]
        }
        try await HostUnderTest.run(engine) { test in
            isGone.withLock { $0 = true }
            let error = await #expect(throws: EngineError.self) { try await test.host.selectModel("n") }
            #expect(error?.code == .notFound)
            #expect(await test.host.model == "m")
        }
    }

    @Test func configuredModelThatIsMissingIsReported() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying([]), configuration: .init(hostName: "h", model: "no")) { test in
            try await test.until { $0.contains(.modelMissing("no")) }
            guard case .serverInfo(let info) = try await test.dial().next() else { throw Unexpected() }
            #expect(info.model == "no" && info.models == ["m", "n"])
        }
        try await HostUnderTest.run(ScriptedEngine.saying([]), configuration: .init(hostName: "h", model: "m")) { test in
            try await test.connect().stream.close()
            #expect(test.notices.withLock { !$0.contains { if case .modelMissing = $0 { true } else { false } } })
        }
    }

    @Test func introductionFitsIntoALineWhateverTheEngineSays() async throws {
        var engine = ScriptedEngine.saying([])
        let names = (0..<5_000).map { "\"\\\"\\\"\\\"\\model-with-a-long-name-\($0)" }
        engine.list = {
            [EngineModel("evil\u{1b}[2J\n"), EngineModel(""), EngineModel(String(repeating: "x", count: 70_000))]
                + names.map { EngineModel($0) }
        }
        let name = String(repeating: "\u{1b}😀\n", count: 10_000)
        try await HostUnderTest.run(engine, configuration: .init(hostName: name)) { test in
            let message = try await test.dial().next()
            #expect(message.line.count <= Limits.lineSize)
            guard case .serverInfo(let info) = message else { throw Unexpected() }
            #expect(info.model == names[0] && info.models.count > 100)
            #expect(info.models == Array(names.prefix(info.models.count)))
            #expect(info.hostName.utf8.count <= 256 && info.hostName.hasPrefix("😀 😀"))
            // Nothing that can be shown: the name stays.
            await test.host.setHostName(" \u{7}\n")
            #expect(await test.host.hostName == info.hostName)
        }
    }

    @Test func logHasNothingOfTheServersWords() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start("r", "the secret prompt")
            try await engine.fail(EngineError(.failed, "The model server stopped.", serverText: "bad: the secret prompt"))
            let report = ErrorReport(.generationFailed, "The model server stopped. The server says: bad: the secret prompt")
            #expect(try await phone.answer().end == .error(RequestID("r")!, report))
            try await test.until { $0.contains(.generationFailed(ErrorReport(.generationFailed, "The model server stopped."))) }
            try await phone.start("s", "the secret prompt")
            try await engine.say("the secret answer")
            try await engine.end()
            _ = try await phone.answer("s")
            try await test.until { $0.contains(.generationFinished(.stop, size: 17)) }
            #expect(test.notices.withLock { $0.allSatisfy { !$0.words.contains("secret") } })
        }
    }
}
