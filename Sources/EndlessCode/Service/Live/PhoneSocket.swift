import EndlessCodeWire
import ServerKit
import WireKit

/// The frames on their way to one phone, in order.
///
/// ```
///   replaying ──▶ live ──▶ ended
///       │   the replay writes what was stored before; later frames wait
///       └─▶ ended
/// ```
final class PhoneSocket: Sendable {
    private enum Phase { case replaying, live, ended }

    private struct State {
        var phase = Phase.replaying
        /// Frames that wait: for the end of the replay, or for the phone to read.
        var waiting: ArraySlice<Waiting> = []
        var waitingSize = 0
        /// The numbers up to which the phone has the sessions from `sync` and the replay. An event is read from the disk before it is
        /// published: it may come here after the replay that contains it.
        var replayed: [Session.ID: Int64] = [:]
        /// A task writes the waiting frames.
        var isWriting = false
        /// The user looks at the app until then, unless the phone reports again. Not by the wall clock, which may be set.
        var presenceEnd: ContinuousClock.Instant?

        func hasReplayed(_ waiting: Waiting) -> Bool {
            if case .event(let frame) = waiting { frame.seq <= replayed[frame.session] ?? 0 } else { false }
        }
    }

    private enum Waiting {
        case event(LoggedFrame)
        case text(String)

        var text: String {
            switch self {
            case .event(let frame): frame.text
            case .text(let text): text
            }
        }
    }

    /// The phone's own identifier, or one that the server drew.
    let connectionId: String
    /// The phone's name.
    let name: String?
    private let connection: WebSocketConnection
    private let state = Locked(State())

    init(connectionId: String, name: String?, connection: WebSocketConnection) {
        (self.connectionId, self.name, self.connection) = (connectionId, name, connection)
    }

    // MARK: Presence

    func setPresence(until end: ContinuousClock.Instant?) { state.withLock { $0.presenceEnd = end } }

    /// The time until which the user looks at the app; nil if it has passed.
    func presenceEnd(at time: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        state.withLock { state in state.phase == .ended ? nil : state.presenceEnd.flatMap { time < $0 ? $0 : nil } }
    }

    // MARK: Writing

    func publish(_ frames: [LoggedFrame]) { enqueue(frames.map(Waiting.event)) }

    /// A frame that is not stored. One that comes during a replay is of no use after it.
    func broadcast(_ text: String) {
        if state.withLock({ $0.phase == .live }) { enqueue([.text(text)]) }
    }

    /// Answers a frame of the phone.
    func answer(_ frame: ServerFrame) { enqueue([.text(frame.text)]) }

    /// Writes a frame of the replay, and waits while the phone does not read.
    func replay(_ text: String) async throws { try await connection.send(text) }

    /// Ends the replay.
    ///
    /// - Parameters:
    ///   - last: The numbers up to which the replay, or `sync`, has the sessions.
    ///   - partial: The texts that are being written, each as one piece.
    func goLive(after last: [Session.ID: Int64], partial: () -> [String]) {
        let starts = state.withLock { state in
            guard state.phase == .replaying else { return false }
            state.phase = .live
            state.replayed = last
            state.waiting = state.waiting.filter { !state.hasReplayed($0) }[...]
            // Before the events: one of them may be the final text.
            state.waiting = ArraySlice(partial().map(Waiting.text) + state.waiting)
            state.waitingSize = state.waiting.reduce(0) { $0 + $1.text.utf8.count }
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting
        }
        if starts { startWriting() }
    }

    private func enqueue(_ frames: [Waiting]) {
        let (starts, isTooSlow) = state.withLock { state in
            guard state.phase != .ended else { return (false, false) }
            let frames = state.phase == .live ? frames.filter { !state.hasReplayed($0) } : frames
            if frames.isEmpty { return (false, false) }
            let size = frames.reduce(0) { $0 + $1.text.utf8.count }
            // One frame may be larger than the limit.
            guard state.waitingSize == 0 || state.waitingSize + size <= Limits.backlogSize else {
                state.phase = .ended
                (state.waiting, state.waitingSize) = ([], 0)
                return (false, true)
            }
            state.waiting += frames
            state.waitingSize += size
            let starts = state.phase == .live && !state.isWriting
            if starts { state.isWriting = true }
            return (starts, false)
        }
        if isTooSlow { connection.close(.init(rawValue: CloseCode.tooSlow), reason: "Too slow") }
        if starts { startWriting() }
    }

    private func startWriting() {
        connection.start { [self] in
            while let text = next() {
                try await connection.send(text)
                written(text.utf8.count)
            }
        }
    }

    /// The frame to write next. Nil ends the writing.
    private func next() -> String? {
        state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.isWriting = false }
            return next?.text
        }
    }

    private func written(_ size: Int) { state.withLock { $0.waitingSize = max(0, $0.waitingSize - size) } }

    // MARK: Ending

    /// Writes a last frame and closes the socket.
    func end(_ text: String, code: UInt16, reason: String) {
        let wasOpen = state.withLock { state in
            defer { state.phase = .ended }
            (state.waiting, state.waitingSize) = ([], 0)
            return state.phase != .ended
        }
        guard wasOpen else { return }
        _ = connection.post(text)
        connection.close(.init(rawValue: code), reason: reason)
    }

    func ended() {
        state.withLock { state in
            state.phase = .ended
            (state.waiting, state.waitingSize) = ([], 0)
        }
    }
}
