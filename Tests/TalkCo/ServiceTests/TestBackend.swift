import AudioKit
import Foundation
import HTTPTypes
import Logging
import NetworkingKit
import ServerKit
import ServiceLifecycle
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// A whole backend on a real database, with scripted engines.
final class TestBackend: Sendable {
    let folder: TemporaryFolder
    let backend: Backend
    let engine: ScriptedEngine
    let judge: ScriptedJudge
    let clock = TestClock()
    let metrics = MetricsRegistry()
    private let time: Locked<Timestamp>

    var parts: ServiceParts { backend.parts }
    var store: Database { backend.store }

    init(
        engine: ScriptedEngine = ScriptedEngine(), judge: ScriptedJudge = ScriptedJudge(), voice: ScriptedVoice? = nil,
        help: (any LanguageHelp)? = nil, models: ModelNetwork? = nil, realTime: Bool = false, limits: TurnLimits = TurnLimits(),
        logger: Logger = .quiet, folder: TemporaryFolder? = nil,
        now: Timestamp = Timestamp("2026-11-20T12:00:00.000Z")!, configure: (inout TalkCoConfiguration) -> Void = { _ in }
    ) async throws {
        self.folder = try folder ?? TemporaryFolder()
        (self.engine, self.judge) = (engine, judge)
        var configuration = TalkCoConfiguration(database: try TestDatabase.location(self.folder.file("talkco.db")))
        configure(&configuration)
        let time = Locked(now)
        self.time = time
        let info = EngineInfo(kind: .builtIn, name: "Script", hearing: .choices, speaks: true, judge: nil)
        backend = Backend(
            configuration, store: try Database(at: configuration.database, migrations: TalkMigrations.all),
            engines: Engines(info: info, speech: engine, judge: judge, voice: voice, help: help), models: models,
            clock: realTime ? ContinuousClock() : clock, now: { time.withLock { $0 } }, limits: limits, metrics: metrics,
            logger: logger)
    }

    /// The same data in another process, as it were.
    func restarted(engine: ScriptedEngine = ScriptedEngine(), judge: ScriptedJudge? = nil) async throws -> TestBackend {
        await parts.close()
        let folder = try TestDatabase.leftBehind("talkco.db", in: folder)
        return try await TestBackend(engine: engine, judge: judge ?? self.judge, folder: folder, now: now)
    }

