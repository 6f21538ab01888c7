import WireKit

/// The offset of the relay's clock from the device's clock, from the times in the relay's messages on one connection.
///
/// A delayed message makes the relay's clock look slow, so the greatest offset counts. Only the latest four count, so that earlier offsets are
/// forgotten after the device's clock is adjusted.
///
/// Source: `Docs/Protocols/SimBridge-Line.md`, "The relay's clock".
public struct RelayClock: Sendable {
    private static let maximumCount = 4

    private var offsets: [Int64] = []

    public init() {}

    /// The relay's clock minus the device's clock, in milliseconds; nil when the relay has sent no time.
    public var offset: Int64? { offsets.max() }

    /// Records a time from the relay.
    ///
    /// - Parameter now: The device's clock, in milliseconds since 1970.
    public mutating func add(_ time: RelayTime, at now: Int64) {
        offsets.append(time.timestamp.milliseconds - now)
        if offsets.count > Self.maximumCount { offsets.removeFirst() }
    }
}
