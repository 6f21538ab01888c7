import Foundation
import Logging
import NIOTransport
import TalkCoStandIns
import TalkCoWire
import TestKit
import WireKit

@testable import TalkCoService

/// Engines on the stand-ins, and what tests need for them.
enum EngineFixtures {
    static let key = "sk-secret"
    static let brief = TalkBrief(
        mode: .conversation, topic: Topic.all[1], learnerName: "Mei", level: .b1, learningGoal: "Talk to customers",
        personalFacts: ["Has a dog"], earlierTalks: ["They talked about Japan."], now: Timestamp(milliseconds: 1_795_000_000_000))

    static func server(_ subject: String, _ base: URL, clock: any Clock<Duration>, key: String? = key) -> OutsideServer {
        OutsideServer(subject, at: base, key: key, http: AsyncHTTP(idleTimeout: .seconds(600)), clock: clock)
    }

    static func realtime(
        _ base: URL, model: String = "gpt-realtime", news: Bool = true, key: String? = key,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> RealtimeEngine {
        let address = news ? base.deletingLastPathComponent().absoluteString + "news?q={query}&hl=en" : nil
        return RealtimeEngine(
            server("The Realtime server", base, clock: clock, key: key), over: NIOSocket(), model: model, voice: "alloy",
            transcriptionModel: "whisper-1", news: NewsSearch(at: address, http: AsyncHTTP(), clock: clock), logger: .quiet)
    }

    static func chat(_ base: URL, clock: any Clock<Duration> = ContinuousClock(), key: String? = key) -> ChatServer {
        ChatServer(server: server("The chat server", base, clock: clock, key: key), model: "gpt-4o")
    }

    static func speech(
        _ base: URL, options: SpeechServer.Options = .init(), clock: any Clock<Duration> = ContinuousClock()
    ) -> SpeechServer {
        SpeechServer(server("The speech server", base, clock: clock), model: "tts-1", voice: "alloy", options: options)
    }

    static func pipeline(_ base: URL, clock: any Clock<Duration> = ContinuousClock(), key: String? = key) -> PipelineEngine {
        PipelineEngine(
            transcription: TranscriptionServer(
                server: server("The transcription server", base, clock: clock, key: key), model: "whisper-1"),
            chat: chat(base, clock: clock, key: key), speech: speech(base, clock: clock), logger: .quiet)
    }

    /// A recording of two seconds and a half.
    static let recording = StandInTutor.voice(String(repeating: "a", count: 50))
}

/// The pieces of a turn, with its audio joined.
struct HeardTurn: Equatable {
    var transcripts: [String] = []
    var audio = Data()
    var responses: [String] = []
    /// The answers that came before their voice.
    var texts: [String] = []
    var failures: [String] = []
    /// The reasons why another tutor answered.
    var substitutions: [String] = []
    /// The names of the pieces in order, without repetitions.
    var order: [String] = []

    init() {}

    /// Reads a whole turn.
    init(_ stream: AsyncThrowingStream<TurnPiece, any Error>) async throws {
        self = try await within {
            var heard = HeardTurn()
            for try await piece in stream { heard.add(piece) }
            return heard
        }
    }

    mutating func add(_ piece: TurnPiece) {
        let name: String
        switch piece {
        case .transcript(let text):
            transcripts.append(text)
            name = "transcript"
        case .audio(let samples):
            audio += samples
            name = "audio"
        case .response(let text):
            responses.append(text)
            name = "response"
        case .choices: name = "choices"
        case .text(let text):
            texts.append(text)
            return
        case .failure(let reason):
            failures.append(reason)
            return
        case .substitution(let reason):
            substitutions.append(reason)
            return
        case .progress: return
        }
        if order.last != name { order.append(name) }
    }
}
