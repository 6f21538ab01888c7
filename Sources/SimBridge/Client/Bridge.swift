public import Foundation
import NetworkingKit
public import Observation
public import PlatformKit
public import SimBridgeWire
import StorageKit
import WireKit

/// The remote control of one phone: the account, its devices, the line to the relay, what was said and done. All screens of the phone share it.
@MainActor
@Observable
public final class Bridge {
    public enum Phase: Hashable, Sendable {
        /// Looks for what is kept.
        case starting
        /// The token is kept for the owner, whom no page has recognised since the start.
        case locked
        case login
        case pairing
        case ready
    }

    /// How the line to the relay is.
    public enum Status: Hashable, Sendable { case disconnected, connecting, connected }

    public internal(set) var phase = Phase.starting
    public internal(set) var status = Status.disconnected
    /// Another connection of this device has come, and this one stays away until the person wants it back.
    public internal(set) var isReplaced = false
    /// Why the person has to log in again.
    public internal(set) var loginNotice: BridgeProblem?
    /// The devices of the account.
    public internal(set) var devices: [Device] = []
    public internal(set) var host: PairedHost?
    public internal(set) var isHostOnline = false {
        didSet {
            if isHostOnline, !oldValue { hostCame() }
            if !isHostOnline { noteLostHost(host?.id) }
        }
    }
    /// The relay says that this device and the host are not paired any more.
    public internal(set) var isUnpaired = false
    public internal(set) var sims: [SIMCard] = []
    /// Kept as long as it is under way: it can be hung up at the next start, too.
    public internal(set) var call: PhoneCall? {
        didSet { if call != oldValue { preferences.call = call?.isUnderWay == true ? call : nil } }
    }
    /// What the host or the relay complained of.
    public internal(set) var alert: Alert?
    public internal(set) var isBiometricAvailable = false
    public internal(set) var isBiometricEnabled = false
    /// The person has just logged in with the password, and may want to be recognised the next time.
    public var isBiometricOffered = false
    public internal(set) var notificationPermission = NotificationPermission.undecided
    /// Somebody tapped a notification of a text from this number.
    public var wantedConversation: String?
    var feed = Feed()
    var waiting: [OutboxItem] = []
    var accepted: [AcceptedText] = []
    /// What the host said of texts since this started, the last ones.
    var outcomes: [RequestID: TextMessage.State] = [:]
    /// Whose outcomes these are, the oldest first.
    @ObservationIgnored var outcomeIDs: [RequestID] = []
    var hidden: Set<RequestID> = []
    /// The pages that show this.
    @ObservationIgnored var pages: [ObjectIdentifier: BridgePage] = [:]
    private var lists: [Device.ID?: HistoryList] = [:]

