import ClientKit
import Foundation
package import NetworkingKit
import PlatformKit
import SimBridgeCalls
package import SimBridgeWire

extension Bridge {
    /// Copies a text to the clipboard. Must be called from a tap.
    ///
    /// - Throws: ``BridgeProblem/clipboard``.
    package func copy(_ code: String) async throws {
        do { try await phone.clipboard.copy(code) } catch { throw BridgeProblem.clipboard }
    }

    // MARK: SIM cards

    /// Returns the slot of the SIM card for a text or a call.
    ///
    /// - Parameters:
    ///   - number: The other number; nil until the user has entered a number.
    ///   - isOpen: True for an existing conversation, which uses the card of its last entry.
    ///   - chosen: The slot that the user has chosen; nil if none.
    /// - Returns: nil if the host has several cards, and the fetched history does not show the card of the conversation yet.
    package func sim(for number: String?, isOpen: Bool, chosen: Int? = nil) -> Int? {
        func isUsable(_ slot: Int) -> Bool { knownSIMs.isEmpty || knownSIMs.contains { $0.slot == slot } }
        if let chosen, isUsable(chosen) { return chosen }
        if knownSIMs.count == 1 { return knownSIMs[0].slot }
        let entries = number.flatMap { conversation(with: $0)?.entries } ?? []
        if let last = entries.last(where: { $0.sim != nil })?.sim, isUsable(last) { return last }
        let isUnknown = entries.isEmpty && (history.phase != .ready || history.hasMore)
        return isOpen && isUnknown ? nil : knownSIMs.first?.slot ?? 1
    }

    // MARK: Sending

    /// The new text that the user is writing, saved with each change.
    package var draft: Draft {
        get { saved.draft ?? Draft() }
        set { saved.draft = newValue.isEmpty || newValue.isTooLong ? nil : newValue }
    }

    /// Returns the unsent reply in the conversation with a number; empty if there is none.
    package func reply(to number: String) -> String { saved.replies.last { numbers.matches($0.to, number) }?.body ?? "" }

    /// Saves the unsent reply in the conversation with a number. Only the latest 50 replies are kept.
    package func keepReply(_ body: String, to number: String) {
        let reply = Draft(to: number, body: body)
        guard body != self.reply(to: number) else { return }
        saved.replies = replies(exceptTo: number) + (body.isEmpty || reply.isTooLong ? [] : [reply])
    }

    private func replies(exceptTo number: String) -> [Draft] { saved.replies.filter { !numbers.matches($0.to, number) } }

    /// Enqueues a text for the host in the outbox. The text is stored before this returns, and the draft or reply with the same
    /// text is removed.
    ///
    /// - Returns: The recipient's number, as the conversation shows it.
    /// - Throws: ``BridgeProblem``; nothing is sent then.
    @discardableResult
    package func sendText(to number: String, body: String, sim: Int) async throws -> String {
        guard let host else { throw BridgeProblem.noHost }
        do {
            let to = try PhoneNumber.checked(number)
            if body.allSatisfy(\.isWhitespace) { throw BridgeProblem.textEmpty }
            if body.unicodeScalars.count > TextCommand.bodyLength.upperBound { throw BridgeProblem.textTooLong }
            let id = OutboxItem.newID()
            let text = TextCommand(toDeviceId: host.id, sim: sim, to: to, body: body, reqId: RequestID(id))
            let end =
                draft.body == body ? SavedAccount.noDraft : reply(to: to) == body ? SavedAccount.only(replies(exceptTo: to)) : nil
            try await engine.deliver(text, id: id, lane: numbers.key(to, sim: sim), saving: end)
            return to
        } catch {
            throw BridgeProblem(error)
        }
    }

    /// Sends a failed text again. A text that the relay has accepted is sent as a new text, because the relay accepts each id once.
    ///
    /// - Throws: ``BridgeProblem``.
    package func retry(_ message: TextMessage) async throws {
        // The host's report may come before the relay's reply: the outbox then still has the text, but not for long.
        if let item = waiting.first(where: { $0.id == message.id }), item.state != .waiting || message.state == .waiting {
            // If the phone cannot store the change, the text still waits, and may be tried again.
            try? await engine.outbox?.retry(id: item.id)
        } else {
            try await sendText(to: message.number, body: message.body, sim: message.sim ?? 1)
            hide(message)
        }
    }

