import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeWire
import StorageKit
import TestKit
import WireKit

@testable import SimBridgeHost

/// A host that runs for the lifetime of the value.
final class HostOfTests: Sendable {
    let relay: RelayOfTests
    let host: SimBridgeHost
    let journal: HostJournal
    private let notices: Locked<[HostNotice]>
    let running: Task<Void, any Error>

    /// - Parameter folder: The host's data; a copy of an earlier host's folder, as after a crash.
    init(
        _ relay: RelayOfTests, driver: any TelephonyDriver, folder: URL? = nil, user: String = "ada",
        password: String = RelayOfTests.password, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) },
        change: (inout SimBridgeHost.Configuration) -> Void = { _ in }
    ) async throws {
        self.relay = relay
        let folder = folder ?? relay.folder.url.appending(path: "host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        let journal = try HostJournal(path: folder.appending(path: "host.db").path, now: now)
        self.journal = journal
        let notices = Locked<[HostNotice]>([])
        self.notices = notices
        var configuration = SimBridgeHost.Configuration(relay: relay.address, deviceName: "Attic")
        change(&configuration)
        host = SimBridgeHost(
            configuration, driver: driver, journal: journal, identityFile: IdentityFile(folder.appending(path: "host.json")),
            http: relay, sockets: relay, clock: clock, now: now,
            credentials: { Credentials(username: user, password: password) },
            notify: { notice in notices.withLock { $0.append(notice) } })
        running = Task { [host] in try await host.run() }
    }

    let folder: URL

    deinit { running.cancel() }

    var recorded: [HostNotice] { notices.withLock { $0 } }

    func until(_ isTrue: @escaping @Sendable (HostNotice) -> Bool) async throws {
        try await eventually { self.recorded.contains(where: isTrue) }
    }

    /// Advances the clock step by step until the notice appears, and gives the host time to react to each step.
    func until(advancing clock: TestClock, _ isTrue: @escaping @Sendable (HostNotice) -> Bool) async throws {
        try await within {
            while !self.recorded.contains(where: isTrue) {
                try await clock.advance(by: .seconds(10))
                do {
                    try await eventually(within: .seconds(1)) { self.recorded.contains(where: isTrue) }
                } catch is TimedOut {}
            }
        }
    }

    /// Advances the clock from one look for a client to the next until the notice appears. Each look has ended before the next one begins.
    func until(looking clock: TestClock, _ isTrue: @escaping @Sendable (HostNotice) -> Bool) async throws {
        let pause = SimBridgeHost.pairingLook
        try await within {
            while !self.recorded.contains(where: isTrue) {
                try await eventually { clock.hasSleeper(for: pause) || self.recorded.contains(where: isTrue) }
                if clock.hasSleeper(for: pause) { try await clock.advance(by: pause) }
            }
        }
    }

    func code() async throws -> String {
        try await until { if case .pairingCode = $0 { true } else { false } }
        for case .pairingCode(let code) in recorded { return code.code }
        throw NeverCame()
    }

    /// A client that is paired with this host, after the host was notified.
    func pairedClient() async throws -> ClientOfTests {
        let code = try await code()
        let client = try await relay.client(code: code, token: try await relay.token())
        let _: CommandReceipt = try await relay.call(
            .get, "/sims?host_device_id=\(client.host)", String?.none, token: client.token)
        try await until { $0 == .paired }
        // All messages of the pairing have been delivered.
        try await client.until { $0.contains { if case .event(.simInfo) = $0.content { true } else { false } } }
        try await eventually { try await self.journal.waitingReports() == 0 }
        return client
    }

    var identityFile: IdentityFile { IdentityFile(folder.appending(path: "host.json")) }

    /// Ends the host as a crash would: no orderly shutdown.
    ///
    /// - Parameter token: The token of the copy, in place of its own.
    /// - Returns: A copy of the host's folder at that moment.
    func crash(token: String? = nil) async throws -> URL {
        let copy = relay.folder.url.appending(path: "host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        running.cancel()
        _ = await running.result
        journal.close()
        for name in ["host.json", "host.db"] {
            try FileManager.default.copyItem(at: folder.appending(path: name), to: copy.appending(path: name))
        }
        if let token, var identity = try identityFile.load() {
            identity.token = token
            try IdentityFile(copy.appending(path: "host.json")).save(identity)
        }
        return copy
    }

    func problem() async throws -> any Error {
        try await within {
            do {
                try await self.running.value
                throw NeverCame()
            } catch {
                return error
            }
        }
    }
}

/// A driver whose behaviour a test sets, and which records its commands.
final class DriverOfTests: TelephonyDriver {
    enum Step: Sendable {
        /// The network accepts the command.
        case take
        case fail(TelephonyError)
        /// The driver throws an error that no driver should.
        case malfunction
        /// The program ends before the network has the command: the driver never returns.
        case crashBefore
        /// The network has the command; the program ends before the outcome is reported.
        case crashAfter
    }

    private let state = Locked((steps: [Step](), sent: [String]()))
    private let events: AsyncStream<TelephonyEvent>
    private let continuation: AsyncStream<TelephonyEvent>.Continuation

    init(_ steps: Step...) {
        (events, continuation) = AsyncStream.makeStream(of: TelephonyEvent.self)
        state.withLock { $0.steps = steps }
    }

    /// The texts that the network received.
    var sent: [String] { state.withLock { $0.sent } }

    func receive(_ body: String, id: String = UUID().uuidString) {
        continuation.yield(.text(IncomingText(id: id, source: "m", sim: 1, from: "+49171", body: body)))
    }

    /// Simulates an event of the network.
    func happen(_ event: TelephonyEvent) { continuation.yield(event) }

    func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws {
        for await event in events { try await handle(event) }
        try Task.checkCancellation()
    }

    func sims() -> [SIMCard] { [SIMCard(slot: 1, carrier: "Test", number: nil)] }

    /// The key of the next text's delivery reports.
    let receipt = Locked<TextReceipt?>(nil)

    func sendText(_ body: String, to number: String, sim: Int) async throws -> TextReceipt? {
        try await perform("\(sim) \(number) \(body)")
        return receipt.withLock { $0 }
    }

    func dial(_ code: ServiceCode, sim: Int, reference: Int64?) async throws -> String {
        try await perform("\(sim) \(code.text)")
        return "answer to \(code.text)"
    }

    func reply(_ text: String, sim: Int) async throws -> String {
        try await perform("\(sim) reply \(text)")
        return "answer to \(text)"
    }

    func placeCall(to number: String, sim: Int, reference: Int64?) async throws { try await perform("\(sim) \(number)") }

    private func perform(_ what: String) async throws {
        let step = state.withLock { state in
            let step = state.steps.isEmpty ? .take : state.steps.removeFirst()
            switch step {
            case .take, .crashAfter: state.sent.append(what)
            case .fail, .malfunction, .crashBefore: break
            }
            return step
        }
        switch step {
        case .take: return
        case .fail(let error): throw error
        case .malfunction: throw Malfunction()
        case .crashBefore, .crashAfter:
            crashes.yield()
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    /// One element for each command that never returns.
    let (crashed, crashes) = AsyncStream.makeStream(of: Void.self)

    func answer(_ call: TelephonyCall.ID) {}
    func hangUp() -> Int { 0 }
    func hangUp(reference: Int64) -> Int { 0 }
}

/// An error that no driver should throw.
struct Malfunction: Error {}

/// The awaited event can no longer occur.
struct NeverCame: Error {}
