import WireKit

/// The relay's clock compared with the device's own, from the times in the relay's messages on one connection.
///
/// A message that was late on its way makes the relay's clock look slow, so the time that is furthest ahead counts. Only the latest four are looked
/// at: when the own clock is set, the times from before are forgotten.
///
/// Source: `Docs/Protocols/SimBridge-Line.md`, "The relay's clock".
public struct RelayClock: Sendable {
    private static let maximumCount = 4

    private var offsets: [Int64] = []

    public init() {}

    /// The relay's clock less the own one, in milliseconds; nil: the relay has not told a time.
    public var offset: Int64? { offsets.max() }

    /// - Parameter now: The own clock, in milliseconds since 1970.
    public mutating func add(_ time: RelayTime, at now: Int64) {
        offsets.append(time.timestamp.milliseconds - now)
        if offsets.count > Self.maximumCount { offsets.removeFirst() }
    }
}
