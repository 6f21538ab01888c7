import NIOCore

/// The protocol of one UDX stream: packets, bytes and times in; packets, bytes and the next deadline out.
///
/// The owner feeds ``receive(_:at:)``, ``write(_:)``, ``read()`` and ``handleTimer(at:)``. After each turn it sends what
/// ``nextTransmit(at:)`` returns until that is `nil`, looks at the readable bytes and at ``closure``, and sets a timer for
/// ``deadline``.
///
///     idle ──connect──► open ──both ENDs done──► lingering ──time──► gone
///                        └──────destroy, reset, timeout───────────────▲
///
/// One file, longer than usual: the parts of the state machine share private state.
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

    /// The number of datagrams in one transmit; what Linux takes in one call with segmentation offload.
    static let maximumSegmentCount = 64
    /// The size of one transmit, in bytes.
    static let maximumTransmitSize = 65_000
    /// The number of packets without a cumulative acknowledgement.
    static let maximumSpan = 4096
    /// The number of timeouts of one packet after which the stream is over.
    static let maximumTimeoutCount: UInt8 = 6
    /// The window that a peer starts with, in bytes.
    static let initialPeerWindow = 4 * 1024 * 1024
    static let maximumControlBatchCount = 128

    let configuration: StreamConfiguration
    /// The peer's id of the stream; `nil` until ``connect(remoteID:at:)``.
    private(set) var remoteID: UInt32?
    /// The reason for the end, once there is one. A stream that finished may still linger.
    private(set) var closure: StreamClosure?
    /// The time until which a finished stream acknowledges what the peer repeats.
    private(set) var lingerEnd: NIODeadline?

    // Receiving.
    private(set) var inbound: ReceiveBuffer
    private(set) var messages = CircularBuffer<ByteBuffer>()
    private var latestReceived: PacketNumber?
    private var owesAcknowledgement = false
    private var advertisedWindow: Int

    // Sending.
    private var queue = SendQueue()
    private var sent = SentPackets()
    private var finishRequested = false
    private var endSent: PacketNumber?
    private var control = CircularBuffer<ControlBatch>()
    /// The last batch, to which acknowledgements are appended.
    private var openControl: ControlBatch?
    private var peerWindow = initialPeerWindow
    private var windowSequence: PacketNumber = 0
    private var windowAcknowledged: PacketNumber = 0
    /// Payload bytes of all packets in `sent`, delivered out of order or not.
    private var unacknowledgedBytes = 0
    /// Bytes of packets that are neither delivered nor lost.
    private(set) var bytesInFlight = 0
    private var packetsInFlight = 0
    private(set) var mtu: PathMTU

    // Loss recovery: RFC 8985.
    private var transmissions = CircularBuffer<(number: PacketNumber, sentAt: NIODeadline)>()
    private var lost = CircularBuffer<PacketNumber>()
    private var selectivelyAcknowledged = PacketRanges()
    private var selectiveCount = 0
    private var newestDelivered: (number: PacketNumber, sentAt: NIODeadline)?
    private var newestRoundTrip = TimeAmount.zero
    private var highestDelivered: PacketNumber = -1
    private var hasSeenReordering = false
    private var reorderingFactor: Int64 = 1
    private var recoveryEnd: PacketNumber?
    private var tailProbeSent = false
    private var forcedRetransmission: PacketNumber?
    private var forcedNewPackets = 0

    // Rates.
    private(set) var roundTrip = RoundTripEstimator()
    private(set) var sampler = DeliveryRateSampler()
    private(set) var congestion: BottleneckControl
    private var pacer = Pacer()
    private var acknowledgedInBatch = 0
    private var lostInBatch = 0
    private var roundTripInBatch: TimeAmount?
    private var priorInFlight = 0
    private var hasAcknowledgements = false

    // Timers.
    private var retransmissionDeadline: NIODeadline?
    private var tailProbeDeadline: NIODeadline?
    private var reorderingDeadline: NIODeadline?
    private var zeroWindowDeadline: NIODeadline?
    private var pacingDeadline: NIODeadline?
    private var heartbeatDeadline: NIODeadline?

    // Change of the remote address.
    private var migrationEnd: PacketNumber?

    init(configuration: StreamConfiguration = StreamConfiguration()) {
        self.configuration = configuration
        inbound = ReceiveBuffer(capacity: configuration.receiveWindow)
        advertisedWindow = configuration.receiveWindow
        mtu = PathMTU(isEnabled: configuration.probesPathMTU)
        congestion = BottleneckControl(packetSize: PathMTU.base - PathMTU.outerHeaderSize)
    }
}