    public struct Alert: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            /// In the host's words; nil: it gave none.
            case host(String?)
            case problem(BridgeProblem)
        }
        public let content: Content
    }

    @ObservationIgnored public let relays: Relays
    @ObservationIgnored public let preferences: ClientPreferences
    @ObservationIgnored let phone: Phone
    @ObservationIgnored let tokens: SecureTokenStore
    @ObservationIgnored let now: @Sendable () -> Date
    /// Draws anything from 0 to 1, by which a wait is a little shorter or longer.
    @ObservationIgnored let chance: @Sendable () -> Double
    @ObservationIgnored var session: Session?
    @ObservationIgnored var sessionChanges: AsyncStream<Void>.Continuation?
    @ObservationIgnored var outbox: Outbox<CommandReceipt>?
    @ObservationIgnored var line: LineRunner?
    /// Wishes for a line, while somebody is logged in.
    @ObservationIgnored var lineWishes: AsyncStream<Void>.Continuation?
    /// The relay's clock less this one, in seconds.
    @ObservationIgnored var relayOffset: TimeInterval = 0
    @ObservationIgnored var isChangingPassword = false
    @ObservationIgnored var pinging: Task<Void, Never>?
    /// Gives up a call that nobody reports about.
    @ObservationIgnored var givingUp: Task<Void, Never>?
    /// The words of notifications, in the language of the phone.
    @ObservationIgnored public var noticeWords = NoticeWords()
    @ObservationIgnored private let sharedWork = SharedWork()

    /// Somebody who is logged in, with this phone as one of their devices.
    struct Session: Sendable {
        /// No two are the same, whatever the relay gives.
        let id = UUID()
        var api: RelayAPI
        var token: String
        var device: Device.ID
    }

    public init(
        phone: Phone, relays: Relays, now: @escaping @Sendable () -> Date = { Date() },
        chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.phone = phone
        self.relays = relays
        self.now = now
        self.chance = chance
        preferences = ClientPreferences(phone.preferences)
        tokens = SecureTokenStore(keychain: phone.keychain, biometrics: phone.biometrics)
    }

    /// The tokens, for an owner who is asked on `page`.
    func tokens(on page: BridgePage?) -> SecureTokenStore {
        page?.biometrics.map { SecureTokenStore(keychain: phone.keychain, biometrics: $0) } ?? tokens
    }

    /// The remote control of this phone; made the first time.
    public static func shared(on phone: Phone, relays: Relays) -> Bridge {
        phone.instances.instance { Bridge(phone: phone, relays: relays) }
    }

    // MARK: What screens show

    /// The last events, newest first; at most 100.
    public var events: [FeedEvent] { feed.events }
    /// Everything that was relayed.
    public var history: HistoryList { history(of: nil) }
    /// Texts and calls by number, the latest first.
    public var conversations: [Conversation] {
        var fold = ConversationFold(outcomes: outcomes, hidden: hidden, now: now())
        fold.add(history.items)
        fold.add(accepted)
        fold.add(waiting: waiting)
        return fold.conversations
    }
    public func conversation(with number: String) -> Conversation? { conversations.first { $0.number == number } }
    /// The hosts of the account.
    public var hosts: [Device] { devices.filter { $0.type == .host } }
    public var deviceID: Device.ID? { session?.device ?? preferences.deviceID }

    /// What a device sent or received; the same list each time.
    public func history(of device: Device.ID?) -> HistoryList {
        if let list = lists[device] { return list }
        let list = HistoryList(device: device)
        lists[device] = list
        return list
    }
    var openLists: some Sequence<HistoryList> { lists.values }

    /// Forgets all that was shown of an account.
    func forgetContent() {
        devices = []
        host = nil
        isHostOnline = false
        isUnpaired = false
        sims = []
        call = nil
        alert = nil
        feed = Feed()
        accepted = []
        outcomes = [:]
        outcomeIDs = []
        hidden = []
        lists = [:]
    }

    public func dismissAlert() { alert = nil }
    /// As a dialog has it, which takes it down.
    public var isAlertShown: Bool {
        get { alert != nil }
        set { if !newValue { dismissAlert() } }
    }

    // MARK: Life

    /// Keeps everything up to date until the calling task is cancelled. Each screen calls it; the work is done once.
    public func run() async { await sharedWork.run { await self.work() } }

    private func work() async {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        sessionChanges = continuation
        defer { sessionChanges = nil }
        await restore()
        continuation.yield()
        var serving: Task<Void, Never>?
        var served: UUID?
        // One that went may be told of when the next is there already.
        for await _ in changes where session?.id != served {
            serving?.cancel()
            await serving?.value
            served = session?.id
            serving = session.map { session in Task { await serve(session) } }
        }
        serving?.cancel()
        await serving?.value
    }

    /// While somebody is logged in: the line, the outbox, the network.
    private func serve(_ session: Session) async {
        let outbox = makeOutbox()
        self.outbox = outbox
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await outbox?.run() }
            group.addTask { await self.followLine(session) }
            group.addTask { await self.followNetwork() }
            group.addTask { await self.followNotifications() }
            group.addTask { await self.followHost() }
        }
        pinging?.cancel()
        status = .disconnected
        self.outbox = nil
    }

    private func followNetwork() async {
        for await isOnline in phone.networkPath.changes() where isOnline { wake() }
    }

    private func followNotifications() async {
        notificationPermission = await phone.notifications.permission()
        for await id in phone.notifications.taps() where id.hasPrefix(Self.textPrefix) {
            wantedConversation = PhoneNumber.normalized(String(id.dropFirst(Self.textPrefix.count)))
        }
    }
    static let textPrefix = "text-"

    /// What may work now that did not before.
    func wake() {
        line?.wake()
        outbox?.wake()
    }
}
