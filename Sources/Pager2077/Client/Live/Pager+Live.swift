package import ClientKit
package import NetworkingKit
package import Pager2077Wire
import PlatformKit
import WireKit

/// The live socket: events of other users, in order, each once.
extension Pager {
    package struct Identity: Equatable, Sendable {
        let user: User.ID
        let account: Account
        package static func == (a: Identity, b: Identity) -> Bool { a.user == b.user }
    }

    package nonisolated static var numbering: EventCursor.Numbering { .contiguous }

    @concurrent package nonisolated static func connect(
        as identity: Identity, after cursor: Int64?
    ) async throws -> any LineConnection<LiveServerMessage, LiveClientMessage> {
        try await identity.account.openLive(after: cursor)
    }

    package nonisolated static func position(of message: LiveServerMessage) -> LogPosition {
        switch message {
        case .hello(let number): .newest(number)
        case .reset(let number): .reset(number)
        case .event(let number, _, _): .event(number)
        case .unknown(let number): number.map { .event($0) } ?? .none
        case .error: .none
        }
    }

    package func lineDidChange() {
        guard engine.lineStatus == .open else { return }
        sendPresence()
        // The event log does not report lists that could not be fetched, nor a status that the service has reset.
        statusSent = nil
        sendStatusSoon()
        notifications.uploadLacking()
        engine.tasks.start {
            await self.refresh()
            for chat in self.openChats where self.isWatched(chat) { await self.load(chat) }
        }
    }

    package func lineDidFail(_ failure: LineFailure) async -> LineRecovery {
        switch failure.hop {
        // Only another configuration helps.
        case .address: return .stop
        // The service has forgotten this user, or is another one.
        case .token: await loadMe()
        case .network, .tls, .service: break
        }
        return .reopen(after: .seconds(30))
    }

    /// Returns the acknowledgement of an event; nil in the background, where the service would ignore it.
    package func acknowledgement(of number: Int64) -> LiveClientMessage? { isInFront ? .ack(seq: number) : nil }

    /// Returns the presence to repeat, which the service keeps for 45 s; nil in the background.
    package func keepalive() -> LiveClientMessage? { isInFront ? .presence(foreground: true) : nil }

    package func foregroundDidChange() {
        sendPresence()
        if isInFront { notifications.phoneDidChange() }
    }

    private func sendPresence() {
        engine.enqueue(.presence(foreground: isInFront))
        if isInFront { engine.acknowledge() }
    }

    // MARK: Events

    package func received(_ message: LiveServerMessage) {
        guard case .event(let number, _, let event) = message else { return begin(message) }
        // True for an event from the time when the line was down.
        let isMissed = number <= missedUpTo
        switch event {
        case .message(let message): apply(message, isMissed: isMissed)
        case .friendRequest(let request):
            guard !isBlocked(request.request.fromUserId), !requests.items.contains(where: { $0.id == request.id }) else { return }
            requests.change { $0.insert(request, at: 0) }
            if requests.phase != .ready { requests.phase = .ready }
            notify(.friendRequest(request), isMissed: isMissed)
        case .friendAccepted(let friend):
            add(friend)
            notify(.friendAccepted(friend), isMissed: isMissed)
        case .requestWithdrawn(let id):
            requests.change { $0.removeAll { $0.id == id } }
            engine.tasks.start { [phone] in await phone.notifications.remove(id: Self.requestPrefix + id.rawValue) }
        case .friendRemoved(let id, let isAccountDeleted):
            forget(id)
            if isAccountDeleted { friendDidDeleteAccount(id) }
        case .friendStatus(let id, let status, let lastSeen):
            friends.change { friends in
                for index in friends.indices where friends[index].id == id {
                    friends[index].status = status
                    friends[index].lastSeen = lastSeen
                }
            }
        case .read(let id, let upTo): chat(with: id).markRead(upTo: upTo)
        case .delivery(let id, let message, let state): chat(with: id).note(state, of: message)
        case .block(let id, let isBlocked): blockDidChange(id, isBlocked: isBlocked)
        }
    }

    /// Applies the state of the event log that the service sends when the line opens.
    private func begin(_ message: LiveServerMessage) {
        switch message {
        case .hello(let newest): missedUpTo = newest
        case .reset(let newest):
            missedUpTo = newest
            // The log may be that of an older copy of the database.
            notifications.serviceDidForget()
            for chat in openChats { chat.hasGap = true }
            engine.tasks.start {
                await self.refresh()
                // The other chats are fetched again when a screen shows them.
                for chat in self.openChats { if self.isWatched(chat) { await self.load(chat) } else { chat.phase = .idle } }
            }
        case .event, .unknown, .error: break
        }
    }

    private func apply(_ message: Message, isMissed: Bool) {
        let chat = chat(with: message.senderId)
        // A message that was fetched before its event came is neither new nor unread.
        guard !chat.messages.contains(where: { $0.id == message.id }) else { return }
        if chat.phase == .ready || !chat.viewers.isEmpty { chat.insert(message) }
        // A message from before the block belongs to the conversation, but is not announced.
        if isBlocked(message.senderId) { return }
        chat.notice = nil
        if isWatched(chat) {
            // Fetching marks the message as read at the service.
            loadSoon(chat)
        } else {
            conversations.changeCount += 1
            engine.tasks.request(\Pager.conversations) { await self.loadConversations() }
            notify(.message(message), isMissed: isMissed)
        }
        beep()
    }
}