// MARK: - Facts for the owner

extension StreamState {
    /// Bytes written that are not in a packet yet.
    var unsentBytes: Int { queue.count }
    /// Bytes in order that wait to be read.
    var readableBytes: Int { inbound.readable.readableBytes }
    /// The peer's END was delivered: after the readable bytes there are no more.
    var isReceiveComplete: Bool { inbound.isComplete }
    /// The peer has everything, END included.
    var isSendComplete: Bool { endSent.map { sent.first > $0 } ?? false }
    /// ``finish()`` was called.
    var isFinishing: Bool { finishRequested }
    /// All packets are acknowledged that were in flight when the remote address changed.
    var isMigrating: Bool { migrationEnd != nil }
    /// No packet of this stream is expected or sent any more.
    func isGone(at now: NIODeadline) -> Bool {
        guard closure != nil else { return false }
        return lingerEnd.map { $0 <= now } ?? true
    }

    /// Acknowledgements or messages wait to be sent.
    var hasControlPackets: Bool { openControl != nil || !control.isEmpty }

    /// Approximate memory held for data, in bytes.
    var retainedBytes: Int { queue.count + unacknowledgedBytes + readableBytes + inbound.bufferedBytes }

    /// The time at which ``handleTimer(at:)`` has something to do; `nil` for never.
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
        return result
    }
}

// MARK: - The application's side

extension StreamState {
    /// Sets the peer's id. What arrived before is acknowledged now. Does nothing if the id is known already.
    mutating func connect(remoteID: UInt32, at now: NIODeadline) {
        guard self.remoteID == nil, closure == nil else { return }
        self.remoteID = remoteID
        restartHeartbeat(at: now)
        if owesAcknowledgement {
            owesAcknowledgement = false
            queueAcknowledgement()
        }
        finishIfComplete(at: now)
    }

    /// Takes bytes to send. Ignored after ``finish()`` and after the end.
    mutating func write(_ bytes: ByteBuffer) {
        guard !finishRequested, closure == nil else { return }
        queue.append(bytes)
    }

    /// Ends the sending direction after the bytes written so far.
    mutating func finish() {
        finishRequested = true
    }

    /// Removes the bytes in order; announces the new window if the peer may be waiting for it.
    mutating func read() -> ByteBuffer {
        let bytes = inbound.read()
        let window = inbound.window
        if closure == nil, remoteID != nil, advertisedWindow < configuration.receiveWindow / 2,
            window - advertisedWindow >= window / 2
        {
            queueAcknowledgement()
        }
        return bytes
    }

    /// Removes the oldest unordered message.
    mutating func readMessage() -> ByteBuffer? { messages.popFirst() }

    /// Sends an unordered message once. Returns whether it fits into a packet and the stream is open.
    mutating func sendMessage(_ bytes: ByteBuffer) -> Bool {
        guard closure == nil, remoteID != nil, bytes.readableBytes <= mtu.payloadSize,
            control.count < Self.maximumControlBatchCount
        else { return false }
        var packet = ByteBuffer()
        packet.reserveCapacity(PacketHeader.size + bytes.readableBytes)
        header(.message, sequence: sent.next).encode(into: &packet)
        packet.writeImmutableBuffer(bytes)
        queueControl(packet)
        return true
    }

    /// Ends the stream at once and tells the peer, which may never learn it.
    mutating func destroy(at now: NIODeadline) {
        guard closure == nil else {
            lingerEnd = nil
            return
        }
        close(.destroyed)
        guard remoteID != nil else { return }
        var packet = ByteBuffer()
        header(.destroy, sequence: sent.next).encode(into: &packet)
        queueControl(packet)
    }

    /// Ends the stream without a packet, because its socket or node is gone.
    mutating func abandon() {
        lingerEnd = nil
        guard closure == nil else { return }
        close(.socketClosed)
    }

