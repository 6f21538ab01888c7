import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A TCP proxy in front of a port of this machine, for tests of lines that drop.
///
/// ```
///  client ──── up ───▶ proxy ──── up ───▶ target
///         ◀── down ───       ◀── down ───
/// ```
///
/// Harms connections as ``faults`` says, by numbers drawn from ``seed``: the same for the connection of the same number, as far
/// as the kernel hands over the same bytes at a time. Reads from one end only what the other end has taken.
package final class LineProxy: Sendable {
    /// Where clients connect to, for as long as the proxy lives.
    package let port: Int
    package let seed: UInt64

    private struct State {
        var target: Int
        var faults: Faults
        var counts = Counts()
        var listener: (any Channel)?
        /// Both ends of each connection, by its number.
        var open: [Int: [any Channel]] = [:]
    }

    private let state: NIOLockedValueBox<State>
    private let reservation: PortReservation
    private let cutsMade: AsyncStream<Void>
    private let cutMade: AsyncStream<Void>.Continuation

    private init(to target: Int, seed: UInt64, faults: Faults) throws {
        state = NIOLockedValueBox(State(target: target, faults: faults))
        self.seed = seed
        reservation = try PortReservation()
        port = reservation.port
        (cutsMade, cutMade) = AsyncStream.makeStream(of: Void.self)
    }

    /// Runs `body` beside a proxy to `port`, and closes every connection after it.
    package static func run<Value>(
        to port: Int, seed: UInt64 = Seed.current, faults: Faults = Faults(), _ body: (LineProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try LineProxy(to: port, seed: seed, faults: faults)
        let result: Result<Value, any Error>
        do {
            try await proxy.accept()
            result = .success(
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await proxy.haveOutages() }
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

    // MARK: What a test changes

    /// Holds for open connections from their next piece on.
    package var faults: Faults {
        get { state.withLockedValue { $0.faults } }
        set {
            let channels = state.withLockedValue { state in
                state.faults = newValue
                return state.open.values.joined()
            }
            for channel in channels { channel.pipeline.fireUserInboundEventTriggered(Way.FaultsChanged()) }
        }
    }

    /// Where new connections lead.
    package var target: Int {
        get { state.withLockedValue { $0.target } }
        set { state.withLockedValue { $0.target = newValue } }
    }

    package var counts: Counts { state.withLockedValue { $0.counts } }

    /// Connections that are open now.
    package var openCount: Int { state.withLockedValue { $0.open.count } }

    /// Cuts every connection at both ends, and waits until they are closed.
    package func cutAll(byReset: Bool = true) async {
        let channels = state.withLockedValue { state in
            state.counts.cuts += state.open.count
            return state.open.values.joined()
        }
        for channel in channels { channel.end(byReset: byReset) }
        for channel in channels { try? await channel.closeFuture.get() }
    }

    /// Refuses new connections, as if nothing ran here. To be called, like ``accept()``, by one task, and not beside outages.
    package func refuse() async throws {
        let listener = state.withLockedValue { state in
            defer { state.listener = nil }
            return state.listener
        }
        try await listener?.close().get()
    }

    /// Takes connections again.
    package func accept() async throws {
        guard state.withLockedValue({ $0.listener == nil }) else { return }
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
        state.withLockedValue { $0.listener = listener }
    }

    private func haveOutages() async throws {
        var numbers = SeededGenerator(seed: seed, number: -1)
        for await _ in cutsMade {
            guard let outage = faults.outage, numbers.happens(outage.chance) else { continue }
            try await refuse()
            guard let length = outage.length else { return }
            try await Task.sleep(for: numbers.duration(in: length))
            try await accept()
        }
    }

    // MARK: What a connection tells

    private func begin(_ client: any Channel) -> Int {
        let number = state.withLockedValue { state in
            state.counts.connections += 1
            state.open[state.counts.connections] = [client]
            return state.counts.connections
        }
        client.closeFuture.whenComplete { _ in self.state.withLockedValue { $0.open[number] = nil } }
        return number
    }

    /// - Returns: False when the client is gone already.
    func reached(_ target: any Channel, by number: Int) -> Bool {
        state.withLockedValue { $0.open[number]?.append(target) != nil }
    }

    func passed(_ count: Int, _ direction: Direction) {
        state.withLockedValue { state in
            switch direction {
            case .up: state.counts.bytesUp += count
            case .down: state.counts.bytesDown += count
            }
        }
    }

    func holds(_ count: Int) {
        state.withLockedValue { $0.counts.mostHeld = max($0.counts.mostHeld, count) }
    }

    func hasCut() {
        state.withLockedValue { $0.counts.cuts += 1 }
        cutMade.yield()
    }
}
