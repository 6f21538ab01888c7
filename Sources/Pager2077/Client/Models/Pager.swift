public import ClientKit
package import Foundation
public import NetworkingKit
public import Observation
package import Pager2077Wire
public import PlatformKit
import WireKit

/// The pager of one user on one phone: the registration, friends and chats. All screens of the phone share it.
@MainActor
@Observable
public final class Pager: ClientModel {
    package enum Phase: Hashable, Sendable {
        /// Reads the stored registration.
        case starting
        /// No user is registered on this phone.
        case welcome
        case registering
        case registrationFailed(PagerProblem)
        /// Registered a moment ago: the user may choose a name.
        case naming
        case ready
    }

    package struct Me: Hashable, Sendable {
        package var id: User.ID
        package var hexCode: HexCode
        package var displayName: String?
    }

    /// The state of the line to the service.
    package enum Signal: Hashable, Sendable { case none, searching, full }

    package typealias Attention = ScreenAttention

    /// A screen that a tapped notification leads to.
    package enum Destination: Hashable, Sendable {
        case chat(User.ID)
        case requests, friends
    }

    package internal(set) var phase = Phase.starting
    package internal(set) var me: Me?
    package internal(set) var friends = Listing<Friend>()
    package internal(set) var requests = Listing<PendingFriendRequest>()
    package internal(set) var conversations = Listing<Conversation>() { didSet { setBadgeSoon() } }
    /// The users whom this user has blocked.
    package internal(set) var blocked = Listing<BlockedUser>()
    /// The operator's address for users; nil if there is none, or none is known yet.
    package internal(set) var contact: URL?
    /// True after the account was deleted, until the phone registers again.
    package private(set) var isAccountDeleted = false
    /// The screen that a tapped notification opens; nil for none.
    package var destination: Destination?
    package let notifications: PhoneNotifications

    @ObservationIgnored let phone: Phone
    @ObservationIgnored let account: Account
    @ObservationIgnored package let engine: ClientEngine<Pager>
    @ObservationIgnored private var chats: [User.ID: Chat] = [:]
    @ObservationIgnored private var drafts = Drafts()
    @ObservationIgnored var outboxItems: [OutboxItem] = []
    @ObservationIgnored var statusSent: User.Status?
    @ObservationIgnored var lastBeep: ContinuousClock.Instant?
    @ObservationIgnored var shownBadge: Int?
    /// The sequence number of the newest event that this phone has missed while its line was down.
    @ObservationIgnored var missedUpTo: Int64 = 0
    /// Count of changes of the name, begun or done.
    @ObservationIgnored private var nameChangeCount = 0

    package init(phone: Phone, service: RemoteService) {
        self.phone = phone
        let trigger = Trigger()
        let api = PagerAPI(service: service, clock: phone.clock)
        account = Account(api: api, keychain: phone.keychain) { trigger.fire() }
        notifications = PhoneNotifications(phone: phone, trigger: trigger)
        engine = ClientEngine(phone: phone)
    }

    /// Returns the pager of this phone, made by the first call.
    public static func shared(on phone: Phone, service: RemoteService) -> Pager {
        phone.instances.instance { Pager(phone: phone, service: service) }
    }

    package var signal: Signal {
        switch engine.lineStatus {
        case .open: .full
        case .connecting: .searching
        case .down: .none
        }
    }
    /// The problem while the phone cannot store the latest draft or cursor; nil otherwise. Unstored values last until the app ends.
    package var storageProblem: PagerProblem? { engine.isStorageFailing ? .storage : nil }
    /// True in the demonstration, whose friends are invented.
    package var isDemonstration: Bool { phone.isDemonstration }
    package var unreadCount: Int { conversations.items.reduce(0) { $0 + $1.unreadCount } }

    // MARK: Running

    /// Runs the shared work until the calling task is cancelled. Each screen calls it; the work runs once.
    package func run() async { await engine.run(self) }

