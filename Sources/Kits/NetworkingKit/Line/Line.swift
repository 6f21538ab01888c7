import HTTPTypes

/// The state machine of a line: decides when the line connects, retries and closes. Times count from the line's creation.
///
/// ```
///              start                opened
///    idle ──────────▶ connecting ──────────▶ open
///                       ▲   │ failed          │ lost
///             due, wake │   ▼                 │
///                     waiting ◀───────────────┘
///    any of them ── end, or a failure for good ──▶ closed
/// ```
package struct Line: Sendable {
    package enum State: Hashable, Sendable {
        case idle
        case connecting
        case open
        /// The line reconnects at this time.
        case waiting(until: Duration, reason: LineFailure)
        /// The line does not reconnect by itself. The failure is nil after ``Event/end``.
        case closed(LineFailure?)
    }

    package enum Event: Hashable, Sendable {
        /// Requests a connection, also after `closed`.
        case start
        /// The connection of this attempt is open.
        case opened(attempt: Int)
        /// The connection of this attempt could not be opened, or broke.
        case failed(attempt: Int, LineFailure)
        /// The delay after this attempt is over.
        case due(attempt: Int)
        /// The app has come to the front, or the network has changed: a new attempt may succeed although the current one fails.
        case wake
        /// Ends the line.
        case end
    }

    package enum Action: Hashable, Sendable {
        /// Open a connection and report it with this number.
        case connect(attempt: Int)
        /// Ping the peer; without a pong the connection is lost.
        case probe
        case disconnect
        case wait(Duration, attempt: Int)
        case stopWaiting
    }

    package private(set) var state = State.idle
    private let backoff: Backoff
    private let random: @Sendable () -> Double
    private var attempt = 0
    private var failures = 0
    /// True if a wake came during this attempt.
    private var isWoken = false
    private var openedAt: Duration = .zero

    /// - Parameter random: Returns a number from 0 to 1, for the jitter of the backoff; always 0.5 in tests.
    package init(backoff: Backoff = .standard, random: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
        self.backoff = backoff
        self.random = random
    }

    package mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        switch (event, state) {
        case (.start, .idle), (.start, .closed):
            failures = 0
            return connect()
        case (.opened(attempt), .connecting):
            state = .open
            openedAt = now
            return []
        case (.failed(attempt, let reason), .connecting), (.failed(attempt, let reason), .open):
            if state == .open, now - openedAt >= backoff.reset { failures = 0 }
            guard !reason.isFinal else {
                state = .closed(reason)
                return []
            }
            if state == .connecting, isWoken {
                failures = 0
                return connect()
            }
            failures += 1
            if let tries = backoff.tries, failures > tries {
                state = .closed(reason)
                return []
            }
            let delay = backoff.delay(after: failures, random: random())
            state = .waiting(until: now + delay, reason: reason)
            return [.wait(delay, attempt: attempt)]
        case (.due(attempt), .waiting): return connect()
        case (.wake, .waiting):
            failures = 0
            return [.stopWaiting] + connect()
        case (.wake, .connecting):
            isWoken = true
            return []
        case (.wake, .open): return [.probe]
        case (.end, .connecting), (.end, .open):
            state = .closed(nil)
            return [.disconnect]
        case (.end, .waiting):
            state = .closed(nil)
            return [.stopWaiting]
        case (.end, .idle):
            state = .closed(nil)
            return []
        // An event of an earlier connection, or one that changes nothing.
        default: return []
        }
    }

    private mutating func connect() -> [Action] {
        attempt += 1
        isWoken = false
        state = .connecting
        return [.connect(attempt: attempt)]
    }
}

/// The failure that keeps a line from being open.
package struct LineFailure: Error, Hashable, Sendable {
    /// The hop that failed.
    package enum Hop: String, Hashable, Sendable {
        case address, network, tls, token, service
    }

    package var hop: Hop
    /// A description for the log.
    package var detail: String
    /// True if another attempt would fail in the same way.
    package var isFinal: Bool

    package init(_ hop: Hop, _ detail: String, isFinal: Bool = false) {
        self.hop = hop
        self.detail = detail
        self.isFinal = isFinal
    }

    /// Classifies the failure of a connection. A refused token is final. A `LineFailure`, which a system throws if it knows its
    /// protocol better, is kept as it is.
    package init(_ error: any Error) {
        if let failure = error as? LineFailure {
            self = failure
            return
        }
        guard let error = error as? TransportError else {
            self.init(.service, "\(error)")
            return
        }
        switch error.code {
        case .address: self.init(.address, error.detail, isFinal: true)
        case .network, .localNetworkDenied, .timedOut, .ended: self.init(.network, error.detail)
        case .tls: self.init(.tls, error.detail)
        case .refused where error.reply?.head.status.code == 401: self.init(.token, error.detail, isFinal: true)
        case .refused, .malformed, .tooLarge: self.init(.service, error.detail)
        }
    }
}
