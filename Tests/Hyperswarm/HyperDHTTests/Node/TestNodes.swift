import CompactEncoding
import CryptoPrimitives
import DHTRPC
import NIOCore

@testable import HyperDHT

/// A network of ten nodes on loopback with connecting nodes beside them.
final class TestNodes {
    let network: LoopbackNetwork
    private var nodes: [DHTNode] = []

    private init(network: LoopbackNetwork) {
        self.network = network
    }

    /// Runs `body` with a network and closes everything after it.
    static func with(_ count: Int = 10, _ body: (TestNodes) async throws -> Void) async throws {
        try await LoopbackNetwork.with(count) { network in
            let nodes = TestNodes(network: network)
            do {
                try await body(nodes)
            } catch {
                await nodes.close()
                throw error
            }
            await nodes.close()
        }
    }

    /// - Parameter waits: False for a node that may not have joined yet.
    func add(waits: Bool = true, _ change: (inout NodeConfiguration) -> Void = { _ in }) async throws -> DHTNode {
        var configuration = NodeConfiguration(bootstrap: network.nodes.prefix(1).map(\.address))
        configuration.bindAddress = PeerAddress(octets: 0x7f00_0001, port: 0)
        change(&configuration)
        let node = try await DHTNode.start(configuration, on: network.eventLoop)
        nodes.append(node)
        if waits { _ = await node.rpc.bootstrapped() }
        return node
    }

    private func close() async {
        for node in nodes { await node.close() }
    }
}

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