    /// Waits until drafts and cursor are on disk.
    ///
    /// - Throws: ``PagerProblem``.
    package func flush() async throws {
        do { try await engine.flush() } catch { throw PagerProblem.storage }
    }

    package func work() async {
        engine.tasks.start { await self.refresh() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.notifications.run(as: self.account) { self.engine.isVisible } }
            // A status that could not be sent is sent later.
            repeat { sendStatusSoon() } while (try? await phone.clock.sleep(for: .seconds(60))) != nil
            group.cancelAll()
        }
    }

    // MARK: Registration

    package func restore() async throws {
        guard phase == .starting else { return }
        restoreDrafts()
        do {
            guard let credentials = try await account.restore() else {
                phase = .welcome
                return
            }
            adopt(credentials)
            phase = .ready
        } catch PhoneError.locked {
            // Neither unregistered nor a failure: the registration is read as soon as it can be.
            throw PhoneError.locked
        } catch {
            phase = .registrationFailed(.storage)
        }
    }

    private func adopt(_ credentials: Credentials) {
        if let me, me.id != credentials.userId {
            chats = [:]
            engine.resetCursor()
        }
        me = Me(id: credentials.userId, hexCode: credentials.hexCode, displayName: credentials.displayName)
        engine.signIn(Identity(user: credentials.userId, account: account))
    }

    /// Requests permission for notifications and registers this phone. Must be called from a tap.
    package func begin() async {
        guard phase == .welcome || isRegistrationFailed else { return }
        phase = .registering
        isAccountDeleted = false
        let permission = await notifications.requestPermission()
        let (notifications, clock) = (phone.notifications, phone.clock)
        do {
            let deviceToken = try await account.deviceToken {
                // Without a reply of the push service the registration fails, since a generated token would be another user.
                let address =
                    permission == .granted
                    ? try await withTimeout(PagerAPI.timeout, clock: clock) { await notifications.pushAddress(key: nil) } : nil
                if case .apns(let token, _) = address { return token }
                return Credentials.generatedToken(isDenied: permission == .denied)
            }
            adopt(try await account.register(deviceToken: deviceToken))
            phase = .naming
        } catch {
            phase = .registrationFailed(PagerProblem(error))
        }
    }

    private var isRegistrationFailed: Bool { if case .registrationFailed = phase { true } else { false } }

    /// Continues without a name: friends see the code.
    package func skipName() { if phase == .naming { phase = .ready } }

    /// Changes the name that friends see.
    ///
    /// - Throws: ``PagerProblem``; the name has not changed then.
    package func setDisplayName(_ text: String) async throws {
        let name: String
        do {
            name = try DisplayName.checked(text)
        } catch {
            throw PagerProblem.name(error)
        }
        nameChangeCount += 1
        let named = try await account.call(PagerEndpoints.setDisplayName, body: DisplayNameUpdate(displayName: name))
        nameChangeCount += 1
        me?.displayName = named.displayName
        // The next start shows the stored name only until the service answers.
        try? await account.setDisplayName(named.displayName)
        if phase == .naming { phase = .ready }
    }

    /// Checks the registration with the service, and registers again if the service does not know it.
    func loadMe() async {
        do {
            let before = nameChangeCount
            let own = try await account.call(PagerEndpoints.me)
            // The reply lacks a name that was changed meanwhile.
            guard before == nameChangeCount else { return }
            // A service that has lost its users may have renewed the token for another user.
            if own.id != me?.id, let credentials = await account.credentials { adopt(credentials) }
            me?.displayName = own.displayName
            try? await account.setDisplayName(own.displayName)
        } catch PagerProblem.accountDeleted {
            // Another phone of the user, or the operator, deleted the account. This task may end with it, so another one continues.
            engine.tasks.start { await self.forgetAccount() }
        } catch PagerProblem.userNotFound {
            guard let token = await account.credentials?.deviceToken else { return }
            if let fresh = try? await account.register(deviceToken: token) { adopt(fresh) }
        } catch {
            // The lists show that the service cannot be reached.
        }
    }

    // MARK: Deletion

    /// Deletes the account, at the service and on this phone.
    ///
    /// - Parameter code: The user's own code, as the confirmation.
    /// - Throws: ``PagerProblem``; the account exists then, unless the reply was lost.
    package func deleteAccount(confirmedBy code: String) async throws {
        guard let code = HexCode(rawValue: code), code == me?.hexCode else { throw PagerProblem.otherCode }
        do {
            _ = try await account.call(PagerEndpoints.deleteAccount, body: AccountDeletion(hexCode: code.rawValue))
        } catch PagerProblem.accountDeleted, PagerProblem.userNotFound {
            // An earlier reply was lost.
        }
        await forgetAccount()
    }

    /// Removes everything of the account from this phone. Settings of the phone stay.
    private func forgetAccount() async {
        guard me != nil else { return }
        let shown = notificationIDs
        me = nil
        phase = .starting
        engine.signOut()
        await engine.emptyOutbox(outboxItems)
        (outboxItems, chats, drafts) = ([], [:], Drafts())
        engine.removeSavedValues(except: [])
        (friends, requests, conversations, blocked) = (Listing(), Listing(), Listing(), Listing())
        (destination, statusSent, missedUpTo) = (nil, nil, 0)
        await account.forget()
        await notifications.forgetAccount()
        for id in shown { await phone.notifications.remove(id: id) }
        await phone.activities.end(id: nil)
        shownBadge = 0
        await phone.notifications.setBadge(0)
        isAccountDeleted = true
        phase = .welcome
    }

    /// The ids of the notifications that may be shown now.
    private var notificationIDs: [String] {
        let people = Set(friends.items.map(\.id)).union(conversations.items.map(\.friendId)).union(chats.keys)
        return people.flatMap { [Self.chatPrefix + $0.rawValue, Self.friendPrefix + $0.rawValue] }
            + requests.items.map { Self.requestPrefix + $0.id.rawValue }
    }

    // MARK: Lists

    /// Fetches everything that the screens show.
    package func refresh() async {
        await withTaskGroup { group in
            group.addTask { await self.loadMe() }
            group.addTask { await self.loadFriends() }
            group.addTask { await self.loadRequests() }
            group.addTask { await self.loadConversations() }
            group.addTask { await self.loadBlocked() }
        }
    }

    package func loadFriends() async { await load(\.friends) { try await $0.call(PagerEndpoints.friends).friends } }
    package func loadRequests() async { await load(\.requests) { try await $0.call(PagerEndpoints.pendingRequests).requests } }
    package func loadConversations() async {
        await load(\.conversations) { try await $0.call(PagerEndpoints.conversations).conversations }
    }

    package func loadBlocked() async { await load(\.blocked) { try await $0.call(PagerEndpoints.blocks).users } }

    /// Maximum fetches in a row while events overtake their replies. The last reply is shown nevertheless.
    private static let maximumFetchCount = 3

    private func load<Item>(
        _ listing: ReferenceWritableKeyPath<Pager, Listing<Item>>,
        _ call: @escaping @Sendable (Account) async throws -> [Item]
    ) async {
        if self[keyPath: listing].phase != .ready { self[keyPath: listing].phase = .loading }
        let user = me?.id
        do {
            for attempt in 1...Self.maximumFetchCount {
                let changeCount = self[keyPath: listing].changeCount
                let items = try await call(account)
                // The account may have been deleted meanwhile.
                guard user == me?.id else { return }
                // The reply may lack an event that came meanwhile.
                let isOvertaken = changeCount != self[keyPath: listing].changeCount
                if isOvertaken, attempt < Self.maximumFetchCount { continue }
                self[keyPath: listing].items = items
                self[keyPath: listing].phase = .ready
                if isOvertaken { engine.tasks.request(listing) { await self.load(listing, call) } }
                break
            }
        } catch is CancellationError {
            if self[keyPath: listing].phase == .loading { self[keyPath: listing].phase = .idle }
        } catch {
            self[keyPath: listing].phase = .failed(PagerProblem(error))
        }
    }

    // MARK: Presence

    /// Records if a screen is in front, visible or away. A user with a visible screen is online.
    package func setAttention(_ attention: Attention, screen: AnyObject) {
        engine.setAttention(attention, of: screen)
        let screen = ObjectIdentifier(screen)
        // Messages that arrived in the meantime are read now.
        for chat in openChats where attention == .full && chat.viewers.contains(screen) { loadSoon(chat) }
        sendStatusSoon()
    }

    package var isInFront: Bool { engine.isInFront }

    /// True if a screen that is in front shows the chat.
    func isWatched(_ chat: Chat) -> Bool { chat.viewers.contains { engine.attention(of: $0) == .full } }

    func sendStatusSoon() { engine.tasks.request("status") { await self.sendStatus() } }

    /// Sends the status that friends see, if the service does not have it.
    private func sendStatus() async {
        let status: User.Status = engine.isVisible ? .online : .offline
        guard me != nil, statusSent != status else { return }
        // A status that could not be sent is sent a minute later.
        if (try? await account.call(PagerEndpoints.setStatus, body: StatusUpdate(status: status))) != nil { statusSent = status }
    }

    // MARK: Chats

    /// Returns the conversation with a friend: the same object each time.
    package func chat(with friend: User.ID) -> Chat {
        if let chat = chats[friend] { return chat }
        if phase != .starting { takeOverDraft(for: friend) }
        let chat = Chat(friend: friend, draft: drafts[friend])
        chat.onDraft = { [weak self] in self?.saveDraft($0, for: friend) }
        chats[friend] = chat
        return chat
    }

    var openChats: some Sequence<Chat> { chats.values }

    private static let draftsKey = "drafts"
    package nonisolated static var formerPreferences: [String] { ["cursor", "drafts"] }

    private func restoreDrafts() {
        drafts = engine.saved.value(for: Self.draftsKey) ?? drafts
        for chat in openChats where chat.draft.isEmpty {
            takeOverDraft(for: chat.friend)
            chat.restoreDraft(drafts[chat.friend])
        }
    }

    /// Takes over the draft of an earlier version, which was a preference of its own.
    private func takeOverDraft(for friend: User.ID) {
        let key = "draft-" + friend.rawValue
        guard let draft = phone.preferences.value(String.self, for: key) else { return }
        phone.preferences.set(String?.none, for: key)
        if drafts[friend].isEmpty { saveDraft(draft, for: friend) }
    }

    private func saveDraft(_ text: String, for friend: User.ID) {
        drafts[friend] = text
        engine.save(drafts, for: Self.draftsKey)
    }

    /// Clears the draft of a chat.
    ///
    /// - Returns: The change to save, which makes the deletion permanent.
    func takeDraft(of chat: Chat) -> SavedChange {
        chat.restoreDraft("")
        drafts[chat.friend] = ""
        return SavedChange(drafts, for: Self.draftsKey)
    }

    func friend(_ id: User.ID) -> Friend? { friends.items.first { $0.id == id } }

    /// Returns the name of a user: the chosen name, else the code; nil for a user that this phone does not know.
    package func knownName(of id: User.ID) -> String? {
        if let friend = friend(id) { return friend.shownName }
        if let conversation = conversations.items.first(where: { $0.friendId == id }) { return conversation.shownName }
        if let blocked = blocked.items.first(where: { $0.id == id }) { return blocked.shownName }
        let chat = chats[id]
        return chat?.formerName ?? chat?.messages.last { $0.senderId == id }?.senderDisplayName
    }

    package func name(of id: User.ID) -> String { knownName(of: id) ?? "?" }
}
