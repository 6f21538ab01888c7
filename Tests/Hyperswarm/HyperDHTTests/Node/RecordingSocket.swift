import CompactEncoding
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A UDP socket on loopback that keeps what it receives.
final class RecordingSocket: Sendable {
    private let channel: any Channel
    private let received = NIOLockedValueBox(0)
    private let datagrams: AsyncStream<[UInt8]>

    private init(channel: any Channel, datagrams: AsyncStream<[UInt8]>) {
        self.channel = channel
        self.datagrams = datagrams
    }

    static func bind(on eventLoop: any EventLoop) async throws -> RecordingSocket {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let channel = try await DatagramBootstrap(group: eventLoop).bind(host: "127.0.0.1", port: 0).get()
        let socket = RecordingSocket(channel: channel, datagrams: stream)
        let received = socket.received
        try await channel.pipeline.addHandler(
            Receiver { bytes in
                received.withLockedValue { $0 += 1 }
                continuation.yield(bytes)
            }
        ).get()
        return socket
    }

    /// The number of datagrams that arrived.
    var count: Int { received.withLockedValue { $0 } }

    var localAddress: PeerAddress { PeerAddress(octets: 0x7f00_0001, port: UInt16(channel.localAddress?.port ?? 0)) }

    func close() async throws { try await channel.close() }

    func next() async -> [UInt8]? {
        for await datagram in datagrams { return datagram }
        return nil
    }

    func send(_ bytes: ByteBuffer, to address: PeerAddress) {
        guard let remote = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) else { return }
        channel.writeAndFlush(AddressedEnvelope(remoteAddress: remote, data: bytes), promise: nil)
    }

    private final class Receiver: ChannelInboundHandler, Sendable {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        let handler: @Sendable ([UInt8]) -> Void

        init(handler: @escaping @Sendable ([UInt8]) -> Void) {
            self.handler = handler
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            handler(Array(unwrapInboundIn(data).data.readableBytesView))
        }
    }
}
