public import Observation
public import Pager2077Wire
import PlatformKit
public import WireKit

/// One conversation: what was said, and what waits to be sent.
@MainActor
@Observable
public final class Chat {
    /// A message of the user's that the service has not accepted yet.
    public struct Waiting: Hashable, Sendable, Identifiable {
        /// The message's `clientId`.
        public let id: String
        public let text: String
        /// Why it was given up; nil while it is tried.
        public let failure: PagerProblem?
    }

    /// What the last thing that the user did has come to.
    public enum Notice: Hashable, Sendable {
        case sending
        case sent
        case problem(PagerProblem)
    }

    public let friend: User.ID
    /// Oldest first; the latest that the service gives at once, and what came since.
    public internal(set) var messages: [Message] = []
    public internal(set) var phase = Listing<Message>.Phase.idle
    public internal(set) var waiting: [Waiting] = []
    public internal(set) var notice: Notice?
    /// What a friend was called who is none any more.
    var formerName: String?
    /// What is being written. Kept while one looks elsewhere.
    public var draft = "" { didSet { if draft != oldValue { onDraft(draft) } } }
    @ObservationIgnored let loading = CoalescedWork()
    /// Something may be missing between what is known and what the service gives next.
    @ObservationIgnored var hasGap = false
    @ObservationIgnored var onDraft: (String) -> Void = { _ in }
    /// The screens that show it now, in front or not.
    @ObservationIgnored var viewers: Set<ObjectIdentifier> = []
    /// The latest of the user's messages that the friend has read, which may be known before the message is.
    @ObservationIgnored private var readUpTo: Message.ID?

    init(friend: User.ID) { self.friend = friend }

    /// The friend has been told the latest, and has not answered.
    public var isWaitingForReply: Bool { waiting.isEmpty && messages.last.map { $0.senderId != friend } ?? false }

    /// Nothing was ever said here.
    public var isEmpty: Bool { phase == .ready && messages.isEmpty && waiting.isEmpty }

    /// Takes a message that may be known already, in its place.
    func insert(_ message: Message) {
        guard !messages.contains(where: { $0.id == message.id }) else { return }
        let index = messages.lastIndex { $0.timestamp <= message.timestamp }.map { $0 + 1 } ?? 0
        messages.insert(message, at: index)
        if message.id == readUpTo { markRead(upTo: message.id) }
        if messages.count > Self.mostMessages { messages.removeFirst(messages.count - Self.mostMessages) }
    }

    /// What is kept of a conversation that goes on for long; the service has all of it.
    private static let mostMessages = 500

    /// The friend has read everything of the user's up to this one.
    func markRead(upTo id: Message.ID) {
        readUpTo = id
        guard let last = messages.firstIndex(where: { $0.id == id }) else { return }
        for index in messages.indices where index <= last && messages[index].senderId != friend { messages[index].isRead = true }
    }

    /// Takes the service's view of the latest messages. What came live meanwhile stays, and so does what is older than they are.
    func merge(_ history: [Message]) {
        let known = Set(history.map(\.id))
        let others = messages.filter { !known.contains($0.id) }
        let newer = others.filter { message in history.last.map { message.timestamp >= $0.timestamp } ?? true }
        let older = others.filter { message in history.first.map { message.timestamp < $0.timestamp } ?? false }
        messages = ((hasGap ? [] : older) + history + newer).suffix(Self.mostMessages)
        hasGap = false
    }
}
