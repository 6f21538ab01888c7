import Foundation
public import NetworkingKit
public import Observation
public import Pager2077Wire
public import PlatformKit
import StorageKit
public import WireKit

/// One person's pager on one phone: who they are, whom they know, what was said. All screens of the phone share it.
@MainActor
@Observable
public final class Pager {
    public enum Phase: Hashable, Sendable {
        /// Looks for what is kept.
        case starting
        /// Nobody is registered here yet: somebody has to begin.
        case welcome
        case registering
        case registrationFailed(PagerProblem)
        /// Registered just now; friends could be told a name.
        case naming
        case ready
    }

    public struct Me: Hashable, Sendable {
        public var id: User.ID
        public var hexCode: HexCode
        public var displayName: String?
    }

    /// How the line to the service is.
    public enum Signal: Hashable, Sendable { case none, searching, full }

    public internal(set) var phase = Phase.starting
    public internal(set) var me: Me?
    public internal(set) var signal = Signal.none
    public internal(set) var friends = Listing<Friend>()
    public internal(set) var requests = Listing<PendingFriendRequest>()
    public internal(set) var conversations = Listing<Conversation>()
    /// A friend whose chat somebody asked for from outside: by tapping a notification.
    public var wantedChat: User.ID?

    @ObservationIgnored let phone: Phone
    @ObservationIgnored let account: Account
    @ObservationIgnored private(set) var outbox: Outbox<MessageReceipt>?
    @ObservationIgnored private var chats: [User.ID: Chat] = [:]
    @ObservationIgnored private let sharedWork = SharedWork()
    /// Of the screens that nobody has turned away from.
    @ObservationIgnored private var screenAttention: [ObjectIdentifier: Attention] = [:]
    @ObservationIgnored private var registered: AsyncStream<Void>.Continuation?
    @ObservationIgnored var line: LineRunner?
    @ObservationIgnored private var statusSent: User.Status?
    @ObservationIgnored private var isTellingStatus = false
    @ObservationIgnored var presence: Task<Void, Never>?
    @ObservationIgnored var lastBeep: ContinuousClock.Instant?
    /// The number of changes of the name, begun or done.
    @ObservationIgnored private var nameChanges = 0
    /// The number of the last event that is taken care of. Nil: the line was never open here.
    @ObservationIgnored var cursor: Int64? { didSet { if cursor != oldValue { keep(cursor, for: Self.cursorKey) } } }
    @ObservationIgnored private var drafts: Drafts
    @ObservationIgnored private let friendsFetch = CoalescedWork()
    @ObservationIgnored private let requestsFetch = CoalescedWork()
    @ObservationIgnored private let conversationsFetch = CoalescedWork()
    /// Why the phone could not keep a setting, a draft or the cursor. What it could not keep holds until the app ends.
    public var storageProblem: PagerProblem? { failedKeys.isEmpty ? nil : .storage }
    /// The keys whose latest value is not kept.
    private var failedKeys: Set<String> = []

    public init(phone: Phone, service: RemoteService) {
        self.phone = phone
        account = Account(api: PagerAPI(service: service, clock: phone.clock), keychain: phone.keychain)
        cursor = phone.preferences.value(Int64.self, for: Self.cursorKey)
        drafts = phone.preferences.value(Drafts.self, for: Self.draftsKey) ?? Drafts()
    }

    /// The pager of this phone; made the first time.
    public static func shared(on phone: Phone, service: RemoteService) -> Pager {
        phone.instances.instance { Pager(phone: phone, service: service) }
    }

    /// Somebody with unread messages, or who asks to be friends.
    public var unreadCount: Int { conversations.items.reduce(0) { $0 + $1.unreadCount } }

    // MARK: Life

    /// Keeps everything up to date until the calling task is cancelled. Each screen calls it; the work is done once.
    public func run() async { await sharedWork.run { await self.work() } }

