import LocalLLMWire
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

/// One generation at a time: a host that has told one phone the end of an answer is free for the next request, of any phone.
@Suite(.seeded) struct BusyTests {
    /// The ways in which an answer ends.
    private enum End: CaseIterable {
        case stop, length, failure, refusal, abort
    }

    @Test func hostIsFreeWhenAPhoneHasTheEnd() async throws {
        let engine = ScriptedEngine { request, receive in
            try await receive(.text("a"))
            switch request.turns.last?.content {
            case "length": return .length
            case "failure": throw EngineError(.failed, "why")
            case "abort":
                for await _ in AsyncStream<Never>.makeStream().stream {}
                throw CancellationError()
            default: return .stop
            }
        }
        let refusing = ScriptedEngine { request, receive in
            guard request.turns.last?.content != "refusal" else { throw EngineError(.notFound, "why") }
            return try await engine.script(request, receive)
        }
        try await HostUnderTest.run(refusing) { test in
            var random = SeededGenerator(seed: Seed.current)
            let phones = [try await test.connect(1), try await test.connect(2)]
            for number in 1...Effort.count(300, soak: 5_000) {
                // Whoever has seen the last end makes way for the other phone, or not.
                let phone = phones[Int.random(in: 0...1, using: &random)]
                let end = End.allCases.randomElement(using: &random) ?? .stop
                let id = "request \(number)"
                try await phone.start(id, "\(end)", Bool.random(using: &random) ? [.resume] : [])
                if end == .abort {
                    guard case .chatChunk = try await phone.nextReply() else { throw Unexpected() }
                    try await phone.send(.abort(RequestID(id)!))
                }
                let last = try await phone.answer(id).end
                let expected: Message =
                    switch end {
                    case .stop: .chatEnd(RequestID(id)!, .stop)
                    case .length: .chatEnd(RequestID(id)!, .length)
                    case .abort: .chatEnd(RequestID(id)!, .abort)
                    case .failure: .error(RequestID(id)!, ErrorReport(.generationFailed, "why"))
                    case .refusal: .error(RequestID(id)!, ErrorReport(.ollamaNotFound, "why"))
                    }
                try #require(last == expected, "request \(number)")
            }
        }
    }
}
