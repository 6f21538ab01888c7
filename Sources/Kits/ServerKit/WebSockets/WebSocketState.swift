import NIOConcurrencyHelpers

/// What the parts of one connection tell each other: the frame guard on its event loop, the handler and its wire in their tasks.
final class WebSocketState: Sendable {
    /// Why the handler is cancelled.
    enum Ending: Sendable {
        case close(WebSocketConnection.Close)
        /// No sign of life: there is nobody to say goodbye to.
        case lost
    }

    private struct Values {
        var hasPeerClosed = false
        var hasSentClose = false
        var postedBytes = 0
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
