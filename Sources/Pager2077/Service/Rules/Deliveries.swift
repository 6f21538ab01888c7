import Pager2077Wire
import PushKit
import StorageKit
import WireKit

// The state of a message on its way, for its sender (`Docs/Protocols/Pager2077.md`, section 4).

extension WriteTransaction {
    /// Stores the state of a message and informs its sender, unless the message has this state or a later one, or was read.
    func advance(_ id: Message.ID, to state: MessageDelivery, at time: Timestamp) throws {
        guard let message = try unreadMessage(id) else { return }
        try advance(message, to: state, at: time)
    }

    /// Marks messages as shown: a client in the foreground has acknowledged their events.
    func markShown(to recipient: User.ID, events: ClosedRange<Int64>, at time: Timestamp) throws {
        for message in try messagesNotShown(to: recipient, events: events) { try advance(message, to: .shown, at: time) }
    }

    /// Stores the result of a message's notification: the best one of the recipient's devices, once it is known.
    func advance(_ id: Message.ID, toEndOf entry: PushEntry, at time: Timestamp) throws {
        guard let state = MessageDelivery(of: try pushes(origin: entry.origin)) else { return }
        try advance(id, to: state, at: time)
    }

    private func advance(_ message: UnreadMessage, to state: MessageDelivery, at time: Timestamp) throws {
        if let known = message.delivery, known.rank >= state.rank { return }
        try store(state, of: message.id)
        // Former friends have no conversation that shows the state.
        guard try areFriends(message.senderId, message.recipientId) else { return }
        try append(
            .delivery(friendId: message.recipientId, messageId: message.id, state), for: message.senderId, at: time)
    }
}

extension PushEntry {
    /// The content; nil if it cannot be read.
    var notification: PagerNotification? { try? WireJSON.decode(from: content) }

    /// The message of the notification; nil for a notification of another kind.
    var messageID: Message.ID? {
        guard case .message(let id, _, _, _)? = notification else { return nil }
        return id
    }
}

extension MessageDelivery {
    /// Combines the results of a notification's entries, one for each device of the recipient.
    ///
    /// Nil while the result is open: another device's failure does not count while an entry is on its way.
    init?(of entries: [PushEntry]) {
        let results = entries.compactMap(MessageDelivery.init(endOf:))
        guard let best = results.max(by: { $0.rank < $1.rank }) else { return nil }
        if best.rank < Self.accepted.rank, entries.contains(where: \.isOnItsWay) { return nil }
        self = best
    }

    private init?(endOf entry: PushEntry) {
        switch entry.state {
        case .waiting, .active: return nil
        // Without a push service nothing was sent, and no phone can be reached.
        case .completed: self = entry.reason == .pretended ? .unreachable : .accepted
        case .failed: self = entry.reason == .notConfigured ? .unreachable : .failed
        case .expired: self = .failed
        case .unreachable: self = .unreachable
        case .withdrawn:
            if entry.reason == .replaced { return nil }
            self = .shown
        }
    }

    init(_ report: PushReport) {
        switch report {
        case .shown: self = .shown
        case .opened: self = .opened
        }
    }

    /// The position in the order of the states.
    fileprivate var rank: Int {
        switch self {
        case .unreachable: 0
        case .failed: 1
        case .accepted: 2
        case .shown: 3
        case .opened: 4
        }
    }
}

extension PushEntry {
    fileprivate var isOnItsWay: Bool {
        switch state {
        case .waiting, .active: true
        case .completed, .failed, .expired, .withdrawn, .unreachable: false
        }
    }
}
