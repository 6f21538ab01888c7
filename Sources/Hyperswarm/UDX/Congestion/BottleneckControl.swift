import NIOCore

/// A congestion controller that chooses the sending rate and the congestion window from a model of the path: the highest
/// recent delivery rate and the lowest recent round-trip time.
///
///     startup ──(three rounds without a quarter more)──► drain ──(queue empty)──► probe bandwidth
///                                                                                     ▲   │ 10 s without
///                                                                              200 ms │   ▼ a new minimum
///                                                                             probe round-trip time
///
/// Random loss does not lower the rate. A controller that halves its window after a loss would send only a few packets per
/// round trip at 5 % loss.
///
/// Source: BBR version 1, IETF draft-cardwell-iccrg-bbr-congestion-control-00; gains as in the Hyperswarm specification in
/// `Docs/Protocols/Hyperswarm.md`, section 5.3.
struct BottleneckControl: Sendable {
    enum Mode: Sendable { case startup, drain, probeBandwidth, probeRoundTripTime }

    static let highGain = 2.885
    static let windowGain = 2.0
    static let minimumPacketCount = 4
    static let initialPacketCount = 10
    /// Maximum age of a delivery rate in the model, in rounds.
    static let rateWindow: Int64 = 10
    static let minimumRoundTripWindow = TimeAmount.seconds(10)
    static let roundTripProbeDuration = TimeAmount.milliseconds(200)
    /// Maximum burst, in bytes: the limit of one send with segmentation offload.
    static let maximumQuantum = 64 * 1024
    private static let cycle: [Double] = [1.25, 0.75, 1, 1, 1, 1, 1, 1]

    private(set) var mode = Mode.startup
    /// The congestion window, in bytes.
    private(set) var window: Int
    /// The sending rate, in bytes per second.
    private(set) var pacingRate: Double
    /// The burst that the pacer allows, in bytes.
    private(set) var quantum: Int

    /// The size of a full packet, in bytes.
    var packetSize: Int

    // The model.
    private var rates = WindowedMaximum()
    private var minimumRoundTrip: TimeAmount?
    private var minimumRoundTripAt = NIODeadline.uptimeNanoseconds(0)

    // Rounds.
    private(set) var round: Int64 = 0
    private var nextRoundAt: Int64 = 0

    // Startup.
    private(set) var isPathFull = false
    private var fullRate = 0.0
    private var fullRounds = 0
    private var hasSample = false

    // Probing for bandwidth.
    private var cycleIndex = 2
    private var cycleStart = NIODeadline.uptimeNanoseconds(0)
    private var pacingGain = highGain
    private var windowGain = highGain

    // Probing for the round-trip time.
    private var isRestartingFromIdle = false
    private var roundTripProbeEnd: NIODeadline?
    private var roundTripProbeRoundDone = false
    private var roundTripProbeRound: Int64 = 0
    private var priorWindow = 0

    // Recovery.
    private var isRecovering = false
    private var isConserving = false
    /// True after ``enterRecovery(inFlight:)`` until the next acknowledgement, with which a round begins.
    private var beginsRecoveryRound = false

    init(packetSize: Int) {
        self.packetSize = packetSize
        window = Self.initialPacketCount * packetSize
        pacingRate = Self.highGain * Double(Self.initialPacketCount * packetSize) * 1000
        quantum = Self.initialPacketCount * packetSize
    }

    private var minimumWindow: Int { Self.minimumPacketCount * packetSize }

    /// Returns the bytes in flight that fill the path, times `gain`.
    private func inFlightTarget(gain: Double) -> Int {
        guard let minimumRoundTrip, rates.value > 0 else { return Self.initialPacketCount * packetSize }
        let product = rates.value * Double(minimumRoundTrip.nanoseconds) / 1e9
        return Int(min(gain * product, 1e9)) + 3 * quantum
    }

