import Foundation
import NetworkingKit
import Pager2077Wire
import PlatformKit
import WireKit

/// The live socket: what others did, in order, each once.
extension Pager {
    /// Keeps the live socket open until the task is cancelled.
    func followLine() async {
        while !Task.isCancelled {
            let account = account
            let line = LineRunner(clock: phone.clock) { [weak self] in
                let after = await self?.cursor
                do {
                    return try await account.openLive(after: after)
                } catch PagerProblem.userNotFound {
                    // The service does not know this user any more, or is another one.
                    await self?.loadMe()
                    throw PagerProblem.userNotFound
                }
            }
            self.line = line
            let why = await line.run(
                onState: { [weak self] in await self?.lineChanged($0) }, onMessage: { [weak self] in try await self?.received($0) })
            self.line = nil
            // The address is wrong: nothing but another configuration helps.
            guard let why, why.hop != .address else { return }
            try? await phone.clock.sleep(for: .seconds(30))
        }
    }

    private func lineChanged(_ state: Line.State) {
        switch state {
        case .open:
            signal = .full
            tellPresence()
            outbox?.wake()
            // Whatever was missed without a number: lists that could not be fetched, a status that the service has taken back.
            statusMayBeForgotten()
            Task {
                await tellStatus()
                await refresh()
                for chat in openChats where isWatched(chat) { await load(chat) }
            }
        case .connecting: signal = .searching
        case .waiting, .idle, .closed: signal = .none
        }
    }

    /// A number was left out: what is missing has to be told again.
    private struct Gap: Error {}

    /// - Throws: ``Gap``, which ends the connection; the next one goes on from the cursor.
    private func received(_ message: SocketMessage) async throws {
        guard case .text(let text) = message,
            let said = try? WireJSON.decode(LiveServerMessage.self, from: Data(text.utf8))
        else { return }
        switch said {
        case .hello(let seq): if cursor == nil { cursor = seq }
        case .reset(let seq):
            cursor = seq
            await refresh()
            for chat in openChats {
                chat.hasGap = true
                // Fetched again when somebody looks at it.
                if isWatched(chat) { await load(chat) } else { chat.phase = .idle }
            }
        case .event(let seq, _, let event):
            guard try isNext(seq) else { return }
            happened(event)
            taken(seq)
        case .unknown(let seq): if let seq, try isNext(seq) { taken(seq) }
        case .error: break
        }
    }

    /// Numbers come without gaps; one that was seen is dropped (`Docs/Protocols/Pager2077-Live.md`).
    private func isNext(_ seq: Int64) throws -> Bool {
        guard let cursor, seq > cursor + 1 else { return seq > cursor ?? 0 }
        throw Gap()
    }

    private func taken(_ seq: Int64) {
        cursor = max(cursor ?? 0, seq)
        if isInFront { say(.ack(seq: seq)) }
    }

    private func happened(_ event: LiveEvent) {
        switch event {
        case .message(let message): arrived(message)
        case .friendRequest(let request):
            guard !requests.items.contains(where: { $0.id == request.id }) else { return }
            requests.change { $0.insert(request, at: 0) }
            if requests.phase != .ready { requests.phase = .ready }
            let name = request.fromUserDisplayName ?? request.fromUserHexCode.rawValue
            notify("request-" + request.id.rawValue, .friendRequest(name))
        case .friendAccepted(let friend):
            add(friend)
            notify("friend-" + friend.id.rawValue, .friendAccepted(friend.displayName ?? friend.hexCode.rawValue))
        case .friendRemoved(let id): forget(id)
        case .friendStatus(let id, let status, let lastSeen):
            friends.change { friends in
                for index in friends.indices where friends[index].id == id {
                    friends[index].status = status
                    friends[index].lastSeen = lastSeen
                }
            }
        case .read(let id, let upTo): chat(with: id).markRead(upTo: upTo)
        }
    }

    private func arrived(_ message: Message) {
        let chat = chat(with: message.senderId)
        // One that was fetched before it was told of is neither new nor unread.
        guard !chat.messages.contains(where: { $0.id == message.id }) else { return }
        if chat.phase == .ready || !chat.viewers.isEmpty { chat.insert(message) }
        chat.notice = nil
        if isWatched(chat) {
            // The service is told that it is read.
            loadSoon(chat)
        } else {
            conversations.changeCount += 1
            loadConversationsSoon()
            notify(Self.chatPrefix + message.senderId.rawValue, .message(message.senderDisplayName, message.text))
        }
        beep()
    }

    // MARK: What the client says

    /// Says whether the app is in front, and goes on saying so while it is: it counts for 45 s.
    func tellPresence() {
        presence?.cancel()
        say(.presence(foreground: isInFront))
        guard isInFront else { return }
        if let cursor { say(.ack(seq: cursor)) }
        let clock = phone.clock
        presence = Task { [weak self] in
            while (try? await clock.sleep(for: .seconds(30))) != nil { self?.say(.presence(foreground: true)) }
        }
    }

    private func say(_ message: LiveClientMessage) {
        // Said again when the line is back.
        guard let line, let text = try? WireJSON.encode(message) else { return }
        line.say(.text(String(decoding: text, as: UTF8.self)))
    }
}