    /// Notes that packets go to another address from now on: the path's properties are unknown again.
    mutating func changePath(remoteID: UInt32? = nil, at now: NIODeadline) {
        guard closure == nil else { return }
        if let remoteID, self.remoteID != nil { self.remoteID = remoteID }
        mtu = PathMTU(isEnabled: configuration.probesPathMTU)
        congestion = BottleneckControl(packetSize: PathMTU.base - PathMTU.outerHeaderSize)
        migrationEnd = sent.isEmpty ? nil : sent.next
    }

    private mutating func close(_ reason: StreamClosure) {
        guard closure == nil else { return }
        closure = reason
        queue.removeAll()
        sent.removeAll()
        lost.removeAll()
        transmissions.removeAll()
        control.removeAll()
        openControl = nil
        selectivelyAcknowledged = PacketRanges()
        unacknowledgedBytes = 0
        bytesInFlight = 0
        packetsInFlight = 0
        if reason != .finished { inbound.removeAll() }
    }

    private mutating func finishIfComplete(at now: NIODeadline) {
        guard closure == nil, remoteID != nil, isSendComplete, isReceiveComplete else { return }
        closeControl()
        let acknowledgements = control
        close(.finished)
        control = acknowledgements
        lingerEnd = now + TimeAmount(configuration.linger)
    }
}

// MARK: - Receiving

extension StreamState {
    /// Takes one datagram, beginning with its header. Anything malformed is ignored.
    mutating func receive(_ datagram: UnsafeRawBufferPointer, at now: NIODeadline) {
        guard let header = PacketHeader(datagram) else { return }
        let body = UnsafeRawBufferPointer(rebasing: datagram[PacketHeader.size...])
        let padding = Int(header.dataOffset)
        guard padding <= body.count else { return }
        guard closure == nil else {
            // A peer that repeats its END did not get the acknowledgement.
            if closure == .finished, header.type.rawValue & 3 != 0 { queueAcknowledgement() }
            return
        }
        if header.type.contains(.heartbeat) {
            queueAcknowledgement()
            return
        }
        let payload = UnsafeRawBufferPointer(rebasing: body[padding...])
        let number = PacketNumber(wire: header.sequence, near: inbound.expected)

        if header.type.contains(.destroy) {
            if number >= inbound.expected { close(.reset) }
            return
        }
        if !header.type.isDisjoint(with: [.data, .end]) {
            let data = header.type.contains(.data) ? payload : UnsafeRawBufferPointer(start: nil, count: 0)
            _ = inbound.accept(number, isEnd: header.type.contains(.end), payload: data)
            latestReceived = number
            queueAcknowledgement()
        } else if header.type.contains(.message) {
            if messages.count < configuration.maximumMessageCount { messages.append(ByteBuffer(bytes: payload)) }
        }
        guard remoteID != nil else { return }

        var ranges = UnsafeRawBufferPointer(start: nil, count: 0)
        if header.type.contains(.selectiveAcknowledgement) {
            if padding > 0 {
                ranges = UnsafeRawBufferPointer(rebasing: body[..<padding])
            } else if header.type == .selectiveAcknowledgement {
                ranges = payload
            }
        }
        receiveAcknowledgement(header, number: number, ranges: ranges, at: now)
        finishIfComplete(at: now)
    }

