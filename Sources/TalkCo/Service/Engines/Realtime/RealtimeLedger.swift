/// The turns that a server's events belong to. Events of earlier turns are kept from the current one.
///
/// ```
///   response.create ──▶ pending ──response.created──▶ open ──response.done──▶ closed
/// ```
///
/// The server answers `response.create` in order, so each new response belongs to the oldest pending request. Servers that leave out
/// `response.created` or the identifiers of responses get along: the first event of an unknown response counts as its creation.
struct RealtimeLedger {
    enum Route: Hashable {
        /// The event belongs to the current turn.
        case deliver
        case ignore
        /// The event begins a response of an earlier turn, which nobody waits for.
        case cancel(String)
        /// The event ends the last open response of an earlier turn.
        case drained
    }

    /// The number of responses and items that are remembered.
    private static let maximumRemembered = 64

    private(set) var turn = 0
    /// The turns of requests for a response that has not begun.
    private var pending: [Int] = []
    /// The turns of committed recordings that the server has not confirmed.
    private var commits: [Int] = []
    private var turns: [(response: String, turn: Int)] = []
    private var open: Set<String> = []
    private var cancelled: Set<String> = []
    /// The learner's recording in this turn.
    private var item: String?
    private var earlierItems: [String] = []
    private var eventCount = 0

    /// The responses of earlier turns are over.
    var isQuiet: Bool { pending.isEmpty && open.isEmpty }

    mutating func beginTurn() {
        turn += 1
        if let item { earlierItems = (earlierItems + [item]).suffix(Self.maximumRemembered) }
        item = nil
    }

    /// True while the current turn waits for the beginning of a response.
    var hasPendingResponse: Bool { pending.contains(turn) }

    /// The open responses that are still to be cancelled. Each is returned once.
    mutating func takeOpenResponses() -> [String] {
        defer { cancelled = open }
        return open.subtracting(cancelled).sorted()
    }

    /// Gives up the responses of earlier turns, for a server that does not end cancelled ones.
    mutating func forget() {
        pending = []
        commits = []
        open = []
    }

    /// The identifier of the next event to send. Contains the turn.
    mutating func nextEventID(_ kind: String) -> String {
        eventCount += 1
        return "turn_\(turn)_\(kind)_\(eventCount)"
    }

    mutating func willCreateResponse() { pending.append(turn) }
    mutating func willCommit() { commits.append(turn) }

    mutating func route(_ event: RealtimeEvent) -> Route {
        switch event.kind {
        case .error: return routeError(event)
        case .inputCommitted:
            guard !commits.isEmpty else { return .ignore }
            let committed = commits.removeFirst()
            if let id = event.itemID {
                if committed == turn { item = id } else { earlierItems = (earlierItems + [id]).suffix(Self.maximumRemembered) }
            }
            return .ignore
        case .transcriptCompleted, .transcriptFailed:
            guard let id = event.itemID else { return .deliver }
            guard !earlierItems.contains(id), item == nil || item == id else { return .ignore }
            item = id
            return .deliver
        case .sessionCreated, .sessionUpdated: return .deliver
        case .other: return .ignore
        default: return routeResponse(event)
        }
    }

    private mutating func routeResponse(_ event: RealtimeEvent) -> Route {
        let id = event.responseID ?? ""
        var isNew = false
        if !open.contains(id), !pending.isEmpty, event.kind == .responseCreated || id.isEmpty || turnOf(id) == nil {
            turns.removeAll { $0.response == id }
            turns = (turns + [(id, pending.removeFirst())]).suffix(Self.maximumRemembered)
            open.insert(id)
            isNew = true
        }
        let isCurrent = turnOf(id) == turn
        if event.kind == .responseDone, open.remove(id) != nil, !isCurrent { return isQuiet ? .drained : .ignore }
        if isCurrent { return .deliver }
        guard isNew, !id.isEmpty else { return .ignore }
        cancelled.insert(id)
        return .cancel(id)
    }

    private func turnOf(_ response: String) -> Int? { turns.last { $0.response == response }?.turn }

    private mutating func routeError(_ event: RealtimeEvent) -> Route {
        guard let id = event.rejectedEventID else {
            // Nothing tells whether the response will still begin: it is given up, so that the next one gets its own events.
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
            // Nothing was left to cancel.
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
