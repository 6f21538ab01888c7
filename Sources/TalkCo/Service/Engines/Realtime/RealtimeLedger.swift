/// The assignment of a server's events to turns. Events of earlier turns do not reach the current one.
///
/// ```
///   response.create ──▶ pending ──response.created──▶ open ──response.done──▶ closed
/// ```
///
/// The server answers `response.create` in order, so each new response belongs to the oldest pending request. Some servers leave
/// out `response.created` or the identifiers of responses: the first event of an unknown response counts as its creation.
///
/// The server chooses all identifiers, and may reuse one. So an identifier belongs to the turn for which it was announced last,
/// and an unannounced identifier belongs to a turn that still waits for one.
struct RealtimeLedger {
    enum Route: Hashable {
        /// The event belongs to the current turn.
        case deliver
        /// The event shows that an earlier one, which was held back, belongs to the current turn.
        case release(RealtimeEvent)
        case ignore
        /// The event begins a response of an earlier turn, which is to be cancelled.
        case cancel(String)
        /// The event ends the last open response of an earlier turn.
        case drained
    }

    /// Maximum count of responses, and of items, in memory.
    private static let maximumRemembered = 64

    private(set) var turn = 0
    /// The turns of requests for a response that has not begun.
    private var pending: [Int] = []
    /// The turns of committed recordings that the server has not confirmed.
    private var commits: [Int] = []
    private var turns: [(response: String, turn: Int)] = []
    private var open: Set<String> = []
    private var cancelled: Set<String> = []
    /// The responses that `response.done` has ended.
    private var closed: [String] = []
    /// True once the server has sent `response.created`.
    private var announcesResponses = false
    /// The recordings of learners, the newest last. A recording is settled once its transcript has arrived or failed.
    private var items: [(id: String, turn: Int, isSettled: Bool)] = []
    /// The turn of the last committed recording.
    private var recordedTurn: Int?
    /// True once the server has named the item of a committed recording.
    private var namesItems = false
    /// A transcript with the identifier of an earlier item, before the item of the current recording is named.
    private var held: RealtimeEvent?
    private var eventCount = 0

    /// True if no response is pending or open.
    var isQuiet: Bool { pending.isEmpty && open.isEmpty }

    mutating func beginTurn() {
        turn += 1
        held = nil
    }

    /// True while the current turn waits for the beginning of a response.
    var hasPendingResponse: Bool { pending.contains(turn) }

    /// Returns the open responses that are still to be cancelled, each once.
    mutating func takeOpenResponses() -> [String] {
        defer { cancelled = open }
        return open.subtracting(cancelled).sorted()
    }

    /// Removes the responses of earlier turns, for a server that does not end cancelled ones.
    mutating func forget() {
        pending = []
        commits = []
        open = []
    }

    /// Returns the identifier of the next event to send, which contains the turn.
    mutating func nextEventID(_ kind: String) -> String {
        eventCount += 1
        return "turn_\(turn)_\(kind)_\(eventCount)"
    }

    mutating func willCreateResponse() { pending.append(turn) }
    mutating func willCommit() {
        // Bounded, in case a server confirms no commits.
        commits = (commits + [turn]).suffix(Self.maximumRemembered)
        recordedTurn = turn
    }

    mutating func route(_ event: RealtimeEvent) -> Route {
        switch event.kind {
        case .error: return routeError(event)
        case .inputCommitted: return routeCommit(event)
        case .transcriptCompleted, .transcriptFailed: return routeTranscript(event)
        case .sessionCreated, .sessionUpdated: return .deliver
        case .other: return .ignore
        default: return routeResponse(event)
        }
    }

    // MARK: Recordings

    private mutating func routeCommit(_ event: RealtimeEvent) -> Route {
        // Without a waiting commit, the event is repeated, or belongs to a turn that was given up.
        let owner = commits.isEmpty ? (recordedTurn == turn ? turn : 0) : commits.removeFirst()
        guard let id = event.itemID else { return .ignore }
        namesItems = true
        if item(id)?.turn != owner { remember(id, owner, isSettled: false) }
        guard owner == turn, let held, held.itemID == id else { return .ignore }
        self.held = nil
        settle(id)
        return .release(held)
    }

