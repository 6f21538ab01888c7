import NIOCore

/// A sampler of the rate at which the network delivers, from the packets that acknowledgements report.
///
/// Source: IETF draft-cheng-iccrg-delivery-rate-estimation-00.
struct DeliveryRateSampler: Sendable {
    /// The state of the connection at the moment a packet was sent; stored with the packet.
    struct Snapshot: Sendable {
        var delivered: Int64 = 0
        var deliveredAt = NIODeadline.uptimeNanoseconds(0)
        var firstSentAt = NIODeadline.uptimeNanoseconds(0)
        var isApplicationLimited = false
    }

    /// A measurement over the packets acknowledged since the one before.
    struct Sample: Sendable {
        /// Bytes that were delivered in total when the newest acknowledged packet was sent.
        var priorDelivered: Int64
        var bytes: Int64
        var interval: TimeAmount
        var isApplicationLimited: Bool

        /// The delivery rate, in bytes per second.
        var rate: Double { Double(bytes) * 1e9 / Double(max(interval.nanoseconds, 1)) }
    }

    /// Bytes delivered since the stream began.
    private(set) var delivered: Int64 = 0
    private var deliveredAt = NIODeadline.uptimeNanoseconds(0)
    private var firstSentAt = NIODeadline.uptimeNanoseconds(0)
    /// Count of delivered bytes up to which the application limits the rate; 0 if it does not.
    private var applicationLimitedUntil: Int64 = 0

    // The newest packet acknowledged since the last sample.
    private var newest: Snapshot?
    private var newestSentAt = NIODeadline.uptimeNanoseconds(0)

    /// Returns the snapshot to store with a packet that is sent now.
    mutating func didSend(at now: NIODeadline, bytesInFlight: Int) -> Snapshot {
        if bytesInFlight == 0 {
            firstSentAt = now
            deliveredAt = now
        }
        return Snapshot(
            delivered: delivered, deliveredAt: deliveredAt, firstSentAt: firstSentAt,
            isApplicationLimited: applicationLimitedUntil != 0)
    }

    /// Counts a packet that was acknowledged for the first time.
    mutating func didDeliver(bytes: Int, snapshot: Snapshot, sentAt: NIODeadline, at now: NIODeadline) {
        delivered += Int64(bytes)
        deliveredAt = now
        if newest == nil || snapshot.delivered >= newest!.delivered {
            newest = snapshot
            newestSentAt = sentAt
            firstSentAt = sentAt
        }
    }

    /// Notes that the sender had nothing more to send although the window was open.
    mutating func becomeApplicationLimited(bytesInFlight: Int) {
        applicationLimitedUntil = max(delivered + Int64(bytesInFlight), 1)
    }

    /// Returns the measurement over the bytes delivered since the last call; `nil` if there were none.
    mutating func takeSample() -> Sample? {
        if applicationLimitedUntil != 0, delivered > applicationLimitedUntil { applicationLimitedUntil = 0 }
        guard let packet = newest else { return nil }
        newest = nil
        let sending = newestSentAt - packet.firstSentAt
        let acknowledging = deliveredAt - packet.deliveredAt
        return Sample(
            priorDelivered: packet.delivered, bytes: delivered - packet.delivered, interval: max(sending, acknowledging),
            isApplicationLimited: packet.isApplicationLimited)
    }
}
