import CompactEncoding
import NIOCore
import NIOPosix
import UDX

/// Throughput, latency and memory of UDX streams on loopback. Both ends are in this process, each on an event loop.
public enum StreamBenchmarks {
    /// Sends `bytes` over `count` streams at once, one way.
    ///
    /// - Parameter loss: The share of datagrams that a forwarder between both ends drops each way; without a forwarder if
    ///   `nil`. The forwarder's processor time counts.
    public static func throughput(streams count: Int, bytes: Int, loss: Double? = nil) async throws -> Throughput {
        try await withPairs(count, loss: loss) { pairs in
            try await Throughput.measure(bytes: bytes, over: pairs.map(StreamPipe.init))
        }
    }

    /// Sends a message and waits for its echo, `count` times.
    ///
    /// - Parameters:
    ///   - size: The size of the message, in bytes.
    ///   - loss: As in ``throughput(streams:bytes:loss:)``.
    ///   - executor: The executor of the tasks of both ends.
    public static func roundTrips(
        of size: Int, count: Int, loss: Double? = nil, on executor: TaskPlacement = .global
    ) async throws -> [Duration] {
        try await withPairs(1, loss: loss, sharesEventLoop: executor == .sharedEventLoop) { pairs in
            try await RoundTrips.measure(of: size, count: count, over: StreamPipe(pairs[0]), on: executor)
        }
    }

    private static func withPairs<Result>(
        _ count: Int, loss: Double?, sharesEventLoop: Bool = false,
        _ body: ([(UDXStream, UDXStream)]) async throws -> Result
    ) async throws -> Result {
        let loops = EventLoops(areShared: sharesEventLoop)
        let tables = loops.pair.map { StreamTable(eventLoop: $0) }
        let any = PeerAddress(octets: 0x7f00_0001, port: 0)
        let sockets = [
            try await DatagramSocket.bind(to: any, streams: tables[0]), try await DatagramSocket.bind(to: any, streams: tables[1]),
        ]
        var forwarder: (channel: any Channel, address: PeerAddress)?
        if let loss { forwarder = try await LossyForwarder.start(between: sockets.map(\.local), loss: loss) }
        var pairs: [(UDXStream, UDXStream)] = []
        for _ in 0..<count {
            let first = try await tables[0].makeStream()
            let second = try await tables[1].makeStream()
            await first.connect(remoteID: second.localID, to: forwarder?.address ?? sockets[1].local, on: sockets[0])
            await second.connect(remoteID: first.localID, to: forwarder?.address ?? sockets[0].local, on: sockets[1])
            pairs.append((first, second))
        }
        let result = try await body(pairs)
        for socket in sockets { await socket.close() }
        try await forwarder?.channel.close().get()
        return result
    }
}

/// One direction of a pair of streams and the way back.
private struct StreamPipe: Pipe {
    let near: UDXStream
    let far: UDXStream

    init(_ pair: (UDXStream, UDXStream)) { (near, far) = pair }

    func write(_ bytes: ByteBuffer, at end: PipeEnd) async throws { try await self[end].write(bytes) }
    func read(at end: PipeEnd) async throws -> ByteBuffer? { try await self[end].read() }
    func finish(at end: PipeEnd) async { await self[end].finish() }
    func eventLoop(of end: PipeEnd) -> any EventLoop { self[end].eventLoop }

    private subscript(end: PipeEnd) -> UDXStream { end == .near ? near : far }
}