    private func work() async {
        let (registrations, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        registered = continuation
        defer { registered = nil }
        await restore()
        for await _ in registrations {
            await serve()
            return
        }
    }

    /// While there is a registration: the line, the outbox, the network.
    private func serve() async {
        let outbox = makeOutbox()
        self.outbox = outbox
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await outbox?.run() }
            group.addTask { await self.followLine() }
            group.addTask { await self.followNetwork() }
            group.addTask { await self.followNotifications() }
            group.addTask { await self.refresh() }
            group.addTask { await self.keepTellingStatus() }
        }
        signal = .none
        presence?.cancel()
        self.outbox = nil
    }

    private func followNetwork() async {
        for await isOnline in phone.networkPath.changes() where isOnline { wake() }
    }

    private func followNotifications() async {
        for await id in phone.notifications.taps() where id.hasPrefix(Self.chatPrefix) {
            wantedChat = User.ID(String(id.dropFirst(Self.chatPrefix.count)))
        }
    }

    /// What may work now that did not before.
    func wake() {
        line?.wake()
        outbox?.wake()
    }

    // MARK: Registration

    private func restore() async {
        guard phase == .starting else {
            if me != nil { registered?.yield() }
            return
        }
        do {
            guard let kept = try await account.restore() else {
                phase = .welcome
                return
            }
            adopt(kept)
            phase = .ready
            registered?.yield()
        } catch {
            phase = .registrationFailed(.storage)
        }
    }

    private func adopt(_ credentials: Credentials) {
        if let me, me.id != credentials.userId {
            chats = [:]
            cursor = nil
        }
        me = Me(id: credentials.userId, hexCode: credentials.hexCode, displayName: credentials.displayName)
    }

    /// Asks for notifications and registers this phone. To be called from what a tap started.
    public func begin() async {
        guard phase == .welcome || isRegistrationFailed else { return }
        phase = .registering
        let (notifications, clock) = (phone.notifications, phone.clock)
        let permission = await notifications.requestPermission()
        do {
            let deviceToken = try await account.deviceToken {
                // Who is told no token yet tries again later: another one would be another person.
                let token =
                    permission == .granted
                    ? try await withTimeout(PagerAPI.timeout, clock: clock) { await notifications.pushToken() } : nil
                return token ?? Credentials.madeUpToken(isDenied: permission == .denied)
            }
            adopt(try await account.register(deviceToken: deviceToken))
            phase = .naming
            registered?.yield()
        } catch {
            phase = .registrationFailed(PagerProblem(error))
        }
    }

    private var isRegistrationFailed: Bool { if case .registrationFailed = phase { true } else { false } }

    /// Goes on without a name: friends see the code.
    public func skipName() { if phase == .naming { phase = .ready } }

    /// Gives the user a name that friends see.
    ///
    /// - Throws: ``PagerProblem``; the name is as before then.
    public func setDisplayName(_ text: String) async throws {
        let name: String
        do {
            name = try DisplayName.checked(text)
        } catch {
            throw PagerProblem.name(error)
        }
        nameChanges += 1
        let named = try await authorized {
            try await $0.call(PagerEndpoints.setDisplayName, body: DisplayNameUpdate(displayName: name), token: $1)
        }
        nameChanges += 1
        me?.displayName = named.displayName
        // Kept so that it is there at the next start before the service is; it says so again anyway.
        try? await account.setDisplayName(named.displayName)
        if phase == .naming { phase = .ready }
    }

    // MARK: What the service has

    /// Fetches everything that the screens show.
    public func refresh() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.loadMe() }
            group.addTask { await self.loadFriends() }
            group.addTask { await self.loadRequests() }
            group.addTask { await self.loadConversations() }
        }
    }

    /// The check of what is kept (seed, 2.3).
    func loadMe() async {
        do {
            let before = nameChanges
            let own = try await authorized { try await $0.call(PagerEndpoints.me, token: $1) }
            // A name that was given while the reply was on its way is not in it.
            guard before == nameChanges else { return }
            // A token that was renewed by a service that had forgotten everybody is somebody else's.
            if own.id != me?.id, let credentials = await account.credentials { adopt(credentials) }
            me?.displayName = own.displayName
            try? await account.setDisplayName(own.displayName)
        } catch PagerProblem.userNotFound {
            // The service does not know this user any more: the same phone registers again, as somebody new.
            guard let token = await account.credentials?.deviceToken else { return }
            if let fresh = try? await account.register(deviceToken: token) { adopt(fresh) }
        } catch {
            // The lists say that the service cannot be reached.
        }
    }

    public func loadFriends() async {
        await load(\.friends, again: friendsFetch) { try await $0.call(PagerEndpoints.friends, token: $1).friends }
    }
    public func loadRequests() async {
        await load(\.requests, again: requestsFetch) { try await $0.call(PagerEndpoints.pendingRequests, token: $1).requests }
    }
    public func loadConversations() async {
        await load(\.conversations, again: conversationsFetch) {
            try await $0.call(PagerEndpoints.conversations, token: $1).conversations
        }
    }

    /// Fetches the conversations without waiting for them; once for several events that come together.
    func loadConversationsSoon() { conversationsFetch.want { await self.loadConversations() } }

    /// The number of replies in a row that may be overtaken before one is shown nevertheless.
    private static let maximumFetchCount = 3

    private func load<Item>(
        _ listing: ReferenceWritableKeyPath<Pager, Listing<Item>>, again: CoalescedWork,
        _ call: @escaping @Sendable (PagerAPI, String) async throws -> [Item]
    ) async {
        if self[keyPath: listing].phase != .ready { self[keyPath: listing].phase = .loading }
        do {
            for attempt in 1...Self.maximumFetchCount {
                let changeCount = self[keyPath: listing].changeCount
                let items = try await authorized(call)
                // An event came while the reply was on its way, which may lack it.
                let isOvertaken = changeCount != self[keyPath: listing].changeCount
                if isOvertaken, attempt < Self.maximumFetchCount { continue }
                self[keyPath: listing].items = items
                self[keyPath: listing].phase = .ready
                if isOvertaken { again.want { await self.load(listing, again: again, call) } }
                break
            }
        } catch is CancellationError {
            if self[keyPath: listing].phase == .loading { self[keyPath: listing].phase = .idle }
        } catch {
            self[keyPath: listing].phase = .failed(PagerProblem(error))
        }
    }

    func authorized<Value: Sendable>(_ call: @escaping @Sendable (PagerAPI, String) async throws -> Value) async throws -> Value {
        try await account.authorized(call)
    }

    // MARK: Presence

    /// A screen has come to the front or left it. Whoever is not away counts as online.
    public func setAttention(_ attention: Attention, screen: AnyObject) {
        let (wasInFront, screen) = (isInFront, ObjectIdentifier(screen))
        screenAttention[screen] = attention == .away ? nil : attention
        // What came while nobody looked is read now.
        for chat in openChats where attention == .full && chat.viewers.contains(screen) { Task { await load(chat) } }
        if isInFront != wasInFront {
            if isInFront { wake() }
            tellPresence()
        }
        Task { await tellStatus() }
    }

    /// How much a person looks at a screen.
    public enum Attention: Hashable, Sendable {
        case full
        /// It is there, but something else has their eye for a moment.
        case partial
        case away
    }

    public var isInFront: Bool { screenAttention.values.contains(.full) }

    /// Whether a screen that is in front shows it.
    func isWatched(_ chat: Chat) -> Bool { chat.viewers.contains { screenAttention[$0] == .full } }

    /// Tells the service what friends are to see, the newest last. Told again when the line comes back.
    func tellStatus() async {
        guard me != nil, !isTellingStatus else { return }
        isTellingStatus = true
        defer { isTellingStatus = false }
        while true {
            let status: User.Status = screenAttention.isEmpty ? .offline : .online
            guard statusSent != status else { return }
            do {
                _ = try await authorized {
                    try await $0.call(PagerEndpoints.setStatus, body: StatusUpdate(status: status), token: $1)
                }
                statusSent = status
            } catch {
                return
            }
        }
    }

    /// What could not be told is told later.
    private func keepTellingStatus() async {
        repeat { await tellStatus() } while (try? await phone.clock.sleep(for: .seconds(60))) != nil
    }

    func statusMayBeForgotten() { statusSent = nil }

    // MARK: Chats

    /// The conversation with a friend; the same object each time.
    public func chat(with friend: User.ID) -> Chat {
        if let chat = chats[friend] { return chat }
        let chat = Chat(friend: friend)
        takeEarlierDraft(for: friend)
        chat.draft = drafts[friend]
        chat.onDraft = { [weak self] in self?.keepDraft($0, for: friend) }
        chats[friend] = chat
        return chat
    }

    private func keepDraft(_ text: String, for friend: User.ID) {
        drafts[friend] = text
        keep(drafts, for: Self.draftsKey)
    }

    /// Moves the draft of an earlier version, which had a key of its own, to the others.
    private func takeEarlierDraft(for friend: User.ID) {
        let key = "draft-" + friend.rawValue
        guard let draft = phone.preferences.value(String.self, for: key) else { return }
        // First, so that its room is free.
        keep(String?.none, for: key)
        if drafts[friend].isEmpty { keepDraft(draft, for: friend) }
    }

    /// Keeps a setting, or notes that the phone could not.
    func keep<Value: Codable & Sendable>(_ value: Value?, for key: String) {
        do {
            try phone.preferences.set(value, for: key)
            if failedKeys.contains(key) { failedKeys.remove(key) }
        } catch {
            if !failedKeys.contains(key) { failedKeys.insert(key) }
        }
    }

    private static let cursorKey = "cursor"
    private static let draftsKey = "drafts"

    var openChats: some Sequence<Chat> { chats.values }

    func friend(_ id: User.ID) -> Friend? { friends.items.first { $0.id == id } }

    /// What a friend is called.
    public func name(of id: User.ID) -> String {
        if let friend = friend(id) { return friend.displayName ?? friend.hexCode.rawValue }
        if let conversation = conversations.items.first(where: { $0.friendId == id }) {
            return conversation.friendDisplayName ?? conversation.friendHexCode.rawValue
        }
        let chat = chats[id]
        return chat?.formerName ?? chat?.messages.last { $0.senderId == id }?.senderDisplayName ?? "?"
    }

    static let chatPrefix = "chat-"
}
