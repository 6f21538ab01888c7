import NIOCore
import NIOPosix
import WireKit

/// A TCP proxy in front of a local port that injects faults, for tests of connection loss.
///
/// ```
///  client ──── up ───▶ proxy ──── up ───▶ target
///         ◀── down ───       ◀── down ───
/// ```
///
/// The ``faults`` use random numbers drawn from ``seed``: a connection with the same number gets the same faults, as far as the kernel
/// delivers the same bytes at a time. The proxy reads from one end only what the other end has accepted.
package final class LineProxy: Sendable {
    /// The port that clients connect to, reserved for the lifetime of the proxy.
    package let port: Int
    package let seed: UInt64

    private struct State {
        var target: Int
        var faults: Faults
        var counts = Counts()
        var listener: (any Channel)?
        /// The two channels of each connection, by its number.
        var open: [Int: [any Channel]] = [:]
    }

    private let state: Locked<State>
    private let reservation: PortReservation
    private let cuts: AsyncStream<Void>
    private let cutContinuation: AsyncStream<Void>.Continuation

    private init(to target: Int, seed: UInt64, faults: Faults) throws {
        state = Locked(State(target: target, faults: faults))
        self.seed = seed
        reservation = try PortReservation()
        port = reservation.port
        (cuts, cutContinuation) = AsyncStream.makeStream(of: Void.self)
    }

    /// Runs `body` with a proxy to `port` and closes every connection afterwards.
    package static func run<Value>(
        to port: Int, seed: UInt64 = Seed.current, faults: Faults = Faults(), _ body: (LineProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try LineProxy(to: port, seed: seed, faults: faults)
        let result: Result<Value, any Error>
        do {
            try await proxy.accept()
            result = .success(
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await proxy.runOutages() }
                    defer { group.cancelAll() }
                    return try await body(proxy)
                })
        } catch {
            result = .failure(error)
        }
        try await proxy.refuse()
        await proxy.cutAll()
        return try result.get()
    }

    // MARK: Control by tests

    /// The current faults. Changes affect open connections from their next chunk on.
    package var faults: Faults {
        get { state.withLock { $0.faults } }
        set {
            let channels = state.withLock { state in
                state.faults = newValue
                return state.open.values.joined()
            }
            for channel in channels { channel.pipeline.fireUserInboundEventTriggered(Way.FaultsChanged()) }
        }
    }

    /// The target port of new connections.
    package var target: Int {
        get { state.withLock { $0.target } }
        set { state.withLock { $0.target = newValue } }
    }

    package var counts: Counts { state.withLock { $0.counts } }

    /// The number of open connections.
    package var openCount: Int { state.withLock { $0.open.count } }

    /// Cuts every connection at both ends and waits until all are closed.
    package func cutAll(byReset: Bool = true) async {
        let channels = state.withLock { state in
            state.counts.cuts += state.open.count
            return state.open.values.joined()
        }
        for channel in channels { channel.end(byReset: byReset) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    /// Refuses new connections, like a port without a listener. Call it and ``accept()`` from one task only, and not with outages
    /// enabled.
    package func refuse() async throws {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            return state.listener
        }
        try await listener?.close().get()
    }

    /// Accepts connections again.
    package func accept() async throws {
        guard state.withLock({ $0.listener == nil }) else { return }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { client in
                client.eventLoop.makeCompletedFuture {
                    try client.pipeline.syncOperations.addHandler(Way(.up, of: self.begin(client), through: self))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        state.withLock { $0.listener = listener }
    }

    private func runOutages() async throws {
        var numbers = SeededGenerator(seed: seed, number: -1)
        for await _ in cuts {
            guard let outage = faults.outage, numbers.occurs(outage.probability) else { continue }
            try await refuse()
            guard let duration = outage.duration else { return }
            try await Task.sleep(for: numbers.duration(in: duration))
            try await accept()
        }
    }

    // MARK: Events of connections

    private func begin(_ client: any Channel) -> Int {
        let number = state.withLock { state in
            state.counts.connections += 1
            state.open[state.counts.connections] = [client]
            return state.counts.connections
        }
        client.closeFuture.whenComplete { _ in self.state.withLock { $0.open[number] = nil } }
        return number
    }

    /// - Returns: False when the client has already disconnected.
    func didReach(_ target: any Channel, by number: Int) -> Bool {
        state.withLock { $0.open[number]?.append(target) != nil }
    }

    func didForward(_ count: Int, _ direction: Direction) {
        state.withLock { state in
            switch direction {
            case .up: state.counts.bytesUp += count
            case .down: state.counts.bytesDown += count
            }
        }
    }

    func didBuffer(_ count: Int) {
        state.withLock { $0.counts.maximumBuffered = max($0.counts.maximumBuffered, count) }
    }

    func didCut() {
        state.withLock { $0.counts.cuts += 1 }
        cutContinuation.yield()
    }
}