    private mutating func receiveAcknowledgement(
        _ header: PacketHeader, number: PacketNumber, ranges: UnsafeRawBufferPointer, at now: NIODeadline
    ) {
        let acknowledged = PacketNumber(wire: header.acknowledged, near: sent.first)
        guard acknowledged <= sent.next else { return }
        if !hasAcknowledgements {
            priorInFlight = bytesInFlight
            hasAcknowledgements = true
        }

        if number > windowSequence || (number == windowSequence && acknowledged >= windowAcknowledged) {
            windowSequence = number
            windowAcknowledged = acknowledged
            peerWindow = Int(header.window)
            if peerWindow > 0 { zeroWindowDeadline = nil }
        }
        var isProgress = false
        while sent.first < acknowledged {
            let first = sent.first
            let packet = sent[first]
            if packet.status != .delivered {
                didDeliver(first, packet, at: now)
            } else {
                selectiveCount -= 1
            }
            unacknowledgedBytes -= Int(packet.size) - PacketHeader.size
            sent.removeFirst()
            isProgress = true
        }
        if ranges.count > 0 {
            var reported: [Range<PacketNumber>] = []
            SelectiveAcknowledgement.forEachRange(in: ranges, sent: sent.range) { reported.append($0) }
            for range in reported where didReport(range, at: now) { isProgress = true }
        }
        if peerWindow < mtu.payloadSize, !sent.isEmpty {
            // The peer is there and refuses the packet that probes its closed window: no reason to give up.
            sent[sent.first].timeoutCount = 0
        }
        guard isProgress else { return }
        selectivelyAcknowledged.removeAll(below: sent.first)
        if let end = recoveryEnd, sent.first >= end {
            recoveryEnd = nil
            congestion.leaveRecovery()
        }
        if let end = migrationEnd, sent.first >= end { migrationEnd = nil }
        tailProbeSent = false
        restartRetransmissionTimers(at: now)
    }

    /// Marks the packets of `range` as delivered. Returns whether one is new.
    private mutating func didReport(_ range: Range<PacketNumber>, at now: NIODeadline) -> Bool {
        let missing = selectivelyAcknowledged.missing(in: range)
        guard !missing.isEmpty else { return false }
        selectivelyAcknowledged.insert(range)
        var isProgress = false
        for number in missing.joined() where sent.contains(number) {
            let packet = sent[number]
            guard packet.status != .delivered else { continue }
            didDeliver(number, packet, at: now)
            sent[number].status = .delivered
            sent[number].payload = ByteBuffer()
            selectiveCount += 1
            isProgress = true
        }
        return isProgress
    }

    private mutating func didDeliver(_ number: PacketNumber, _ packet: SentPacket, at now: NIODeadline) {
        let size = Int(packet.size)
        if packet.status == .inFlight {
            bytesInFlight -= size
            packetsInFlight -= 1
        }
        acknowledgedInBatch += size
        sampler.didDeliver(bytes: size, snapshot: packet.snapshot, sentAt: packet.sentAt, at: now)
        let elapsed = now - packet.sentAt
        if packet.transmissionCount == 1 {
            roundTripInBatch = min(roundTripInBatch ?? elapsed, elapsed)
            if number < highestDelivered { hasSeenReordering = true }
        } else if let minimum = roundTrip.minimum, elapsed < minimum {
            // The acknowledgement is for an earlier transmission: it was late, not lost.
            hasSeenReordering = true
            if packet.status == .inFlight { reorderingFactor = min(reorderingFactor + 1, 16) }
            if mtu.probe?.number == number, mtu.didDeliver(number) { didRaiseMTU() }
            return
        }
        highestDelivered = max(highestDelivered, number)
        if mtu.probe?.number == number, mtu.didDeliver(number) { didRaiseMTU() }
        if newestDelivered.map({ packet.sentAt > $0.sentAt || (packet.sentAt == $0.sentAt && number > $0.number) }) ?? true {
            newestDelivered = (number, packet.sentAt)
            newestRoundTrip = elapsed
        }
    }

    private mutating func didRaiseMTU() {
        congestion.packetSize = mtu.payloadSize + PacketHeader.size
    }
}

// MARK: - Loss

extension StreamState {
    /// The time by which a packet may be late before it counts as lost.
    private var reorderingWindow: TimeAmount {
        let isRecovering = recoveryEnd != nil
        if !hasSeenReordering, isRecovering || selectiveCount >= 3 { return .zero }
        let minimum = roundTrip.minimum ?? .zero
        let window = TimeAmount.nanoseconds(minimum.nanoseconds / 4 * reorderingFactor)
        return min(window, roundTrip.smoothed ?? window)
    }

    /// Marks packets as lost that were sent well before one that arrived.
    private mutating func detectLosses(at now: NIODeadline) {
        reorderingDeadline = nil
        guard let newest = newestDelivered else { return }
        let allowance = newestRoundTrip + reorderingWindow
        while let entry = transmissions.first {
            guard sent.isInFlight(entry.number, since: entry.sentAt) else {
                transmissions.removeFirst()
                continue
            }
            guard entry.sentAt < newest.sentAt || (entry.sentAt == newest.sentAt && entry.number < newest.number) else { return }
            let due = entry.sentAt + allowance
            guard due <= now else {
                reorderingDeadline = due
                return
            }
            transmissions.removeFirst()
            markLost(entry.number)
        }
    }

