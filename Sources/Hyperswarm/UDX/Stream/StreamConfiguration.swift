import NIOCore

/// The limits of a stream.
public struct StreamConfiguration: Hashable, Sendable {
    /// The bytes that may wait to be read before the peer has to stop sending.
    public var receiveWindow = 4 * 1024 * 1024
    /// The unsent bytes at which `write` begins to wait.
    public var writeHighWaterMark = 512 * 1024
    /// The unsent bytes at which waiting writers go on.
    public var writeLowWaterMark = 128 * 1024
    /// The number of unordered messages that may wait to be read; later ones are dropped.
    public var maximumMessageCount = 128
    /// Looks for a packet size above 1200 bytes.
    public var probesPathMTU = true
    /// The idle time after which a HEARTBEAT packet is sent; `nil` for none.
    public var heartbeatInterval: Duration?
    /// The interval of HEARTBEAT packets once this side has ended and the peer has not: nothing else would notice that it is gone.
    public var halfCloseInterval = Duration.seconds(5)
    /// The time without a packet of the peer after which such a stream is over.
    public var halfCloseTimeout = Duration.seconds(30)
    /// The time for which a stream that finished or was destroyed still answers what the peer repeats.
    public var linger = Duration.seconds(4)

    public init() {}
}