    /// Discards a text that was not sent, or removes a failed one from the screen.
    package func discard(_ message: TextMessage) async {
        if waiting.contains(where: { $0.id == message.id }) {
            try? await engine.outbox?.remove(id: message.id)
        } else {
            hide(message)
        }
    }

    private func hide(_ message: TextMessage) {
        hidden.insert(RequestID(message.id))
        saved.hidden += [RequestID(message.id)]
    }

    // MARK: Outbox

    /// Makes one attempt to deliver a text. The relay accepts a `req_id` once.
    package func deliver(_ item: OutboxItem) async -> Outbox<CommandReceipt>.Delivery {
        do {
            return .accepted(
                try await authorized { try await $0.send(SimBridgeEndpoints.sendText, body: .data(item.payload), token: $1) })
        } catch {
            return BridgeProblem.delivery(after: error)
        }
    }

    package nonisolated static var formerOutboxChange: String? {
        """
        UPDATE outbox SET payload = CAST(
            json_remove(json_set(CAST(payload AS TEXT),
                '$.to_device_id', json_extract(CAST(payload AS TEXT), '$.host'), '$.req_id', id), '$.host') AS BLOB)
        WHERE CASE WHEN json_valid(CAST(payload AS TEXT)) THEN json_extract(CAST(payload AS TEXT), '$.req_id') IS NULL END
        """
    }

    package func outboxDidChange(_ change: Outbox<CommandReceipt>.Change) {
        switch change {
        case .items(let items): waiting = items
        case .accepted(let item, let receipt):
            guard let text: TextCommand = item.content() else { return }
            let accepted = AcceptedText(id: receipt.reqId, text: text, time: item.createdAt, status: receipt.status)
            self.accepted = self.accepted.suffix(Self.maximumAcceptedCount - 1) + [accepted]
            isHostOnline = text.toDeviceId == host?.id ? receipt.status == .sent : isHostOnline
            for list in openLists where list.phase != .idle { refreshSoon(list) }
        case .postponed: break
        }
    }
    /// Maximum accepted texts in memory. The history has the older texts.
    private static let maximumAcceptedCount = 51

    // MARK: History

    /// Requests a fetch of the newest entries. Requests during a fetch share one further fetch.
    func refreshSoon(_ list: HistoryList) { engine.tasks.request(ObjectIdentifier(list)) { await self.refresh(list) } }
    func isRefreshing(_ list: HistoryList) -> Bool { engine.tasks.isRunning(ObjectIdentifier(list)) }

    /// Fetches the newest entries unless the line keeps the list up to date.
    package func begin(_ list: HistoryList) async {
        if list.phase != .ready || list.isStale || status != .connected { await refresh(list) }
    }

    /// Fetches the newest entries. The known entries stay meanwhile.
    package func refresh(_ list: HistoryList) async {
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

    /// Fetches older entries; concurrent calls share one fetch. A failure is stored in ``HistoryList/olderProblem``.
    package func loadMore(_ list: HistoryList) async { await loadMore(list, limit: HistoryPage.defaultLimit) }

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
            for _ in 0..<Self.maximumPageCount {
                let page = try await authorized { [offset] in
                    try await $0.history(of: device, limit: limit, offset: offset, token: $1)
                }
                if list.items.last?.id != last {
                    // The list was replaced meanwhile, so this page does not follow its end.
                    (last, offset) = (list.items.last?.id, list.items.count)
                } else if list.take(older: page) {
                    return
                } else {
                    offset += page.items.count
                }
            }
            list.olderProblem = .notARelay
        } catch is CancellationError {
            // The fetch was cancelled, and its result is not needed.
        } catch {
            list.olderProblem = BridgeProblem(error)
        }
    }

    /// Fetches large pages of older entries until `isEnough` returns true, at most a thousand entries.
    ///
    /// - Returns: True if `isEnough` returned true, there are no older entries, or a fetch failed.
    package func loadMore(_ list: HistoryList, until isEnough: () -> Bool) async -> Bool {
        await loadMore(list, pages: 5, limit: HistoryPage.limits.upperBound, until: isEnough)
    }

    func loadMore(_ list: HistoryList, pages: Int, limit: Int, until isEnough: () -> Bool) async -> Bool {
        for _ in 0..<pages {
            await loadMore(list, limit: limit)
            if isEnough() || !list.hasMore || list.olderProblem != nil { return true }
        }
        return false
    }

    /// Maximum consecutive pages without a new entry. With more, a thousand messages came meanwhile, or the relay repeats itself.
    private static let maximumPageCount = 20
}
