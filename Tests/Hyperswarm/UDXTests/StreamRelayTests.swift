import CompactEncoding
import NIOCore
import NIOPosix
import Testing

@testable import UDX

/// Two streams that never send to each other's socket.
@Suite struct StreamRelayTests {
    private func withRelay(
        _ body: (_ first: UDXStream, _ second: UDXStream, _ relay: DatagramSocket, _ stranger: DatagramSocket) async throws -> Void
    ) async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let address = PeerAddress(octets: 0x7f00_0001, port: 0)
        var sockets: [DatagramSocket] = []
        for _ in 0..<4 {
            sockets.append(try await DatagramSocket.bind(to: address, streams: StreamTable(eventLoop: eventLoop)))
        }
        let first = try await sockets[0].streams.makeStream()
        let second = try await sockets[1].streams.makeStream()
        let ids = await sockets[2].streams.makeRelay(between: first.localID, and: second.localID)
        await first.connect(remoteID: ids.first, to: sockets[2].local, on: sockets[0])
        await second.connect(remoteID: ids.second, to: sockets[2].local, on: sockets[1])
        do {
            try await body(first, second, sockets[2], sockets[3])
        } catch {
            for socket in sockets { await socket.close() }
            throw error
        }
        for socket in sockets { await socket.close() }
    }

    @Test func bytesPassInBothDirections() async throws {
        try await withRelay { first, second, relay, _ in
            let data = ByteBuffer(repeating: 9, count: 300_000)
            async let sent: Void = {
                try await first.write(data)
                await first.finish()
            }()
            // The relay knows the second stream's address from its first packet.
            async let answered: Void = {
                try await second.write(ByteBuffer(string: "answer"))
                await second.finish()
            }()
            var up = ByteBuffer()
            for try await bytes in second { up.writeImmutableBuffer(bytes) }
            var down = ByteBuffer()
            for try await bytes in first { down.writeImmutableBuffer(bytes) }
            _ = try await (sent, answered)
            #expect(up == data)
            #expect(down == ByteBuffer(string: "answer"))
            #expect(await second.remote == relay.local)
        }
    }

    @Test func destroyPassesAndEndsTheRelay() async throws {
        try await withRelay { first, second, relay, _ in
            try await first.write(ByteBuffer(string: "a"))
            try await second.write(ByteBuffer(string: "b"))
            _ = try await first.read()
            await first.destroy()
            #expect(try await second.waitUntilClosed() == .reset)
            #expect(await relay.streams.relayCount == 0)
        }
    }

    @Test func streamLeavesTheRelayForAPathOfItsOwn() async throws {
        try await withRelay { first, second, relay, _ in
            try await first.write(ByteBuffer(string: "a"))
            try await second.write(ByteBuffer(string: "b"))
            _ = try await first.read()
            _ = try await second.read()
            let id = first.localID
            await second.setForeignPacketHandler { [weak second] source, socket in
                second?.onEventLoop { $0.changeRemote(to: source, on: socket, remoteID: id) }
                return true
            }
            let firstSocket = try #require(await first.socket)
            let secondSocket = try #require(await second.socket)
            await first.changeRemote(to: secondSocket.local, on: firstSocket, remoteID: second.localID)
            for id in await Array(relay.streams.relays.keys) { await relay.streams.endRelay(id) }
            try await first.write(ByteBuffer(string: "c"))
            #expect(try await second.read() == ByteBuffer(string: "c"))
            try await second.write(ByteBuffer(string: "d"))
            #expect(try await first.read() == ByteBuffer(string: "d"))
            #expect(await second.remote == firstSocket.local)
        }
    }

    @Test func strangersPacketsAreNotForwarded() async throws {
        try await withRelay { first, second, relay, stranger in
            try await first.write(ByteBuffer(string: "a"))
            try await second.write(ByteBuffer(string: "b"))
            _ = try await first.read()
            let ids = await Array(relay.streams.relays.keys)
            let forged = try await stranger.streams.makeStream()
            for id in ids {
                var packet = ByteBuffer()
                PacketHeader(type: .destroy, streamID: id, window: 0, sequence: 9, acknowledged: 0)
                    .encode(into: &packet)
                await stranger.send(packet, to: relay.local)
            }
            _ = forged
            try await second.write(ByteBuffer(string: "c"))
            #expect(try await first.read() == ByteBuffer(string: "c"))
            #expect(await first.closure == nil)
            #expect(await relay.streams.relayCount == 1)
        }
    }
}
