import NIOCore

/// The protocol of one UDX stream: packets, bytes and times in; packets, bytes and the next deadline out.
///
/// The owner feeds ``receive(_:at:)``, ``write(_:)``, ``read()`` and ``handleTimer(at:)``. After each turn it sends what
/// ``nextTransmit(at:)`` returns until that is `nil`, looks at the readable bytes and at ``closure``, and sets a timer for
/// ``deadline``.
///
///     idle ──connect──► open ──both ENDs done, destroy──► lingering ──time──► gone
///                        └──────────reset, timeout───────────────────────────▲
///
/// The parts of the state machine are extensions in files of their own: the application's side, receiving, loss, packets
/// that are sent once, and sending. They share the stored properties, which no other type writes.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 5.
struct StreamState: Sendable {
    /// Datagrams for the socket: one, or several of equal size of which only the last may be shorter.
    struct Transmit: Sendable {
        var bytes: ByteBuffer
        /// The size of each datagram, in bytes.
        var segmentSize: Int
        /// True for packets that were made for a path which carried larger ones; routers may split them.
        var allowsFragmentation = false
    }

    /// Maximum datagrams in one transmit: the limit of Linux for one call with segmentation offload.
    static let maximumSegmentCount = 64
    /// Maximum size of one transmit, in bytes.
    static let maximumTransmitSize = 65_000
    /// Maximum packets without a cumulative acknowledgement.
    static let maximumSpan = 4096
    /// Maximum timeouts of one packet; a further timeout ends the stream.
    static let maximumTimeoutCount: UInt8 = 6
    /// The initial window of the peer, in bytes.
    static let initialPeerWindow = 4 * 1024 * 1024
    static let maximumControlBatchCount = 128
    /// Count of sends of a stream's last packet when its node closes. At 20 % loss, all of them are lost for one stream in 600.
    static let farewellCount = 4

    let configuration: StreamConfiguration
    /// The peer's id of the stream; `nil` until ``connect(remoteID:at:)``.
    var remoteID: UInt32?
    /// The cause of the end; nil while the stream is open. A stream that finished or was destroyed may still linger.
    var closure: StreamClosure?
    /// The time until which a finished or destroyed stream answers repeated packets of the peer; nil if it does not.
    var lingerEnd: NIODeadline?

    // Receiving.
    var inbound: ReceiveBuffer
    var messages = CircularBuffer<ByteBuffer>()
    var latestReceived: PacketNumber?
    var owesAcknowledgement = false
    var advertisedWindow: Int

    // Sending.
    var queue = SendQueue()
    var sent = SentPackets()
    var finishRequested = false
    var endSent: PacketNumber?
    var control = CircularBuffer<ControlBatch>()
    /// The last batch, to which acknowledgements are appended.
    var openControl: ControlBatch?
    var peerWindow = initialPeerWindow
    var windowSequence: PacketNumber = 0
    var windowAcknowledged: PacketNumber = 0
    /// Payload bytes of all packets in `sent`, delivered out of order or not.
    var unacknowledgedBytes = 0
    /// Bytes of packets that are neither delivered nor lost.
    var bytesInFlight = 0
    var packetsInFlight = 0
    var mtu: PathMTU

    // Loss recovery: RFC 8985.
    var transmissions = CircularBuffer<(number: PacketNumber, sentAt: NIODeadline)>()
    var lost = CircularBuffer<PacketNumber>()
    var selectivelyAcknowledged = PacketRanges()
    var selectiveCount = 0
    var newestDelivered: (number: PacketNumber, sentAt: NIODeadline)?
    var newestRoundTrip = TimeAmount.zero
    var highestDelivered: PacketNumber = -1
    var hasSeenReordering = false
    var reorderingFactor: Int64 = 1
    var recoveryEnd: PacketNumber?
    /// Count of the tail-loss probes since the last progress.
    var tailProbeCount = 0
    var forcedRetransmission: PacketNumber?
    var forcedNewPackets = 0

    // Rates.
    var roundTrip = RoundTripEstimator()
    var sampler = DeliveryRateSampler()
    var congestion: BottleneckControl
    var pacer = Pacer()
    var acknowledgedInBatch = 0
    var lostInBatch = 0
    var roundTripInBatch: TimeAmount?
    var priorInFlight = 0
    var hasAcknowledgements = false

    // Timers.
    var retransmissionDeadline: NIODeadline?
    var tailProbeDeadline: NIODeadline?
    var reorderingDeadline: NIODeadline?
    var zeroWindowDeadline: NIODeadline?
    var pacingDeadline: NIODeadline?
    var heartbeatDeadline: NIODeadline?
    /// The time of the next HEARTBEAT of a stream that this side has ended and the peer has not; `nil` for other streams.
    var halfCloseDeadline: NIODeadline?
    /// The arrival of the last packet.
    var lastReceived: NIODeadline?

    // Change of the remote address.
    var migrationEnd: PacketNumber?

    init(configuration: StreamConfiguration = StreamConfiguration()) {
        self.configuration = configuration
        inbound = ReceiveBuffer(capacity: configuration.receiveWindow)
        advertisedWindow = configuration.receiveWindow
        mtu = PathMTU(isEnabled: configuration.probesPathMTU)
        congestion = BottleneckControl(packetSize: PathMTU.base - PathMTU.outerHeaderSize)
    }
}

// MARK: State for the owner

extension StreamState {
    /// Count of the written bytes that are not in a packet yet.
    var unsentBytes: Int { queue.count }
    /// Count of the bytes in order that wait to be read.
    var readableBytes: Int { inbound.readable.readableBytes }
    /// True once the peer's END was delivered: no bytes follow the readable ones.
    var isReceiveComplete: Bool { inbound.isComplete }
    /// True once the peer has acknowledged everything, including END.
    var isSendComplete: Bool { endSent.map { sent.first > $0 } ?? false }
    /// True after ``finish()``.
    var isFinishing: Bool { finishRequested }
    /// True while packets that were in flight when the remote address changed are unacknowledged.
    var isMigrating: Bool { migrationEnd != nil }
    /// Returns true once no packet of this stream is expected or sent any more.
    func isGone(at now: NIODeadline) -> Bool {
        guard closure != nil else { return false }
        return lingerEnd.map { $0 <= now } ?? true
    }

    /// True if acknowledgements or messages wait to be sent.
    var hasControlPackets: Bool { openControl != nil || !control.isEmpty }

    /// Approximate memory held for data, in bytes.
    var retainedBytes: Int { queue.count + unacknowledgedBytes + readableBytes + inbound.bufferedBytes }

    /// The next time at which ``handleTimer(at:)`` has work; `nil` for never.
    var deadline: NIODeadline? {
        if closure != nil { return lingerEnd }
        var result: NIODeadline?
        func consider(_ deadline: NIODeadline?) {
            guard let deadline else { return }
            result = result.map { min($0, deadline) } ?? deadline
        }
        consider(retransmissionDeadline)
        consider(tailProbeDeadline)
        consider(reorderingDeadline)
        consider(zeroWindowDeadline)
        consider(pacingDeadline)
        consider(heartbeatDeadline)
        consider(halfCloseDeadline)
        return result
    }
}
