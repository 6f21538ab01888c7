import LocalLLMService
import LocalLLMWire
import TestKit
import Testing
import WireKit

@Suite struct DemoEngineTests {
    private func answer(to turns: [ChatTurn]) async throws -> (String, FinishReason) {
        let text = Locked("")
        let reason = try await DemoEngine(pause: .zero).generate(EngineRequest(model: DemoEngine.model, turns: turns)) { event in
            if case .text(let piece) = event { text.withLock { $0 += piece } }
        }
        return (text.withLock { $0 }, reason)
    }

    @Test func saysThatItIsNoModel() async throws {
        let (text, reason) = try await answer(to: [ChatTurn(.user, "two words")])
        #expect(text.contains("No language model answers here"))
        #expect(text.hasSuffix("words two"))
        #expect(reason == .stop)
    }

    @Test func givesTheSameAnswerToTheSameConversation() async throws {
        let turns = [ChatTurn(.user, "a"), ChatTurn(.assistant, "b"), ChatTurn(.user, "```` c ````")]
        let (first, second) = (try await answer(to: turns), try await answer(to: turns))
        #expect(first == second)
        #expect(first.0 == DemoEngine.answer(to: turns))
        #expect(first.0.contains("2 earlier turns") && first.0.contains("`````\n"))
    }

    @Test func hasOneModel() async throws {
        let engine = DemoEngine()
        #expect(try await engine.models() == [EngineModel("demo")])
        let error = await #expect(throws: EngineError.self) {
            try await engine.generate(EngineRequest(model: "other", turns: [])) { _ in }
        }
        #expect(error?.code == .modelNotAvailable)
    }
}
