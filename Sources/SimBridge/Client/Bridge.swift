package import ClientKit
package import Foundation
import NetworkingKit
import Observation
package import PlatformKit
import SimBridgeCalls
package import SimBridgeWire

/// The remote control of one phone: the account, its devices, texts and calls. All screens of the phone share it.
@MainActor
@Observable
package final class Bridge: ClientModel {
    package enum Phase: Hashable, Sendable {
        /// The stored account is being read.
        case starting
        /// The token is guarded by biometrics, and no page has recognised the owner since the start.
        case locked
        case login
        case pairing
        case ready
    }

    /// The state of the line to the relay.
    package enum Status: Hashable, Sendable { case disconnected, connecting, connected }

    package internal(set) var phase = Phase.starting
    /// Why the user has to log in again; nil if there is no reason to show.
    package internal(set) var loginNotice: BridgeProblem?
    /// The devices of the account.
    package internal(set) var devices: [Device] = []
    package internal(set) var host: PairedHost?
    package internal(set) var isHostOnline = false {
        didSet {
            if isHostOnline, !oldValue { hostDidConnect() }
            if !isHostOnline { noteLostHost(host?.id) }
        }
    }
    /// True once the relay has reported that this device and the host are not paired any more.
    package internal(set) var isUnpaired = false
    /// The SIM cards of the host; empty until the host has reported them in this run of the app.
    package internal(set) var sims: [SIMCard] = [] {
        didSet { if !sims.isEmpty { knownSIMs = sims } }
    }
    /// The last reported SIM cards of the host, also from an earlier run of the app.
    package internal(set) var knownSIMs: [SIMCard] = [] {
        didSet {
            guard knownSIMs != oldValue else { return }
            saved.sims = knownSIMs
            numbers = PhoneNumberMatcher(knownSIMs)
        }
    }
    /// The matcher for numbers of the same person.
    private(set) var numbers = PhoneNumberMatcher()
    /// The current or last call. A call under way is saved, so that the user can hang up after a restart.
    package internal(set) var call: PhoneCall? {
        didSet { if call != oldValue { saved.call = call?.isUnderWay == true ? call : nil } }
    }
    /// The error of the host or the relay to show; nil if there is none.
    package internal(set) var alert: Alert?
    package internal(set) var isBiometricAvailable = false
    package internal(set) var isBiometricEnabled = false
    /// True after a login with the password, until the user accepts or declines biometrics.
    package var isBiometricOffered = false
    /// The maximum content of notifications; nil turns off notifications while the app is closed.
    package internal(set) var pushContent: PushContent?
    /// The number of the conversation that a tapped notification opens; nil if there is none.
    package var wantedConversation: String?
    /// Count of the line's reports about the host's presence.
    @ObservationIgnored var presenceReportCount = 0
    var feed = Feed()
    var waiting: [OutboxItem] = []
    var accepted: [AcceptedText] = []
    /// The outcomes of the last texts that the host has reported on since the start.
    var outcomes: [RequestID: TextMessage.State] = [:]
    /// The keys of ``outcomes``, the oldest first.
    @ObservationIgnored var outcomeIDs: [RequestID] = []
    var hidden: Set<RequestID> = []
    /// The pages that show the app.
    @ObservationIgnored var pages: [ObjectIdentifier: BridgePage] = [:]
    private var lists: [Device.ID?: HistoryList] = [:]

    package struct Alert: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            /// The host's error message; nil if the host gave none.
            case host(String?)
            case problem(BridgeProblem)
        }
        package let content: Content
    }

    @ObservationIgnored package let relays: Relays
    @ObservationIgnored let phone: Phone
    @ObservationIgnored package let engine: ClientEngine<Bridge>
    @ObservationIgnored let registration: PushRegistration<Bridge>
    @ObservationIgnored let tokens: SecureTokenStore
    /// Maximum time between a tap and the call's placement or end by the host.
    @ObservationIgnored let callLimit: Duration
    @ObservationIgnored let now: @Sendable () -> Date
    /// The relay's clock minus this device's clock, in seconds.
    @ObservationIgnored var relayOffset: TimeInterval = 0
    /// The times that the relay has sent on this connection.
    @ObservationIgnored var relayClock = RelayClock()
    @ObservationIgnored var isChangingPassword = false
    /// The task that expires a call without a report.
    @ObservationIgnored var callTimeout: Task<Void, Never>?
    /// The words of notifications, in the language of the phone.
    @ObservationIgnored package var noticeWords = NoticeWords() {
        didSet { if noticeWords.language != oldValue.language { registration.update() } }
    }
    /// The user's presence as last reported on this connection; nil before the first report.
    @ObservationIgnored var reportedForeground: Bool?

    /// - Parameter random: Returns a number from 0 to 1, for the jitter of the backoff.
    package init(
        phone: Phone, relays: Relays, callLimit: Duration = .seconds(10), now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.phone = phone
        self.relays = relays
        self.callLimit = callLimit
        self.now = now
        engine = ClientEngine(phone: phone, now: now, random: random)
        registration = PushRegistration(phone: phone)
        tokens = SecureTokenStore(keychain: phone.keychain, biometrics: phone.biometrics)
    }

    /// Returns a token store that recognises the owner on `page`.
    func tokens(on page: BridgePage?) -> SecureTokenStore {
        page?.biometrics.map { SecureTokenStore(keychain: phone.keychain, biometrics: $0) } ?? tokens
    }

    /// Returns the remote control of this phone, which the first call creates.
    package static func shared(on phone: Phone, relays: Relays) -> Bridge {
        phone.instances.instance { Bridge(phone: phone, relays: relays) }
    }

    // MARK: Running

    /// Keeps everything up to date until the calling task is cancelled. Each screen calls it; the work is done once.
    package func run() async { await engine.run(self) }

    package func work() async {
        await withTaskGroup { group in
            group.addTask { await self.registration.run(self, keychain: self.phone.keychain) }
            group.addTask { await self.followHosts() }
        }
    }

    private func followHosts() async {
        await registration.readPermission()
        // The relay does not report when a host connects, so devices are fetched while the app is in the foreground.
        repeat {
            if isInFront || devices.isEmpty { await refreshDevices() }
            for list in openLists where list.isStale || isHostOnline && list.hasQueued { refreshSoon(list) }
        } while (try? await phone.clock.sleep(for: Self.hostInterval)) != nil
    }
    private static let hostInterval: Duration = .seconds(10)

    package func notificationWasTapped(_ id: String) {
        if let sender = NoticeID.sender(of: id) {
            wantedConversation = numbers.key(sender)
        } else if id == NoticeID.text {
            engine.tasks.start { await self.openLatestText() }
        }
    }

    /// Opens the conversation of the latest text, because the notification did not name the sender.
    private func openLatestText() async {
        await refresh(history)
        if let latest = fold.latestText { wantedConversation = conversation(with: latest.number)?.number }
    }

    // MARK: State of screens

    /// True for the demonstration, whose account is invented.
    package var isDemonstration: Bool { phone.isDemonstration }
    /// The account as the phone stores it.
    package var saved: SavedAccount { SavedAccount(engine) }
    /// The last events, newest first; at most 100.
    package var events: [FeedEvent] { feed.events }
    /// All relayed messages.
    package var history: HistoryList { history(of: nil) }
    /// Texts and calls by number, the latest first.
    package var conversations: [Conversation] {
        fold.conversations
    }
    /// Returns the conversation with a number in any spelling; nil if there is none.
    package func conversation(with number: String) -> Conversation? {
        let all = conversations
        return all.first { $0.number == number } ?? all.first { numbers.matches($0.number, number) }
    }
    private var fold: ConversationFold {
        var fold = ConversationFold(numbers: numbers, outcomes: outcomes, hidden: hidden, now: now())
        fold.add(history.items)
        fold.add(accepted)
        fold.add(waiting: waiting)
        return fold
    }
    /// The hosts of the account.
    package var hosts: [Device] { devices.filter { $0.type == .host } }
    package var deviceID: Device.ID? { session?.device ?? saved.deviceID }

    /// Returns the list of a device's messages, or of all devices' for nil. Repeated calls return the same list.
    package func history(of device: Device.ID?) -> HistoryList {
        if let list = lists[device] { return list }
        let list = HistoryList(device: device)
        lists[device] = list
        return list
    }
    var openLists: some Sequence<HistoryList> { lists.values }

    /// Forgets all content of an account.
    func forgetContent() {
        devices = []
        host = nil
        isHostOnline = false
        isUnpaired = false
        sims = []
        knownSIMs = []
        call = nil
        alert = nil
        feed = Feed()
        waiting = []
        accepted = []
        outcomes = [:]
        outcomeIDs = []
        hidden = []
        lists = [:]
    }

    package func dismissAlert() { alert = nil }
    /// True while the alert is shown, for a dialog that dismisses it.
    package var isAlertShown: Bool {
        get { alert != nil }
        set { if !newValue { dismissAlert() } }
    }
}
