public import Foundation
import NetworkingKit
public import ServerKit
import TalkCoWire
import WireKit

/// The configuration of TalkCo's engines. Read once, at the start. ``settings`` lists the names.
public struct EngineConfiguration: Sendable {
    /// The engine that speaks with learners.
    public enum Choice: String, Sendable, CaseIterable {
        case realtime
        case pipeline
        case builtIn = "built-in"
    }

    /// A server with OpenAI's interface.
    public struct Server: Sendable {
        public var address: URL
        /// Nil for a server that needs none.
        public var key: String?

        public init(_ address: URL, key: String? = nil) {
            self.address = address
            self.key = key
        }
    }

    private static let openAIAddress = URL(string: "https://api.openai.com/v1")!

    public var choice: Choice
    public var openAI: Server
    /// True if the operator has set a key or an address of OpenAI's interface.
    public var usesOpenAI: Bool
    public var realtimeModel = "gpt-4o-realtime-preview"
    public var realtimeVoice = "alloy"
    public var chatModel = "gpt-4o"
    public var transcription: Server?
    public var transcriptionModel = "whisper-1"
    public var chat: Server?
    public var speech: Server?
    public var speechModel = "tts-1"
    public var speechVoice = "alloy"
    /// The address of a feed, with `{query}`.
    public var news: String?

    /// - Throws: `StartupError`.
    public init(_ settings: Settings) throws(StartupError) {
        let key = settings.string("openai.api.key", isSecret: true)?.trimmingCharacters(in: .whitespacesAndNewlines)
        let base = try Self.address("openai.base.url", settings)
        openAI = Server(base ?? Self.openAIAddress, key: key)
        usesOpenAI = key != nil || base != nil
        realtimeModel = settings.string("s2s.model") ?? realtimeModel
        realtimeVoice = settings.string("s2s.voice") ?? realtimeVoice
        chatModel = settings.string("chat.model") ?? chatModel
        transcription = try Self.server("transcription", settings)
        transcriptionModel = settings.string("transcription.model") ?? transcriptionModel
        chat = try Self.server("chat", settings)
        speech = try Self.server("speech", settings)
        speechModel = settings.string("speech.model") ?? speechModel
        speechVoice = settings.string("speech.voice") ?? speechVoice
        if let text = settings.string("news.url") {
            guard text.contains("{query}"), Self.address(text.replacing("{query}", with: "x"), allowsQuery: true) != nil else {
                throw StartupError(
                    "\(settings.name(of: "news.url")) is \"\(text)\"; expected an http or https address with {query}")
            }
            news = text
        }
        let hasPipeline = transcription != nil && chat != nil && speech != nil
        choice = try settings.choice("talk.engine", default: usesOpenAI ? .realtime : hasPipeline ? .pipeline : .builtIn)
        switch choice {
        case .realtime where !usesOpenAI:
            throw StartupError(
                "\(settings.name(of: "talk.engine")) is \"realtime\"; set \(settings.name(of: "openai.api.key")) or \(settings.name(of: "openai.base.url")) too"
            )
        case .pipeline where !hasPipeline:
            let missing = [("transcription.url", transcription == nil), ("chat.url", chat == nil), ("speech.url", speech == nil)]
            let names = missing.filter(\.1).map { settings.name(of: $0.0) }.joined(separator: ", ")
            throw StartupError("\(settings.name(of: "talk.engine")) is \"pipeline\"; set \(names) too")
        default: break
        }
    }

    private static func server(_ name: String, _ settings: Settings) throws(StartupError) -> Server? {
        guard let address = try address("\(name).url", settings) else { return nil }
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
    public static let settings: [(name: String, meaning: String)] = [
        (name: "TALK_ENGINE", meaning: "realtime, pipeline or built-in [by the settings below]"),
        (name: "OPENAI_API_KEY", meaning: "key for OpenAI's models [none]"),
        (name: "OPENAI_BASE_URL", meaning: "address of OpenAI's interface [https://api.openai.com/v1]"),
        (name: "S2S_MODEL", meaning: "model that hears and speaks [gpt-4o-realtime-preview]"),
        (name: "S2S_VOICE", meaning: "its voice [alloy]"),
        (name: "CHAT_MODEL", meaning: "model for reviews, and for talks in a pipeline [gpt-4o]"),
        (name: "TRANSCRIPTION_URL", meaning: "pipeline: server with /audio/transcriptions [none]"),
        (name: "TRANSCRIPTION_API_KEY", meaning: "its key [none]"),
        (name: "TRANSCRIPTION_MODEL", meaning: "its model, also for realtime's transcripts [whisper-1]"),
        (name: "CHAT_URL", meaning: "pipeline: server with /chat/completions; also for reviews with every engine [none]"),
        (name: "CHAT_API_KEY", meaning: "its key [none]"),
        (name: "SPEECH_URL", meaning: "pipeline: server with /audio/speech [none]"),
        (name: "SPEECH_API_KEY", meaning: "its key [none]"),
        (name: "SPEECH_MODEL", meaning: "its model [tts-1]"),
        (name: "SPEECH_VOICE", meaning: "its voice [alloy]"),
        (name: "NEWS_URL", meaning: "RSS or Atom address with {query} for questions about the news [no news]"),
    ]
}
