public import CompactEncoding
public import NIOCore
import NIOPosix

/// One bound UDP socket that carries all traffic of a node: hole punch probes, UDX packets and messages of the DHT.
///
/// A datagram of one byte is a probe. A datagram with a UDX header goes to the stream with its id, independent of the
/// socket that received it. Every other datagram is a message. A UDX packet for an unknown stream is ignored.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 1.
public actor DatagramSocket: EventLoopConfined {
    /// The sizes of a socket's buffers.
    public enum Profile: Hashable, Sendable {
        /// Reads many datagrams at once, with receive offload where the system has it. Holds half a megabyte.
        case standard
        /// Reads one datagram at a time, for sockets that only punch holes.
        case small
    }

    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// The address that the socket is bound to; 0.0.0.0 if to all.
    public nonisolated let local: PeerAddress
    /// The streams that packets of this socket may belong to.
    public nonisolated let streams: StreamTable

    private let channel: any Channel
    /// `nil` once the socket is closed.
    private(set) var descriptor: DatagramDescriptor?
    private let forbidsFragmentation: Bool
    /// True while the system splits one send into datagrams.
    private(set) var usesSegmentationOffload: Bool
    private var onMessage: (@Sendable (ByteBuffer, PeerAddress) -> Void)?
    private var onProbe: (@Sendable (PeerAddress) -> Void)?
    private var onClose: (@Sendable () -> Void)?
    /// Streams that wait until the system takes datagrams again.
    private var blocked: [UDXStream] = []
    /// Count of the datagrams that the system refused.
    public private(set) var failedSendCount = 0

    private static let vectorCount = 8
    /// The size of both buffers, in bytes, if the system accepts it.
    private static let bufferSize = 4 * 1024 * 1024
    private static let retryDelay = TimeAmount.milliseconds(1)

    /// Binds a socket.
    ///
    /// - Parameters:
    ///   - address: The address to bind to; port 0 for any.
    ///   - eventLoop: The node's event loop, the same as that of `streams`.
    /// - Throws: The system's error, for instance if the port is in use.
    public static func bind(
        to address: PeerAddress = PeerAddress(octets: 0, port: 0), streams: StreamTable, profile: Profile = .standard
    ) async throws -> DatagramSocket {
        var bootstrap = DatagramBootstrap(group: streams.eventLoop)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramHandler())
                }
            }
        if profile == .standard {
            #if os(Linux)
                let hasOffload = System.supportsUDPReceiveOffload
                let size = hasOffload ? 64 * 1024 : 2048
                bootstrap =
                    bootstrap
                    .channelOption(.datagramVectorReadMessageCount, value: vectorCount)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: vectorCount * size))
                if hasOffload {
                    bootstrap =
                        bootstrap
                        .channelOption(.datagramReceiveOffload, value: true)
                        .channelOption(.datagramReceiveSegmentSize, value: true)
                }
            #endif
        }
        let channel = try await bootstrap.bind(to: address.socketAddress).get()
        return try await channel.eventLoop.submit {
            guard let local = PeerAddress(channel.localAddress) else {
                throw UDXError(.socketUnavailable, "The socket has no IPv4 address.")
            }
            let descriptor = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
            guard let descriptor else { throw UDXError(.socketUnavailable, "The channel has no descriptor.") }
            let handler = try channel.pipeline.syncOperations.handler(type: DatagramHandler.self)
            let socket = DatagramSocket(
                local: local, streams: streams, channel: channel, descriptor: DatagramDescriptor(descriptor: descriptor))
            handler.socket = socket
            return socket
        }.get()
    }

    private init(local: PeerAddress, streams: StreamTable, channel: any Channel, descriptor: DatagramDescriptor) {
        self.eventLoop = streams.eventLoop
        self.local = local
        self.streams = streams
        self.channel = channel
        self.descriptor = descriptor
        descriptor.setCloseOnExec()
        // A smaller buffer only loses datagrams earlier.
        for buffer in DatagramDescriptor.Buffer.allCases { _ = descriptor.setBufferSize(buffer, atMost: Self.bufferSize) }
        forbidsFragmentation = descriptor.setDontFragment(true)
        #if os(Linux)
            usesSegmentationOffload = System.supportsUDPSegmentationOffload
        #else
            usesSegmentationOffload = false
        #endif
    }

    /// Sets the callbacks, which run on the event loop. Datagrams that came before are dropped.
    ///
    /// - Parameters:
    ///   - onMessage: Receives a datagram that is neither a probe nor a UDX packet. The bytes are its own copy.
    ///   - onProbe: Receives the source of a hole punch probe.
    ///   - onClose: Called once the socket is closed, by ``close()`` or by the system.
    public func setHandlers(
        onMessage: (@Sendable (ByteBuffer, PeerAddress) -> Void)? = nil, onProbe: (@Sendable (PeerAddress) -> Void)? = nil,
        onClose: (@Sendable () -> Void)? = nil
    ) {
        self.onMessage = onMessage
        self.onProbe = onProbe
        self.onClose = onClose
    }

    public var isOpen: Bool { descriptor != nil }

    /// Sends one datagram. A datagram that the system refuses is lost, as any datagram may be.
    ///
    /// - Parameter timeToLive: Maximum hops of the datagram; 64 if `nil`.
    public func send(_ bytes: ByteBuffer, to address: PeerAddress, timeToLive: Int? = nil) {
        guard let descriptor else { return }
        if let timeToLive, !descriptor.setTimeToLive(timeToLive) { return }
        let outcome = bytes.withUnsafeReadableBytes { descriptor.send($0, segmentSize: $0.count, to: address) }
        if outcome != .sent { failedSendCount += 1 }
        if timeToLive != nil { _ = descriptor.setTimeToLive(DatagramDescriptor.defaultTimeToLive) }
    }

    /// Closes the socket and ends its streams without a packet.
    public func close() async {
        didClose()
        try? await channel.close().get()
    }

    /// Sends datagrams one by one from now on.
    func disableSegmentationOffload() { usesSegmentationOffload = false }

    // MARK: Streams

    /// Sends a stream's datagrams. Returns those that the system cannot take now; the stream is flushed again soon.
    func send(_ transmit: StreamState.Transmit, to address: PeerAddress, from stream: UDXStream) -> StreamState.Transmit? {
        guard let descriptor else { return nil }
        let relaxes = transmit.allowsFragmentation && forbidsFragmentation && descriptor.setDontFragment(false)
        defer { if relaxes { _ = descriptor.setDontFragment(true) } }
        let handled = transmit.bytes.withUnsafeReadableBytes { bytes -> Int in
            if bytes.count <= transmit.segmentSize || usesSegmentationOffload {
                switch descriptor.send(bytes, segmentSize: transmit.segmentSize, to: address) {
                case .sent: return bytes.count
                case .wouldBlock: return 0
                case .failed where bytes.count <= transmit.segmentSize:
                    failedSendCount += 1
                    return bytes.count
                case .failed: break
                }
            }
            return sendSeparately(bytes, segmentSize: transmit.segmentSize, to: address, descriptor)
        }
        guard handled < transmit.bytes.readableBytes else { return nil }
        var rest = transmit
        rest.bytes.moveReaderIndex(forwardBy: handled)
        block(stream)
        return rest
    }

    /// Sends datagrams one by one until the system's buffer is full; returns the count of handled bytes.
    private func sendSeparately(
        _ bytes: UnsafeRawBufferPointer, segmentSize: Int, to address: PeerAddress, _ descriptor: DatagramDescriptor
    ) -> Int {
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + segmentSize, bytes.count)
            let datagram = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            switch descriptor.send(datagram, segmentSize: datagram.count, to: address) {
            case .sent:
                // The single datagram was sent, so the failure before was that of the offload, which some interfaces lack.
                usesSegmentationOffload = false
            case .wouldBlock:
                return offset
            case .failed:
                failedSendCount += 1
            }
            offset = end
        }
        return offset
    }

    private func block(_ stream: UDXStream) {
        blocked.append(stream)
        guard blocked.count == 1 else { return }
        eventLoop.scheduleTask(in: Self.retryDelay) {
            self.onEventLoop { socket in
                let streams = socket.blocked
                socket.blocked = []
                for stream in streams { stream.onEventLoop { $0.flush() } }
            }
        }
    }

    // MARK: Receiving

    /// Processes the result of one read: a datagram, or several of `segmentSize` bytes of which the last may be shorter.
    func receive(_ data: ByteBuffer, segmentSize: Int?, from source: PeerAddress) {
        let segmentSize = max(segmentSize ?? data.readableBytes, 1)
        data.withUnsafeReadableBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                var end = min(offset + segmentSize, bytes.count)
                let datagram = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
                guard let id = PacketHeader.streamID(of: datagram) else {
                    if datagram.count == 1 {
                        onProbe?(source)
                    } else {
                        onMessage?(ByteBuffer(bytes: datagram), source)
                    }
                    offset = end
                    continue
                }
                // Mostly all datagrams of a read belong to one stream, which then takes them together.
                while end < bytes.count {
                    let nextEnd = min(end + segmentSize, bytes.count)
                    let next = UnsafeRawBufferPointer(rebasing: bytes[end..<nextEnd])
                    guard PacketHeader.streamID(of: next) == id else { break }
                    end = nextEnd
                }
                let run = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
                if let stream = streams.onEventLoop({ $0.stream(id) }) {
                    stream.onEventLoop { $0.receive(run, segmentSize: segmentSize, from: source, on: self) }
                } else {
                    streams.onEventLoop { $0.forward(run, segmentSize: segmentSize, to: id, from: source, on: self) }
                }
                offset = end
            }
        }
    }

    func didReadAll() {
        streams.onEventLoop { $0.flush() }
    }

    func didClose() {
        guard descriptor != nil else { return }
        descriptor = nil
        blocked = []
        streams.onEventLoop { $0.abandonStreams(on: self) }
        let onClose = onClose
        setHandlers()
        onClose?()
    }
}

/// The channel handler that passes events to the socket.
private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    var socket: DatagramSocket?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let source = PeerAddress(envelope.remoteAddress) else { return }
        socket?.onEventLoop { $0.receive(envelope.data, segmentSize: envelope.metadata?.segmentSize, from: source) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        socket?.onEventLoop { $0.didReadAll() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A failed read is ignored: NIO closes a socket that it cannot read any more.
    }

    func channelInactive(context: ChannelHandlerContext) {
        socket?.onEventLoop { $0.didClose() }
        socket = nil
    }
}
