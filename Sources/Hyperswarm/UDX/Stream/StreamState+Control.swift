import NIOCore

// Packets that are sent once and not repeated: acknowledgements, messages, DESTROY and HEARTBEAT.
extension StreamState {
    /// A batch of packets that are sent once.
    struct ControlBatch: Sendable {
        var bytes: ByteBuffer
        var segmentSize: Int
    }

    func header(_ type: PacketType, sequence: PacketNumber, padding: UInt8 = 0) -> PacketHeader {
        PacketHeader(
            type: type, dataOffset: padding, streamID: remoteID ?? 0, window: UInt32(clamping: inbound.window),
            sequence: sequence.wire, acknowledged: inbound.expected.wire)
    }

    mutating func queueAcknowledgement() {
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

    /// True if all waiting control packets are acknowledgements without ranges, which any other packet's header replaces.
    var hasPlainAcknowledgementsOnly: Bool {
        control.isEmpty && openControl?.segmentSize == PacketHeader.size
    }

    /// True if one acknowledgement without ranges is all that waits to be sent.
    var owesOnePlainAcknowledgement: Bool {
        hasPlainAcknowledgementsOnly && openControl?.bytes.readableBytes == PacketHeader.size && queue.count == 0
    }

    /// Queues a packet that is sent once, behind the acknowledgements.
    mutating func queueControl(_ packet: ByteBuffer) {
        closeControl()
        control.append(ControlBatch(bytes: packet, segmentSize: packet.readableBytes))
    }

    mutating func queueDestruction() {
        var packet = ByteBuffer()
        header(.destroy, sequence: sent.next).encode(into: &packet)
        queueControl(packet)
    }

    mutating func closeControl() {
        guard let batch = openControl else { return }
        openControl = nil
        control.append(batch)
    }

    mutating func nextControl() -> ControlBatch? {
        if let batch = control.popFirst() { return batch }
        defer { openControl = nil }
        return openControl
    }
}
