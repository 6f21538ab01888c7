import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeWire
import StorageKit
import WireKit

extension Bridge {
    /// Copies a code of a text. To be called from what a tap started.
    ///
    /// - Returns: Whether the phone took it.
    public func copy(_ code: String) async -> Bool { (try? await phone.clipboard.copy(code)) != nil }

    // MARK: Sending

    /// What is being written, kept for the next start too.
    public var draft: Draft {
        get { preferences.draft ?? Draft() }
        // Longer than anything that can be sent: not worth the room.
        set { preferences.draft = newValue.isEmpty || newValue.body.utf8.count > 16_000 ? nil : newValue }
    }

    /// Sends a text through the host. It is kept before this returns, and tried until the relay has it.
    ///
    /// - Returns: The number of the conversation that it is in.
    /// - Throws: ``BridgeProblem``; nothing is kept then.
    @discardableResult
    public func sendText(to number: String, body: String, sim: Int) async throws -> String {
        guard let host else { throw BridgeProblem.noHost }
        do {
            let to = try PhoneNumber.checked(number)
            if body.allSatisfy(\.isWhitespace) { throw BridgeProblem.textEmpty }
            if body.unicodeScalars.count > TextCommand.bodyLength.upperBound { throw BridgeProblem.textTooLong }
            guard let outbox else { throw BridgeProblem.storage }
            let text = OutgoingText(host: host.id, sim: sim, to: to, body: body)
            try await outbox.add(lane: to, payload: WireJSON.encode(text))
            return to
        } catch {
            throw BridgeProblem(error)
        }
    }

    /// Tries a text again that did not go. One that the relay had is sent as a new one, since the relay takes each only once.
    ///
    /// - Throws: ``BridgeProblem``.
    public func retry(_ message: TextMessage) async throws {
        // The host may have answered before the relay's reply has come: then the outbox has it still, but not for long.
        if let item = waiting.first(where: { $0.id == message.id }), item.state != .waiting || message.state == .waiting {
            // The disk that does not answer now answers later, and the text is still there.
            try? await outbox?.retry(id: item.id)
        } else {
            try await sendText(to: message.number, body: message.body, sim: message.sim ?? 1)
            hide(message)
        }
    }

    /// Takes a text back that was not sent, or does not show any more one that did not go.
    public func discard(_ message: TextMessage) async {
        if waiting.contains(where: { $0.id == message.id }) {
            try? await outbox?.remove(id: message.id)
        } else {
            hide(message)
        }
    }

    private func hide(_ message: TextMessage) {
        hidden.insert(RequestID(message.id))
        preferences.hidden += [RequestID(message.id)]
    }

    // MARK: The outbox

    /// - Returns: nil when this phone has no room for one.
    func makeOutbox() -> Outbox<CommandReceipt>? {
        guard let store = outboxStore() else { return nil }
        return Outbox(
            store: store, clock: phone.clock, now: now, onChange: { [weak self] in await self?.outboxChanged($0) },
            deliver: { [weak self] in await self?.deliver($0) ?? .notNow("network") })
    }

    private func outboxStore() -> SQLiteOutbox? {
        guard let folder = try? phone.folder() else { return nil }
        return try? SQLiteOutbox(path: folder.appending(path: "outbox.db").path)
    }

    func emptyOutbox() async {
        guard let store = outboxStore(), let items = try? await store.items() else { return }
        for item in items { try? await store.remove(id: item.id) }
    }

    /// One try to hand a text to the relay, which takes a second one with the same `req_id` for the first.
    private func deliver(_ item: OutboxItem) async -> Outbox<CommandReceipt>.Delivery {
        guard let text: OutgoingText = item.content() else { return .refused(BridgeProblem.storage.word) }
        let command = TextCommand(toDeviceId: text.host, sim: text.sim, to: text.to, body: text.body, reqId: RequestID(item.id))
        do {
            return .accepted(try await authorized { try await $0.send(command, token: $1) })
        } catch {
            let problem = BridgeProblem(error)
            return problem.isTemporary ? .notNow(problem.word) : .refused(problem.word)
        }
    }