    /// Updates the model from a batch of acknowledgements.
    ///
    /// - Parameters:
    ///   - sample: The measured delivery rate.
    ///   - roundTrip: The smallest round-trip time of the batch, if a packet in it was sent only once.
    ///   - acknowledged: Bytes acknowledged by the batch.
    ///   - lost: Bytes found lost since the batch before.
    ///   - inFlight: Bytes in flight after the batch; `priorInFlight` those before.
    ///   - delivered: Bytes delivered since the stream began.
    mutating func update(
        sample: DeliveryRateSampler.Sample?, roundTrip: TimeAmount?, acknowledged: Int, lost: Int, inFlight: Int,
        priorInFlight: Int, delivered: Int64, at now: NIODeadline
    ) {
        var isRoundStart = false
        if let sample {
            let wasConserving = isConserving
            if sample.priorDelivered >= nextRoundAt {
                nextRoundAt = delivered
                round += 1
                isRoundStart = true
                isConserving = beginsRecoveryRound
            }
            if beginsRecoveryRound {
                nextRoundAt = delivered
                beginsRecoveryRound = false
            }
            let isPlausible = sample.interval >= (minimumRoundTrip ?? .zero) && sample.interval > .zero
            if isPlausible, !sample.isApplicationLimited || sample.rate >= rates.value {
                rates.add(sample.rate, at: round, window: Self.rateWindow)
            }
            updateCycle(priorInFlight: priorInFlight, lost: lost, now: now)
            // The rate cannot grow in a round whose window is held down.
            let couldGrow = !sample.isApplicationLimited && !wasConserving
            checkWhetherPathIsFull(isRoundStart: isRoundStart, couldGrow: couldGrow)
        }
        if mode == .startup, isPathFull {
            mode = .drain
            pacingGain = 1 / Self.highGain
            windowGain = Self.highGain
        }
        if mode == .drain, inFlight <= inFlightTarget(gain: 1) { enterProbeBandwidth(now) }
        updateMinimumRoundTrip(roundTrip, inFlight: inFlight, isRoundStart: isRoundStart, now: now)
        if acknowledged > 0 { isRestartingFromIdle = false }
        setPacing(firstSample: roundTrip)
        setWindow(acknowledged: acknowledged, inFlight: inFlight, delivered: delivered)
    }

    private mutating func updateCycle(priorInFlight: Int, lost: Int, now: NIODeadline) {
        guard mode == .probeBandwidth else { return }
        let isLongEnough = now - cycleStart > (minimumRoundTrip ?? .zero)
        let next =
            if pacingGain == 1 {
                isLongEnough
            } else if pacingGain > 1 {
                isLongEnough && (lost > 0 || priorInFlight >= inFlightTarget(gain: pacingGain))
            } else {
                isLongEnough || priorInFlight <= inFlightTarget(gain: 1)
            }
        guard next else { return }
        cycleStart = now
        cycleIndex = (cycleIndex + 1) % Self.cycle.count
        pacingGain = Self.cycle[cycleIndex]
    }

    private mutating func checkWhetherPathIsFull(isRoundStart: Bool, couldGrow: Bool) {
        guard !isPathFull, isRoundStart, couldGrow else { return }
        if rates.value >= fullRate * 1.25 {
            fullRate = rates.value
            fullRounds = 0
        } else {
            fullRounds += 1
            isPathFull = fullRounds >= 3
        }
    }

    private mutating func enterProbeBandwidth(_ now: NIODeadline) {
        mode = .probeBandwidth
        windowGain = Self.windowGain
        // Any phase but the draining one would do; a fixed one keeps the controller deterministic.
        cycleIndex = 2
        pacingGain = Self.cycle[cycleIndex]
        cycleStart = now
    }

    private mutating func updateMinimumRoundTrip(
        _ roundTrip: TimeAmount?, inFlight: Int, isRoundStart: Bool, now: NIODeadline
    ) {
        let isExpired = minimumRoundTrip != nil && now - minimumRoundTripAt > Self.minimumRoundTripWindow
        if let roundTrip, roundTrip > .zero, isExpired || roundTrip <= (minimumRoundTrip ?? roundTrip) {
            minimumRoundTrip = roundTrip
            minimumRoundTripAt = now
        }
        // An idle path had no queue: the first packet after a pause measured the minimum already.
        if isExpired, !isRestartingFromIdle, mode != .probeRoundTripTime {
            mode = .probeRoundTripTime
            priorWindow = max(priorWindow, window)
            pacingGain = 1
            windowGain = 1
            roundTripProbeEnd = nil
        }
        guard mode == .probeRoundTripTime else { return }
        if let end = roundTripProbeEnd {
            if round > roundTripProbeRound { roundTripProbeRoundDone = true }
            if roundTripProbeRoundDone, now >= end {
                minimumRoundTripAt = now
                window = max(window, priorWindow)
                priorWindow = 0
                if isPathFull {
                    enterProbeBandwidth(now)
                } else {
                    mode = .startup
                    pacingGain = Self.highGain
                    windowGain = Self.highGain
                }
            }
        } else if inFlight <= minimumWindow {
            roundTripProbeEnd = now + Self.roundTripProbeDuration
            roundTripProbeRoundDone = false
            roundTripProbeRound = round
        }
    }