    private mutating func markLost(_ number: PacketNumber) {
        let size = Int(sent[number].size)
        sent[number].status = .lost
        bytesInFlight -= size
        packetsInFlight -= 1
        lost.append(number)
        if mtu.probe?.number == number, mtu.didLose(number) { return }
        lostInBatch += size
        if recoveryEnd == nil {
            recoveryEnd = sent.next
            congestion.enterRecovery(inFlight: bytesInFlight)
        }
    }

    private mutating func restartRetransmissionTimers(at now: NIODeadline) {
        guard !sent.isEmpty else {
            retransmissionDeadline = nil
            tailProbeDeadline = nil
            // An idle stream holds no large buffer.
            if transmissions.count > 256 {
                transmissions = CircularBuffer()
            } else {
                transmissions.removeAll(keepingCapacity: true)
            }
            return
        }
        retransmissionDeadline = now + roundTrip.timeout
        restartTailProbe(at: now)
    }

    /// Sets the timer of the tail-loss probe; before the first round-trip sample the retransmission timer is all there is.
    private mutating func restartTailProbe(at now: NIODeadline) {
        guard !tailProbeSent, packetsInFlight > 0, let smoothed = roundTrip.smoothed else {
            tailProbeDeadline = nil
            return
        }
        // The two milliseconds also cover a busy event loop on a path without delay.
        tailProbeDeadline = now + .nanoseconds(2 * smoothed.nanoseconds) + .milliseconds(2)
    }

    /// Handles all deadlines that passed.
    mutating func handleTimer(at now: NIODeadline) {
        guard closure == nil else { return }
        if let deadline = pacingDeadline, deadline <= now { pacingDeadline = nil }
        if let deadline = reorderingDeadline, deadline <= now { detectLosses(at: now) }
        if let deadline = zeroWindowDeadline, deadline <= now {
            zeroWindowDeadline = nil
            forcedNewPackets = 1
        }
        if let deadline = heartbeatDeadline, deadline <= now, remoteID != nil {
            var packet = ByteBuffer()
            header(.heartbeat, sequence: sent.next).encode(into: &packet)
            queueControl(packet)
            restartHeartbeat(at: now)
        }
        if let deadline = retransmissionDeadline, deadline <= now {
            didTimeOut(at: now)
        } else if let deadline = tailProbeDeadline, deadline <= now {
            tailProbeDeadline = nil
            tailProbeSent = true
            sendTailProbe(at: now)
        }
    }

    private mutating func sendTailProbe(at now: NIODeadline) {
        guard packetsInFlight > 0 else { return }
        retransmissionDeadline = now + roundTrip.timeout
        if queue.count > 0, peerWindow - unacknowledgedBytes >= mtu.payloadSize, sent.count < Self.maximumSpan {
            forcedNewPackets = 1
            return
        }
        var number = sent.next - 1
        while number >= sent.first {
            if sent[number].status == .inFlight {
                forcedRetransmission = number
                return
            }
            number -= 1
        }
    }

    private mutating func didTimeOut(at now: NIODeadline) {
        guard !sent.isEmpty else {
            retransmissionDeadline = nil
            return
        }
        let first = sent.first
        sent[first].timeoutCount += 1
        guard sent[first].timeoutCount <= Self.maximumTimeoutCount else {
            close(.timedOut)
            return
        }
        if sent[first].timeoutCount == 2, mtu.current > PathMTU.base {
            // The path may carry less than it did: stay with what every path carries.
            mtu = PathMTU(isEnabled: false)
        }
        for number in sent.range where sent[number].status == .inFlight {
            guard number == first || sent[number].sentAt + roundTrip.timeout <= now else { continue }
            markLost(number)
        }
        congestion.didTimeOut(inFlight: bytesInFlight)
        recoveryEnd = sent.next
        forcedRetransmission = first
        tailProbeDeadline = nil
        retransmissionDeadline = now + .nanoseconds(2 * roundTrip.timeout.nanoseconds)
    }

