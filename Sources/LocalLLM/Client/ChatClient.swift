import ClientKit
package import Foundation
import LocalLLMCalls
package import LocalLLMWire
import NetworkingKit
import Observation
package import PlatformKit

/// The client of one phone, shared by its screens: the connection to one host at a time, the saved hosts and the transcripts.
///
/// ```
///   connect ─▶ stream (HostDial) ─▶ key accepted ─▶ server_info ─▶ chat ◀─▶ requests
///      ▲                                                            │
///      └───────────────── HOST_DISCONNECTED, and back-off ──────────┘
/// ```
@MainActor
@Observable
package final class ChatClient {
    package enum Screen: Hashable, Sendable { case connect, chat }

    /// The state of the connection.
    package enum Link: Hashable, Sendable {
        case idle
        case connecting(Step)
        case open
        /// The last attempt failed with this problem; the next attempt follows automatically.
        case waiting(ChatProblem)
    }

    /// A step of connecting.
    package enum Step: Hashable, Sendable {
        /// The search for nodes that know the host.
        case lookup
        /// The exchange of keys and addresses.
        case handshake
        /// The search for a path between the two networks.
        case holePunching
        /// The beginning of the encrypted stream.
        case stream
        /// The stream is open, but the peer's key is not the known one: ``ChatClient/keyQuestion``.
        case key
        case introduction
        /// The host asks its user to approve this phone.
        case approval
        /// The host asks its user to approve this phone, whose invitation was used already or has expired.
        case approvalWithoutInvitation

        init(_ hop: DialHop) {
            self =
                switch hop {
                case .lookup: .lookup
                case .handshake: .handshake
                case .holePunching: .holePunching
                case .stream: .stream
                }
        }

        /// True for a step of the dial, before the stream is open.
        var isHop: Bool {
            switch self {
            case .lookup, .handshake, .holePunching, .stream: true
            case .key, .introduction, .approval, .approvalWithoutInvitation: false
            }
        }
    }

    package internal(set) var screen = Screen.connect
    package internal(set) var link = Link.idle
    /// The failure to show on the Connect screen.
    package internal(set) var problem: ChatProblem?
    /// The text in the field of the Connect screen.
    package var address = ""
    /// The decision that the user has to make before the connection continues; nil for none.
    package internal(set) var keyQuestion: KeyQuestion?
    /// The host's last introduction.
    package internal(set) var info: ServerInfo?
    /// True if the host of ``info`` has proved that the Server ID is its own key.
    package internal(set) var isVerified = false
    package internal(set) var hosts: [SavedHost] = []
    /// The name by which hosts ask about this phone: the beginning of its key, in hexadecimal. Empty before the first dial.
    package internal(set) var phoneName = ""
    /// The hosts that the network offers and this phone has not used yet.
    package var offeredHosts: [OfferedHost] { network.offered.filter { offered in !hosts.contains { $0.id == offered.id } } }
    /// The transcript with the host of the Chat screen.
    package internal(set) var conversation: Conversation?
    /// True if the phone could not save the latest changes, which are in memory only.
    package var isStorageFailing: Bool { host.isStorageFailing }
    /// The steps of the last attempts to connect, with the time that each of them took.
    package internal(set) var attempts: [ConnectAttempt] = []

    @ObservationIgnored package let log = DebugLog()
    @ObservationIgnored let host: ClientHost
    @ObservationIgnored let network: HostNetwork
    @ObservationIgnored let now: @Sendable () -> Date
    @ObservationIgnored let random: @Sendable () -> Double
    /// The time since the start, on the clock of the phone.
    @ObservationIgnored let elapsed: @Sendable () -> Duration
    @ObservationIgnored private var isRestored = false

    // The line: see `ChatClient+Line.swift`.
    /// The invitation of the last link that had one, until its host has introduced itself or refused it.
    @ObservationIgnored var invitation: (id: ServerID, invitation: Invitation)?
    @ObservationIgnored var target: Target?
    @ObservationIgnored var targetChange: AsyncStream<Never>.Continuation?
    @ObservationIgnored var runner: LineRunner<Message, Message>?
    @ObservationIgnored var connection: HostConnection?
    /// The number of the latest target or connection.
    @ObservationIgnored var connectionCount = 0
    /// True once the host has introduced itself to this target.
    @ObservationIgnored var wasConnected = false
    /// True if the stream ended in the background or with the network: the Chat screen stays for one more attempt.
    @ObservationIgnored var isRecovering = false
    @ObservationIgnored var lastProblem: ChatProblem?
    @ObservationIgnored var attemptStart = Duration.zero
    @ObservationIgnored var keyAnswer: AsyncStream<Bool>.Continuation?
    /// The time of the last change of the network.
    @ObservationIgnored var networkChangedAt: Duration?

    // Storage: see `ChatClient+Storage.swift`.
    @ObservationIgnored var conversations: [String: Conversation] = [:]
    @ObservationIgnored var unsaved: [String: Exchange] = [:]

    /// - Parameter random: Returns a number from 0 to 1, for the jitter of the backoff.
    package init(
        phone: Phone, network: HostNetwork, now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        (self.network, self.now, self.random) = (network, now, random)
        host = ClientHost(phone: phone)
        elapsed = stopwatch(phone.clock)
    }

    /// The client of this phone, made by the first call.
    package static func shared(on phone: Phone, network: HostNetwork) -> ChatClient {
        phone.instances.instance { ChatClient(phone: phone, network: network) }
    }

    // MARK: Running

    /// Keeps the connection until the calling task is cancelled. Each screen calls it; the work is done once.
    package func run() async { await host.run(start: restore, work: work, end: save) }

    private func work() async {
        await withTaskGroup { group in
            group.addTask { await self.followTarget() }
            group.addTask { await self.host.followNetworkPath { self.networkDidChange() } }
        }
    }

    private func restore() async {
        guard !isRestored else { return }
        isRestored = true
        if let error = await host.openStore() { note("no database: \(error)") }
        let stored: [SavedHost] = saved.value(for: Key.hosts.rawValue) ?? []
        hosts = stored.map(\.shown)
    }

    var phone: Phone { host.phone }
    var tasks: TaskOwner { host.tasks }
    var saved: SavedValues { host.saved }

    func note(_ text: String) { log.add(text, at: now()) }

    /// A function that notes a text from any task.
    var noteLater: @Sendable (String) -> Void {
        // Bridges the synchronous call of a connection, which may outlive the client.
        { [weak self] text in Task { await self?.note(text) } }
    }

    // MARK: Attention

    var isInFront: Bool { host.isInFront }

    /// Notes that a screen has come to the front or left it.
    package func setInFront(_ isInFront: Bool, screen: AnyObject) {
        guard host.setAttention(isInFront ? .full : .away, of: screen) else { return }
        if isInFront { runner?.wake() } else { saveSoon() }
    }

    private func networkDidChange() {
        networkChangedAt = elapsed()
        if host.isOnline { runner?.wake() }
    }
}

/// One attempt to connect, for the debug screen.
package struct ConnectAttempt: Hashable, Sendable, Identifiable {
    package struct Step: Hashable, Sendable {
        package let step: ChatClient.Step
        /// The time from the beginning of the attempt to the beginning of the step.
        package let start: Duration
    }

    package let id: Int
    package internal(set) var steps: [Step] = []
    /// The time that the attempt took; nil while it is under way.
    package internal(set) var duration: Duration?
    /// The failure; nil while it is under way, and for a success.
    package internal(set) var problem: ChatProblem?
}
