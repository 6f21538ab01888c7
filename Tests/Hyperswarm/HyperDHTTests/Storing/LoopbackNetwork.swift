import CompactEncoding
import DHTRPC
import HyperDHT
import NIOCore
import NIOPosix
import Testing
import UDX

/// A UDP socket on loopback for tests of nodes.
final class LoopbackSocket: DatagramTransport, Sendable {
    let channel: any Channel
    let localAddress: PeerAddress

    private init(channel: any Channel, localAddress: PeerAddress) {
        self.channel = channel
        self.localAddress = localAddress
    }

    /// - Parameter port: Nil for a free one below those that the system gives to other tests.
    static func bind(on eventLoop: any EventLoop, port: Int? = nil) async throws -> LoopbackSocket {
        var channel: (any Channel)?
        while channel == nil {
            // Another test may have the port, or a child process that was started a moment ago.
            channel = try? await DatagramBootstrap(group: eventLoop)
                .bind(host: "127.0.0.1", port: port ?? .random(in: 10_000..<32_000)).get()
        }
        guard let channel else { throw ChannelError.ioOnClosedChannel }
        return LoopbackSocket(
            channel: channel, localAddress: PeerAddress(octets: 0x7f00_0001, port: UInt16(channel.localAddress?.port ?? 0)))
    }

    func send(_ bytes: ByteBuffer, to address: PeerAddress) {
        guard let remote = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) else { return }
        channel.writeAndFlush(AddressedEnvelope(remoteAddress: remote, data: bytes), promise: nil)
    }

    /// Passes datagrams to a node.
    func connect(to node: RPCNode, as socket: SocketID = .main) async throws {
        try await channel.pipeline.addHandler(Receiver(node: node, socket: socket)).get()
    }

    private final class Receiver: ChannelInboundHandler, Sendable {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        let node: RPCNode
        let socket: SocketID

        init(node: RPCNode, socket: SocketID) {
            self.node = node
            self.socket = socket
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            guard let host = envelope.remoteAddress.ipAddress, let port = envelope.remoteAddress.port,
                let source = PeerAddress(host: host, port: UInt16(port))
            else { return }
            node.onEventLoop { $0.receive(envelope.data, from: source, on: socket) }
        }
    }
}

/// Persistent nodes on loopback, each the bootstrap node of the next ones.
final class LoopbackNetwork {
    struct Node {
        var node: PersistentNode
        var socket: LoopbackSocket
        var address: PeerAddress { socket.localAddress }
    }

    let eventLoop: any EventLoop
    var nodes: [Node] = []
    var clients: [(RPCNode, LoopbackSocket)] = []

    init(eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()) {
        self.eventLoop = eventLoop
    }

    /// Runs `body` with a network and closes all sockets after it.
    static func with(_ count: Int, _ body: (LoopbackNetwork) async throws -> Void) async throws {
        let network = LoopbackNetwork()
        do {
            for _ in 0..<count { try await network.addNode() }
            try await body(network)
        } catch {
            await network.close()
            throw error
        }
        await network.close()
    }

    @discardableResult
    func addNode(port: Int? = nil) async throws -> Node {
        let socket = try await LoopbackSocket.bind(on: eventLoop, port: port)
        let node = PersistentNode(
            address: socket.localAddress, bootstrap: nodes.first.map { [$0.address] } ?? [], transport: socket, eventLoop: eventLoop
        )
        try await socket.connect(to: node.rpc)
        await node.start()
        _ = await node.rpc.bootstrapped()
        nodes.append(Node(node: node, socket: socket))
        return Node(node: node, socket: socket)
    }

    func addClient(bootstrap: [PeerAddress]? = nil, waits: Bool = true) async throws -> RPCNode {
        let socket = try await LoopbackSocket.bind(on: eventLoop)
        let node = RPCNode(
            configuration: RPCConfiguration(bootstrap: bootstrap ?? nodes.prefix(1).map(\.address)), transport: socket,
            eventLoop: eventLoop)
        try await socket.connect(to: node)
        await node.start()
        if waits { _ = await node.bootstrapped() }
        clients.append((node, socket))
        return node
    }

    func stop(_ index: Int) async {
        await nodes[index].node.close()
        try? await nodes[index].socket.channel.close()
    }

    func close() async {
        for (client, socket) in clients {
            await client.close()
            try? await socket.channel.close()
        }
        for index in nodes.indices { await stop(index) }
    }

    /// Records and routes in the whole network.
    func counts() async -> (records: Int, routes: Int) {
        var counts = (records: 0, routes: 0)
        for node in nodes {
            counts.records += await node.node.recordCount
            counts.routes += await node.node.routeCount
        }
        return counts
    }
}
