import Foundation
import NetworkingKit
import Pager2077Wire
import PlatformKit
import StorageKit
import WireKit

extension Pager {
    /// Follows a conversation while `screen` shows it, until the calling task is cancelled. What comes in counts as read while that screen is in front.
    public func follow(_ chat: Chat, on screen: AnyObject) async {
        let viewer = ObjectIdentifier(screen)
        chat.viewers.insert(viewer)
        defer { chat.viewers.remove(viewer) }
        if isWatched(chat) { await load(chat) }
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }

    /// Fetches the latest messages; the friend is told that theirs are read.
    public func load(_ chat: Chat) async {
        if chat.phase != .ready { chat.phase = .loading }
        let friend = chat.friend
        do {
            let history = try await authorized { api, token in
                try await api.call(PagerEndpoints.history, ["friendId": friend.rawValue], query: "?limit=100", token: token)
            }
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

    /// Fetches the latest messages without waiting for them; once for several that come together.
    func loadSoon(_ chat: Chat) { chat.loading.want { await self.load(chat) } }

    /// Sends a message. It is kept before this returns, and tried until the service has it.
    ///
    /// - Throws: ``PagerProblem``; nothing is kept then.
    public func send(_ text: String, in chat: Chat) async throws {
        let text = text.trimmingWhitespace()
        if text.isEmpty { throw PagerProblem.messageEmpty }
        if text.unicodeScalars.count > Message.maximumTextLength { throw PagerProblem.messageTooLong }
        guard let outbox else { throw PagerProblem.storage }
        chat.notice = .sending
        do {
            let payload = try WireJSON.encode(OutgoingMessage(recipientId: chat.friend, text: text))
            try await outbox.add(lane: chat.friend.rawValue, payload: payload)
        } catch {
            chat.notice = nil
            throw error is OutboxFull ? PagerProblem.full : PagerProblem.storage
        }
    }

    /// Tries a message again, now.
    public func retry(_ message: Chat.Waiting, in chat: Chat) async {
        chat.notice = .sending
        // The disk that does not answer now answers later, and the message is still there.
        try? await outbox?.retry(id: message.id)
        outbox?.wake()
    }

    /// Takes a message back that was not sent.
    public func discard(_ message: Chat.Waiting, in chat: Chat) async {
        chat.notice = nil
        try? await outbox?.remove(id: message.id)
    }

    // MARK: The outbox

    /// - Returns: nil when this phone has no room for one.
    func makeOutbox() -> Outbox<MessageReceipt>? {
        guard let folder = try? phone.folder(), let store = try? SQLiteOutbox(path: folder.appending(path: "outbox.db").path) else {
            return nil
        }
        let account = account
        return Outbox(
            store: store, clock: phone.clock, onChange: { [weak self] in await self?.outboxChanged($0) },
            deliver: { await OutgoingMessage.deliver($0, by: account) })
    }

    private func outboxChanged(_ change: Outbox<MessageReceipt>.Change) {
        switch change {
        case .items(let items):
            let lanes = Dictionary(grouping: items, by: \.lane)
            for (lane, _) in lanes { _ = chat(with: User.ID(lane)) }
            for chat in openChats {
                chat.waiting = (lanes[chat.friend.rawValue] ?? []).compactMap { item in
                    guard let message: OutgoingMessage = item.content() else { return nil }
                    return Chat.Waiting(id: item.id, text: message.text, failure: item.failure)
                }
                if let failure = chat.waiting.last?.failure, chat.notice == .sending { chat.notice = .problem(failure) }
            }
        case .accepted(let item, let receipt):
            let chat = chat(with: User.ID(item.lane))
            chat.waiting.removeAll { $0.id == item.id }
            if let me, let message: OutgoingMessage = item.content() {
                chat.insert(
                    Message(
                        id: receipt.messageId, senderId: me.id, recipientId: message.recipientId, text: message.text, isRead: false,
                        timestamp: receipt.timestamp, senderDisplayName: me.displayName ?? me.hexCode.rawValue))
            }
            chat.notice = .sent
            // The service answers again.
            if case .failed = chat.phase, isWatched(chat) { loadSoon(chat) }
        case .postponed(let item, let word):
            chat(with: User.ID(item.lane)).notice = .problem(PagerProblem(word: word))
        }
    }
}

extension OutboxItem {
    fileprivate var failure: PagerProblem? { if case .failed(let word) = state { PagerProblem(word: word) } else { nil } }
}
