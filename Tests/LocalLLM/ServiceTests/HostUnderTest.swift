import Foundation
import LocalLLMWire
import NetworkingKit
import TestKit
import WireKit

@testable import LocalLLMService

/// An engine whose answers a test writes.
struct ScriptedEngine: Engine {
    typealias Receive = @Sendable (EngineEvent) async throws -> Void

    var name: String { "The engine of a test" }
    var list: @Sendable () async throws -> [EngineModel] = { [EngineModel("m"), EngineModel("n")] }
    /// Writes an answer.
    var script: @Sendable (EngineRequest, Receive) async throws -> FinishReason

    func models() async throws -> [EngineModel] { try await list() }

    func generate(_ request: EngineRequest, _ receive: @escaping Receive) async throws -> FinishReason {
        try await script(request, receive)
    }

    /// Says the words, and ends.
    static func saying(_ words: [String], _ reason: FinishReason = .stop) -> ScriptedEngine {
        ScriptedEngine { _, receive in
            for word in words { try await receive(.text(word)) }
            return reason
        }
    }
}

/// An engine that goes on only when a test says so.
final class SteppedEngine: Sendable {
    private enum Step: Sendable {
        case event(EngineEvent)
        case end(Result<FinishReason, EngineError>)
    }

    private let steps = Locked<AsyncStream<Step>.Continuation?>(nil)
    let requests = Locked<[EngineRequest]>([])
    let cancelled = Signal()

    var engine: ScriptedEngine {
        ScriptedEngine { [self] request, receive in
            let (stream, continuation) = AsyncStream.makeStream(of: Step.self)
            steps.withLock { $0 = continuation }
            requests.withLock { $0.append(request) }
            for await step in stream {
                switch step {
                case .event(let event): try await receive(event)
                case .end(let result):
                    steps.withLock { $0 = nil }
                    return try result.get()
                }
            }
            steps.withLock { $0 = nil }
            cancelled.send()
            throw CancellationError()
        }
    }

    private func step(_ step: Step) async throws {
        try await eventually { [self] in steps.withLock { $0 != nil } }
        _ = steps.withLock { $0?.yield(step) }
    }

    func say(_ text: String) async throws { try await step(.event(.text(text))) }
    func report(_ progress: ChatProgress) async throws { try await step(.event(.progress(progress))) }
    func end(_ reason: FinishReason = .stop) async throws { try await step(.end(.success(reason))) }
    func fail(_ error: EngineError) async throws { try await step(.end(.failure(error))) }
}

/// A host in this process, on streams in memory.
struct HostUnderTest: Sendable {
    let host: ModelHost
    let store: AnswerStore
    let notices: Locked<[HostNotice]>
    private let peers: InProcessPeers

    static let key = PeerKey([UInt8](repeating: 7, count: 32))!

    /// Runs `body` with a host. A folder that an earlier host used continues with its store.
    static func run<Value: Sendable>(
        _ engine: any Engine, configuration: ModelHost.Configuration = .init(hostName: "h", admission: .open),
        clock: any Clock<Duration> = ContinuousClock(), folder: TemporaryFolder? = nil, capacity: Int = 262_144,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) },
        _ body: @escaping @Sendable (HostUnderTest) async throws -> Value
    ) async throws -> Value {
        let folder = try folder ?? TemporaryFolder()
        let store = try AnswerStore(path: folder.file("host.db"), now: now)
        defer { store.close() }
        let peers = InProcessPeers(capacity: capacity)
        let notices = Locked([HostNotice]())
        let host = ModelHost(configuration, acceptor: peers.peer(key), engine: engine, store: store, clock: clock) { notice in
            notices.withLock { $0.append(notice) }
        }
        let test = HostUnderTest(host: host, store: store, notices: notices, peers: peers)
        return try await within {
            try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask {
                    try await host.run()
                    return nil
                }
                group.addTask {
                    try await test.until {
                        $0.contains(.announced) && $0.contains { if case .engineAvailable = $0 { true } else { false } }
                    }
                    return try await body(test)
                }
                defer { group.cancelAll() }
                while let value = try await group.next() { if let value { return value } }
                throw Unexpected()
            }
        }
    }

    /// Waits for notices.
    func until(_ isTrue: @escaping @Sendable ([HostNotice]) -> Bool) async throws {
        try await eventually { notices.withLock { isTrue($0) } }
    }

    static func phoneKey(_ number: UInt8) -> PeerKey { PeerKey([UInt8](repeating: 100 + number, count: 32))! }

    /// Connects a phone, and reads nothing.
    func dial(_ number: UInt8 = 0) async throws -> PhoneOfTests {
        PhoneOfTests(try await peers.peer(Self.phoneKey(number)).dial(.key(Self.key)))
    }

    /// Connects a phone, and reads the introduction.
    func connect(_ number: UInt8 = 0) async throws -> PhoneOfTests {
        let phone = try await dial(number)
        guard case .serverInfo = try await phone.next() else { throw Unexpected() }
        return phone
    }
}

/// A phone's end of a stream.
///
/// `@unchecked Sendable`: used from one task at a time.
final class PhoneOfTests: @unchecked Sendable {
    struct Ended: Error {}

    let stream: any ByteStream
    private var framing = NewlineFraming()
    private var lines: [Data] = []

    init(_ stream: any ByteStream) { self.stream = stream }

    func send(_ message: Message) async throws { try await stream.write(message.line + [0x0a]) }
    func send(_ text: String) async throws { try await stream.write(Data(text.utf8)) }

    func start(
        _ id: String = "r", _ prompt: String = "p", _ accept: [Feature] = [], after: Int64 = 0
    ) async throws {
        try await send(.chatStart(RequestID(id)!, ChatStart(prompt: prompt, accept: accept, after: after)))
    }

    /// - Throws: ``Ended`` at the end of the stream.
    func next() async throws -> Message {
        while lines.isEmpty {
            let bytes: Data?
            do {
                bytes = try await stream.read()
            } catch is TransportError {
                bytes = nil
            }
            guard let bytes else { throw Ended() }
            for frame in try framing.receive(bytes) {
                // No line is longer than the contract allows.
                guard case .complete(let line) = frame else { throw Unexpected() }
                lines.append(line)
            }
        }
        return try Message(line: lines.removeFirst())
    }

    /// The next message that is not an introduction.
    func nextReply() async throws -> Message {
        while true {
            let message = try await next()
            if case .serverInfo = message { continue }
            return message
        }
    }

    /// The next error.
    func nextError() async throws -> ErrorCode? {
        guard case .error(_, let report) = try await nextReply() else { return nil }
        return report.code
    }

    /// Reads the pieces of a request up to its end.
    func answer(_ id: String = "r") async throws -> (chunks: [ChatChunk], end: Message) {
        var chunks: [ChatChunk] = []
        while true {
            let message = try await nextReply()
            guard message.requestID?.text == id else { throw Unexpected() }
            switch message {
            case .chatChunk(_, let chunk): chunks.append(chunk)
            case .chatProgress: break
            default: return (chunks, message)
            }
        }
    }

    func untilEnded() async throws {
        do {
            while true { _ = try await next() }
        } catch is Ended {}
    }
}

extension [ChatChunk] {
    var text: String { map(\.text).joined() }
}
