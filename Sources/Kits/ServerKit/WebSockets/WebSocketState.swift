import NIOConcurrencyHelpers

/// What the parts of one connection tell each other: the frame guard on its event loop, reader and heartbeat in their tasks.
final class WebSocketState: Sendable {
    private struct Values {
        var framesHeard = 0
        // The connection is being read when it becomes a WebSocket.
        var isWaitingForPeer = true
        var hasPeerClosed = false
        var hasSentClose = false
        var requestedClose: WebSocketConnection.Close?
        var postedBytes = 0
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
    func peerClosed() { values.withLockedValue { $0.hasPeerClosed = true } }
    /// Our close frame is on its way; nothing may follow it (section 5.5.1).
    func sentClose() { values.withLockedValue { $0.hasSentClose = true } }

    /// The first reason to close counts.
    func request(_ close: WebSocketConnection.Close) {
        values.withLockedValue { $0.requestedClose = $0.requestedClose ?? close }
        closeRequested.finish()
    }

    /// Counts a message that is handed over without waiting.
    ///
    /// - Returns: False when too much waits already. A single message may be of any size.
    func post(_ size: Int) -> Bool {
        values.withLockedValue { values in
            guard values.postedBytes == 0 || values.postedBytes + size <= WebSocketConnection.maximumPosted else { return false }
            values.postedBytes += size
            return true
        }
    }

    func wrotePosted(_ size: Int) { values.withLockedValue { $0.postedBytes -= size } }

    var requestedClose: WebSocketConnection.Close? { values.withLockedValue { $0.requestedClose } }

    var framesHeard: Int { values.withLockedValue { $0.framesHeard } }
    var hasSentClose: Bool { values.withLockedValue { $0.hasSentClose } }
    var hasPeerClosed: Bool { values.withLockedValue { $0.hasPeerClosed } }

    /// Whether anything that the peer sends would be seen. While the service is behind with reading, silence is its own.
    var isWaitingForPeer: Bool {
        get { values.withLockedValue { $0.isWaitingForPeer } }
        set { values.withLockedValue { $0.isWaitingForPeer = newValue } }
    }
}
