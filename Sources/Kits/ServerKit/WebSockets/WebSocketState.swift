import NIOConcurrencyHelpers

/// What the parts of one connection tell each other: the frame guard on its event loop, the wire and the session in their tasks.
final class WebSocketState: Sendable {
    /// Why the session's tasks are cancelled.
    enum Ending: Sendable {
        case close(WebSocketConnection.Close)
        /// No sign of life: there is nobody to say goodbye to.
        case lost
    }

    private struct Values {
        var hasPeerClosed = false
        var hasSentClose = false
        var ending: Ending?
        var onEnding: (@Sendable () -> Void)?
    }

    private let values = NIOLockedValueBox(Values())

    func peerClosed() { values.withLockedValue { $0.hasPeerClosed = true } }
    /// Our close frame is on its way; nothing may follow it (section 5.5.1).
    func sentClose() { values.withLockedValue { $0.hasSentClose = true } }

    /// The first reason to end counts.
    func end(_ ending: Ending) {
        let onEnding = values.withLockedValue { values in
            values.ending = values.ending ?? ending
            defer { values.onEnding = nil }
            return values.onEnding
        }
        onEnding?()
    }

    /// Calls `body` once there is a reason to end, which may be now.
    func onEnding(_ body: @escaping @Sendable () -> Void) {
        let isEnding = values.withLockedValue { values in
            if values.ending == nil { values.onEnding = body }
            return values.ending != nil
        }
        if isEnding { body() }
    }

    var ending: Ending? { values.withLockedValue { $0.ending } }
    var hasSentClose: Bool { values.withLockedValue { $0.hasSentClose } }
    var hasPeerClosed: Bool { values.withLockedValue { $0.hasPeerClosed } }
}
