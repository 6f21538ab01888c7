import CryptoPrimitives
import NIOCore

@testable import HyperDHT

/// A server that is announced, with the connections that it accepted.
struct TestServer {
    let node: DHTNode
    let server: PeerServer
    let connections: AsyncStream<PeerConnection>

    init(on node: DHTNode, keyPair: KeyPair? = nil) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: PeerConnection.self)
        self.node = node
        connections = stream
        server = try await node.listen(keyPair: keyPair) { continuation.yield($0) }
        await server.announced()
    }

    func next() async throws -> PeerConnection {
        for await connection in connections { return connection }
        throw ConnectError(.closed)
    }
}

extension PeerConnection {
    func write(_ text: String) async throws {
        try await write(ByteBuffer(string: text))
    }

    /// Reads until the peer's end.
    func readToEnd() async throws -> ByteBuffer {
        var all = ByteBuffer()
        while var bytes = try await read() { all.writeBuffer(&bytes) }
        return all
    }

    /// Reads until as many bytes arrived.
    func read(count: Int) async throws -> ByteBuffer {
        var all = ByteBuffer()
        while all.readableBytes < count, var bytes = try await read() { all.writeBuffer(&bytes) }
        return all
    }
}
