import AudioKit
import Foundation
import Logging
import NetworkingKit
import TalkCoWire
import WireKit

/// A conversation with a Realtime model.
///
/// A connection that was lost between two turns, for example because the server expired it, is reopened with the turns so far.
/// The loss of a connection during a turn fails the turn.
final class RealtimeConversation: Conversation {
    private struct State {
        var link: RealtimeLink?
        var turns: [TalkTurn]
        var isClosed = false
    }

    /// Maximum count of turns that a new connection gets.
    private static let maximumTurnCount = 40
    /// Timeout of the transcript after the answer is complete.
    private static let transcriptTimeout = Duration.seconds(10)
    /// Timeout of the end of a response after its function call.
    private static let callTimeout = Duration.seconds(3)
    /// Timeout of the end of an earlier turn's cancelled response.
    private static let drainTimeout = Duration.seconds(5)

    private let engine: RealtimeEngine
    private let instructions: String
    private let state: Locked<State>

    init(_ engine: RealtimeEngine, _ brief: TalkBrief) {
        self.engine = engine
        instructions = ConversationPrompt.instructions(for: brief)
        state = Locked(State(turns: brief.turns))
    }

    func connect() async throws { _ = try await openLink() }

    func greeting() -> AsyncThrowingStream<TurnPiece, any Error> {
        BoundedStream.make { send in try await self.run(nil, send) }
    }

    func answer(_ input: TurnInput) -> AsyncThrowingStream<TurnPiece, any Error> {
        BoundedStream.make { send in try await self.run(input, send) }
    }

    func close() async {
        let link = state.withLock { state in
            state.isClosed = true
            defer { state.link = nil }
            return state.link
        }
        link?.close()
    }

    /// Returns the open connection, or a new one.
    private func openLink() async throws -> RealtimeLink {
        let (link, turns, isClosed) = state.withLock { ($0.link, $0.turns, $0.isClosed) }
        guard !isClosed else { throw EngineError(.failed, "The conversation is closed.") }
        if let link, link.end == nil { return link }
        let new = try await engine.connect(instructions: instructions, earlierTurns: turns.suffix(Self.maximumTurnCount))
        let isUnwanted = state.withLock { state in
            if !state.isClosed { state.link = new }
            return state.isClosed
        }
        guard !isUnwanted else {
            new.close()
            throw EngineError(.failed, "The conversation is closed.")
        }
        return new
    }

    // MARK: Turns

    private func run(_ input: TurnInput?, _ send: @escaping BoundedStream<TurnPiece>.Send) async throws {
        if case .speech(let samples) = input, !SpeechGate.hasSpeech(samples, sampleRate: SpeechServer.sampleRate) {
            return try await send(.transcript(""))
        }
        let link = try await openLink()
        let turn = link.beginTurn()
        defer { link.endTurn(turn) }
        let collected = Locked((learner: "", tutor: ""))
        if case .text(let text) = input { collected.withLock { $0.learner = text } }
        do {
            try await Silence.limited(by: engine.clock, of: engine.server.subject) { didHear in
                try await self.course(of: turn, on: link, input, didHear) { piece in
                    switch piece {
                    case .transcript(let text): collected.withLock { $0.learner = text }
                    case .response(let text): collected.withLock { $0.tutor = text }
                    default: break
                    }
                    try await send(piece)
                }
            }
        } catch let error as EngineError where error.code == .timedOut {
            engine.logger.warning("A turn ended without an answer", metadata: ["talkco.reason": "\(error)"])
            try await send(.failure(error.description))
            // A connection may be dead without a close frame: check it, or the next turn would be silent too.
            if await !link.isAlive(within: .seconds(5), clock: engine.clock) { link.close() }
        }
        let (learner, tutor) = collected.withLock { $0 }
        guard !learner.isEmpty, !tutor.isEmpty else { return }
        state.withLock { state in
            let index = (state.turns.last?.index ?? -1) + 1
            state.turns = (state.turns + [TalkTurn(index: index, learner: learner, tutor: tutor)]).suffix(Self.maximumTurnCount)
        }
    }

    private func course(
        of turn: RealtimeLink.Turn, on link: RealtimeLink, _ input: TurnInput?, _ didHear: @Sendable () -> Void,
        _ send: @escaping BoundedStream<TurnPiece>.Send
    ) async throws {
        try await drain(turn, link)
        var machine = RealtimeTurn(isSpoken: false)
        switch input {
        case .speech(let samples):
            machine = RealtimeTurn(isSpoken: true)
            for start in stride(from: 0, to: samples.count, by: RealtimeRequests.audioChunkSize) {
                let chunk = samples.dropFirst(start).prefix(RealtimeRequests.audioChunkSize)
                try await link.append(Data(chunk), in: turn)
            }
            try link.commit(in: turn)
        case .text(let text): try link.post("item", in: turn) { try RealtimeRequests.learnerText(text, id: $0) }
        case nil: break
        }
        try link.createResponse(in: turn)
        while true {
            let actions: [RealtimeTurn.Action]
            switch try await next(of: turn, machine) {
            case .event(let event): actions = machine.receive(event)
            case .drained: continue
            case nil: actions = machine.isAnswered ? machine.giveUpTranscript() : machine.giveUpResponse()
            }
            didHear()
            for action in actions {
                switch action {
                case .send(let piece): try await send(piece)
                case .call(let call):
                    let output = await engine.news.answer(call)
                    try link.post("output", in: turn) { try RealtimeRequests.callOutput(output, of: call, id: $0) }
                case .respond: try link.createResponse(in: turn)
                case .end(let reason):
                    if let reason {
                        let reason = engine.server.withoutKey(reason)
                        engine.logger.warning("A turn ended without an answer", metadata: ["talkco.reason": "\(reason)"])
                        try await send(.failure(reason))
                    }
                    return
                }
                // A slow receiver does not count as silence of the server.
                didHear()
            }
        }
    }

    /// Returns the next event; nil after a timeout, if the turn can continue without the event.
    private func next(of turn: RealtimeLink.Turn, _ machine: RealtimeTurn) async throws -> RealtimeLink.Incoming? {
        if machine.isAnswered { return try await next(of: turn, within: Self.transcriptTimeout) }
        if machine.hasOpenCalls { return try await next(of: turn, within: Self.callTimeout) }
        return try await incoming(turn)
    }

    private func next(of turn: RealtimeLink.Turn, within limit: Duration) async throws -> RealtimeLink.Incoming? {
        do {
            return try await withTimeout(limit, clock: engine.clock) { try await self.incoming(turn) }
        } catch let error as TransportError where error.code == .timedOut {
            try Task.checkCancellation()
            return nil
        }
    }

    private func incoming(_ turn: RealtimeLink.Turn) async throws -> RealtimeLink.Incoming {
        // The inbox ends without an error when another turn has begun.
        guard let incoming = try await turn.inbox.next() else { throw CancellationError() }
        return incoming
    }

    /// Waits for the end of an earlier turn's cancelled response: a server refuses a second response at the same time.
    private func drain(_ turn: RealtimeLink.Turn, _ link: RealtimeLink) async throws {
        guard !link.isQuiet else { return }
        while let incoming = try await next(of: turn, within: Self.drainTimeout) {
            if case .drained = incoming { return }
        }
        link.forgetEarlierTurns()
    }
}
