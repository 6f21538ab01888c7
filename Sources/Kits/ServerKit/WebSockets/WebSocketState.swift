import WireKit

/// The state that the parts of a connection share: the frame guard on its event loop, the wire and the session in their tasks.
final class WebSocketState: Sendable {
    /// The reason for ending the session's tasks.
    enum Ending: Sendable {
        case close(WebSocketConnection.Close)
        /// Close without a closing handshake: the peer did not answer the ping, or there is no time for one.
        case abort
    }

    private struct Values {
        var hasPeerClosed = false
        var hasSentClose = false
        var ending: Ending?
        var onEnding: (@Sendable () -> Void)?
    }

    private let values = Locked(Values())

    func peerClosed() { values.withLock { $0.hasPeerClosed = true } }
    /// Records that our close frame is being sent; nothing may follow it (section 5.5.1).
    func sentClose() { values.withLock { $0.hasSentClose = true } }

    /// Ends the connection. The first reason wins.
    func end(_ ending: Ending) {
        let onEnding = values.withLock { values in
            values.ending = values.ending ?? ending
            defer { values.onEnding = nil }
            return values.onEnding
        }
        onEnding?()
    }

    /// Calls `body` once there is a reason to end, possibly immediately.
    func onEnding(_ body: @escaping @Sendable () -> Void) {
        let isEnding = values.withLock { values in
            if values.ending == nil { values.onEnding = body }
            return values.ending != nil
        }
        if isEnding { body() }
    }

    var ending: Ending? { values.withLock { $0.ending } }
    var hasSentClose: Bool { values.withLock { $0.hasSentClose } }
    var hasPeerClosed: Bool { values.withLock { $0.hasPeerClosed } }
}
