package import Foundation
import NIOTransport
import NetworkingKit
import SimBridgeHost
import SimBridgeWire
import TestKit
import WireKit

/// A host at the end of a line, with a SIM card whose network accepts every text.
///
/// The texts that the host sends count as arrived. The texts that the SIM card receives have to arrive at the remote control.
package final class HostEnd: LineEnd {
    /// The number of the person who texts the SIM card and receives its texts.
    package static let number = "+15550100"

    private let driver = Driver()
    private let journal: HostJournal
    private let notices: Locked<[HostNotice]>
    private let running: Task<Void, any Error>

    /// - Parameters:
    ///   - relay: The address of the relay for this host.
    ///   - folder: The host's data.
    package init(relay: URL, credentials: (name: String, password: String), folder: URL) throws {
        journal = try HostJournal(path: folder.appending(path: "host.db").path)
        let notices = Locked<[HostNotice]>([])
        self.notices = notices
        var configuration = SimBridgeHost.Configuration(relay: relay, deviceName: "Attic")
        configuration.registersAccount = true
        // Nobody wakes a host, and `HurriedClock` takes the last delay, 30 s, for a time limit.
        configuration.backoff.delays.removeLast()
        let host = SimBridgeHost(
            configuration, driver: driver, journal: journal, identityFile: IdentityFile(folder.appending(path: "host.json")),
            http: AsyncHTTP(), sockets: NIOSocket(), clock: HurriedClock(),
            credentials: { Credentials(username: credentials.name, password: credentials.password) },
            notify: { notice in notices.withLock { $0.append(notice) } })
        running = Task { try await host.run() }
    }

    deinit { running.cancel() }

    /// The code that the host shows for the pairing of a remote control.
    package func pairingCode() async throws -> String {
        try await eventually { self.shownCode != nil }
        return shownCode ?? ""
    }

    private var shownCode: String? {
        notices.withLock { $0 }.reversed().lazy.compactMap { if case .pairingCode(let code) = $0 { code.code } else { nil } }.first
    }

    // MARK: The end of a line

    package func send(_ text: String) async throws { try await driver.receive(text) }
    package func arrived() -> [String] { driver.sent }
    package func waiting() async -> Int { (try? await journal.waitingReports()) ?? 0 }

    package func isConnected() -> Bool {
        for notice in notices.withLock({ $0 }).reversed() {
            if case .connected = notice { return true }
            if case .disconnected = notice { return false }
        }
        return false
    }

    /// A host does not sleep.
    package func setAwake(_ isAwake: Bool) {}

    /// A driver with one SIM card.
    private final class Driver: TelephonyDriver {
        private let texts = Locked<[String]>([])
        private let handle = Locked<(@Sendable (TelephonyEvent) async throws -> Void)?>(nil)

        var sent: [String] { texts.withLock { $0 } }

        /// Simulates a received text. Returns once the host has stored it.
        func receive(_ text: String) async throws {
            try await eventually { self.handle.withLock { $0 } != nil }
            let text = IncomingText(id: text, source: "card", sim: 1, from: HostEnd.number, body: text)
            try await handle.withLock { $0 }?(.text(text))
        }

        func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws {
            self.handle.withLock { $0 = handle }
            while true { try await Task.sleep(for: .seconds(3600)) }
        }

        func sims() -> [SIMCard] { [SIMCard(slot: 1, carrier: "Test", number: nil)] }
        func sendText(_ body: String, to number: String, sim: Int) -> TextReceipt? {
            texts.withLock { $0.append(body) }
            return nil
        }
        func dial(_ code: ServiceCode, sim: Int, reference: Int64?) -> String { "" }
        func reply(_ text: String, sim: Int) -> String { "" }
        func placeCall(to number: String, sim: Int, reference: Int64?) {}
        func answer(_ call: TelephonyCall.ID) {}
        func hangUp() -> Int { 0 }
        func hangUp(reference: Int64) -> Int { 0 }
    }
}
