import NIOCore

// Packets of the peer, and the acknowledgements in them.
extension StreamState {
    /// Processes one datagram, beginning with its header. Malformed datagrams are ignored.
    mutating func receive(_ datagram: UnsafeRawBufferPointer, at now: NIODeadline) {
        guard let header = PacketHeader(datagram) else { return }
        let body = UnsafeRawBufferPointer(rebasing: datagram[PacketHeader.size...])
        let padding = Int(header.dataOffset)
        guard padding <= body.count else { return }
        guard closure == nil else { return answerAfterEnd(header) }
        lastReceived = now
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
        if isSendComplete, halfCloseDeadline == nil { halfCloseDeadline = now + TimeAmount(configuration.halfCloseInterval) }
        finishIfComplete(at: now)
    }

    /// Answers a peer that still sends, because it did not receive the acknowledgement of its END, or the DESTROY.
    private mutating func answerAfterEnd(_ header: PacketHeader) {
        switch closure {
        case .finished where !header.type.isDisjoint(with: [.data, .end]): queueAcknowledgement()
        case .destroyed where !header.type.contains(.destroy) && lingerEnd != nil && control.isEmpty: queueDestruction()
        default: break
        }
    }

    mutating func receiveAcknowledgement(
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
            // The peer answers, but refuses the packet that probes its closed window: that is no timeout.
            sent[sent.first].timeoutCount = 0
        }
        guard isProgress else { return }
        selectivelyAcknowledged.removeAll(below: sent.first)
        if let end = recoveryEnd, sent.first >= end {
            recoveryEnd = nil
            congestion.leaveRecovery()
        }
        if let end = migrationEnd, sent.first >= end { migrationEnd = nil }
        tailProbeCount = 0
        restartRetransmissionTimers(at: now)
    }

    /// Marks the packets of `range` as delivered. Returns true if one of them is new.
    mutating func didReport(_ range: Range<PacketNumber>, at now: NIODeadline) -> Bool {
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

    mutating func didDeliver(_ number: PacketNumber, _ packet: SentPacket, at now: NIODeadline) {
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

    mutating func didRaiseMTU() {
        congestion.packetSize = mtu.payloadSize + PacketHeader.size
    }
}
