package import Foundation
import NetworkingKit
package import ServerKit
import TalkCoWire
import WireKit

/// The configuration of TalkCo's engines. Read once, at the start. ``settings`` lists the names.
package struct EngineConfiguration: Sendable {
    /// The engine that speaks with learners.
    package enum Choice: String, Sendable, CaseIterable {
        case realtime
        case pipeline
        case builtIn = "built-in"
    }

    /// A server with OpenAI's interface.
    package struct Server: Sendable {
        package var address: URL
        /// The API key; nil for a server that needs none.
        package var key: String?
        /// The path of the Unix socket at which the server listens; nil for the network.
        var socket: String?

        package init(_ address: URL, key: String? = nil) {
            self.address = address
            self.key = key
        }
    }

    private static let openAIAddress = URL(string: "https://api.openai.com/v1")!
    /// The current models of OpenAI. Source: OpenAI's pages *Models* and *Deprecations*, November 2026.
    private static let openAIModels = (
        realtime: "gpt-realtime-2.1", chat: "gpt-6-luna", transcription: "gpt-transcribe", speech: "gpt-4o-mini-tts"
    )
    /// The names that self-hosted servers accept for their only model.
    private static let commonModels = (transcription: "whisper-1", speech: "tts-1")
    /// The formats of speech that may be requested from a server.
    private static let speechFormats = ["pcm", "wav", "mp3", "opus", "aac", "flac"]
    private static let speechRates = 4_000...192_000

    package var choice: Choice
    package var openAI: Server
    /// True if the operator has set a key or an address of OpenAI's interface.
    package var usesOpenAI: Bool
    package var realtimeModel = openAIModels.realtime
    package var realtimeVoice = "alloy"
    /// The chat model; nil for the first model that the chat server lists.
    package var chatModel: String?
    package var transcription: Server?
    package var transcriptionModel: String
    package var chat: Server?
    package var speech: Server?
    package var speechModel: String
    package var speechVoice = "alloy"
    /// The format of speech to request; nil for raw samples, or files if the server has no raw samples.
    package var speechFormat: String?
    /// The rate of raw samples whose media type does not state a rate, in hertz.
    package var speechRate = SpeechServer.sampleRate
    /// The address of a news feed, with `{query}`; nil for no news.
    package var news: String?
    /// The file of a dictionary in the format of CC-CEDICT; nil for none.
    package var dictionary: URL?
    /// The operator's names of the settings, by their keys, for errors.
    let names: [String: String]

    /// - Throws: `StartupError`.
    package init(_ settings: Settings) throws(StartupError) {
        let key = settings.string("openai.api.key", isSecret: true)?.trimmingCharacters(in: .whitespacesAndNewlines)
        let base = try Self.address("openai.base.url", settings)
        openAI = Server(base ?? Self.openAIAddress, key: key)
        usesOpenAI = key != nil || base != nil
        realtimeModel = settings.string("s2s.model") ?? realtimeModel
        realtimeVoice = settings.string("s2s.voice") ?? realtimeVoice
        transcription = try Self.server("transcription", settings)
        chat = try Self.server("chat", settings)
        speech = try Self.server("speech", settings)
        chatModel = settings.string("chat.model") ?? (Self.isOpenAI(chat) ? Self.openAIModels.chat : nil)
        speechModel =
            settings.string("speech.model")
            ?? (Self.isOpenAI(speech) ? Self.openAIModels.speech : Self.commonModels.speech)
        speechVoice = settings.string("speech.voice") ?? speechVoice
        if let format = settings.string("speech.format")?.lowercased() {
            guard Self.speechFormats.contains(format) else {
                throw StartupError(
                    "\(settings.name(of: "speech.format")) is \"\(format)\"; expected one of \(Self.speechFormats.joined(separator: ", "))"
                )
            }
            speechFormat = format
        }
        speechRate = try settings.integer("speech.rate", in: Self.speechRates, default: speechRate)
        let keys = [
            "openai.base.url", "s2s.model", "s2s.voice", "chat.url", "chat.model", "transcription.url", "transcription.model",
            "speech.url", "speech.model", "speech.voice", "speech.format", "speech.rate",
        ]
        names = Dictionary(uniqueKeysWithValues: keys.map { ($0, settings.name(of: $0)) })
        if let text = settings.string("news.url") {
            guard text.contains("{query}"), Self.address(text.replacing("{query}", with: "x"), allowsQuery: true) != nil else {
                throw StartupError(
                    "\(settings.name(of: "news.url")) is \"\(text)\"; expected an http or https address with {query}")
            }
            news = text
        }
        dictionary = settings.string("dictionary").map { URL(filePath: $0) }
        choice = try settings.choice("talk.engine", default: usesOpenAI ? .realtime : chat != nil ? .pipeline : .builtIn)
        transcriptionModel =
            settings.string("transcription.model")
            ?? (choice == .realtime || Self.isOpenAI(transcription)
                ? Self.openAIModels.transcription : Self.commonModels.transcription)
        switch choice {
        case .realtime where !usesOpenAI:
            throw StartupError(
                "\(settings.name(of: "talk.engine")) is \"realtime\"; set \(settings.name(of: "openai.api.key")) or \(settings.name(of: "openai.base.url")) too"
            )
        case .pipeline where chat == nil:
            throw StartupError("\(settings.name(of: "talk.engine")) is \"pipeline\"; set \(settings.name(of: "chat.url")) too")
        default: break
        }
    }

    /// Returns the configuration with installed engines in place of missing servers; nil if no server is missing, or for realtime.
    ///
    /// - Parameter socket: The path of the installed engines' socket.
    package func usingInstalled(at socket: String) -> EngineConfiguration? {
        guard choice != .realtime, transcription == nil || speech == nil else { return nil }
        var (configuration, server) = (self, Server(SpeechEngines.address))
        server.socket = socket
        if transcription == nil {
            (configuration.transcription, configuration.transcriptionModel) = (server, Self.commonModels.transcription)
        }
        if speech == nil {
            (configuration.speech, configuration.speechModel, configuration.speechVoice) = (
                server, Self.commonModels.speech, "Piper"
            )
        }
        return configuration
    }

    /// - Parameter server: The server to check; nil stands for OpenAI's own.
    private static func isOpenAI(_ server: Server?) -> Bool { server.map { $0.address.host() == openAIAddress.host() } ?? true }

    private static func server(_ name: String, _ settings: Settings) throws(StartupError) -> Server? {
        guard var address = try address("\(name).url", settings) else { return nil }
        // Manuals print the address of a call, of which only the beginning is used.
        for call in ["/chat/completions", "/audio/transcriptions", "/audio/speech"] where address.path.hasSuffix(call) {
            address = address.deletingLastPathComponent().deletingLastPathComponent()
        }
        let key = settings.string("\(name).api.key", isSecret: true)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return Server(address, key: key)
    }

    private static func address(_ key: String, _ settings: Settings) throws(StartupError) -> URL? {
        guard let text = settings.string(key) else { return nil }
        guard let address = address(text, allowsQuery: false) else {
            // The text may contain a password.
            throw StartupError("\(settings.name(of: key)) is not an http or https address without user name, password and query")
        }
        return address
    }

    private static func address(_ text: String, allowsQuery: Bool) -> URL? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil, parts.query == nil || allowsQuery,
            parts.fragment == nil
        else { return nil }
        return parts.url
    }

    /// All settings: name without prefix, meaning and default.
    package static let settings: [(name: String, meaning: String)] = [
        (name: "TALK_ENGINE", meaning: "realtime, pipeline or built-in [by the settings below]"),
        (name: "OPENAI_API_KEY", meaning: "key for OpenAI's models [none]"),
        (name: "OPENAI_BASE_URL", meaning: "address of OpenAI's interface [https://api.openai.com/v1]"),
        (name: "S2S_MODEL", meaning: "model that hears and speaks [gpt-realtime-2.1]"),
        (name: "S2S_VOICE", meaning: "its voice [alloy]"),
        (
            name: "CHAT_MODEL",
            meaning: "model for reviews, and for talks in a pipeline [gpt-6-luna; of another server the first that it lists]"
        ),
        (name: "TRANSCRIPTION_URL", meaning: "pipeline: server with /audio/transcriptions [what is installed]"),
        (name: "TRANSCRIPTION_API_KEY", meaning: "its key [none]"),
        (
            name: "TRANSCRIPTION_MODEL",
            meaning: "its model, also for realtime's transcripts [gpt-transcribe; of another server whisper-1]"
        ),
        (
            name: "CHAT_URL",
            meaning: "server with /chat/completions, for talks in a pipeline and for reviews with every engine [none]"
        ),
        (name: "CHAT_API_KEY", meaning: "its key [none]"),
        (name: "SPEECH_URL", meaning: "pipeline: server with /audio/speech [what is installed]"),
        (name: "SPEECH_API_KEY", meaning: "its key [none]"),
        (name: "SPEECH_MODEL", meaning: "its model [gpt-4o-mini-tts; of another server tts-1]"),
        (name: "SPEECH_VOICE", meaning: "its voice [alloy]"),
        (name: "SPEECH_FORMAT", meaning: "its format: pcm, wav, or with ffmpeg mp3, opus, aac or flac [pcm, else wav]"),
        (name: "SPEECH_RATE", meaning: "rate of its raw samples in hertz, where their type does not tell it [24000]"),
        (
            name: "DICTIONARY",
            meaning: "unpacked file of CC-CEDICT, for the meaning of a tapped word [of the chat server, if there is one]"
        ),
        (name: "NEWS_URL", meaning: "RSS or Atom address with {query} for questions about the news [no news]"),
    ]
}