    private mutating func routeTranscript(_ event: RealtimeEvent) -> Route {
        guard recordedTurn == turn else {
            if let id = event.itemID { remember(id, item(id)?.turn ?? 0, isSettled: true) }
            return .ignore
        }
        guard let id = event.itemID else { return .deliver }
        guard let item = item(id) else { return routeUnknownItem(id) }
        if item.turn == turn || !item.isSettled {
            settle(id)
            return item.turn == turn ? .deliver : .ignore
        }
        guard namesItems else {
            // A server that names no items has reused the identifier.
            remember(id, turn, isSettled: true)
            return .deliver
        }
        // The event is repeated, unless the current recording is about to get this identifier.
        if commits.contains(turn) { held = event }
        return .ignore
    }

    /// Assigns the transcript of an unnamed item to the earlier recording that still waits for one, else to the current recording.
    private mutating func routeUnknownItem(_ id: String) -> Route {
        let owed = items.contains { $0.turn == turn } ? items.firstIndex { $0.turn != turn && !$0.isSettled } : nil
        if let owed { items[owed].isSettled = true }
        remember(id, owed == nil ? turn : 0, isSettled: true)
        return owed == nil ? .deliver : .ignore
    }

    private func item(_ id: String) -> (id: String, turn: Int, isSettled: Bool)? { items.last { $0.id == id } }

    private mutating func settle(_ id: String) {
        if let index = items.lastIndex(where: { $0.id == id }) { items[index].isSettled = true }
    }

    private mutating func remember(_ id: String, _ owner: Int, isSettled: Bool) {
        items.removeAll { $0.id == id }
        items = (items + [(id, owner, isSettled)]).suffix(Self.maximumRemembered)
    }

    // MARK: Responses

    private mutating func routeResponse(_ event: RealtimeEvent) -> Route {
        let id = event.responseID ?? ""
        if event.kind == .responseCreated { announcesResponses = true }
        var isNew = false
        if !open.contains(id), !pending.isEmpty, begins(id, event.kind) {
            turns.removeAll { $0.response == id }
            turns = (turns + [(id, pending.removeFirst())]).suffix(Self.maximumRemembered)
            closed.removeAll { $0 == id }
            open.insert(id)
            isNew = true
        }
        let isCurrent = turnOf(id) == turn
        if event.kind == .responseDone, open.remove(id) != nil {
            closed = (closed + [id]).suffix(Self.maximumRemembered)
            if !isCurrent { return isQuiet ? .drained : .ignore }
        }
        if isCurrent { return .deliver }
        guard isNew, !id.isEmpty else { return .ignore }
        cancelled.insert(id)
        return .cancel(id)
    }

    /// Returns true if the event begins a response, which may have the identifier of an earlier one.
    private func begins(_ id: String, _ kind: RealtimeEvent.Kind) -> Bool {
        if kind == .responseCreated || turnOf(id) == nil { return true }
        if announcesResponses { return false }
        // The end of a closed response may be sent twice.
        return id.isEmpty || closed.contains(id) && kind != .responseDone
    }

    private func turnOf(_ response: String) -> Int? { turns.last { $0.response == response }?.turn }

    private mutating func routeError(_ event: RealtimeEvent) -> Route {
        guard let id = event.rejectedEventID else {
            // The response may never begin: it is given up, so that the next response gets its own events.
            pending.removeAll { $0 == turn }
            commits.removeAll { $0 == turn }
            return .deliver
        }
        let parts = id.split(separator: "_")
        guard parts.count == 4, parts[0] == "turn", let rejected = Int(parts[1]) else { return .deliver }
        switch parts[2] {
        case "create": if let index = pending.firstIndex(of: rejected) { pending.remove(at: index) }
        case "commit": if let index = commits.firstIndex(of: rejected) { commits.remove(at: index) }
        case "cancel":
            // The server has no response left to cancel.
            pending.removeAll { $0 != turn }
            open = open.filter { turnOf($0) == turn }
            return isQuiet ? .drained : .ignore
        case "clear": return .ignore
        default: break
        }
        if rejected == turn { return .deliver }
        return isQuiet ? .drained : .ignore
    }
}