    private func outboxChanged(_ change: Outbox<CommandReceipt>.Change) {
        switch change {
        case .items(let items): waiting = items
        case .accepted(let item, let receipt):
            guard let text: OutgoingText = item.content() else { return }
            let accepted = AcceptedText(id: receipt.reqId, text: text, time: item.createdAt, status: receipt.status)
            self.accepted = self.accepted.suffix(Self.mostAccepted) + [accepted]
            isHostOnline = text.host == host?.id ? receipt.status == .sent : isHostOnline
            for list in openLists where list.phase != .idle { refreshSoon(list) }
        case .postponed: break
        }
    }
    /// The history has the older ones.
    private static let mostAccepted = 50

    // MARK: The history

    /// Fetches the newest entries, once for several that want it together.
    func refreshSoon(_ list: HistoryList) { list.refreshing.want { await self.refresh(list) } }

    /// Fetches the newest entries where nothing keeps them up to date yet.
    public func begin(_ list: HistoryList) async {
        if list.phase != .ready || list.isStale || status != .connected { await refresh(list) }
    }

    /// Fetches the newest entries; what is there stays until they are.
    public func refresh(_ list: HistoryList) async {
        if list.phase != .ready { list.phase = .loading }
        let (device, fetch) = (list.device, list.beginFetch())
        do {
            list.take(newest: try await authorized { try await $0.history(of: device, token: $1) }, of: fetch)
            guard device == nil else { return }
            feed.fill(from: list.items, numbers: list.numbers)
            let known = Set(list.items.compactMap(\.message.reqId))
            accepted.removeAll { known.contains($0.id) }
        } catch is CancellationError {
            if list.phase == .loading { list.phase = .idle }
        } catch {
            list.isStale = true
            if list.phase != .ready || list.items.isEmpty { list.phase = .failed(BridgeProblem(error)) }
        }
    }

    /// Fetches entries that are older than those that are there, once for several that want them. What fails is said by the list.
    public func loadMore(_ list: HistoryList) async { await loadMore(list, limit: HistoryPage.defaultLimit) }

    private func loadMore(_ list: HistoryList, limit: Int) async {
        if let loading = list.loadingMore { return await loading.value }
        guard list.phase == .ready, list.hasMore else { return }
        let loading = Task { await fetchMore(list, limit: limit) }
        list.loadingMore = loading
        await loading.value
        list.loadingMore = nil
    }

    private func fetchMore(_ list: HistoryList, limit: Int) async {
        list.olderProblem = nil
        let device = list.device
        var (last, offset) = (list.items.last?.id, list.items.count)
        do {
            for _ in 0..<Self.mostPages {
                let page = try await authorized { [offset] in
                    try await $0.history(of: device, limit: limit, offset: offset, token: $1)
                }
                if list.items.last?.id != last {
                    // It began anew meanwhile: this belongs behind another end.
                    (last, offset) = (list.items.last?.id, list.items.count)
                } else if list.take(older: page) {
                    return
                } else {
                    offset += page.items.count
                }
            }
            list.olderProblem = .notARelay
        } catch is CancellationError {
            // Who wanted it is gone.
        } catch {
            list.olderProblem = BridgeProblem(error)
        }
    }
    /// Fetches large pages of what is older until it is enough. What is looked for may be nowhere: a thousand entries at most.
    ///
    /// - Returns: Whether it is enough, or nothing more to be had now.
    public func loadMore(_ list: HistoryList, until isEnough: () -> Bool) async -> Bool {
        await loadMore(list, pages: 5, limit: HistoryPage.limits.upperBound, until: isEnough)
    }

    func loadMore(_ list: HistoryList, pages: Int, limit: Int, until isEnough: () -> Bool) async -> Bool {
        for _ in 0..<pages {
            await loadMore(list, limit: limit)
            if isEnough() || !list.hasMore || list.olderProblem != nil { return true }
        }
        return false
    }

    /// So many in a row that bring nothing: a thousand messages came meanwhile, or the relay always says the same.
    private static let mostPages = 20
}

extension BridgeProblem {
    /// For an outbox, which keeps words.
    var word: String {
        switch self {
        case .relay(let sentence), .unavailable(let sentence): sentence
        default: Self.words.first { $0.value == self }?.key ?? "relay"
        }
    }

    init(word: String) { self = Self.words[word] ?? .relay(word) }

    private static let words: [String: BridgeProblem] = [
        "network": .network, "timeout": .timeout, "notARelay": .notARelay, "sessionExpired": .sessionExpired,
        "tooManyAttempts": .tooManyAttempts(seconds: nil), "notPaired": .notPaired, "storage": .storage, "expired": .expired,
    ]
}
