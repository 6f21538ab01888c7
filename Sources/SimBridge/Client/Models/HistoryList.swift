import Observation
package import SimBridgeWire

/// The relayed messages that were fetched, newest first.
@MainActor
@Observable
package final class HistoryList {
    package enum Phase: Hashable, Sendable {
        /// Not fetched yet.
        case idle
        case loading
        case ready
        case failed(BridgeProblem)
    }

    /// The device whose messages these are; nil: all devices.
    package let device: Device.ID?
    package internal(set) var phase = Phase.idle
    package private(set) var items: [HistoryItem] = []
    /// True if the relay has older entries.
    package private(set) var hasMore = false
    /// Why the last fetch of older entries failed; nil if it did not fail.
    package internal(set) var olderProblem: BridgeProblem?
    /// True if the last fetch of the newest entries failed.
    @ObservationIgnored var isStale = false
    @ObservationIgnored private var fetches = (begun: 0, taken: 0)
    /// The recipient's number of each command, by `req_id`.
    @ObservationIgnored package private(set) var numbers: [RequestID: String] = [:]
    @ObservationIgnored var loadingMore: Task<Void, Never>?

    /// Maximum older entries that stay in memory. The rest is fetched again when the user scrolls there.
    static let maximumOlderCount = 2000

    init(device: Device.ID?) { self.device = device }

    /// True if the list was fetched and has no entries.
    package var isEmpty: Bool { phase == .ready && items.isEmpty }

    /// True if a recent message waits at the relay for its receiver.
    var hasQueued: Bool { items.prefix(HistoryPage.defaultLimit).contains { $0.state == .accepted } }

    /// Returns the number of a fetch of the newest page. Called before the fetch.
    func beginFetch() -> Int {
        fetches.begun += 1
        return fetches.begun
    }

    /// Takes the newest page, unless a later fetch has brought one already.
    func take(newest page: HistoryPage, of fetch: Int) {
        guard fetch > fetches.taken else { return }
        fetches.taken = fetch
        take(newest: page)
    }

    /// Takes the newest page. The known entries stay below it, if the two overlap.
    func take(newest page: HistoryPage) {
        let fresh = Set(page.items.map(\.id))
        let touches = items.isEmpty ? false : items.contains { fresh.contains($0.id) }
        let older = touches ? items.filter { !fresh.contains($0.id) } : []
        items = byNumber(page.items + older.prefix(Self.maximumOlderCount))
        hasMore = items.count < page.total
        numbers = [:]
        note(items)
        isStale = false
        phase = .ready
        olderProblem = nil
    }

    /// Takes a page of older entries. New messages may have shifted the page, so known and newer entries are left out.
    ///
    /// - Returns: True if the page had new entries, or was the last page.
    func take(older page: HistoryPage) -> Bool {
        let known = Set(items.map(\.id))
        let last = items.last
        let older = page.items.filter { item in
            // A relay that orders by time may have numbered an older entry later, after its clock was set back.
            let isNewer = last.map { last in item.id > last.id && isNotEarlier(item.createdAt, last.createdAt) } ?? false
            return !isNewer && !known.contains(item.id)
        }
        items = byNumber(items + older)
        note(older)
        hasMore = !page.items.isEmpty && page.offset + page.items.count < page.total
        return !older.isEmpty || !hasMore
    }

    /// Returns the entries by descending id, because the relay's clock may have been set back.
    private func byNumber(_ items: [HistoryItem]) -> [HistoryItem] { items.sorted { $0.id > $1.id } }

    private func isNotEarlier(_ time: RelayTime?, _ other: RelayTime?) -> Bool {
        guard let time, let other else { return true }
        return time >= other
    }

    private func note(_ items: [HistoryItem]) {
        for item in items where item.msgType == .command {
            let message = item.message
            if case .command(let command) = message.content, let id = message.reqId, let to = command.to { numbers[id] = to }
        }
    }
}
