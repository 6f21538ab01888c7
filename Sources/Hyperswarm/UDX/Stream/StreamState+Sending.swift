import NIOCore

// Packets of the stream, new and repeated, within congestion window and pacing.
extension StreamState {
    /// Returns the next datagrams to send; `nil` when there are none for now.
    mutating func nextTransmit(at now: NIODeadline) -> Transmit? {
        if let transmit = nextAcknowledgingPacket(at: now) { return transmit }
        if var batch = nextControl() {
            // The application may have read meanwhile: write the current window into the packets.
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

    /// Returns a short packet of new data that also carries the waiting acknowledgements, so that an answer takes one datagram.
    private mutating func nextAcknowledgingPacket(at now: NIODeadline) -> Transmit? {
        guard hasPlainAcknowledgementsOnly, closure == nil, remoteID != nil, queue.count > 0, queue.count < mtu.payloadSize,
            lost.isEmpty, forcedRetransmission == nil
        else { return nil }
        finishAcknowledgements(at: now)
        guard lost.isEmpty, let transmit = nextNewPackets(at: now) else { return nil }
        openControl = nil
        return transmit
    }

    /// Evaluates the acknowledgements received since the last call together.
    mutating func finishAcknowledgements(at now: NIODeadline) {
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

    /// Returns the bytes that congestion window and pacer allow now; sets the pacing timer if the pacer allows none.
    mutating func allowance(at now: NIODeadline) -> Int {
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

    mutating func nextRetransmission(at now: NIODeadline) -> Transmit? {
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
    mutating func retransmit(_ numbers: [PacketNumber], at now: NIODeadline) -> Transmit? {
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

    mutating func nextNewPackets(at now: NIODeadline) -> Transmit? {
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
        // Only full packets or the rest of the queue are sent: a nearly closed window would lead to many small packets.
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

    /// Makes packets of the queue's first bytes, all of the same size, except that the last may be shorter.
    mutating func sendNewPackets(sizes: [Int], padding: Int, at now: NIODeadline) -> Transmit {
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
        // The packets' payloads are slices of these bytes, so that a retransmission needs no separate copy.
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

    static func type(size: Int, isEnd: Bool) -> PacketType {
        switch (size > 0, isEnd) {
        case (true, true): [.data, .end]
        case (false, true): .end
        default: .data
        }
    }

    mutating func didSend(_ bytes: Int, at now: NIODeadline) {
        pacer.didSend(bytes, rate: congestion.pacingRate)
        advertisedWindow = inbound.window
        if retransmissionDeadline == nil { retransmissionDeadline = now + roundTrip.timeout }
        restartHeartbeat(at: now)
    }

    mutating func noteApplicationLimit() {
        guard lost.isEmpty, bytesInFlight < congestion.window else { return }
        sampler.becomeApplicationLimited(bytesInFlight: bytesInFlight)
    }
}
