import CompactEncoding
import NIOCore
import NIOPosix
import Testing

@testable import UDX

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Two nodes with a socket each, on loopback.
struct Loopback {
    let tables: [StreamTable]
    let sockets: [DatagramSocket]

    init(profile: DatagramSocket.Profile = .standard) async throws {
        tables = (0..<2).map { _ in StreamTable(eventLoop: MultiThreadedEventLoopGroup.singleton.next()) }
        let any = try #require(PeerAddress("127.0.0.1:0"))
        sockets = [
            try await DatagramSocket.bind(to: any, streams: tables[0], profile: profile),
            try await DatagramSocket.bind(to: any, streams: tables[1], profile: profile),
        ]
    }

    /// A pair of connected streams.
    func connect(_ configuration: StreamConfiguration = StreamConfiguration()) async throws -> (UDXStream, UDXStream) {
        let first = try await tables[0].makeStream(configuration: configuration)
        let second = try await tables[1].makeStream(configuration: configuration)
        await first.connect(remoteID: second.localID, to: sockets[1].local, on: sockets[0])
        await second.connect(remoteID: first.localID, to: sockets[0].local, on: sockets[1])
        return (first, second)
    }

    func close() async {
        for socket in sockets { await socket.close() }
    }
}

@Suite(.timeLimit(.minutes(1))) struct DatagramSocketTests {
    /// Darwin refuses a buffer over its limit; Linux takes any size.
    @Test func bufferIsTheLargestThatTheSystemTakes() {
        for (limit, taken) in [(8 << 20, 4 << 20), (4 << 20, 4 << 20), (3 << 20, 2 << 20), (100_000, 65_536), (65_536, 65_536)] {
            var asked: [Int] = []
            let size = DatagramDescriptor.largestAccepted(atMost: 4 << 20) { size in
                asked.append(size)
                return size <= limit
            }
            #expect(size == taken && asked == asked.sorted(by: >))
        }
        #expect(DatagramDescriptor.largestAccepted(atMost: 4 << 20) { _ in false } == nil)
    }

    @Test func boundSocketHasLargeBuffers() async throws {
        let loopback = try await Loopback()
        let descriptor = try #require(await loopback.sockets[0].descriptor).descriptor
        #if os(Linux)
            let kind = CInt(SOCK_DGRAM.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        let fresh = socket(AF_INET, kind, 0)
        defer { close(fresh) }
        func size(_ descriptor: CInt, _ name: CInt) -> CInt {
            var (value, length) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
            getsockopt(descriptor, SOL_SOCKET, name, &value, &length)
            return value
        }
        for name in [SO_RCVBUF, SO_SNDBUF] { #expect(size(descriptor, name) > size(fresh, name)) }
    }

    static func readAll(_ stream: UDXStream) async throws -> [UInt8] {
        var result: [UInt8] = []
        for try await bytes in stream { result += Array(bytes.readableBytesView) }
        return result
    }

    static func writeAll(_ content: [UInt8], to stream: UDXStream, chunk: Int = 100_000) async throws {
        var offset = 0
        while offset < content.count {
            let end = min(offset + chunk, content.count)
            try await stream.write(ByteBuffer(bytes: content[offset..<end]))
            offset = end
        }
        await stream.finish()
    }

    @Test func transferBothWaysArrivesAndFinishes() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        let there = SimulationTests.content(3_000_000, 1)
        let back = SimulationTests.content(2_000_000, 2)
        async let writing: Void = Self.writeAll(there, to: first)
        async let answering: Void = Self.writeAll(back, to: second)
        async let arrived = Self.readAll(second)
        async let returned = Self.readAll(first)
        try await writing
        try await answering
        #expect(try await arrived == there)
        #expect(try await returned == back)
        #expect(try await first.waitUntilClosed() == .finished)
        #expect(try await second.waitUntilClosed() == .finished)
        await network.close()
        #expect(await network.tables[0].count == 0)
        #expect(await network.tables[1].count == 0)
    }

    @Test func transferWithoutOffloadArrives() async throws {
        let network = try await Loopback(profile: .small)
        for socket in network.sockets { await socket.disableSegmentationOffload() }
        let (first, second) = try await network.connect()
        let content = SimulationTests.content(1_000_000, 7)
        async let writing: Void = Self.writeAll(content, to: first)
        #expect(try await Self.readAll(second) == content)
        try await writing
        await second.finish()
        #expect(try await first.waitUntilClosed() == .finished)
        await network.close()
    }

    @Test func halfClosedStreamStillCarriesTheOtherDirection() async throws {
        let network = try await Loopback()
        let (client, server) = try await network.connect()
        try await client.write(ByteBuffer(string: "question"))
        await client.finish()
        #expect(try await Self.readAll(server) == Array("question".utf8))
        #expect(await server.closure == nil)
        try await server.write(ByteBuffer(string: "answer"))
        await server.finish()
        #expect(try await Self.readAll(client) == Array("answer".utf8))
        #expect(try await client.waitUntilClosed() == .finished)
        await #expect(throws: UDXError.self) { try await client.write(ByteBuffer(string: "late")) }
        await network.close()
    }

    @Test func destroyReachesThePeerAsReset() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        try await first.write(ByteBuffer(string: "x"))
        _ = try await second.read()
        async let closure = second.waitUntilClosed()
        await first.destroy()
        #expect(try await closure == .reset)
        await #expect { try await second.read() } throws: { ($0 as? UDXError)?.code == .reset }
        #expect(await first.closure == .destroyed)
        // It answers the peer for some time, which may not have heard of it.
        #expect(await network.tables[0].count == 1)
        #expect(await network.tables[1].count == 0)
        await network.close()
    }

    @Test func slowReaderStopsTheSender() async throws {
        let network = try await Loopback()
        var configuration = StreamConfiguration()
        configuration.receiveWindow = 200_000
        configuration.writeHighWaterMark = 100_000
        configuration.writeLowWaterMark = 50_000
        // The sender starts with the window that every peer has in the protocol, so the limit shows after the first answer.
        let (sender, receiver) = try await network.connect(configuration)
        let content = SimulationTests.content(4_000_000, 3)
        let writing = Task { try await Self.writeAll(content, to: sender, chunk: 20_000) }
        let first = try #require(try await receiver.read())
        // The sender is stopped as soon as it is waiting with a full queue and an unread window at the receiver.
        var (buffered, unsent) = (0, 0)
        while buffered < 150_000 || unsent <= 50_000 {
            await Task.yield()
            (buffered, unsent) = (await receiver.readableByteCount, await sender.unsentByteCount)
        }
        #expect(buffered <= 200_000 + ReceiveBuffer.margin)
        let rest = try await Self.readAll(receiver)
        #expect(Array(first.readableBytesView) + rest == content)
        try await writing.value
        await network.close()
    }

    @Test func packetBeforeTheConnectionIsHeldAndOffered() async throws {
        let network = try await Loopback()
        let client = try await network.tables[0].makeStream()
        let server = try await network.tables[1].makeStream()
        let socket = network.sockets[1]
        let remoteID = client.localID
        await server.setForeignPacketHandler { source, _ in
            server.onEventLoop { $0.connect(remoteID: remoteID, to: source, on: socket) }
            return true
        }
        await client.connect(remoteID: server.localID, to: socket.local, on: network.sockets[0])
        try await client.write(ByteBuffer(string: "early"))
        #expect(try await server.read() == ByteBuffer(string: "early"))
        #expect(await server.remote == network.sockets[0].local)
        await network.close()
    }

    @Test func refusedSourceIsIgnored() async throws {
        let network = try await Loopback()
        let client = try await network.tables[0].makeStream()
        let server = try await network.tables[1].makeStream()
        let (refusals, continuation) = AsyncStream<PeerAddress>.makeStream()
        await server.setForeignPacketHandler { source, _ in
            continuation.yield(source)
            return false
        }
        await client.connect(remoteID: server.localID, to: network.sockets[1].local, on: network.sockets[0])
        try await client.write(ByteBuffer(string: "early"))
        #expect(await refusals.first { _ in true } == network.sockets[0].local)
        #expect(await server.readableByteCount == 0)
        await network.close()
    }

    @Test func streamMovesToAnotherSocket() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        try await first.write(ByteBuffer(string: "before"))
        #expect(try await second.read() == ByteBuffer(string: "before"))
        let any = try #require(PeerAddress("127.0.0.1:0"))
        let other = try await DatagramSocket.bind(to: any, streams: network.tables[0])
        await first.changeRemote(to: network.sockets[1].local, on: other)
        await second.changeRemote(to: other.local, on: network.sockets[1])
        try await first.write(ByteBuffer(string: "after"))
        #expect(try await second.read() == ByteBuffer(string: "after"))
        try await second.write(ByteBuffer(string: "back"))
        #expect(try await first.read() == ByteBuffer(string: "back"))
        await other.close()
        #expect(await first.closure == .socketClosed)
        await network.close()
    }

    @Test func probesMessagesAndPacketsAreToldApart() async throws {
        let network = try await Loopback()
        let (events, continuation) = AsyncStream<String>.makeStream()
        await network.sockets[1].setHandlers(
            onMessage: { bytes, source in continuation.yield("message \(String(buffer: bytes)) \(source)") },
            onProbe: { continuation.yield("probe \($0)") })
        let source = network.sockets[0]
        var packet = ByteBuffer()
        PacketHeader(type: .data, streamID: 7, window: 0, sequence: 0, acknowledged: 0).encode(into: &packet)
        await source.send(packet, to: network.sockets[1].local)
        await source.send(ByteBuffer(bytes: [0]), to: network.sockets[1].local, timeToLive: 5)
        await source.send(ByteBuffer(string: "hello"), to: network.sockets[1].local)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "probe \(source.local)")
        #expect(await iterator.next() == "message hello \(source.local)")
        await network.close()
    }

    @Test func unreachableAddressDoesNotCloseTheSocket() async throws {
        let network = try await Loopback()
        let socket = network.sockets[0]
        for text in ["255.255.255.255:9", "127.0.0.1:0", "240.0.0.1:9", "10.255.255.1:9"] {
            await socket.send(ByteBuffer(string: "x"), to: try #require(PeerAddress(text)))
        }
        #expect(await socket.isOpen)
        #expect(await socket.failedSendCount > 0)
        let (first, second) = try await network.connect()
        try await first.write(ByteBuffer(string: "x"))
        #expect(try await second.read() == ByteBuffer(string: "x"))
        await network.close()
    }

    @Test func cancelledReaderAndWriterStopWaiting() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        let reading = Task { try await first.read() }
        let writing = Task { try await first.write(ByteBuffer(repeating: 0, count: 20_000_000)) }
        while await first.unsentByteCount == 0 { await Task.yield() }
        reading.cancel()
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await #expect(throws: CancellationError.self) { try await writing.value }
        await first.destroy()
        #expect(try await second.waitUntilClosed() == .reset)
        await network.close()
    }

    @Test func unorderedMessagesArrive() async throws {
        let network = try await Loopback()
        let (first, second) = try await network.connect()
        #expect(await first.sendMessage(ByteBuffer(string: "note")))
        #expect(try await second.readMessage() == ByteBuffer(string: "note"))
        #expect(await !first.sendMessage(ByteBuffer(repeating: 0, count: 2000)))
        await network.close()
    }

    @Test func programsThatAreStartedDoNotInheritTheSocket() async throws {
        let network = try await Loopback(profile: .small)
        let descriptor = try #require(await network.sockets[0].descriptor?.descriptor)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        await network.close()
    }

    @Test func identifiersAreUnique() async throws {
        let table = StreamTable(eventLoop: MultiThreadedEventLoopGroup.singleton.next())
        let first = try await table.makeStream(localID: .max)
        await #expect { _ = try await table.makeStream(localID: .max) } throws: { ($0 as? UDXError)?.code == .identifierInUse }
        await first.destroy()
        _ = try await table.makeStream(localID: .max)
    }
}
