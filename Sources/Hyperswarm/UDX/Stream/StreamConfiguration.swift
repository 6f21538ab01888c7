import NIOCore

/// The limits of a stream.
public struct StreamConfiguration: Hashable, Sendable {
    /// Maximum bytes that wait to be read before the peer has to stop sending.
    public var receiveWindow = 4 * 1024 * 1024
    /// Count of unsent bytes above which `write` waits.
    public var writeHighWaterMark = 512 * 1024
    /// Count of unsent bytes at which waiting writers continue.
    public var writeLowWaterMark = 128 * 1024
    /// Maximum unordered messages that wait to be read; later messages are dropped.
    public var maximumMessageCount = 128
    /// True to look for a packet size above 1200 bytes.
    public var probesPathMTU = true
    /// The idle time after which a HEARTBEAT packet is sent; `nil` for none.
    public var heartbeatInterval: Duration?
    /// The interval of HEARTBEAT packets after this side's end and before the peer's, which detect that the peer is lost.
    public var halfCloseInterval = Duration.seconds(5)
    /// Maximum time without a packet of the peer in that state; the stream then times out.
    public var halfCloseTimeout = Duration.seconds(30)
    /// The time for which a finished or destroyed stream still answers repeated packets of the peer.
    public var linger = Duration.seconds(4)

    public init() {}
}
