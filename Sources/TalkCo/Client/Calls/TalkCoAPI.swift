import AudioKit
import Foundation
import HTTPTypes
import NetworkingKit
import PlatformKit
import TalkCoWire
import WireKit

/// The service's endpoints as calls, which throw ``TalkCoProblem`` or `CancellationError`.
struct TalkCoAPI: ServiceCalls {
    /// Timeout of a call for which the service asks a model, including the service's retries.
    static let timeout: Duration = .seconds(150)
    /// Timeout of a call that the service answers from its store.
    static let storedTimeout: Duration = .seconds(20)
    /// Maximum size of a reply, in bytes: a review of a long talk.
    static let replyLimit = 16_777_216
    /// Maximum size of one event of a stream, in bytes: ten seconds of speech in base64.
    static let maximumEventSize = 1_048_576

    let service: RemoteService
    let clock: any Clock<Duration>

    // MARK: Calls

    func topics() async throws -> [Topic] { try await stored { try await $0.call(TalkCoEndpoints.topics) } }
    func engine() async throws -> EngineInfo { try await stored { try await $0.call(TalkCoEndpoints.engine) } }
    func installEngines() async throws -> EngineInfo { try await stored { try await $0.call(TalkCoEndpoints.installEngines) } }
    func createSession(_ creation: SessionCreation) async throws -> CreatedSession {
        try await stored { try await $0.call(TalkCoEndpoints.createSession, body: creation) }
    }
    func deleteSession(_ id: Session.ID) async throws -> ClosedSession {
        try await stored { try await $0.call(TalkCoEndpoints.deleteSession, ["id": id.rawValue]) }
    }
    func resume(_ id: Session.ID, accepting extensions: [SessionCreation.Extension]) async throws -> ResumedSession {
        try await stored {
            try await $0.call(TalkCoEndpoints.resume, ["id": id.rawValue], body: ResumeRequest(accept: extensions))
        }
    }
    func review(of id: Session.ID) async throws -> Review {
        try await stored { try await $0.call(TalkCoEndpoints.review, ["id": id.rawValue]) }
    }
    func correct(_ request: CorrectionRequest, in id: Session.ID) async throws -> Correction {
        try await call(TalkCoEndpoints.correct, ["id": id.rawValue], body: request)
    }
    func end(_ id: Session.ID) async throws -> EndedSession {
        try await stored { try await $0.call(TalkCoEndpoints.end, ["id": id.rawValue], body: EndRequest()) }
    }
    func profile(of user: Learner.ID) async throws -> Profile {
        try await stored { try await $0.call(TalkCoEndpoints.profile, ["id": user.rawValue]) }
    }
    func model(of user: Learner.ID) async throws -> TutorModel {
        try await stored { try await $0.call(TalkCoEndpoints.model, ["id": user.rawValue]) }
    }
    func setModel(_ serverID: String?, of user: Learner.ID) async throws -> TutorModel {
        try await stored {
            try await $0.call(TalkCoEndpoints.setModel, ["id": user.rawValue], body: TutorModelChoice(serverId: serverID))
        }
    }
    func delete(_ user: Learner.ID) async throws -> DeletedLearner {
        try await call(TalkCoEndpoints.deleteLearner, ["id": user.rawValue])
    }
    func evaluate(_ user: Learner.ID) async throws -> Profile {
        try await call(TalkCoEndpoints.evaluate, ["id": user.rawValue], body: EvaluationRequest())
    }
    func meaning(of word: String, in sentence: String) async throws -> Meaning {
        try await call(TalkCoEndpoints.meaning, [:], body: MeaningRequest(word: word, sentence: sentence))
    }
    func translation(of text: String) async throws -> Translation {
        try await call(TalkCoEndpoints.translation, [:], body: TranslationRequest(text: text))
    }
    func setGoal(_ goal: String?, of user: Learner.ID) async throws -> Profile {
        try await stored {
            try await $0.call(TalkCoEndpoints.setGoal, ["id": user.rawValue], body: LearningGoal(learningGoal: goal))
        }
    }

    private func stored<Value: Sendable>(_ call: @escaping @Sendable (TalkCoAPI) async throws -> Value) async throws -> Value {
        do {
            return try await withTimeout(Self.storedTimeout, clock: clock) { try await call(self) }
        } catch let error as TransportError {
            throw failure(error)
        }
    }

    // MARK: Streams

    func start(_ id: Session.ID) async throws -> TalkEvents {
        try await stream(TalkCoEndpoints.start.path(["id": id.rawValue]), .none, type: nil)
    }

