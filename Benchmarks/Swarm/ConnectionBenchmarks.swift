import CryptoPrimitives
import DHTRPC
import HyperDHT
import Hyperswarm
import NIOCore
import UDX

/// Encrypted connections in a network of ten nodes on loopback: the time to connect, and the cost of bytes and of idleness.
public enum ConnectionBenchmarks {
    private static let warmUpCount = 5

    struct NotConnected: Error {}

    // MARK: Connecting

    /// Measures dials by public key, one after the other, each to the peer's first encrypted bytes.
    public static func connectByKey(count: Int) async throws -> [Duration] {
        try await Testnet.with { testnet in
            let server = try await testnet.server.listen { _ in }
            await server.announced()
            var times: [Duration] = []
            for _ in 0..<warmUpCount + count {
                let start = ContinuousClock.now
                let connection = try await testnet.client.connect(to: server.publicKey)
                times.append(.now - start)
                await connection.destroy()
            }
            return Array(times.dropFirst(warmUpCount))
        }
    }

    /// Measures joins of a topic, one after the other, each to the connection with the peer that announced the topic.
    public static func connectByTopic(count: Int) async throws -> [Duration] {
        try await Testnet.with { testnet in
            let topic = DHTTopic(hashing: Array("benchmark".utf8))
            let host = PeerSwarm(node: testnet.server)
            let hosting = Task { await host.run() }
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            var times: [Duration] = []
            for _ in 0..<warmUpCount + count {
                let swarm = PeerSwarm(node: testnet.client)
                let running = Task { await swarm.run() }
                let start = ContinuousClock.now
                await swarm.join(topic, server: false)
                var connections = swarm.connections.makeAsyncIterator()
                guard await connections.next() != nil else { throw NotConnected() }
                times.append(.now - start)
                running.cancel()
                await running.value
            }
            hosting.cancel()
            await hosting.value
            return Array(times.dropFirst(warmUpCount))
        }
    }

    // MARK: Bytes

    /// Sends `bytes` over one connection, one way.
    public static func throughput(bytes: Int) async throws -> Throughput {
        try await withConnections(1) { try await Throughput.measure(bytes: bytes, over: $0) }
    }

    /// Sends a message of `size` bytes and waits for its echo, `count` times.
    public static func roundTrips(of size: Int, count: Int, on placement: TaskPlacement = .global) async throws -> [Duration] {
        try await withConnections(1, sharesEventLoop: placement == .sharedEventLoop) {
            try await RoundTrips.measure(of: size, count: count, over: $0[0], on: placement)
        }
    }

    // MARK: Idleness

    /// The cost of an idle connection, both ends together.
    public struct Idleness: Sendable {
        /// Resident memory, in bytes; 0 on systems without `/proc`.
        public var memory: Int
        /// Processor time per minute.
        public var processorTimePerMinute: Duration
    }

    /// Opens `count` connections, sends a message each way, and leaves them idle for `time`.
    public static func idleness(count: Int, for time: Duration) async throws -> Idleness {
        // The first connections grow the process by memory that does not belong to connections.
        let message = ByteBuffer(repeating: 1, count: 100)
        return try await Testnet.with { testnet in
            let before = ProcessUsage.residentSize
            return try await withConnections(count, testnet) { connections in
                for pipe in connections {
                    for (from, to) in [(PipeEnd.near, PipeEnd.far), (.far, .near)] {
                        try await pipe.write(message, at: from)
                        _ = try await pipe.read(at: to)
                    }
                }
                let memory = (ProcessUsage.residentSize - before) / count
                try await Task.sleep(for: .seconds(5))
                let used = ProcessUsage.processorTime
                try await Task.sleep(for: time)
                let share = (ProcessUsage.processorTime - used) / (time / .seconds(60)) / count
                return Idleness(memory: memory, processorTimePerMinute: share)
            }
        }
    }

    // MARK: Connections

    private static func withConnections<Result>(
        _ count: Int, sharesEventLoop: Bool = false, _ body: ([ConnectionPipe]) async throws -> Result
    ) async throws -> Result {
        try await Testnet.with(sharesEventLoop: sharesEventLoop) { try await withConnections(count, $0, body) }
    }

    private static func withConnections<Result>(
        _ count: Int, _ testnet: Testnet, _ body: ([ConnectionPipe]) async throws -> Result
    ) async throws -> Result {
        let (accepted, continuation) = AsyncStream.makeStream(of: PeerConnection.self)
        let server = try await testnet.server.listen { continuation.yield($0) }
        await server.announced()
        var incoming = accepted.makeAsyncIterator()
        var pipes: [ConnectionPipe] = []
        for _ in 0..<count {
            let near = try await testnet.client.connect(to: server.publicKey)
            guard let far = await incoming.next() else { throw NotConnected() }
            pipes.append(ConnectionPipe(near: near, far: far))
        }
        return try await body(pipes)
    }
}

private struct ConnectionPipe: Pipe {
    let near: PeerConnection
    let far: PeerConnection

    func write(_ bytes: ByteBuffer, at end: PipeEnd) async throws { try await self[end].write(bytes) }
    func read(at end: PipeEnd) async throws -> ByteBuffer? { try await self[end].read() }
    func finish(at end: PipeEnd) async { await self[end].finish() }
    func eventLoop(of end: PipeEnd) -> any EventLoop { self[end].eventLoop }

    private subscript(end: PipeEnd) -> PeerConnection { end == .near ? near : far }
}
