import Foundation
package import LocalLLMService
package import LocalLLMWire
package import NetworkingKit
package import TestKit
import WireKit

/// The real host, with an engine that a test steps.
package final class RealHost: Sendable {
    package let host: ModelHost
    package let engine: SteppedAnswers
    private let key: PeerKey
    private let folder: TemporaryFolder
    private let running: Task<Void, Never>
    private let store: AnswerStore
    private let notices = Locked([HostNotice]())

    /// Starts a host. A folder that an earlier host used continues with its store.
    ///
    /// - Parameter other: Answers in place of ``engine``.
    package convenience init(
        on network: TestPeers, key number: UInt8 = 7, folder: TemporaryFolder? = nil, approvesPhones: Bool = false,
        answering other: (any Engine)? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        let key = PeerKey([UInt8](repeating: number, count: 32))!
        try await self.init(
            accepting: network.peers.peer(key), folder: folder, approvesPhones: approvesPhones, answering: other, clock: clock)
    }

    /// Starts a host on any network. See ``init(on:key:folder:approvesPhones:answering:clock:)``.
    package init(
        accepting peer: any ByteStreamAcceptor, folder: TemporaryFolder? = nil, approvesPhones: Bool = false,
        answering other: (any Engine)? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        key = peer.ownKey
        self.folder = try folder ?? TemporaryFolder()
        engine = SteppedAnswers()
        let store = try AnswerStore(path: self.folder.file("host.db"))
        self.store = store
        let notices = notices
        let host = ModelHost(
            .init(hostName: "Ada’s Mac", admission: approvesPhones ? .known : .open), acceptor: peer, engine: other ?? engine,
            store: store,
            clock: clock
        ) { notice in
            notices.withLock { $0.append(notice) }
        }
        self.host = host
        running = Task { try? await host.run() }
        try await eventually {
            notices.withLock { notices in
                notices.contains(.announced) && notices.contains { if case .engineAvailable = $0 { true } else { false } }
            }
        }
    }

    deinit { running.cancel() }

    package var id: ServerID { ServerID(key.bytes)! }

    /// The number of connections so far.
    package var connectionCount: Int {
        notices.withLock { notices in
            var count = 0
            for case .phoneConnected in notices { count += 1 }
            return count
        }
    }

    /// True while no answer is being generated.
    package var isIdle: Bool { get async { await host.state == .ready } }
    /// The conversation of the last request, oldest turn first.
    package var lastTurns: [ChatTurn]? { engine.requests.last?.turns }
    package var lastModel: String? { engine.requests.last?.model }

    /// Decides about the phones that wait for an approval, once there is one.
    package func decide(isApproved: Bool) async throws {
        try await eventually { await !self.host.waitingPhones.isEmpty }
        for phone in await host.waitingPhones { await host.decide(phone, isApproved: isApproved) }
    }

    /// An invitation for one new phone.
    package func invite() async -> Invitation? { await host.invite() }
    /// The keys of the phones that wait for an approval.
    package var waitingPhones: [String] { get async { await host.waitingPhones.map(\.description) } }

    /// Ends the host as its command does, and returns its folder for another one.
    package func quit() async -> TemporaryFolder {
        await host.quit()
        await running.value
        store.close()
        return folder
    }

    /// Drops the host as SIGKILL does: phones are told nothing, and an answer stays as it is. Returns its folder for another one.
    package func kill() async -> TemporaryFolder {
        running.cancel()
        await running.value
        store.close()
        return folder
    }
}

/// An engine that goes on only when a test says so.
package final class SteppedAnswers: Engine {
    private enum Step: Sendable {
        case event(EngineEvent)
        case end(Result<FinishReason, EngineError>)
    }

    private struct State {
        var steps: AsyncStream<Step>.Continuation?
        var requests: [EngineRequest] = []
        var cancelCount = 0
    }

    private let state = Locked(State())

    package var name: String { "The engine of a test" }
    package var requests: [EngineRequest] { state.withLock { $0.requests } }
    /// The number of requests that were cancelled.
    package var cancelCount: Int { state.withLock { $0.cancelCount } }

    package func models() async throws -> [EngineModel] { [EngineModel("llama"), EngineModel("qwen")] }

    package func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        let (steps, continuation) = AsyncStream.makeStream(of: Step.self)
        state.withLock { state in
            state.steps = continuation
            state.requests.append(request)
        }
        defer { state.withLock { $0.steps = nil } }
        for await step in steps {
            switch step {
            case .event(let event): try await receive(event)
            case .end(let result): return try result.get()
            }
        }
        state.withLock { $0.cancelCount += 1 }
        throw CancellationError()
    }

    private func step(_ step: Step) async throws {
        try await eventually { [self] in state.withLock { $0.steps != nil } }
        _ = state.withLock { $0.steps?.yield(step) }
    }

    package func say(_ text: String) async throws { try await step(.event(.text(text))) }
    package func report(_ progress: ChatProgress) async throws { try await step(.event(.progress(progress))) }
    package func end(_ reason: FinishReason = .stop) async throws { try await step(.end(.success(reason))) }
    package func fail(_ error: EngineError) async throws { try await step(.end(.failure(error))) }
}
