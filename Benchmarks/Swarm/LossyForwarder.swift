import CompactEncoding
import NIOCore
import NIOPosix

/// A forwarder that passes datagrams between two addresses and drops some of them, on an event loop of its own.
final class LossyForwarder: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let addresses: [SocketAddress]
    private let loss: Double
    private var generator = SystemRandomNumberGenerator()

    private init(between addresses: [SocketAddress], loss: Double) {
        self.addresses = addresses
        self.loss = loss
    }

    /// Starts a forwarder between two addresses; returns its channel and the address that both send to.
    static func start(between addresses: [PeerAddress], loss: Double) async throws -> (any Channel, PeerAddress) {
        let targets = try addresses.map { try SocketAddress(ipAddress: $0.host, port: Int($0.port)) }
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_rcvbuf), value: 4 * 1024 * 1024)
            .channelOption(.datagramVectorReadMessageCount, value: 64)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 * 2048))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LossyForwarder(between: targets, loss: loss))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = UInt16(clamping: channel.localAddress?.port ?? 0)
        return (channel, PeerAddress(octets: 0x7f00_0001, port: port))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard loss == 0 || Double.random(in: 0..<1, using: &generator) >= loss else { return }
        let target = envelope.remoteAddress == addresses[0] ? addresses[1] : addresses[0]
        context.write(wrapOutboundOut(AddressedEnvelope(remoteAddress: target, data: envelope.data)), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }
}
