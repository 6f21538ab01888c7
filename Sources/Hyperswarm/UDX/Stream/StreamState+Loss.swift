import NIOCore

// Detection of losses, and the timers.
extension StreamState {
    /// Maximum delay of a packet by reordering before it counts as lost.
    var reorderingWindow: TimeAmount {
        let isRecovering = recoveryEnd != nil
        if !hasSeenReordering, isRecovering || selectiveCount >= 3 { return .zero }
        let minimum = roundTrip.minimum ?? .zero
        let window = TimeAmount.nanoseconds(minimum.nanoseconds / 4 * reorderingFactor)
        return min(window, roundTrip.smoothed ?? window)
    }

    /// Marks packets as lost that were sent too long before a packet that arrived.
    mutating func detectLosses(at now: NIODeadline) {
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

    mutating func markLost(_ number: PacketNumber) {
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

    mutating func restartRetransmissionTimers(at now: NIODeadline) {
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

    /// Sets the timer of the next tail-loss probe; before the first round-trip sample there is only the retransmission timer.
    ///
    /// Each probe without an answer doubles the time until the next one. A bad path often loses all packets of a small window
    /// together with their first probe; without further probes the stream would stall until the retransmission timer, at least 1 s.
    mutating func restartTailProbe(at now: NIODeadline) {
        tailProbeDeadline = nil
        guard packetsInFlight > 0, let smoothed = roundTrip.smoothed else { return }
        // The two milliseconds also cover a busy event loop on a path without delay.
        let first = 2 * smoothed.nanoseconds + TimeAmount.milliseconds(2).nanoseconds
        let wait = TimeAmount.nanoseconds(first << min(tailProbeCount, 16))
        if tailProbeCount == 0 || wait < roundTrip.timeout { tailProbeDeadline = now + wait }
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
            queueHeartbeat()
            restartHeartbeat(at: now)
        }
        if let deadline = halfCloseDeadline, deadline <= now {
            guard let lastReceived, now - lastReceived < TimeAmount(configuration.halfCloseTimeout) else { return close(.timedOut) }
            queueHeartbeat()
            halfCloseDeadline = now + TimeAmount(configuration.halfCloseInterval)
        }
        if let deadline = retransmissionDeadline, deadline <= now {
            didTimeOut(at: now)
        } else if let deadline = tailProbeDeadline, deadline <= now {
            tailProbeCount += 1
            sendTailProbe(at: now)
            restartTailProbe(at: now)
        }
    }

    mutating func sendTailProbe(at now: NIODeadline) {
        guard packetsInFlight > 0 else { return }
        let isFirst = tailProbeCount == 1
        if isFirst { retransmissionDeadline = now + roundTrip.timeout }
        if isFirst, queue.count > 0, peerWindow - unacknowledgedBytes >= mtu.payloadSize, sent.count < Self.maximumSpan {
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

    mutating func didTimeOut(at now: NIODeadline) {
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
            // The path may carry less than before: stay at the size that every path carries.
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

    private mutating func queueHeartbeat() {
        guard control.count < Self.maximumControlBatchCount else { return }
        var packet = ByteBuffer()
        header(.heartbeat, sequence: sent.next).encode(into: &packet)
        queueControl(packet)
    }

    mutating func restartHeartbeat(at now: NIODeadline) {
        heartbeatDeadline = configuration.heartbeatInterval.map { now + TimeAmount($0) }
    }
}
