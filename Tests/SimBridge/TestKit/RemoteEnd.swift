package import Foundation
import NIOTransport
import NetworkingKit
import Observation
import PhoneTestKit
import PlatformKit
import SimBridgeClient
import SimBridgeWire
package import TestKit

/// A remote control at the end of a line, in front.
@MainActor
package final class RemoteEnd: LineEnd {
    private let remote: Remote
    private var seen: [String] = []
    private var lastEvent = -1

    private init(_ remote: Remote) {
        self.remote = remote
        look()
    }

    /// Records new events.
    private func look() {
        let events = withObservationTracking {
            remote.bridge.events
        } onChange: {
            Task { @MainActor [weak self] in self?.look() }
        }
        for event in events.reversed() where event.id > lastEvent {
            lastEvent = event.id
            if case .incomingText(_, _, let body) = event.event { seen.append(body ?? "") }
        }
    }

    /// A remote control and a host of one account, each with a separate line to a relay.
    ///
    /// - Parameter addresses: The address of the relay for each of the two.
    package static func pair(at addresses: [URL], folder: URL) async throws -> [any LineEnd] {
        let credentials = (name: "ada", password: RelayBox.password)
        let host = try HostEnd(relay: addresses[1], credentials: credentials, folder: folder)
        // The account exists once the code does.
        let code = try await host.pairingCode()
        let relay = RemoteService(address: addresses[0], http: AsyncHTTP(), sockets: NIOSocket())
        let phone = TestPhone()
        let remote = Remote(phone, Bridge(phone: phone.phone(clock: HurriedClock()), relays: .only(relay, deviceName: "Phone")))
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(
            server: addresses[0].absoluteString, username: credentials.name, password: credentials.password)
        try await remote.bridge.pair(code: code)
        remote.bridge.setInFront(true, page: remote.page)
        try await remote.until { $0.phase == .ready && $0.status == .connected && $0.isHostOnline }
        return [RemoteEnd(remote), host]
    }

    package func send(_ text: String) async throws {
        try await remote.bridge.sendText(to: HostEnd.number, body: text, sim: 1)
    }

    package func arrived() -> [String] { seen }

    package func waiting() -> Int {
        remote.bridge.conversation(with: HostEnd.number)?.messages.count { $0.state == .waiting } ?? 0
    }

    package func isConnected() -> Bool { remote.bridge.status == .connected }
    package func setAwake(_ isAwake: Bool) { remote.bridge.setInFront(isAwake, page: remote.page) }
}
