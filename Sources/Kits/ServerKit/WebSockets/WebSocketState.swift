import NIOConcurrencyHelpers

/// What the parts of one connection tell each other: the frame guard on its event loop, the reader and the heartbeat in their tasks.
final class WebSocketState: Sendable {
    private struct Values {
        var framesHeard = 0
        var isReading = false
        var hasPeerClosed = false
        var requestedClose: WebSocketConnection.Close?
    }

    private let values = NIOLockedValueBox(Values())
    /// Ends when a close is requested. To be waited for once.
    let closeRequests: AsyncStream<Never>
    private let closeRequested: AsyncStream<Never>.Continuation

    init() {
        (closeRequests, closeRequested) = AsyncStream.makeStream(of: Never.self)
    }

    /// A frame of any kind has arrived.
    func heard() { values.withLockedValue { $0.framesHeard &+= 1 } }
    func isReading(_ reading: Bool) { values.withLockedValue { $0.isReading = reading } }
    func peerClosed() { values.withLockedValue { $0.hasPeerClosed = true } }

    /// The first reason to close counts.
    func request(_ close: WebSocketConnection.Close) {
        values.withLockedValue { $0.requestedClose = $0.requestedClose ?? close }
        closeRequested.finish()
    }

    var requestedClose: WebSocketConnection.Close? { values.withLockedValue { $0.requestedClose } }

    var framesHeard: Int { values.withLockedValue { $0.framesHeard } }
    var hasPeerClosed: Bool { values.withLockedValue { $0.hasPeerClosed } }

    /// Whether the service waits for the peer. While it does not, its own slowness keeps frames from arriving.
    var isWaitingForPeer: Bool { values.withLockedValue { $0.isReading } }
}
