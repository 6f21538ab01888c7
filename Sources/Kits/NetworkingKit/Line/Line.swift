import HTTPTypes

/// Decides when a line is opened, given up and tried again. Knows no sockets and no clock: times are since the line was made.
///
/// ```
///              start                opened
///    idle ──────────▶ connecting ──────────▶ open
///                       ▲   │ failed          │ lost
///             due, wake │   ▼                 │
///                     waiting ◀───────────────┘
///    any of them ── end, or a failure for good ──▶ closed
/// ```
public struct Line: Sendable {
    public enum State: Hashable, Sendable {
        case idle
        case connecting
        case open
        /// Tries again by itself.
        case waiting(until: Duration, why: LineFailure)
        /// Does not try again by itself. Nil: somebody ended it.
        case closed(LineFailure?)
    }

    public enum Event: Hashable, Sendable {
        /// Somebody wants the line; also after it was closed.
        case start
        /// The connection of this number stands.
        case opened(attempt: Int)
        /// The connection of this number could not be made, or broke.
        case failed(attempt: Int, LineFailure)
        /// The wait of this number is over.
        case due(attempt: Int)
        /// The app has come to the front, or the network has changed: a wait is not worth it any more.
        case wake
        /// Nobody wants the line any more.
        case end
    }

    public enum Action: Hashable, Sendable {
        /// Make a connection, and tell of it with this number.
        case connect(attempt: Int)
        /// Ask the connection for a sign of life; without one it is lost.
        case probe
        case disconnect
        case wait(Duration, attempt: Int)
        case stopWaiting
    }

    public private(set) var state = State.idle
    private let backoff: Backoff
    private let chance: @Sendable () -> Double
    private var attempt = 0
    private var failures = 0
    private var openedAt: Duration = .zero

    /// - Parameter chance: Draws anything from 0 to 1; always 0.5 in tests.
    public init(backoff: Backoff = .standard, chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
        self.backoff = backoff
        self.chance = chance
    }

    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        switch (event, state) {
        case (.start, .idle), (.start, .closed):
            failures = 0
            return connect()
        case (.opened(attempt), .connecting):
            state = .open
            openedAt = now
            return []
        case (.failed(attempt, let why), .connecting), (.failed(attempt, let why), .open):
            if state == .open, now - openedAt >= backoff.reset { failures = 0 }
            guard !why.isFinal else {
                state = .closed(why)
                return []
            }
            failures += 1
            let delay = backoff.delay(after: failures, chance: chance())
            state = .waiting(until: now + delay, why: why)
            return [.wait(delay, attempt: attempt)]
        case (.due(attempt), .waiting): return connect()
        case (.wake, .waiting):
            failures = 0
            return [.stopWaiting] + connect()
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
        // Of an earlier connection, or what is so already.
        default: return []
        }
    }

    private mutating func connect() -> [Action] {
        attempt += 1
        state = .connecting
        return [.connect(attempt: attempt)]
    }
}

/// Why a line is not open.
public struct LineFailure: Error, Hashable, Sendable {
    /// Which part of the way did not work.
    public enum Hop: String, Hashable, Sendable {
        case address, network, tls, token, service
    }

    public var hop: Hop
    /// For the log.
    public var detail: String
    /// Trying again would not help.
    public var isFinal: Bool

    public init(_ hop: Hop, _ detail: String, isFinal: Bool = false) {
        self.hop = hop
        self.detail = detail
        self.isFinal = isFinal
    }

    /// - Returns: What a failed connection means for a line. A token that is refused is final: there has to be another first.
    ///   Whoever opens the connection, or handles its messages, may throw one of these for what its protocol knows better.
    public init(_ error: any Error) {
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
        case .network, .timedOut, .ended: self.init(.network, error.detail)
        case .tls: self.init(.tls, error.detail)
        case .refused where error.reply?.head.status.code == 401: self.init(.token, error.detail, isFinal: true)
        case .refused, .malformed, .tooLarge: self.init(.service, error.detail)
        }
    }
}