    private mutating func setPacing(firstSample: TimeAmount?) {
        if !hasSample, let roundTrip = firstSample, roundTrip > .zero {
            hasSample = true
            pacingRate = Self.highGain * Double(window) * 1e9 / Double(roundTrip.nanoseconds)
        }
        if rates.value > 0 {
            let rate = pacingGain * rates.value
            if isPathFull || rate > pacingRate { pacingRate = rate }
        }
        // Minimum rate: about one packet per second.
        pacingRate = max(pacingRate, Double(packetSize))
        if pacingRate < 150_000 {
            quantum = packetSize
        } else if pacingRate < 3_000_000 {
            quantum = 2 * packetSize
        } else {
            quantum = max(2 * packetSize, min(Int(min(pacingRate / 1000, 1e9)), Self.maximumQuantum))
        }
    }

    private mutating func setWindow(acknowledged: Int, inFlight: Int, delivered: Int64) {
        if isConserving {
            window = max(window, inFlight + acknowledged)
        } else if acknowledged > 0 {
            let target = inFlightTarget(gain: windowGain)
            if isPathFull {
                window = min(window + acknowledged, target)
            } else if window < target || delivered < Int64(Self.initialPacketCount * packetSize) {
                window += acknowledged
            }
        }
        window = max(window, minimumWindow)
        if mode == .probeRoundTripTime { window = min(window, minimumWindow) }
    }

    /// Notes that a packet is sent with none in flight.
    mutating func restartFromIdle() { isRestartingFromIdle = true }

    /// Begins to recover from a loss, with a round that sends no more bytes than are acknowledged.
    mutating func enterRecovery(inFlight: Int) {
        guard !isRecovering else { return }
        isRecovering = true
        // The low window of the round-trip probe is not restored after recovery.
        if mode != .probeRoundTripTime { priorWindow = max(priorWindow, window) }
        isConserving = true
        beginsRecoveryRound = true
        window = max(inFlight + packetSize, minimumWindow)
    }

    /// Ends recovery, once all packets that were in flight when it began are acknowledged.
    mutating func leaveRecovery() {
        guard isRecovering else { return }
        isRecovering = false
        isConserving = false
        beginsRecoveryRound = false
        guard mode != .probeRoundTripTime else { return }
        window = max(window, priorWindow)
        priorWindow = 0
    }

    /// Reacts to a retransmission timeout: the state of the path is unknown, so the window restarts small.
    mutating func didTimeOut(inFlight: Int) {
        if mode != .probeRoundTripTime { priorWindow = max(priorWindow, window) }
        isRecovering = true
        isConserving = false
        beginsRecoveryRound = false
        window = max(inFlight + packetSize, packetSize)
    }
}

/// The maximum of a value over the last rounds, kept as its three best values.
///
/// Source: Kathleen Nichols' windowed filter, as in the BBR draft's appendix.
struct WindowedMaximum: Sendable {
    private var best: (value: Double, round: Int64) = (0, 0)
    private var second: (value: Double, round: Int64) = (0, 0)
    private var third: (value: Double, round: Int64) = (0, 0)

    var value: Double { best.value }

    mutating func add(_ value: Double, at round: Int64, window: Int64) {
        if best.value == 0 || value >= best.value || round - third.round > window {
            best = (value, round)
            second = best
            third = best
            return
        }
        if value >= second.value {
            second = (value, round)
            third = second
        } else if value >= third.value {
            third = (value, round)
        }
        if round - best.round > window {
            best = second
            second = third
            third = (value, round)
            if round - best.round > window {
                best = second
                second = third
            }
        } else if second.round == best.round, round - second.round > window / 4 {
            second = (value, round)
            third = second
        } else if third.round == second.round, round - third.round > window / 2 {
            third = (value, round)
        }
    }
}
