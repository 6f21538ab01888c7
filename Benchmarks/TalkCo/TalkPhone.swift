import AudioKit
public import Foundation
import HTTPTypes
import NIOTransport
import NetworkingKit
import TalkCoWire
import WireKit

/// A phone of a TalkCo service, on the transports of clients on Linux.
public struct TalkPhone: Sendable {
    /// The error of an unexpected answer by the service.
    struct Refused: Error {
        var status: Int
    }

    private let calls: TalkCalls

    public init(_ address: URL) {
        calls = TalkCalls(service: RemoteService(address: address, http: AsyncHTTP(), sockets: NIOSocket()))
    }

    /// True if the tutor speaks, and understands at least its own choices.
    public func canTalk() async throws -> Bool {
        let engine = try await calls.call(TalkCoEndpoints.engine)
        return engine.speaks && engine.hearing != .nothing
    }

    /// Starts a session and hears its greeting.
    public func startTalk() async throws -> Talk {
        // A learner for each talk, since the open talks of a learner are limited.
        let creation = SessionCreation(
            userId: Learner.ID(UUID().uuidString), topicId: Topic.all[0].id, accept: [.choices])
        var talk = Talk(calls: calls, id: try await calls.call(TalkCoEndpoints.createSession, body: creation).sessionId)
        let parameters = ["id": talk.id.rawValue]
        talk.choices = try await calls.listen(TalkCoEndpoints.start.path(parameters), .none, type: nil).choices
        return talk
    }

    /// Returns a sentence as samples, in the service's voice.
    public func recording(of sentence: String) async throws -> Data {
        let body = HTTPBody.data(try WireJSON.encode(SpeechRequest(text: sentence)))
        return try await calls.listen(TalkCoEndpoints.speak.path([:]), body, type: "application/json").samples
    }
}

/// An open session.
public struct Talk: Sendable {
    fileprivate let calls: TalkCalls
    fileprivate let id: Session.ID
    /// The sentences that the learner may read aloud next.
    public var choices: [String] = []

    /// Sends a recording, and hears the answer to its end.
    public mutating func say(_ samples: Data) async throws -> HeardAnswer {
        var form = FormWriter()
        form.add(
            "audio", file: WAVFile(sampleRate: TalkModels.sampleRate, samples: samples).data, named: "audio.wav", type: "audio/wav")
        let path = TalkCoEndpoints.chat.path(["id": id.rawValue])
        let answer = try await calls.listen(path, .data(form.body), type: form.contentType)
        choices = answer.choices
        return answer
    }
}

/// An answer as a phone heard it. Times are from the beginning of the request.
public struct HeardAnswer: Sendable {
    public internal(set) var transcript = ""
    public internal(set) var transcriptTime: Duration = .zero
    public internal(set) var firstAudioTime: Duration = .zero
    /// The time since the model sent its first audio. Valid only for a model that stamps its audio.
    public internal(set) var firstAudioAge: Duration = .zero
    public internal(set) var totalTime: Duration = .zero
    public internal(set) var samples = Data()
    var choices: [String] = []
}

private struct TalkCalls: ServiceCalls {
    static let timeout: Duration = .seconds(60)
    let service: RemoteService
    var clock: any Clock<Duration> { ContinuousClock() }

    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        guard reply.head.status == .ok else { throw TalkPhone.Refused(status: reply.head.status.code) }
        return try WireJSON.decode(from: reply.body)
    }

    func failure(_ error: TransportError) -> any Error { error }

    /// Reads a stream until `done`.
    func listen(_ path: String, _ body: HTTPBody, type: String?) async throws -> HeardAnswer {
        let start = ContinuousClock.now
        var answer = HeardAnswer()
        let stream = try await service.http.stream(
            service.request(.post, path, headers: type.map { [.contentType: $0] } ?? [:]), body: body)
        guard stream.head.status == .ok else { throw TalkPhone.Refused(status: stream.head.status.code) }
        for try await event in ServerSentEvents(stream.body) {
            let now = ContinuousClock.now
            switch try TalkEvent(name: event.name, data: Data(event.data.utf8)) {
            case .transcript(let text): (answer.transcript, answer.transcriptTime) = (text, now - start)
            case .audio(let samples):
                if answer.samples.isEmpty {
                    answer.firstAudioTime = now - start
                    answer.firstAudioAge = AudioStamp(in: samples).age(at: now)
                }
                answer.samples.append(samples)
            case .choices(let choices): answer.choices = choices
            case .done:
                answer.totalTime = now - start
                return answer
            case .text, .response, .timing, .failure, .substitution, nil: break
            }
        }
        throw TransportError(.ended, "the stream ended without done")
    }
}