    private mutating func restartHeartbeat(at now: NIODeadline) {
        heartbeatDeadline = configuration.heartbeatInterval.map { now + TimeAmount($0) }
    }
}

// MARK: - Sending

extension StreamState {
    /// Acknowledgements, messages and the like: packets that are sent once.
    fileprivate struct ControlBatch: Sendable {
        var bytes: ByteBuffer
        var segmentSize: Int
    }

    private func header(_ type: PacketType, sequence: PacketNumber, padding: UInt8 = 0) -> PacketHeader {
        PacketHeader(
            type: type, dataOffset: padding, streamID: remoteID ?? 0, window: UInt32(clamping: inbound.window),
            sequence: sequence.wire, acknowledged: inbound.expected.wire)
    }

    private mutating func queueAcknowledgement() {
        guard remoteID != nil else {
            owesAcknowledgement = true
            return
        }
        let ranges =
            inbound.received.isEmpty
            ? [] : SelectiveAcknowledgement.selection(from: inbound.received, including: latestReceived)
        let size = PacketHeader.size + ranges.count * SelectiveAcknowledgement.rangeSize
        let packet = header(ranges.isEmpty ? [] : .selectiveAcknowledgement, sequence: sent.next)

        if let last = openControl, size <= last.segmentSize,
            last.bytes.readableBytes < (Self.maximumSegmentCount - 1) * last.segmentSize,
            last.bytes.readableBytes + size <= Self.maximumTransmitSize
        {
            packet.encode(into: &openControl!.bytes)
            SelectiveAcknowledgement.encode(ranges, into: &openControl!.bytes)
            // Only the last datagram of a batch may be shorter.
            if size < openControl!.segmentSize { closeControl() }
        } else {
            let isFirst = openControl == nil
            closeControl()
            guard control.count < Self.maximumControlBatchCount else { return }
            var bytes = ByteBuffer()
            // Mostly there is one acknowledgement, or one per packet of a full receive.
            bytes.reserveCapacity(isFirst ? size : 8 * size)
            packet.encode(into: &bytes)
            SelectiveAcknowledgement.encode(ranges, into: &bytes)
            openControl = ControlBatch(bytes: bytes, segmentSize: size)
        }
    }

    /// Queues a packet that is sent once, behind the acknowledgements.
    private mutating func queueControl(_ packet: ByteBuffer) {
        closeControl()
        control.append(ControlBatch(bytes: packet, segmentSize: packet.readableBytes))
    }

    private mutating func closeControl() {
        guard let batch = openControl else { return }
        openControl = nil
        control.append(batch)
    }

    private mutating func nextControl() -> ControlBatch? {
        if let batch = control.popFirst() { return batch }
        defer { openControl = nil }
        return openControl
    }

    /// Takes the next datagrams to send; `nil` when there are none for now.
    mutating func nextTransmit(at now: NIODeadline) -> Transmit? {
        if var batch = nextControl() {
            // The application may have read since; the window in the packet is the newest.
            let window = inbound.window
            advertisedWindow = window
            var offset = batch.bytes.readerIndex
            while offset + PacketHeader.size <= batch.bytes.writerIndex {
                batch.bytes.setInteger(UInt32(clamping: window), at: offset + 8, endianness: .little)
                offset += batch.segmentSize
            }
            return Transmit(bytes: batch.bytes, segmentSize: batch.segmentSize)
        }
        guard closure == nil, remoteID != nil else { return nil }
        finishAcknowledgements(at: now)
        if let transmit = nextRetransmission(at: now) { return transmit }
        return nextNewPackets(at: now)
    }

    /// Evaluates the acknowledgements received since the last call together.
    private mutating func finishAcknowledgements(at now: NIODeadline) {
        guard hasAcknowledgements else { return }
        hasAcknowledgements = false
        if let sample = roundTripInBatch { roundTrip.add(sample, at: now) }
        detectLosses(at: now)
        if acknowledgedInBatch > 0 || lostInBatch > 0 {
            congestion.update(
                sample: sampler.takeSample(), roundTrip: roundTripInBatch, acknowledged: acknowledgedInBatch, lost: lostInBatch,
                inFlight: bytesInFlight, priorInFlight: priorInFlight, delivered: sampler.delivered, at: now)
        }
        acknowledgedInBatch = 0
        lostInBatch = 0
        roundTripInBatch = nil
    }