    /// Uploads a recording.
    ///
    /// - Parameter samples: In `SpeechFormat`.
    func chat(_ samples: Data, turn: Turn.ID, in id: Session.ID) async throws -> TalkEvents {
        try await upload(samples, turn, to: TalkCoEndpoints.chat.path(["id": id.rawValue]))
    }

    /// Uploads the beginning of an unfinished recording.
    func listen(_ samples: Data, in id: Session.ID) async throws -> TalkEvents {
        try await upload(samples, nil, to: TalkCoEndpoints.listen.path(["id": id.rawValue]))
    }

    /// Off the main actor, which all phones of a box share: the form has megabytes.
    @concurrent private func upload(_ samples: Data, _ turn: Turn.ID?, to path: String) async throws -> TalkEvents {
        var form = FormWriter()
        if let turn { form.add("turn_id", turn.rawValue) }
        form.add(
            "audio", file: WAVFile(sampleRate: SpeechFormat.sampleRate, samples: samples).data, named: "audio.wav",
            type: "audio/wav")
        return try await stream(path, .data(form.body), type: form.contentType)
    }

    func chat(_ text: String, turn: Turn.ID, in id: Session.ID) async throws -> TalkEvents {
        let body = try WireJSON.encode(TypedTurn(text: text, turnId: turn))
        return try await stream(TalkCoEndpoints.chatText.path(["id": id.rawValue]), .data(body), type: "application/json")
    }

    func speak(_ text: String) async throws -> TalkEvents {
        let body = try WireJSON.encode(SpeechRequest(text: text))
        return try await stream(TalkCoEndpoints.speak.path([:]), .data(body), type: "application/json")
    }

    func recording(of segment: Segment.ID, in id: Session.ID) async throws -> TalkEvents {
        let path = TalkCoEndpoints.recording.path(["id": id.rawValue, "segment": "\(segment)"])
        return try await stream(path, .none, type: nil, method: .get)
    }

    /// Opens a stream. The caller limits the time until its events.
    @concurrent private func stream(_ path: String, _ body: HTTPBody, type: String?, method: HTTPMethod = .post) async throws
        -> TalkEvents
    {
        do {
            var headers: HTTPFields = [.accept: "text/event-stream"]
            if let type { headers[.contentType] = type }
            let stream = try await service.http.stream(service.request(method, path, headers: headers), body: body)
            if stream.head.status == .ok, stream.head.headerFields[.contentType]?.hasPrefix("text/event-stream") == true {
                return TalkEvents(stream.body, maximumEventSize: Self.maximumEventSize)
            }
            var text = Data()
            for try await chunk in stream.body where text.count + chunk.count <= 65_536 { text += chunk }
            throw TalkCoProblem(HTTPReply(head: stream.head, body: text))
        } catch let error as TransportError {
            throw failure(error)
        }
    }

    // MARK: Replies

    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        guard reply.head.status == .ok else { throw TalkCoProblem(reply) }
        do {
            return try WireJSON.decode(Value.self, from: reply.body)
        } catch {
            throw TalkCoProblem.notTalkCo
        }
    }

    func failure(_ error: TransportError) -> any Error { TalkCoProblem(error) }
}

extension TalkCoProblem {
    /// The service's words for an unknown session; a 404 for anything else has other words.
    private static let sessionNotFound = "Session not found"
    private static let stillConnecting = "still connecting"
    private static let fullConversation = "This conversation is full"
    /// Maximum length of a sentence from the service, in characters, so that it fits on a screen.
    private static let maximumSentenceLength = 1_000

    /// Creates the problem for a refused call.
    init(_ reply: HTTPReply) {
        guard let detail = try? WireJSON.decode(DetailReply.self, from: reply.body) else {
            self = reply.head.status.code == 429 ? .busy : .notTalkCo
            return
        }
        let sentence = String(detail.sentence.prefix(Self.maximumSentenceLength))
        self =
            switch reply.head.status.code {
            case 404 where sentence == Self.sessionNotFound: .sessionGone
            case 409 where sentence == Self.fullConversation: .conversationFull
            case 409, 429: .busy
            // The service stopped receiving the recording.
            case 408: .network
            case 503 where sentence.contains(Self.stillConnecting): .connecting
            case 503 where reply.head.headerFields[.retryAfter] != nil: .busy
            case 507: .serviceFull
            case 501: .cannotSpeak
            case 502...504: .engine(sentence)
            default: .service(sentence)
            }
    }
}
