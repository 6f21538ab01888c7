package import ClientKit
package import EndlessCodeWire
package import Foundation
import NetworkingKit
import Observation
package import PlatformKit
import WireKit

/// The client of one phone: its servers, and the projects, sessions and questions of the one in use. All screens of the phone share it.
///
/// ```
///   use(server) ─▶ may connect? ─▶ token? ─▶ certificate? ─▶ socket ─▶ sync ─▶ missed events ─▶ live
///                       │             │           │                                             │
///                       └──── hold ◀──┴───────────┘ ◀────────────── ten tries ──────────────────┘
/// ```
@MainActor
@Observable
package final class AgentClient: ClientModel {
    /// The state of the connection to the current server.
    package enum Status: Hashable, Sendable { case disconnected, connecting, connected }

    // MARK: Servers

    /// True once the stored servers are read.
    package internal(set) var isReady = false
    /// The servers of this phone, the latest use first.
    package internal(set) var servers: [SavedServer] = []
    /// The server in use; nil on a phone without one.
    package internal(set) var current: SavedServer.ID?

    // MARK: Connection

    /// The state in which the line waits for the user; nil while the line connects by itself, or is open.
    package internal(set) var hold: ConnectionHold?
    /// The failure of the last attempt to connect; nil once connected.
    package internal(set) var problem: CodeProblem?
    /// The phone's link to the network.
    package internal(set) var networkLink = NetworkLink.local
    /// The name that the user has given to this phone; empty before. See ``asksForPhoneName``.
    package internal(set) var phoneName = ""

    // MARK: Content of the current server

    /// The projects, the latest use first.
    package internal(set) var projects: [Project] = []
    package internal(set) var projectsPhase = LoadPhase.idle
    /// Every session that the phone knows.
    package internal(set) var sessions: [Session.ID: Session] = [:]
    /// The questions that wait for an answer, the oldest first.
    package internal(set) var prompts: [OpenPrompt] = []
    /// The session to be opened, because the user tapped a notification. The view sets it to nil once it is open.
    package var wantedSession: Session.ID?
    /// A failure to be shown once, such as that of an answer or of Stop.
    package internal(set) var alert: CodeProblem?

    // MARK: Notifications

    /// True if the user wants notifications.
    package internal(set) var wantsNotifications = false
    /// The content that notifications may show.
    package internal(set) var notificationContent = PushContent.nothing
    /// The words of notifications, in the language of the phone. Set by the App.
    @ObservationIgnored package var noticeWords = NoticeWords() {
        didSet { if noticeWords.language != oldValue.language { registration.update() } }
    }

    // MARK: State of the extensions

    var sessionPhases: [Project.ID: LoadPhase] = [:]
    @ObservationIgnored package let network: ServerNetwork
    @ObservationIgnored let phone: Phone
    @ObservationIgnored package let engine: ClientEngine<AgentClient>
    @ObservationIgnored let registration: PushRegistration<AgentClient>
    @ObservationIgnored let now: @Sendable () -> Date
    @ObservationIgnored var conversations: [Session.ID: Conversation] = [:]
    @ObservationIgnored var trees: [Project.ID: FileTree] = [:]
    /// This phone's own identifier.
    @ObservationIgnored var phoneID = ""
    /// True if the keychain could not be read, and may have servers.
    @ObservationIgnored var isKeychainUnread = false
    /// True if the user allows the cellular network; nil before the answer, and again when the network changes.
    @ObservationIgnored var cellularConsent: Bool?
    /// True if the user has asked for an attempt that has not begun.
    @ObservationIgnored var wantsReconnect = false

    // Events: see `AgentClient+Events.swift`.
    /// The last applied sequence number of each session.
    @ObservationIgnored var cursors: [Session.ID: Int64] = [:]
    /// The sessions whose missed events this connection replays.
    @ObservationIgnored var queried: Set<Session.ID> = []
    /// The cursor of each session after which an event was already missing once.
    @ObservationIgnored var tolerated: [Session.ID: Int64] = [:]
    /// True if the event that is being applied is newer than the session's state in `sync` and in replies to calls.
    @ObservationIgnored var isNew = false
    /// The last sequence number of each session in the `sync` of this connection.
    @ObservationIgnored var syncedSeqs: [Session.ID: Int64] = [:]
    /// True if the event that is being applied is newer than `sync`.
    @ObservationIgnored var isMissedBySync = false
    /// True once the `sync` of this connection has arrived.
    @ObservationIgnored var isSynced = false
    /// Closed questions that a replay may contain.
    @ObservationIgnored var closedBefore: Set<PromptRequest.ID> = []
    /// The results of turns after which the agent has not become idle yet.
    @ObservationIgnored var finished: [Session.ID: TurnResult] = [:]
    /// The frames of this phone that wait for an event or an error.
    @ObservationIgnored var expectations: [Expectation] = []

    // Sending: see `AgentClient+Sending.swift`.
    @ObservationIgnored var waiting: [WaitingPrompt] = []
    /// Prompts that are being stored, by the ids of their items.
    @ObservationIgnored var queued: [OutboxItem.ID: QueuedPrompt] = [:]
    @ObservationIgnored var inFlight: Set<OutboxItem.ID> = []
    /// Count of reports that a session is active, by session.
    @ObservationIgnored var activeReports: [Session.ID: Int] = [:]
    /// The ``activeReports`` at the start of the last attempt to send, by prompt. A refusal that crosses a report is outdated.
    @ObservationIgnored var reportsBefore: [OutboxItem.ID: Int] = [:]
    @ObservationIgnored var confirmations: [OutboxItem.ID: AsyncStream<Confirmation>.Continuation] = [:]

    // Storage: see `AgentClient+Storage.swift`.
    @ObservationIgnored var isContentDirty = false
    @ObservationIgnored var dirtyThreads: Set<Session.ID> = []
    /// The saved messages of each saved conversation, by their numbers. True for one that was saved cut.
    @ObservationIgnored var savedThreads: [Session.ID: [Int64: Bool]] = [:]

    /// - Parameter random: Returns a number from 0 to 1, for the jitter of the backoff.
    package init(
        phone: Phone, network: ServerNetwork, now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        (self.phone, self.network, self.now) = (phone, network, now)
        engine = ClientEngine(phone: phone, now: now, random: random)
        registration = PushRegistration(phone: phone)
    }

    /// Returns the client of this phone. The first call creates it.
    package static func shared(on phone: Phone, network: ServerNetwork) -> AgentClient {
        phone.instances.instance { AgentClient(phone: phone, network: network) }
    }

    // MARK: Running

    /// Runs the client until the calling task is cancelled. Each screen calls it; the work is shared.
    package func run() async { await engine.run(self) }

    package func work() async {
        await withTaskGroup { group in
            group.addTask { await self.followNetworkLink() }
            group.addTask { await self.followPush() }
        }
        persist()
    }

    /// Records that a screen has come to the front or has left it. Coming to the front connects at once.
    package func setInFront(_ isInFront: Bool, screen: AnyObject) { engine.setAttention(isInFront ? .full : .away, of: screen) }

    /// Copies text to the phone's clipboard.
    ///
    /// - Throws: ``CodeProblem``: `clipboard`.
    package func copy(_ text: String) async throws(CodeProblem) {
        do { try await phone.clipboard.copy(text) } catch { throw .clipboard }
    }

    /// Dismisses ``alert``.
    package func dismissAlert() { alert = nil }
}

/// The state of fetched content.
package enum LoadPhase: Hashable, Sendable {
    /// Never fetched. There may be content from an earlier time.
    case idle
    case loading
    case loaded
    /// The fetch failed. The content, if any, is that of an earlier time.
    case failed(CodeProblem)
}

/// The words of notifications without content, as the server has them too.
package struct NoticeWords: Hashable, Sendable {
    package var asks: String
    package var asksPermission: String
    /// A turn has ended.
    package var finished: String
    /// A turn has failed.
    package var failed: String
    /// The language, as in `en`.
    package var language: String

    package init(
        asks: String = "The agent has a question", asksPermission: String = "The agent asks for permission",
        finished: String = "The agent has finished", failed: String = "The agent has stopped with an error", language: String = "en"
    ) {
        (self.asks, self.asksPermission, self.finished) = (asks, asksPermission, finished)
        (self.failed, self.language) = (failed, language)
    }
}
