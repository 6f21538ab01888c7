import Foundation
import Pager2077Wire
import PushKit
import StorageKit
import WireKit

/// Messages between friends.
struct Messaging: Sendable {
    let store: Database
    let pushes: PagerPushes
    let now: @Sendable () -> Timestamp
    var retention = Retention()

    /// Stores a message, appends it to the recipient's event log and enqueues its notification, in one transaction.
    ///
    /// A `clientId` that the sender used before returns the first receipt again.
    func send(_ creation: MessageCreation, from id: User.ID) async throws -> MessageReceipt {
        try await store.write { [now, pushes, retention] transaction in
            let sender = try transaction.caller(id)
            let time = now()
            guard let clientId = creation.clientId else {
                return try transaction.deliver(creation, from: sender, at: time, by: pushes, retention)
            }
            let content = Data("\(creation.recipientId)\n\(creation.text.trimmingWhitespace())".utf8)
            do {
                return try transaction.once(clientId, from: id.rawValue, content: content, at: time) {
                    try transaction.deliver(creation, from: sender, at: time, by: pushes, retention)
                }
            } catch is CommandConflict {
                throw PagerError(.duplicateClientID, "clientId already used for another message")
            }
        }
    }

    /// Returns the latest messages with a friend, oldest first, as they were before this call marks the friend's messages as read.
    func history(with friendID: User.ID, limit: Int, for id: User.ID) async throws -> MessageHistory {
        try await store.write { [now] transaction in
            _ = try transaction.caller(id)
            guard try transaction.user(friendID) != nil else { throw PagerError.userNotFound("Friend not found") }
            guard try transaction.areFriends(id, friendID) else { throw PagerError.notFriends }
            let messages = try transaction.messages(of: id, with: friendID, limit: limit)
            // A blocked friend learns nothing, so the messages stay unread.
            if try !transaction.isBlocked(friendID, by: id), let latest = try transaction.markRead(from: friendID, to: id) {
                try transaction.append(.read(friendId: id, upTo: latest), for: friendID, at: now())
            }
            return MessageHistory(messages: messages)
        }
    }

    func conversations(of id: User.ID) async throws -> ConversationList {
        try await store.read { transaction in
            _ = try transaction.caller(id)
            return ConversationList(conversations: try transaction.conversations(of: id))
        }
    }

    /// Acknowledges the events after `start`, up to `seq`, which the user has seen in the foreground: withdraws their
    /// notifications, and marks their messages as shown.
    func confirm(after start: Int64, upTo seq: Int64, by id: User.ID) async throws {
        guard start < seq else { return }
        try await store.write { [now, pushes] transaction in
            try pushes.outbox.withdraw(for: id.rawValue, causes: start + 1...seq, in: transaction)
            try transaction.markShown(to: id, events: start + 1...seq, at: now())
        }
    }

    /// Stores a phone's report on a notification. A report on an unknown one, or on one without a message, changes nothing.
    func report(_ report: PushReport, on push: Identifier<PushEntry>) async throws {
        guard let message = try await pushes.outbox.entry(push)?.messageID else { return }
        try await store.write { [now] transaction in
            try transaction.advance(message, to: MessageDelivery(report), at: now())
        }
    }
}

extension WriteTransaction {
    fileprivate func deliver(
        _ creation: MessageCreation, from sender: UserRecord, at time: Timestamp, by pushes: PagerPushes, _ retention: Retention
    ) throws -> MessageReceipt {
        guard let recipient = try user(creation.recipientId) else { throw PagerError.userNotFound("Recipient not found") }
        let relation = try relation(of: sender.id, to: recipient.id)
        guard relation.areFriends else { throw PagerError.notFriends }
        if relation.hasBlocked { throw PagerError.blocked }
        let text = creation.text.trimmingWhitespace()
        if text.isEmpty { throw PagerError.invalidInput("Message text cannot be empty") }
        if text.unicodeScalars.count > Message.maximumTextLength {
            throw PagerError(.messageTooLong, "Message exceeds \(Message.maximumTextLength) characters")
        }
        var message = Message(
            id: .random(), senderId: sender.id, recipientId: recipient.id, text: text, isRead: false, timestamp: time,
            senderDisplayName: sender.shownName)
        var event: Int64?
        if relation.isBlocked {
            // A blocked sender gets the usual reply and delivery states, but the message is not delivered.
            message.number = try insert(message, event: nil)
        } else {
            try noteMention(of: sender.id, in: recipient.id, at: time)
            event = try append(to: recipient.id.log, at: time) { seq in
                message.number = try insert(message, event: seq)
                return try WireJSON.encode(LiveEvent.message(message))
            }
        }
        try dropExcessMessages(of: sender.id, retention)
        try pushes.enqueue(
            .message(
                messageId: message.id, senderId: sender.id, senderName: sender.shownName,
                preview: PagerNotification.preview(of: text)),
            for: recipient.id, cause: event, in: self)
        return MessageReceipt(messageId: message.id, timestamp: time, number: message.number)
    }
}