    /// The bytes that congestion window and pacer allow now; sets the pacing timer if the pacer is what holds them back.
    private mutating func allowance(at now: NIODeadline) -> Int {
        pacingDeadline = nil
        // A window with room for part of a packet has room for the packet.
        let room = congestion.window - bytesInFlight
        guard room > 0 else { return 0 }
        let budget = pacer.budget(at: now, rate: congestion.pacingRate, burst: congestion.quantum)
        guard budget > 0 else {
            pacingDeadline = max(
                pacer.resumption(rate: congestion.pacingRate, burst: congestion.quantum), now + Pacer.granularity)
            return 0
        }
        return min(room, budget)
    }

    private mutating func nextRetransmission(at now: NIODeadline) -> Transmit? {
        if let number = forcedRetransmission {
            forcedRetransmission = nil
            if sent.contains(number), sent[number].status != .delivered { return retransmit([number], at: now) }
        }
        while let number = lost.first, !sent.contains(number) || sent[number].status != .lost { lost.removeFirst() }
        guard let first = lost.first else { return nil }
        var allowance = allowance(at: now)
        guard allowance > 0 else { return nil }
        let size = sent[first].size
        var numbers: [PacketNumber] = []
        var total = 0
        while let number = lost.first, allowance > 0, numbers.count < Self.maximumSegmentCount {
            if sent.contains(number), sent[number].status == .lost {
                guard sent[number].size == size, total + Int(size) <= Self.maximumTransmitSize else { break }
                numbers.append(number)
                total += Int(size)
                allowance -= Int(size)
            }
            lost.removeFirst()
        }
        return retransmit(numbers, at: now)
    }

    /// Sends packets of equal size again, with the same number and payload, without padding.
    private mutating func retransmit(_ numbers: [PacketNumber], at now: NIODeadline) -> Transmit? {
        guard let first = numbers.first else { return nil }
        let size = Int(sent[first].size)
        var bytes = ByteBuffer()
        bytes.reserveCapacity(numbers.count * size)
        var isOversized = false
        for number in numbers {
            var packet = sent[number]
            header(packet.type, sequence: number).encode(into: &bytes)
            bytes.writeImmutableBuffer(packet.payload)
            if packet.status == .inFlight {
                bytesInFlight -= size
                packetsInFlight -= 1
            }
            packet.snapshot = sampler.didSend(at: now, bytesInFlight: bytesInFlight)
            packet.status = .inFlight
            packet.sentAt = now
            packet.transmissionCount = max(2, packet.transmissionCount &+ 1)
            sent[number] = packet
            bytesInFlight += size
            packetsInFlight += 1
            transmissions.append((number, now))
            isOversized = isOversized || size + PathMTU.outerHeaderSize > mtu.current
        }
        didSend(bytes.readableBytes, at: now)
        return Transmit(bytes: bytes, segmentSize: size, allowsFragmentation: isOversized)
    }

