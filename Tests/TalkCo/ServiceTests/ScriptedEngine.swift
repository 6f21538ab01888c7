import Foundation
import TalkCoWire
import WireKit

@testable import TalkCoService

typealias Output = AsyncThrowingStream<TurnPiece, any Error>.Continuation

/// A speech engine that does what a test tells it.
final class ScriptedEngine: SpeechEngine {
    struct Script: Sendable {
        var open: @Sendable (TalkBrief) async throws -> Void = { _ in }
        var greet: @Sendable (Output) async -> Void = { output in
            output.yield(.audio(ScriptedEngine.sound(4)))
            output.yield(.response("Hello!"))
            output.finish()
        }
        var answer: @Sendable (TurnInput, Output) async -> Void = { input, output in
            output.yield(.audio(ScriptedEngine.sound(4)))
            if case .speech(let samples) = input { output.yield(.transcript("I said \(samples.count) bytes")) }
            output.yield(.audio(ScriptedEngine.sound(6)))
            output.yield(.response("Answer to \(input.text)"))
            output.finish()
        }
    }

    struct Record: Sendable {
        var briefs: [TalkBrief] = []
        var inputs: [TurnInput] = []
        var greetingCount = 0
        var openCount = 0
        var closeCount = 0
    }

    let script: Locked<Script>
    let record = Locked(Record())

    init(_ script: Script = Script()) { self.script = Locked(script) }

    var briefs: [TalkBrief] { record.withLock { $0.briefs } }
    var inputs: [TurnInput] { record.withLock { $0.inputs } }

    func onOpen(_ body: @escaping @Sendable (TalkBrief) async throws -> Void) { script.withLock { $0.open = body } }
    func onGreet(_ body: @escaping @Sendable (Output) async -> Void) { script.withLock { $0.greet = body } }
    func onAnswer(_ body: @escaping @Sendable (TurnInput, Output) async -> Void) { script.withLock { $0.answer = body } }

    func open(_ brief: TalkBrief) async throws -> any Conversation {
        record.withLock { $0.briefs.append(brief) }
        try await script.withLock { $0.open }(brief)
        record.withLock { $0.openCount += 1 }
        return ScriptedConversation(self)
    }

    /// Samples whose bytes count up.
    static func sound(_ sampleCount: Int) -> Data {
        var sound = Data(capacity: sampleCount * 2 + round.count)
        while sound.count < sampleCount * 2 { sound.append(round) }
        return sound.prefix(sampleCount * 2)
    }

    private static let round = Data(0...UInt8.max)
}

extension TurnInput {
    var text: String {
        switch self {
        case .text(let text): text
        case .speech(let samples): "\(samples.count) bytes"
        }
    }
}

private final class ScriptedConversation: Conversation {
    private let engine: ScriptedEngine

    init(_ engine: ScriptedEngine) { self.engine = engine }

    func greeting() -> AsyncThrowingStream<TurnPiece, any Error> {
        engine.record.withLock { $0.greetingCount += 1 }
        let body = engine.script.withLock { $0.greet }
        return stream { await body($0) }
    }

    func answer(_ input: TurnInput) -> AsyncThrowingStream<TurnPiece, any Error> {
        engine.record.withLock { $0.inputs.append(input) }
        let body = engine.script.withLock { $0.answer }
        return stream { await body(input, $0) }
    }

    func close() async { engine.record.withLock { $0.closeCount += 1 } }

    private func stream(_ body: @escaping @Sendable (Output) async -> Void) -> AsyncThrowingStream<TurnPiece, any Error> {
        let (stream, output) = AsyncThrowingStream.makeStream(of: TurnPiece.self)
        let task = Task { await body(output) }
        output.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// A voice that does what a test tells it.
struct ScriptedVoice: Voice {
    var body: @Sendable (String, AsyncThrowingStream<Data, any Error>.Continuation) -> Void

    func speech(_ text: String) -> AsyncThrowingStream<Data, any Error> {
        let (stream, output) = AsyncThrowingStream.makeStream(of: Data.self)
        body(text, output)
        return stream
    }
}
