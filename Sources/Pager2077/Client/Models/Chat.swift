import Observation
package import Pager2077Wire
import WireKit

/// The conversation with one friend: its messages, and those that wait to be sent.
@MainActor
@Observable
package final class Chat {
    /// A message of the user that the service has not accepted yet.
    package struct Waiting: Hashable, Sendable, Identifiable {
        /// The message's `clientId`.
        package let id: String
        package let text: String
        /// The reason of the failure; nil while the message waits.
        package let failure: PagerProblem?
    }

    /// The result of the user's last action.
    package enum Notice: Hashable, Sendable {
        case sending
        case sent
        case problem(PagerProblem)
    }

    package let friend: User.ID
    /// The latest page of the service, and the messages since, oldest first.
    package internal(set) var messages: [Message] = []
    package internal(set) var phase = Listing<Message>.Phase.idle
    package internal(set) var waiting: [Waiting] = []
    /// Count of additions of the user's messages. A message that is sent quickly may never be seen waiting.
    package internal(set) var sendCount = 0
    package internal(set) var notice: Notice?
    /// The last known name of a former friend.
    var formerName: String?
    /// True if the friend's account was deleted: messages that have not arrived by now never will.
    package internal(set) var isFriendDeleted = false
    /// The text that the user is writing. Saved with each change.
    package var draft: String {
        get { unsentText }
        set {
            guard newValue != unsentText else { return }
            unsentText = newValue
            onDraft(newValue)
        }
    }
    private var unsentText: String
    @ObservationIgnored var onDraft: (String) -> Void = { _ in }
    /// True if messages may be missing between the known ones and the next page of the service.
    @ObservationIgnored var hasGap = false
    /// The screens that show the chat now, in front or not.
    @ObservationIgnored var viewers: Set<ObjectIdentifier> = []
    /// The latest of the user's messages that the friend has read. It may be known before the message is.
    @ObservationIgnored private var readUpTo: Message.ID?
    /// The delivery states of messages that this phone does not have yet: an event may come before the receipt.
    @ObservationIgnored private var earlyDeliveries: [Message.ID: MessageDelivery] = [:]

    init(friend: User.ID, draft: String = "") {
        self.friend = friend
        unsentText = draft
    }

    /// Changes the draft without saving it.
    func restoreDraft(_ text: String) { unsentText = text }

    /// True if no message waits and the last message is the user's.
    package var isWaitingForReply: Bool { waiting.isEmpty && messages.last.map { $0.senderId != friend } ?? false }

    /// The latest message of the user that the service has accepted.
    package var lastSent: Message? { messages.last { $0.senderId != friend } }

    /// True if the chat was fetched and has no messages, sent or waiting.
    package var isEmpty: Bool { phase == .ready && messages.isEmpty && waiting.isEmpty }

    /// Adds a message in its position, unless it is there already.
    func insert(_ message: Message) {
        guard !messages.contains(where: { $0.id == message.id }) else { return }
        let index = messages.lastIndex { !message.precedes($0) }.map { $0 + 1 } ?? 0
        var message = message
        message.delivery = .later(message.delivery, earlyDeliveries.removeValue(forKey: message.id))
        messages.insert(message, at: index)
        if message.id == readUpTo { markRead(upTo: message.id) }
        if messages.count > Self.maximumCount { messages.removeFirst(messages.count - Self.maximumCount) }
    }

    /// Maximum messages in memory; the service has all of them.
    private static let maximumCount = 500

    /// Marks the user's messages up to this one as read by the friend.
    func markRead(upTo id: Message.ID) {
        readUpTo = id
        guard let last = messages.firstIndex(where: { $0.id == id }) else { return }
        for index in messages.indices where index <= last && messages[index].senderId != friend { messages[index].isRead = true }
    }

    /// Stores the delivery state of a message of the user. A state before the known one is ignored.
    func note(_ state: MessageDelivery, of id: Message.ID) {
        if let index = messages.lastIndex(where: { $0.id == id }) {
            guard messages[index].senderId != friend, state.isLater(than: messages[index].delivery) else { return }
            messages[index].delivery = state
        } else if state.isLater(than: earlyDeliveries[id]) {
            if earlyDeliveries.count >= Self.maximumEarlyCount { earlyDeliveries = [:] }
            earlyDeliveries[id] = state
        }
    }

    /// Maximum early states. Each phone of the user waits for one receipt at a time.
    private static let maximumEarlyCount = 64

    /// Merges the latest page of the service. Newer messages, which came live meanwhile, stay, and so do older ones.
    ///
    /// Receipts from events stay: the service may have read the page before it published them.
    func merge(_ page: [Message]) {
        let known = Dictionary(messages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let history = page.map { message in
            var message = message
            message.isRead = message.isRead || known[message.id]?.isRead == true
            message.delivery = .later(
                .later(message.delivery, known[message.id]?.delivery), earlyDeliveries.removeValue(forKey: message.id))
            return message
        }
        let fetched = Set(page.map(\.id))
        let others = messages.filter { !fetched.contains($0.id) }
        let newer = others.filter { message in history.last.map { !message.precedes($0) } ?? true }
        let older = others.filter { message in history.first.map { message.precedes($0) } ?? false }
        messages = ((hasGap ? [] : older) + history + newer).suffix(Self.maximumCount)
        hasGap = false
    }
}

extension Message {
    /// True if the service accepted this message before the other one. Clocks are set back, so times only replace missing numbers.
    fileprivate func precedes(_ other: Message) -> Bool {
        guard let number, let otherNumber = other.number else { return timestamp < other.timestamp }
        return number < otherNumber
    }
}

extension MessageDelivery {
    fileprivate func isLater(than other: MessageDelivery?) -> Bool {
        guard let other else { return true }
        return Self.allCases.firstIndex(of: self)! > Self.allCases.firstIndex(of: other)!
    }
}

extension MessageDelivery? {
    fileprivate static func later(_ a: MessageDelivery?, _ b: MessageDelivery?) -> MessageDelivery? {
        b.map { $0.isLater(than: a) ? $0 : a ?? $0 } ?? a
    }
}
