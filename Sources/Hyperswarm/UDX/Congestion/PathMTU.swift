import NIOCore

/// A search for the largest packet that the path carries, by padding data packets.
///
/// Begins at 1200 bytes, which every path carries, and tries the largest step that padding allows, as most paths carry
/// 1500 bytes. After a size that does not arrive it halves the distance, in multiples of 32 bytes. A lost probe does not
/// count as congestion.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 5.3.
struct PathMTU: Sendable {
    /// The size of an IP packet that every path carries, in bytes.
    static let base = 1200
    static let maximum = 1500
    static let step = 32
    /// IPv4 and UDP headers, in bytes.
    static let outerHeaderSize = 28
    /// Padding is announced in one byte.
    static let maximumPadding = 255
    static let maximumAttemptCount = 2

    /// The size of an IP packet known to arrive, in bytes.
    private(set) var current = base
    private var ceiling = maximum
    private var attempts = 0
    /// The number of the probe in flight and its size in bytes; nil without a probe.
    private(set) var probe: (number: PacketNumber, size: Int)?
    let isEnabled: Bool

    init(isEnabled: Bool = true) { self.isEnabled = isEnabled }

    /// The payload of a full packet, in bytes.
    var payloadSize: Int { current - Self.outerHeaderSize - PacketHeader.size }

    /// The padding of the next probe, in bytes; `nil` while no probe is due.
    var nextPadding: Int? {
        guard isEnabled, probe == nil else { return nil }
        let distance = ceiling - current
        if ceiling == Self.maximum { return distance > 0 ? min(distance, Self.maximumPadding) : nil }
        return distance < Self.step ? nil : min(max(Self.step, distance / 2 / Self.step * Self.step), Self.maximumPadding)
    }

    mutating func didSendProbe(_ number: PacketNumber, padding: Int) {
        probe = (number, current + padding)
    }

    /// Returns true if the delivered packet was the probe. Packets may then be as large as the probe.
    mutating func didDeliver(_ number: PacketNumber) -> Bool {
        guard let probe, probe.number == number else { return false }
        current = probe.size
        attempts = 0
        self.probe = nil
        return true
    }

    /// Returns true if the lost packet was the probe, so that its loss does not count as congestion.
    mutating func didLose(_ number: PacketNumber) -> Bool {
        guard let probe, probe.number == number else { return false }
        self.probe = nil
        attempts += 1
        if attempts >= Self.maximumAttemptCount {
            attempts = 0
            ceiling = probe.size - 1
        }
        return true
    }
}
