import Foundation
import LocalLLMService
import LocalLLMWire
import NetworkingKit
import SwarmBenchmarks
import SwarmTransport
import WireKit

/// A LocalLLM host with a real store and a phone, on a private network of ten nodes in this process. The engine is a stand-in that
/// records the time of each token.
public enum ChatBenchmarks {
    private static let warmUpCount = 5

    struct UnexpectedMessage: Error {}

    // MARK: Connecting

    /// Measures dials by Server ID, one after the other, each to the host's introduction.
    public static func connect(count: Int) async throws -> [Duration] {
        try await withHost(TokenEngine(count: 0)) { host in
            var times: [Duration] = []
            for _ in 0..<warmUpCount + count {
                let start = ContinuousClock.now
                let phone = try await host.connect()
                times.append(.now - start)
                phone.stream.close()
            }
            return Array(times.dropFirst(warmUpCount))
        }
    }

    // MARK: Tokens

    /// Measures the delays of tokens from the engine to the phone, where the engine makes `rate` tokens a second.
    ///
    /// - Parameter isStored: True if the phone can resume, so that each token is on disk before it is sent.
    public static func delays(count: Int, rate: Int, isStored: Bool) async throws -> [Duration] {
        let engine = TokenEngine(count: warmUpCount + count, rate: rate)
        return try await withHost(engine) { host in
            var delays: [Duration] = []
            try await host.connect().chat(isStored: isStored) { tokens in
                let now = ContinuousClock.now
                for token in tokens { delays.append(now - engine.time(of: token)) }
            }
            return Array(delays.dropFirst(warmUpCount))
        }
    }

    /// Measures the tokens a second at the phone, with an engine without pauses, from the request to the end of the answer.
    ///
    /// - Parameters:
    ///   - count: Count of tokens of 8 bytes. An answer has at most 1 MiB.
    ///   - isStored: As in ``delays(count:rate:isStored:)``.
    public static func rate(count: Int, isStored: Bool) async throws -> Double {
        try await withHost(TokenEngine(count: count)) { host in
            let phone = try await host.connect()
            let start = ContinuousClock.now
            var received = 0
            try await phone.chat(isStored: isStored) { received += $0.count }
            guard received == count else { throw UnexpectedMessage() }
            return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
        }
    }

    // MARK: Host

    private struct RunningHost {
        let id: PeerKey
        let transport: SwarmTransport

        /// Connects a phone, and reads the introduction.
        func connect() async throws -> TokenPhone {
            let phone = TokenPhone(try await transport.dial(.key(id)) { _ in })
            guard case .serverInfo = try await phone.next() else { throw UnexpectedMessage() }
            return phone
        }
    }

    private static func withHost<Result: Sendable>(
        _ engine: TokenEngine, _ body: @escaping @Sendable (RunningHost) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "localllm-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try AnswerStore(path: folder.appending(path: "host.db").path)
        defer { store.close() }
        return try await Testnet.with { testnet in
            let (announced, continuation) = AsyncStream.makeStream(of: Void.self)
            let acceptor = SwarmTransport(node: testnet.server)
            let host = ModelHost(.init(hostName: "bench"), acceptor: acceptor, engine: engine, store: store) { notice in
                if notice == .announced { continuation.finish() }
            }
            async let running: Void = host.run()
            for await _ in announced {}
            let result = try await body(RunningHost(id: acceptor.ownKey, transport: SwarmTransport(node: testnet.client)))
            await host.quit()
            try await running
            return result
        }
    }
}

/// A phone that reads tokens.
private final class TokenPhone {
    let stream: any ByteStream
    private var framing = NewlineFraming()
    private var frames: ArraySlice<NewlineFraming.Frame> = []

    init(_ stream: any ByteStream) { self.stream = stream }

    func next() async throws -> Message {
        while true {
            if case .complete(let line)? = frames.popFirst() { return try Message(line: line) }
            guard let bytes = try await stream.read() else { throw ChatBenchmarks.UnexpectedMessage() }
            frames += try framing.receive(bytes)
        }
    }

    /// Sends a request, and reads the answer to its end.
    func chat(isStored: Bool, onTokens: (Range<Int>) -> Void) async throws {
        guard let id = RequestID("r") else { throw ChatBenchmarks.UnexpectedMessage() }
        let start = ChatStart(prompt: "p", accept: isStored ? [.resume] : [])
        try await stream.write(Message.chatStart(id, start).line + [0x0a])
        // A chunk may end inside a token, which counts with its last byte.
        var (bytes, count) = (0, 0)
        while true {
            switch try await next() {
            case .chatChunk(_, let chunk):
                bytes += chunk.text.utf8.count
                let end = bytes / TokenEngine.token.utf8.count
                onTokens(count..<end)
                count = end
            case .serverInfo: break
            case .chatEnd: return
            default: throw ChatBenchmarks.UnexpectedMessage()
            }
        }
    }
}

/// An engine that repeats one token.
private final class TokenEngine: Engine {
    static let token = " letters"

    private let count: Int
    private let rate: Int?
    private let times = Locked([ContinuousClock.Instant]())

    /// - Parameter rate: Tokens a second; nil for no pauses. Without a rate no times are recorded.
    init(count: Int, rate: Int? = nil) { (self.count, self.rate) = (count, rate) }

    var name: String { "The engine of a benchmark" }
    func models() async throws -> [EngineModel] { [EngineModel("tokens")] }

    func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        var next = ContinuousClock.now
        for _ in 0..<count {
            if let rate {
                next += .seconds(1) / rate
                try await Task.sleep(until: next)
                times.withLock { $0.append(.now) }
            }
            try await receive(.text(Self.token))
        }
        return .stop
    }

    /// Returns the time at which the engine made a token.
    func time(of token: Int) -> ContinuousClock.Instant { times.withLock { $0[token] } }
}
