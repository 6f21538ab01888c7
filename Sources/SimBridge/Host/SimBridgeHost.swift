package import Foundation
package import NetworkingKit
import SimBridgeCalls
package import SimBridgeWire
import WireKit

/// A host: the machine with the SIM cards. Logs in at its relay, stays connected, carries out commands, and reports what happens.
///
/// ```
///   relay ══ line ══▶ journal ─▶ lanes ─▶ driver        commands: taken, acknowledged, then carried out
///   relay ◀═ courier ══ journal ◀──────── driver        reports, texts, calls: stored, then handed over, each once
/// ```
///
/// No command is carried out twice and no report is lost when this program, the line or the relay ends in between: see ``HostJournal``.
package actor SimBridgeHost {
    package struct Configuration: Sendable {
        /// The relay's base URL; may have a path.
        package var relay: URL
        /// The name that clients show.
        package var deviceName: String
        /// The user name of the host's account; nil for the account of the earlier run.
        package var username: String?
        /// True to create the account first.
        package var registersAccount = false
        /// True to show a pairing code although a client is paired.
        package var showsCode = false
        /// The address at which phones open the app; nil for the app in the relay's box.
        package var app: URL?
        /// Returns the IP addresses at which other machines reach this one, the best first.
        package var ownAddresses: @Sendable () -> [String] = { [] }
        /// The delays between attempts to connect: the contract's own (section 4). An attempt succeeds with `connected`.
        package var backoff = Backoff(delays: Backoff.standard.delays, jitter: 0, reset: .zero)

        package init(relay: URL, deviceName: String) {
            (self.relay, self.deviceName) = (relay, deviceName)
        }
    }

    /// The interval of checks for a client that has used the pairing code.
    static let pairingLook: Duration = .seconds(3)
    /// The interval of JSON pings (contract, section 4).
    static let pingInterval: Duration = .seconds(30)
    /// Count of pings between two purges of the journal: one hour.
    private static let pingsPerTidying = 120
    /// The delay before a failed call, report or journal write is retried.
    static let retryDelay: Duration = .seconds(10)
    /// Maximum attempts to deliver a report that the relay refuses.
    static let maximumTries = 5

    let configuration: Configuration
    let driver: any TelephonyDriver
    let journal: HostJournal
    let identityFile: IdentityFile
    let api: RelayAPI
    let clock: any Clock<Duration>
    let now: @Sendable () -> Int64
    let credentials: @Sendable () async throws -> Credentials
    let notify: @Sendable (HostNotice) -> Void
    let courier: Courier
    let laneBells = Dictionary(uniqueKeysWithValues: Lane.allCases.map { ($0, Bell()) })
    let reportBell = Bell()
    let pairingBell = Bell()

    var identity: HostIdentity?
    /// True if the open connection has received `connected`.
    var isConnected = false
    var isStopping = false
    var wantsCode: Bool
    var wantsAccount: Bool
    /// Count of refused tokens since the last accepted token.
    var refusals = 0
    /// Count of failed attempts since the line was last open.
    var failures = 0
    /// True once the line has been open in this run. Queued calls wait for it: only the relay's clock shows if they are too late.
    var wasConnected = false
    /// The relay's clock minus this machine's clock, in milliseconds; nil if unknown.
    var clockOffset: Int64?
    /// The times that the relay has sent on this connection.
    var relayClock = RelayClock()
    /// The sequence number of the relay's `reset`; nil after its replay has ended with `connected`.
    var resetTo: Int64?
    /// The sequence number to acknowledge after `connected`; nil if there is none.
    var unacknowledged: Int64?
    var didReportOlderRelay = false
    /// True if the journal has no room for texts.
    private var isFull = false
    /// True once the notices of an unusable journal and of a relay without room were shown.
    private var didReportBrokenJournal = false
    private var didReportNoRoom = false

    /// - Parameters:
    ///   - credentials: Prompts for user name and password. Called only when they are needed.
    ///   - now: Milliseconds since 1970.
    ///   - notify: Called with notices for the terminal.
    package init(
        _ configuration: Configuration, driver: any TelephonyDriver, journal: HostJournal, identityFile: IdentityFile,
        http: any HTTPTransport, sockets: any SocketTransport, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) },
        credentials: @escaping @Sendable () async throws -> Credentials, notify: @escaping @Sendable (HostNotice) -> Void
    ) {
        self.configuration = configuration
        (self.driver, self.journal, self.identityFile) = (driver, journal, identityFile)
        (self.clock, self.now) = (clock, now)
        (self.credentials, self.notify) = (credentials, notify)
        api = RelayAPI(service: RemoteService(address: configuration.relay, http: http, sockets: sockets), clock: clock)
        courier = Courier(clock: clock)
        (wantsCode, wantsAccount) = (configuration.showsCode, configuration.registersAccount)
    }

    /// Runs until ``stop()``, the task's cancellation, or a final failure. To be called once.
    ///
    /// - Throws: ``RelayProblem``, ``DataFolderProblem``, `StorageError`; what the driver throws; `CancellationError`.
    package func run() async throws {
        let open = try await journal.recover()
        if !open.isEmpty { notify(.recovered(open.count)) }
        for bell in laneBells.values { bell.ring() }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.workAll() }
                group.addTask { try await self.serve() }
                defer { group.cancelAll() }
                // Only the lanes end without a failure, after `stop()`.
                try await group.next()
            }
        } catch let problem as RelayProblem where problem.code == .accountDeleted {
            // All tasks that write to the journal have ended.
            try await forgetAccount()
            throw problem
        }
    }

    private func serve() async throws {
        try await signIn()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.driver.run { try await self.happened($0) } }
            group.addTask { try await self.deliverReports() }
            group.addTask { try await self.offerPairing() }
            group.addTask { try await self.sendPings() }
            group.addTask { try await self.holdLine() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Finishes the commands under way, begins no others, and ends ``run()``.
    package func stop() {
        isStopping = true
        for bell in laneBells.values { bell.finish() }
    }

    /// Shows a pairing code, also when a client is paired.
    package func showCode() {
        wantsCode = true
        pairingBell.ring()
    }

    private func sendPings() async throws {
        for count in 1... {
            try await clock.sleep(for: Self.pingInterval)
            if isConnected { await courier.ping() }
            // If the purge fails, the next one is an hour later.
            if count % Self.pingsPerTidying == 0 { try? await journal.tidy() }
        }
    }

    /// Repeats work on the journal until it succeeds: a full disk may have room later.
    ///
    /// - Throws: The error of `work` for a damaged journal, or for one without room for texts; `CancellationError`.
    func persistently<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        while true {
            do {
                let value = try await work()
                didReportBrokenJournal = false
                return value
            } catch let error where HostJournal.isTemporary(error) {
                if !didReportBrokenJournal {
                    let delay = Self.retryDelay.components.seconds
                    notify(.trouble("The host cannot store events: \(error). Trying again in \(delay) s."))
                }
                didReportBrokenJournal = true
                try await clock.sleep(for: Self.retryDelay)
            }
        }
    }

    // MARK: Incoming

    private func happened(_ event: TelephonyEvent) async throws {
        switch event {
        case .text(let text):
            do {
                guard try await persistently({ try await journal.store(text) }) else { return }
                isFull = false
            } catch let full as HostJournal.Full {
                // The driver retries; the notice is shown only once.
                if !isFull { notify(.trouble("\(full): texts stay in their modems.")) }
                isFull = true
                throw TelephonyError.unavailable("\(full)")
            }
            notify(
                text.kind == .incomplete
                    ? .trouble("A text from \(PhoneNumber.shortened(text.from)) arrived incomplete.")
                    : .textReceived(from: text.from, sim: text.sim))
            reportBell.ring()
        case .held(let source, let ids): try await persistently { try await journal.updateHeld(ids, of: source) }
        case .call(let call):
            _ = try await persistently { try await journal.store(call) }
            notify(.call(call))
            reportBell.ring()
        case .delivery(let report):
            try await persistently { try await journal.store(report) }
            reportBell.ring()
        case .accepted(let text):
            try await persistently { try await journal.store(text) }
            reportBell.ring()
        case .notice(let text, let sim): try await reportMessage(text, from: try await carrier(of: sim), sim: sim)
        case .cards(let cards):
            try await persistently { try await journal.report(DeviceMessage(.event(.simInfo(cards)))) }
            notify(.driverAvailable(cards))
            reportBell.ring()
        case .warning(let why):
            try await persistently { try await journal.report(DeviceMessage(.event(.error(why)))) }
            notify(.trouble(why))
            reportBell.ring()
        case .unavailable(let why): notify(.driverUnavailable(why))
        case .available: if let cards = try? await driver.sims() { notify(.driverAvailable(cards)) }
        }
    }

    /// Reports a message of the network itself.
    func reportMessage(_ text: String, from: String, sim: Int) async throws {
        let message = DeviceMessage(
            .event(.incomingText(sim: sim, from: from, body: text)), details: EventDetails(kind: .network))
        try await persistently { try await journal.report(message) }
        notify(.textReceived(from: from, sim: sim))
        reportBell.ring()
    }

    private func carrier(of sim: Int) async throws -> String {
        let cards = try? await driver.sims()
        try Task.checkCancellation()
        return cards?.first { $0.slot == sim }?.carrier ?? "SIM \(sim)"
    }

    // MARK: Outgoing

    private func deliverReports() async throws {
        var tries = 0
        while await reportBell.wait() {
            while isConnected, identity?.isPaired == true,
                let report = try await persistently({ try await journal.nextReport() })
            {
                let offset = clockOffset ?? 0
                let frame = try await persistently { try await journal.frame(of: report, offset: offset) }
                guard let receipt = await courier.deliver(frame, messageID: report.messageID) else { break }
                switch receipt {
                case .failed(.noPairedClient):
                    try await persistently { try setPaired(false) }
                case .failed(.noRoom):
                    // The client has to fetch its messages first. Later reports wait as well, to stay in order.
                    if !didReportNoRoom { notify(.trouble("The relay has no room for more of this account; reports wait here.")) }
                    didReportNoRoom = true
                    try await clock.sleep(for: Self.retryDelay)
                case .failed(let code) where code != .targetOffline && code != .notPaired:
                    // The relay has stored nothing. If the fault is this report's, the others must not wait for it.
                    tries += 1
                    if tries < Self.maximumTries {
                        try await clock.sleep(for: Self.retryDelay)
                    } else {
                        notify(.trouble("The relay refuses a report; it is tried again at the next start."))
                        try await persistently { try await journal.setAside(report) }
                        tries = 0
                    }
                default:
                    // The relay has stored the report, keeps it for an offline client, or has no paired client any more.
                    try await persistently { try await journal.remove(report) }
                    (tries, didReportNoRoom) = (0, false)
                    if receipt == .read, !didReportOlderRelay {
                        didReportOlderRelay = true
                        notify(.olderRelay)
                    }
                }
            }
        }
    }

    func setPaired(_ isPaired: Bool) throws {
        guard var changed = identity, changed.isPaired != isPaired else { return }
        changed.isPaired = isPaired
        try identityFile.save(changed)
        identity = changed
        notify(isPaired ? .paired : .notPaired)
        reportBell.ring()
        pairingBell.ring()
    }
}
