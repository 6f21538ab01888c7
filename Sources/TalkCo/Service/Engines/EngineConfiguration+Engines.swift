import Foundation
package import Logging
import NIOTransport
package import NetworkingKit
import TalkCoWire

extension EngineConfiguration {
    /// More than the silence that the engines accept from a server: they measure it themselves.
    private static let idleTimeout = Duration.seconds(180)

    /// Makes the engines.
    ///
    /// - Parameters:
    ///   - clock: Measures the silence of servers and the pauses between attempts.
    ///   - builtIn: Makes the built-in engines.
    ///   - withRules: Adds the built-in rules to a model's judgement.
    package func engines(
        transports: any ServerTransports = NIOTransports(), clock: any Clock<Duration> = ContinuousClock(), logger: Logger,
        builtIn: () async throws -> Engines, withRules: (any TextJudge) -> any TextJudge = { $0 }
    ) async throws -> Engines {
        let http = AsyncHTTP(idleTimeout: Self.idleTimeout)
        func server(_ subject: String, _ server: Server) -> OutsideServer {
            OutsideServer(subject, at: server.address, key: server.key, http: http, clock: clock)
        }
        let chatServer = (chat ?? (usesOpenAI ? openAI : nil)).map {
            ChatServer(server: server("The chat server", $0), model: chatModel)
        }
        let judge = chatServer.map { withRules(ChatJudge(chat: $0)) }
        let voice = (speech ?? (usesOpenAI ? openAI : nil)).map {
            SpeechServer(server("The speech server", $0), model: speechModel, voice: speechVoice)
        }
        switch choice {
        case .realtime:
            guard let judge else { break }
            let engine = RealtimeEngine(
                server("The Realtime server", openAI), over: transports.sockets(pinning: nil), model: realtimeModel,
                voice: realtimeVoice, transcriptionModel: transcriptionModel,
                news: NewsSearch(at: news, http: http, clock: clock), logger: logger)
            let info = EngineInfo(kind: .realtime, name: realtimeModel, hearing: .anything, speaks: true, judge: chatModel)
            return Engines(info: info, speech: engine, judge: judge, voice: voice)
        case .pipeline:
            guard let judge, let chatServer, let voice, let transcription else { break }
            let engine = PipelineEngine(
                transcription: TranscriptionServer(
                    server: server("The transcription server", transcription), model: transcriptionModel),
                chat: chatServer, speech: voice, logger: logger)
            let info = EngineInfo(kind: .pipeline, name: chatModel, hearing: .anything, speaks: true, judge: chatModel)
            return Engines(info: info, speech: engine, judge: judge, voice: voice)
        case .builtIn: break
        }
        var engines = try await builtIn()
        if let judge {
            engines.judge = judge
            engines.info.judge = chatModel
        }
        if speech != nil, let voice { engines.voice = voice }
        return engines
    }
}
