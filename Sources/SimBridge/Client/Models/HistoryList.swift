public import Observation
import PlatformKit
public import SimBridgeWire

/// Relayed messages, newest first, as far as they were fetched.
@MainActor
@Observable
public final class HistoryList {
    public enum Phase: Hashable, Sendable {
        /// Never asked for.
        case idle
        case loading
        case ready
        case failed(BridgeProblem)
    }

    /// Only what this device sent or received; nil: everything.
    public let device: Device.ID?
    public internal(set) var phase = Phase.idle
    public private(set) var items: [HistoryItem] = []
    /// There is more that is older.
    public private(set) var hasMore = false
    /// Why what is older could not be fetched.
    public internal(set) var olderProblem: BridgeProblem?
    /// The newest entries could not be fetched when they were wanted.
    @ObservationIgnored var isStale = false
    @ObservationIgnored private var fetches = (begun: 0, taken: 0)
    /// Whom commands are for, by their `req_id`.
    @ObservationIgnored public private(set) var numbers: [RequestID: String] = [:]
    @ObservationIgnored var loadingMore: Task<Void, Never>?
    @ObservationIgnored let refreshing = CoalescedWork()

    /// How many are kept beyond a page that is fetched anew: the rest is fetched again when somebody looks.
    static let mostKept = 2000

    init(device: Device.ID?) { self.device = device }

    /// Nothing was ever relayed.
    public var isEmpty: Bool { phase == .ready && items.isEmpty }

    /// Something newest waits at the relay for its host.
    var hasQueued: Bool { items.prefix(HistoryPage.defaultLimit).contains { $0.state == .accepted } }

    /// To be called before the newest page is asked for.
    func beginFetch() -> Int {
        fetches.begun += 1
        return fetches.begun
    }

    /// Takes the newest page. One that was asked for earlier than what is there is too old.
    func take(newest page: HistoryPage, of fetch: Int) {
        guard fetch > fetches.taken else { return }
        fetches.taken = fetch
        take(newest: page)
    }

    /// Takes the newest page. What was fetched before stays below it, if the two touch.
    func take(newest page: HistoryPage) {
        let fresh = Set(page.items.map(\.id))
        let touches = items.isEmpty ? false : items.contains { fresh.contains($0.id) }
        let older = touches ? items.filter { !fresh.contains($0.id) } : []
        items = page.items + older.prefix(Self.mostKept)
        hasMore = items.count < page.total
        numbers = [:]
        note(items)
        isStale = false
        phase = .ready
        olderProblem = nil
    }

    /// Takes a page of what is older. What came meanwhile has moved it: items that are known, or newer, are left out.
    /// - Returns: Whether it brought any, or was the last one.
    func take(older page: HistoryPage) -> Bool {
        let known = Set(items.map(\.id))
        let last = items.last?.createdAt
        let older = page.items.filter { item in
            guard let last, let time = item.createdAt else { return !known.contains(item.id) }
            return time <= last && !known.contains(item.id)
        }
        items += older
        note(older)
        hasMore = !page.items.isEmpty && page.offset + page.items.count < page.total
        return !older.isEmpty || !hasMore
    }

    private func note(_ items: [HistoryItem]) {
        for item in items where item.msgType == .command {
            let message = item.message
            if case .command(let command) = message.content, let id = message.reqId, let to = command.to { numbers[id] = to }
        }
    }
}
