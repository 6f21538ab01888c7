import Foundation
package import Logging
import NIOTransport
package import NetworkingKit
import TalkCoWire

extension EngineConfiguration {
    /// Longer than the silence that the engines accept from a server, because the engines measure the silence themselves.
    private static let idleTimeout = Duration.seconds(180)

    /// Creates the engines.
    ///
    /// - Parameters:
    ///   - clock: Measures the silence of servers and the pauses between attempts.
    ///   - searchPath: The folders that are searched for a decoder of servers' speech.
    ///   - builtIn: Creates the built-in engines, with the configured servers.
    ///   - withRules: Adds the built-in rules to a model's judgement.
    package func engines(
        transports: any ServerTransports = NIOTransports(), clock: any Clock<Duration> = ContinuousClock(),
        searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", logger: Logger,
        builtIn: (BuiltInEngine.Servers) async throws -> Engines, withRules: (any TextJudge) -> any TextJudge = { $0 }
    ) async throws -> Engines {
        let http = AsyncHTTP(idleTimeout: Self.idleTimeout)
        func server(_ subject: String, _ server: Server, _ settings: OutsideServer.Settings) -> OutsideServer {
            OutsideServer(
                subject, at: server.address, key: server.key,
                http: server.socket.map { AsyncHTTP(socket: $0, idleTimeout: Self.idleTimeout) } ?? http, clock: clock,
                settings: settings)
        }
        let chatServer = (chat ?? (usesOpenAI ? openAI : nil)).map {
            ChatServer(
                server: server("The chat server", $0, settings(chat == nil ? nil : "chat", model: chatModel.map { ("chat", $0) })),
                model: chatModel)
        }
        let dictionary = try dictionary.map { try WordDictionary(contentsOf: $0) }
        let help = EngineHelp(dictionary: dictionary, chat: chatServer)
        let judge = chatServer.map { withRules(ChatJudge(chat: $0)) }
        let voice = (speech ?? (usesOpenAI ? openAI : nil)).map {
            SpeechServer(
                server(
                    "The speech server", $0,
                    settings(speech == nil ? nil : "speech", model: ("speech", speechModel), voice: ("speech", speechVoice))),
                model: speechModel, voice: speechVoice,
                options: .init(
                    format: speechFormat, sampleRate: speechRate,
                    names: (names["speech.format"] ?? "", names["speech.rate"] ?? ""), decoder: SoundDecoder(in: searchPath)))
        }
        let ears = transcription.map {
            TranscriptionServer(
                server: server(
                    "The transcription server", $0, settings("transcription", model: ("transcription", transcriptionModel))),
                model: transcriptionModel)
        }
        switch choice {
        case .realtime:
            guard let judge else { break }
            let engine = RealtimeEngine(
                server(
                    "The Realtime server", openAI, settings(nil, model: ("s2s", realtimeModel), voice: ("s2s", realtimeVoice))),
                over: transports.sockets(pinning: nil), model: realtimeModel,
                voice: realtimeVoice, transcriptionModel: transcriptionModel,
                news: NewsSearch(at: news, http: http, clock: clock), logger: logger)
            let info = EngineInfo(
                kind: .realtime, name: realtimeModel, hearing: .anything, speaks: true, judge: await name(of: chatServer))
            return Engines(info: info, speech: engine, judge: judge, voice: voice, help: help)
        case .pipeline:
            guard let judge, let chatServer else { break }
            // Installed programs replace servers that are not configured.
            let installed = try await builtIn(.init(transcription: ears, speech: speech == nil ? nil : voice))
            let engine = PipelineEngine(
                transcription: ears ?? installed.transcription, chat: chatServer, speech: voice ?? installed.voice,
                substitute: installed.speech, logger: logger)
            let name = await name(of: chatServer)
            let info = EngineInfo(
                kind: .pipeline, name: name, hearing: engine.transcription == nil ? .nothing : .anything,
                speaks: engine.speech != nil, judge: name, listens: engine.transcription == nil ? nil : true)
            return Engines(
                info: info, speech: engine, judge: judge, voice: engine.speech, transcription: engine.transcription, help: help)
        case .builtIn: break
        }
        var engines = try await builtIn(.init(transcription: ears, speech: speech == nil ? nil : voice))
        engines.help = help
        if let judge {
            engines.judge = judge
            engines.info.judge = await name(of: chatServer)
        }
        return engines
    }

    /// Returns the name of the model for users, or its server's address if the server does not report a name.
    private func name(of chat: ChatServer?) async -> String {
        guard let chat else { return "" }
        if chat.name == nil { try? await chat.check() }
        return chat.name ?? chat.server.name
    }

    /// Returns the settings that the errors of a server name.
    ///
    /// - Parameter server: The name of the server in its settings; nil for OpenAI's interface.
    private func settings(
        _ server: String?, model: (name: String, value: String)?, voice: (name: String, value: String)? = nil
    ) -> OutsideServer.Settings {
        func name(_ key: String) -> String { names[key] ?? key }
        let advice = server == "transcription" ? " whisper.cpp needs --inference-path /v1/audio/transcriptions." : ""
        return OutsideServer.Settings(
            address: name(server.map { "\($0).url" } ?? "openai.base.url"),
            model: model.map { ($0.value, name("\($0.name).model")) }, voice: voice.map { ($0.value, name("\($0.name).voice")) },
            missingPath: " Most addresses end with /v1." + advice)
    }
}
