import Foundation
import HTTPTypes
import PhoneTestKit
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing

@testable import SimBridgeClient

/// The opening of a line, and its refusals: contract, sections 3 and 4.
@MainActor
@Suite struct HandshakeTests {
    /// Paired, and closed again.
    private func used(_ box: RelayBox) async throws -> (host: RawHost, phone: TestPhone) {
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        await remote.quit()
        return (host, remote.phone)
    }

    @Test func connectedIsTheMessageNotTheUpgrade() async throws {
        let box = try await RelayBox()
        let (host, phone) = try await used(box)
        let opened = box.network.opened.count
        box.network.set { $0.isMute = true }
        let remote = box.remote(phone)
        // The relay has the line open, and has written `connected`.
        try await remote.until { _ in box.network.opened.count > opened }
        try await eventually { () async throws in
            let devices: [Device] = try await box.call(.get, "/devices", token: host.token)
            return devices.contains { $0.type == .client && $0.isOnline }
        }
        #expect(remote.bridge.status == .connecting)
        box.network.set { $0.isMute = false }
        try await remote.until { $0.status == .connected }
    }

    @Test(arguments: [401, 403]) func aRefusedHandshakeIsFinalForTheToken(_ status: Int) async throws {
        let box = try await RelayBox()
        let (_, phone) = try await used(box)
        box.network.set { $0.refusal = .init(status, #"{"detail":"no"}"#) }
        let remote = box.remote(phone)
        try await remote.until { $0.phase == .login && $0.loginNotice == .sessionExpired }
        try await eventually { await phone.secrets.isEmpty }
        let opened = box.network.opened.count
        remote.bridge.wake()
        remote.bridge.reconnect()
        // Whatever that had begun would be done before this is.
        let _: [Device] = try await box.call(.get, "/devices", token: try await box.token("ada", registers: false))
        #expect(box.network.opened.count == opened, "not tried again with that token")
        box.network.set { $0.refusal = nil }
        try await remote.bridge.logIn(server: RelayBox.address.absoluteString, username: "ada", password: RelayBox.password)
        try await remote.until { $0.phase == .ready && $0.status == .connected }
    }

    @Test(arguments: [404, 429, 500, 503]) func anyOtherRefusalIsTriedAgain(_ status: Int) async throws {
        let box = try await RelayBox()
        let (_, phone) = try await used(box)
        let opened = box.network.opened.count
        box.network.set { $0.refusal = .init(status, #"{"detail":"no"}"#) }
        let clock = TestClock()
        let remote = box.remote(phone, clock: clock)
        try await remote.until { _ in box.network.opened.count == opened + 1 }
        try await remote.until { $0.status == .disconnected }
        #expect(remote.bridge.phase == .ready && remote.bridge.loginNotice == nil)
        box.network.set { $0.refusal = nil }
        try await remote.until(advancing: clock, by: .seconds(1)) { $0.status == .connected }
    }

    @Test(arguments: [(29, nil), (30, BridgeProblem.timeout)]) func aCallMayTakeHalfAMinute(
        _ seconds: Int, _ expected: BridgeProblem?
    ) async throws {
        let box = try await RelayBox()
        _ = try await box.token("ada")
        let clock = TestClock()
        let remote = box.remote(clock: clock)
        try await remote.until { $0.phase == .login }
        box.network.set { $0.hangs = true }
        let bridge = remote.bridge
        let login = Task { () -> BridgeProblem? in
            do {
                try await bridge.logIn(server: RelayBox.address.absoluteString, username: "ada", password: RelayBox.password)
                return nil
            } catch {
                return error as? BridgeProblem
            }
        }
        try await eventually { box.network.calls.contains("POST /simbridge/auth/login") }
        // Nothing else sleeps by this clock yet.
        try await clock.advance(by: .seconds(seconds))
        if expected == nil { box.network.set { $0.hangs = false } }
        #expect(try await within { await login.value } == expected)
    }

    /// The relay closes with the same code as for who was replaced.
    @Test func whoWasTooSlowComesBackForTheRest() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.set { $0.isMute = true }
        let filling = String(repeating: "x", count: 100_000)
        for number in 1...30 { try await host.send(.incomingText(sim: 1, from: "+1", body: "\(number) \(filling)")) }
        // The relay has given up on it: what it keeps is not written any more.
        try await eventually { () async throws in
            let devices: [Device] = try await box.call(.get, "/devices", token: host.token)
            return devices.contains { $0.type == .client && !$0.isOnline }
        }
        box.network.set { $0.isMute = false }
        try await remote.until { $0.events.count >= 30 && $0.status == .connected }
        #expect(!remote.bridge.isReplaced)
        let numbers = remote.bridge.events.reversed().compactMap { event -> Int? in
            guard case .incomingText(_, _, let body?) = event.event else { return nil }
            return body.split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(numbers == Array(1...30))
    }
}
