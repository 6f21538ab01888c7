import ClientKit
package import NetworkingKit
package import Pager2077Wire
import PlatformKit
import WireKit

extension Pager {
    /// Follows a conversation on `screen` until the calling task is cancelled. Messages count as read while the screen is in front.
    package func follow(_ chat: Chat, on screen: AnyObject) async {
        let viewer = ObjectIdentifier(screen)
        chat.viewers.insert(viewer)
        defer { chat.viewers.remove(viewer) }
        if isWatched(chat) { await load(chat) }
        await waitForCancellation()
    }

    /// Fetches the latest messages. The service notifies the friend that theirs are read.
    package func load(_ chat: Chat) async {
        // The service has no messages of a deleted account, so the ones on this phone stay.
        if chat.isFriendDeleted { return }
        if chat.phase != .ready { chat.phase = .loading }
        let friend = chat.friend
        do {
            let history = try await account.call(PagerEndpoints.history, ["friendId": friend.rawValue], query: "?limit=100")
            chat.merge(history.messages)
            chat.phase = .ready
            conversations.change { $0.removeAll { $0.friendId == friend } }
            await phone.notifications.remove(id: Self.chatPrefix + friend.rawValue)
        } catch is CancellationError {
            if chat.phase == .loading { chat.phase = .idle }
        } catch {
            chat.phase = .failed(PagerProblem(error))
        }
    }

    /// Fetches the latest messages without waiting for them, once for several requests.
    func loadSoon(_ chat: Chat) { engine.tasks.request(chat.friend) { await self.load(chat) } }

    /// Sends the draft of a chat. The draft disappears once the phone has stored the message, which is then sent until accepted.
    ///
    /// - Throws: ``PagerProblem``; nothing is sent then, and the draft stays.
    package func sendDraft(of chat: Chat) async throws {
        let draft = chat.draft
        let text = draft.trimmingWhitespace()
        if text.isEmpty { throw PagerProblem.messageEmpty }
        if text.unicodeScalars.count > Message.maximumTextLength { throw PagerProblem.messageTooLong }
        let id = OutboxItem.newID()
        let message = MessageCreation(recipientId: chat.friend, text: text, clientId: id)
        let change = takeDraft(of: chat)
        chat.notice = .sending
        do {
            try await engine.deliver(message, id: id, lane: chat.friend.rawValue, saving: change)
        } catch {
            chat.draft = draft
            chat.notice = nil
            throw error is OutboxFull ? PagerProblem.full : PagerProblem.storage
        }
    }

    /// Delivers a message now.
    package func retry(_ message: Chat.Waiting, in chat: Chat) async {
        chat.notice = .sending
        // If the phone cannot store the change, the message still waits, and may be tried again.
        try? await engine.outbox?.retry(id: message.id)
        engine.outbox?.wake()
    }

    /// Discards a message that was not sent.
    package func discard(_ message: Chat.Waiting, in chat: Chat) async {
        chat.notice = nil
        try? await engine.outbox?.remove(id: message.id)
    }

    // MARK: Outbox

    package func deliver(_ item: OutboxItem) async -> Outbox<MessageReceipt>.Delivery {
        do {
            return .accepted(
                try await account.authorized {
                    try await $0.send(PagerEndpoints.sendMessage, body: .data(item.payload), token: $1)
                })
        } catch {
            return PagerProblem.delivery(after: error)
        }
    }

    package nonisolated static var formerOutboxChange: String? {
        """
        UPDATE outbox SET payload = CAST(json_set(CAST(payload AS TEXT), '$.clientId', id) AS BLOB)
        WHERE CASE WHEN json_valid(CAST(payload AS TEXT)) THEN json_extract(CAST(payload AS TEXT), '$.clientId') IS NULL END
        """
    }

    package func outboxDidChange(_ change: Outbox<MessageReceipt>.Change) {
        switch change {
        case .items(let items):
            outboxItems = items
            let lanes = Dictionary(grouping: items, by: \.lane)
            for (lane, _) in lanes { _ = chat(with: User.ID(lane)) }
            for chat in openChats {
                let known = Dictionary(chat.waiting.map { ($0.id, $0.text) }) { text, _ in text }
                chat.waiting = (lanes[chat.friend.rawValue] ?? []).compactMap { item in
                    // The content of an item never changes.
                    let text = known[item.id] ?? (item.content() as MessageCreation?)?.text
                    return text.map { Chat.Waiting(id: item.id, text: $0, failure: item.failure) }
                }
                if chat.waiting.contains(where: { known[$0.id] == nil }) { chat.sendCount += 1 }
                if let failure = chat.waiting.last?.failure, chat.notice == .sending { chat.notice = .problem(failure) }
            }
        case .accepted(let item, let receipt):
            let chat = chat(with: User.ID(item.lane))
            if let index = chat.waiting.firstIndex(where: { $0.id == item.id }) {
                let text = chat.waiting.remove(at: index).text
                if let me {
                    chat.insert(
                        Message(
                            id: receipt.messageId, senderId: me.id, recipientId: chat.friend, text: text, isRead: false,
                            timestamp: receipt.timestamp, senderDisplayName: me.displayName ?? me.hexCode.rawValue,
                            number: receipt.number))
                }
            }
            chat.notice = .sent
            // The service answers again.
            if case .failed = chat.phase, isWatched(chat) { loadSoon(chat) }
        case .postponed(let item, let code):
            chat(with: User.ID(item.lane)).notice = .problem(PagerProblem(code: code))
        }
    }
}

extension OutboxItem {
    fileprivate var failure: PagerProblem? { if case .failed(let code) = state { PagerProblem(code: code) } else { nil } }
}
