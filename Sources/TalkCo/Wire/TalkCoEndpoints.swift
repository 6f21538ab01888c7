public import WireKit

/// The endpoints of the service. A success is always 200; a failure is a ``WireKit/DetailReply``.
/// Source: `Docs/Protocols/TalkCo.md`, section 2.
public enum TalkCoEndpoints {
    public static let topics = Endpoint<NoBody, [Topic]>(.get, "/topics")
    public static let createSession = Endpoint<SessionCreation, CreatedSession>(.post, "/sessions")
    public static let deleteSession = Endpoint<NoBody, ClosedSession>(.delete, "/sessions/:id")
    /// Extension: reopens the conversation of an active session after the service has closed it while idle or by a restart.
    public static let resume = Endpoint<ResumeRequest, ResumedSession>(.post, "/sessions/:id/resume")
    public static let review = Endpoint<NoBody, Review>(.get, "/sessions/:id/review")
    public static let correct = Endpoint<CorrectionRequest, Correction>(.post, "/sessions/:id/corrections")
    /// Extension: the learner's recording of a segment, as a stream with `audio` and `done`.
    public static let recording = Endpoint<NoBody, Never>(.get, "/sessions/:id/segments/:segment/recording")
    public static let end = Endpoint<EndRequest, EndedSession>(.post, "/sessions/:id/end")
    public static let profile = Endpoint<NoBody, Profile>(.get, "/users/:id/profile")
    public static let evaluate = Endpoint<EvaluationRequest, Profile>(.post, "/users/:id/evaluate")
    public static let setGoal = Endpoint<LearningGoal, Profile>(.post, "/users/:id/learning-goal")
    /// Extension: deletes everything that the service stores of a learner. Succeeds for an unknown learner as well.
    public static let deleteLearner = Endpoint<NoBody, DeletedLearner>(.delete, "/users/:id")
    /// Extension: the learner's own model for the tutor. 501 from a service without a way to such models.
    public static let model = Endpoint<NoBody, TutorModel>(.get, "/users/:id/model")
    public static let setModel = Endpoint<TutorModelChoice, TutorModel>(.post, "/users/:id/model")
    /// Extension: the engines of the service.
    public static let engine = Endpoint<NoBody, EngineInfo>(.get, "/engine")
    /// Extension: the meaning of a word in Traditional Chinese.
    public static let meaning = Endpoint<MeaningRequest, Meaning>(.post, "/meaning")
    /// Extension: the translation of a text of the tutor into Traditional Chinese.
    public static let translation = Endpoint<TranslationRequest, Translation>(.post, "/translation")
    /// Extension: installs the engines for free speech. Only for pages in browsers on the machine of the service.
    public static let installEngines = Endpoint<NoBody, EngineInfo>(.post, "/engine/installation")
    /// Extension: the voice of a sentence, as a stream with `audio` and `done`.
    public static let speak = Endpoint<SpeechRequest, Never>(.post, "/speech")

    /// The greeting, as a stream of ``TalkEvent``.
    public static let start = Endpoint<NoBody, Never>(.post, "/sessions/:id/start")
    /// A recorded turn: a form with the part `audio` and, as an extension, the part `turn_id`. Replies with a stream of ``TalkEvent``.
    public static let chat = Endpoint<NoBody, Never>(.post, "/sessions/:id/chat")
    /// Extension: the beginning of an unfinished recording, as a form with the part `audio`. Replies with a stream of `done`.
    public static let listen = Endpoint<NoBody, Never>(.post, "/sessions/:id/listen")
    /// A typed turn. Replies with a stream of ``TalkEvent``.
    public static let chatText = Endpoint<TypedTurn, Never>(.post, "/sessions/:id/chat/text")

    /// Maximum size of a recording with its form, in bytes: more than five minutes of sound.
    public static let maximumRecordingSize = 16 * 1_048_576
}

/// The body of `POST /speech`.
public struct SpeechRequest: Codable, Hashable, Sendable {
    /// The length of the text in Unicode scalar values.
    public static let textLength = 1...1_000

    public var text: String

    public init(text: String) {
        self.text = text
    }
}