    /// Runs `body` with the backend's background work.
    func working<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let group = ServiceGroup(services: parts.background, logger: .quiet)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }

    var now: Timestamp { time.withLock { $0 } }
    func advance(_ duration: Duration) { time.withLock { $0 = $0 + duration } }

    // MARK: Calls

    func call(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: String = ""
    ) async throws -> ServiceReply {
        try await parts.call(method, path, headers: headers, body: Data(body.utf8))
    }

    /// A call over the box's own transport, as from a network.
    func call(from network: String, _ path: String, body: Data, type: String = "application/json") async throws -> HTTPReply {
        let transport = InProcessTransport(services: [parts], logger: .quiet).calling(from: { network })
        let service = RemoteService(
            address: InProcessTransport.address.appending(path: parts.name), http: transport, sockets: transport)
        return try await transport.send(try service.request(.post, path, headers: [.contentType: type]), body: .data(body))
    }

    /// Creates a session from a network.
    ///
    /// - Returns: The status and the session.
    func create(user: String, from network: String) async throws -> (status: Int, session: Session.ID?) {
        let reply = try await call(
            from: network, "/sessions", body: Data(#"{"user_id":"\#(user)","topic_id":"travel"}"#.utf8))
        return (reply.head.status.code, (try? WireJSON.decode(CreatedSession.self, from: reply.body))?.sessionId)
    }

    func create(
        user: String = "ada", topic: String? = "travel", mode: Session.Mode? = nil, name: String? = nil,
        accept: [SessionCreation.Extension]? = nil
    ) async throws -> Session.ID {
        let request = SessionCreation(
            userId: Learner.ID(user), topicId: topic.map { Topic.ID($0) }, mode: mode, userName: name, accept: accept)
        let reply = try await parts.call(TalkCoEndpoints.createSession, request)
        #expect(reply.status == 200, "\(reply.text)")
        return try reply.value(CreatedSession.self).sessionId
    }

    /// A session whose conversation is open.
    func opened(
        user: String = "ada", topic: String? = "travel", mode: Session.Mode? = nil, accept: [SessionCreation.Extension]? = nil
    ) async throws -> Session.ID {
        let id = try await create(user: user, topic: topic, mode: mode, accept: accept)
        expect(try await start(id), 200)
        return id
    }

    func start(_ id: Session.ID) async throws -> ServiceReply {
        try await parts.call(TalkCoEndpoints.start, id.parameters)
    }

    func say(_ text: String, in id: Session.ID, turn: String? = nil) async throws -> ServiceReply {
        try await parts.call(TalkCoEndpoints.chatText, TypedTurn(text: text, turnId: turn.map { Turn.ID($0) }), id.parameters)
    }

    func speak(_ form: TestForm, in id: Session.ID) async throws -> ServiceReply {
        try await parts.call(
            .post, TalkCoEndpoints.chat.path(id.parameters), headers: [.contentType: form.contentType], body: form.body)
    }

    func close(_ id: Session.ID) async throws -> ServiceReply {
        try await parts.call(TalkCoEndpoints.deleteSession, id.parameters)
    }

    func end(_ id: Session.ID) async throws -> ServiceReply {
        try await parts.call(TalkCoEndpoints.end, EndRequest(), id.parameters)
    }

    func review(_ id: Session.ID) async throws -> Review {
        try await parts.call(TalkCoEndpoints.review, id.parameters).value()
    }

    func profile(_ user: String = "ada") async throws -> Profile {
        try await parts.call(TalkCoEndpoints.profile, ["id": user]).value()
    }

    func ask(_ question: String, about segment: Segment.ID, in id: Session.ID) async throws -> ServiceReply {
        try await parts.call(
            TalkCoEndpoints.correct, CorrectionRequest(segmentId: segment, userMessage: question), id.parameters)
    }

    func waitFor(_ status: Session.Status, _ id: Session.ID) async throws {
        try await eventually { [self] in try await review(id).status == status }
    }

    /// A reviewed session in which `sentences` were said. Needs the background work.
    func reviewed(_ sentences: [String], user: String = "ada", topic: String = "travel") async throws -> Session.ID {
        let id = try await opened(user: user, topic: topic)
        for sentence in sentences { expect(try await say(sentence, in: id), 200) }
        expect(try await close(id), 200)
        try await waitFor(.reviewed, id)
        return id
    }

    /// As ``reviewed(_:user:topic:)``, with its review ended.
    func completed(_ sentences: [String], user: String = "ada", topic: String = "travel") async throws -> Session.ID {
        let id = try await reviewed(sentences, user: user, topic: topic)
        expect(try await end(id), 200)
        try await waitFor(.completed, id)
        return id
    }
}

extension Session.ID {
    var parameters: [String: String] { ["id": rawValue] }
}

extension ServiceReply {
    /// The text of a simple failure.
    var detail: String? {
        guard case .text(let text) = (try? value(DetailReply.self))?.detail else { return nil }
        return text
    }

    /// The invalid fields, with the reasons.
    var issues: [DetailReply.Issue] {
        guard case .issues(let issues) = (try? value(DetailReply.self))?.detail else { return [] }
        return issues
    }

    /// The events of a stream.
    ///
    /// - Throws: ``Malformed`` when the bytes are not exactly two lines and an empty one for each event.
    var events: [TalkEvent] { get throws { try TalkEvent.all(in: body) } }
}

extension TalkEvent {
    struct Malformed: Error { var text: String }

    static func all(in body: Data) throws -> [TalkEvent] {
        let text = String(decoding: body, as: UTF8.self)
        guard text.isEmpty || text.hasSuffix("\n\n") else { throw Malformed(text: text) }
        return try text.components(separatedBy: "\n\n").dropLast().map { block in
            let lines = block.components(separatedBy: "\n")
            guard lines.count == 2, lines[0].hasPrefix("event: "), lines[1].hasPrefix("data: "),
                let event = try TalkEvent(name: String(lines[0].dropFirst(7)), data: Data(lines[1].dropFirst(6).utf8))
            else { throw Malformed(text: block) }
            return event
        }
    }

    var isTiming: Bool { if case .timing = self { true } else { false } }
}

extension [TalkEvent] {
    /// Without those that measure time.
    var content: [TalkEvent] { filter { !$0.isTiming } }
    /// The samples of all events.
    var audio: Data { reduce(into: Data()) { if case .audio(let samples) = $1 { $0 += samples } } }
    /// Everything but the division of the samples.
    var essence: [TalkEvent] {
        content.filter { if case .audio = $0 { false } else { true } } + [.audio(audio)]
    }
}

/// A form with a recording.
struct TestForm {
    var boundary = "----test"
    var parts: [(header: String, content: Data)] = []

    init(_ audio: Data?, turn: String? = nil) {
        if let audio {
            parts.append(
                ("Content-Disposition: form-data; name=\"audio\"; filename=\"audio.wav\"\r\nContent-Type: audio/wav", audio))
        }
        if let turn { parts.append(("Content-Disposition: form-data; name=\"turn_id\"", Data(turn.utf8))) }
    }

    /// A form with a tone of so many samples.
    init(sampleCount: Int, sampleRate: Int = 24_000, channelCount: Int = 1, turn: String? = nil) {
        let file = WAVFile(
            sampleRate: sampleRate, channelCount: channelCount, samples: ScriptedEngine.sound(sampleCount * channelCount))
        self.init(file.data, turn: turn)
    }

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    var body: Data {
        var body = Data()
        for part in parts { body += Data("--\(boundary)\r\n\(part.header)\r\n\r\n".utf8) + part.content + Data("\r\n".utf8) }
        return body + Data("--\(boundary)--\r\n".utf8)
    }
}

func expect(
    _ reply: ServiceReply, _ status: Int, _ detail: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(reply.status == status, "\(reply.text)", sourceLocation: sourceLocation)
    if let detail { #expect(reply.detail == detail, "\(reply.text)", sourceLocation: sourceLocation) }
}

/// A door that a test opens.
final class Door: Sendable {
    private let arrival = Arrival<Void>()
    func open() { arrival.resolve(.success(())) }
    func wait() async throws { try await arrival.value() }
}
