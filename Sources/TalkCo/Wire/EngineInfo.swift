/// Extension: the reply of `GET /engine`, the engines of a service and their limits.
public struct EngineInfo: Codable, Hashable, Sendable {
    /// The engine that speaks with the learner.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// A model that hears and speaks by itself, such as OpenAI's Realtime.
        case realtime
        /// Separate servers for transcription, chat and speech.
        case pipeline
        /// The scripted conversation of the service itself.
        case builtIn = "built_in"
    }

    /// The speech that the engine understands.
    public enum Hearing: String, Codable, Hashable, Sendable {
        /// Free speech.
        case anything
        /// The sentences that the engine has offered as choices, read aloud. Other turns are typed.
        case choices
        /// None: turns are typed.
        case nothing
    }

    public var kind: Kind
    /// The engine's name as users see it, such as a model's name.
    public var name: String
    public var hearing: Hearing
    /// True if the tutor's answers have a voice.
    public var speaks: Bool
    /// The text judge's name as users see it, such as a model's name; nil for the built-in rules.
    public var judge: String?
    /// True if the service knows the meaning of words; otherwise absent.
    public var explains: Bool?
    /// True if the service translates the tutor's words; otherwise absent.
    public var translates: Bool?
    /// True if the service accepts the beginning of a recording that is not finished.
    public var listens: Bool?
    /// The installation of engines for free speech; nil if the service has none to install.
    public var installation: EngineInstallation?

    public init(kind: Kind, name: String, hearing: Hearing, speaks: Bool, judge: String?, listens: Bool? = nil) {
        self.kind = kind
        self.name = name
        self.hearing = hearing
        self.speaks = speaks
        self.judge = judge
        self.listens = listens
    }
}