    private mutating func nextNewPackets(at now: NIODeadline) -> Transmit? {
        guard endSent == nil else {
            noteApplicationLimit()
            return nil
        }
        guard queue.count > 0 || finishRequested else {
            noteApplicationLimit()
            return nil
        }
        let payloadSize = mtu.payloadSize
        var isForced = forcedNewPackets > 0
        if isForced { forcedNewPackets -= 1 }
        var room = peerWindow - unacknowledgedBytes
        // A full packet, or all there is: never the crumbs of a nearly closed window.
        guard isForced || room >= min(payloadSize, queue.count), sent.count < Self.maximumSpan else {
            if sent.isEmpty, zeroWindowDeadline == nil { zeroWindowDeadline = now + roundTrip.timeout }
            noteApplicationLimit()
            return nil
        }
        var allowance = isForced ? 1 : allowance(at: now)
        guard allowance > 0 else { return nil }

        if bytesInFlight == 0 { congestion.restartFromIdle() }
        let number = sent.next
        if let padding = mtu.nextPadding, !isForced, queue.count >= payloadSize, roundTrip.smoothed != nil, recoveryEnd == nil {
            mtu.didSendProbe(number, padding: padding)
            return sendNewPackets(sizes: [payloadSize], padding: padding, at: now)
        }
        var sizes: [Int] = []
        sizes.reserveCapacity(16)
        var waiting = queue.count
        var total = 0
        while sizes.count < Self.maximumSegmentCount, sent.count + sizes.count < Self.maximumSpan {
            let size = min(waiting, payloadSize)
            let isEnd = finishRequested && waiting == size
            guard size > 0 || isEnd, allowance > 0, isForced || room >= size,
                total + size + PacketHeader.size <= Self.maximumTransmitSize
            else { break }
            sizes.append(size)
            waiting -= size
            room -= size
            total += size + PacketHeader.size
            allowance -= size + PacketHeader.size
            isForced = false
            if isEnd || size < payloadSize { break }
        }
        guard !sizes.isEmpty else { return nil }
        return sendNewPackets(sizes: sizes, padding: 0, at: now)
    }

    /// Makes packets of the queue's first bytes: all of the first one's size, except that the last may be shorter.
    private mutating func sendNewPackets(sizes: [Int], padding: Int, at now: NIODeadline) -> Transmit {
        let number = sent.next
        let total = sizes.reduce(0, +) + sizes.count * (PacketHeader.size + padding)
        let endsHere = finishRequested && queue.count == total - sizes.count * (PacketHeader.size + padding)
        var bytes = ByteBuffer()
        bytes.reserveCapacity(total)
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: total) { target in
            var offset = 0
            for (index, size) in sizes.enumerated() {
                let type = Self.type(size: size, isEnd: endsHere && index == sizes.count - 1)
                header(type, sequence: number + PacketNumber(index), padding: UInt8(truncatingIfNeeded: padding))
                    .write(to: UnsafeMutableRawBufferPointer(rebasing: target[offset..<(offset + PacketHeader.size)]))
                offset += PacketHeader.size
                for index in offset..<(offset + padding) { target[index] = 0 }
                offset += padding
                queue.move(to: UnsafeMutableRawBufferPointer(rebasing: target[offset..<(offset + size)]))
                offset += size
            }
            return offset
        }
        // The packets' payloads are slices of these bytes, so that a retransmission needs no copy kept apart.
        var offset = bytes.readerIndex
        for (index, size) in sizes.enumerated() {
            offset += PacketHeader.size + padding
            let payload = size > 0 ? bytes.getSlice(at: offset, length: size) ?? ByteBuffer() : ByteBuffer()
            offset += size
            let isEnd = endsHere && index == sizes.count - 1
            let snapshot = sampler.didSend(at: now, bytesInFlight: bytesInFlight)
            sent.append(
                SentPacket(
                    type: Self.type(size: size, isEnd: isEnd), size: Int32(truncatingIfNeeded: size + PacketHeader.size),
                    payload: payload, sentAt: now, snapshot: snapshot))
            transmissions.append((number + PacketNumber(index), now))
            bytesInFlight += size + PacketHeader.size
            packetsInFlight += 1
            unacknowledgedBytes += size
            if isEnd { endSent = number + PacketNumber(index) }
        }
        didSend(total, at: now)
        restartTailProbe(at: now)
        return Transmit(bytes: bytes, segmentSize: sizes[0] + PacketHeader.size + padding)
    }

    private static func type(size: Int, isEnd: Bool) -> PacketType {
        switch (size > 0, isEnd) {
        case (true, true): [.data, .end]
        case (false, true): .end
        default: .data
        }
    }

    private mutating func didSend(_ bytes: Int, at now: NIODeadline) {
        pacer.didSend(bytes, rate: congestion.pacingRate)
        advertisedWindow = inbound.window
        if retransmissionDeadline == nil { retransmissionDeadline = now + roundTrip.timeout }
        restartHeartbeat(at: now)
    }

    private mutating func noteApplicationLimit() {
        guard lost.isEmpty, bytesInFlight < congestion.window else { return }
        sampler.becomeApplicationLimited(bytesInFlight: bytesInFlight)
    }
}
