import NIOCore

// Connecting, writing, reading and ending.
extension StreamState {
    /// Sets the peer's id and acknowledges the packets received before. Does nothing if the id is known already.
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

    /// Enqueues bytes to send. Ignored after ``finish()`` and after the end.
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

    /// Sends an unordered message once. Returns false if it does not fit into a packet, or the stream is not open.
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

    /// Ends the stream at once and notifies the peer, again for each packet that the peer sends within the linger time, since the
    /// notice may be lost. A stream that finished stays finished: it acknowledges repeated packets of the peer.
    mutating func destroy(at now: NIODeadline) {
        guard closure == nil else { return }
        close(.destroyed)
        guard remoteID != nil else { return }
        queueDestruction()
        lingerEnd = now + TimeAmount(configuration.linger)
    }

    /// Ends the stream like ``destroy(at:)`` when the node closes. Repeats the last packet at once, since no later one is answered.
    mutating func leave(at now: NIODeadline) {
        destroy(at: now)
        for _ in 1..<Self.farewellCount {
            switch closure {
            case .finished: queueAcknowledgement()
            case .destroyed where remoteID != nil: queueDestruction()
            default: break
            }
        }
        lingerEnd = nil
    }

    /// Ends the stream without a packet, because its socket or node was closed.
    mutating func abandon() {
        lingerEnd = nil
        guard closure == nil else { return }
        close(.socketClosed)
    }

    /// Records that packets go to another address from now on, and resets the properties of the path.
    mutating func changePath(remoteID: UInt32? = nil, at now: NIODeadline) {
        guard closure == nil else { return }
        if let remoteID, self.remoteID != nil { self.remoteID = remoteID }
        mtu = PathMTU(isEnabled: configuration.probesPathMTU)
        congestion = BottleneckControl(packetSize: PathMTU.base - PathMTU.outerHeaderSize)
        migrationEnd = sent.isEmpty ? nil : sent.next
    }

    mutating func close(_ reason: StreamClosure) {
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

    mutating func finishIfComplete(at now: NIODeadline) {
        guard closure == nil, remoteID != nil, isSendComplete, isReceiveComplete else { return }
        closeControl()
        let acknowledgements = control
        close(.finished)
        control = acknowledgements
        lingerEnd = now + TimeAmount(configuration.linger)
    }
}
