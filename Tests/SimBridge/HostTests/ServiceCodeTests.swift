import Foundation
import SimBridgeWire
import TestKit
import Testing

@testable import SimBridgeHost

/// Service codes, from a client's call to the network's answer.
@Suite struct ServiceCodeTests {
    private func call(_ code: String, confirmed: Bool = false, _ client: ClientOfTests) async throws {
        try await client.write(
            DeviceMessage(.command(.makeCall(sim: 1, to: code, isConfirmed: confirmed)), to: client.host, reqId: RequestID("c")))
    }

    @Test func theNetworksAnswerIsAMessage() async throws {
        let relay = try await HostTests.relay()
        let driver = DriverOfTests()
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        try await call("*100#", client)
        try await client.untilEvents(4)
        #expect(
            client.events == [
                .callState(.dialing, sim: 1, from: "*100#", reason: nil), .callState(.active, sim: 1, from: "*100#", reason: nil),
                .incomingText(sim: 1, from: "*100#", body: "answer to *100#"),
                .callState(.ended, sim: 1, from: "*100#", reason: nil),
            ])
        #expect(client.all.last { if case .event(.incomingText) = $0.content { true } else { false } }?.details.kind == .network)
        // The answer to a menu.
        try await client.write(
            DeviceMessage(.command(.sendText(sim: 1, to: "*100#", body: "2")), to: client.host, reqId: RequestID("t")))
        try await client.untilEvents(6)
        #expect(
            client.events.suffix(2) == [.incomingText(sim: 1, from: "*100#", body: "answer to 2"), .textSent(.ok, reason: nil)])
        #expect(driver.sent == ["1 *100#", "1 reply 2"])
    }

    @Test func aCodeThatChangesSettingsIsAskedAbout() async throws {
        let relay = try await HostTests.relay()
        let driver = DriverOfTests()
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        try await call("**21*49 170#", client)
        try await client.untilEvents(1)
        #expect(client.all.last?.details.needsConfirmation == true)
        #expect(driver.sent == [])
        try await client.write(
            DeviceMessage(
                .command(.makeCall(sim: 1, to: "**21*49170#", isConfirmed: true)), to: client.host, reqId: RequestID("yes")))
        try await eventually { driver.sent == ["1 **21*49170#"] }
        // A PIN never leaves the host.
        try await client.write(
            DeviceMessage(
                .command(.makeCall(sim: 1, to: "**04*1234*1111*1111#", isConfirmed: true)), to: client.host, reqId: RequestID("pin")
            ))
        try await client.until { $0.contains { $0.reqId == RequestID("pin") } }
        #expect(driver.sent.count == 1)
    }

    /// The network takes its time for a code; a call does not wait for that.
    @Test func callsDoNotWaitForCodes() async throws {
        let relay = try await HostTests.relay()
        let driver = DriverOfTests(.crashBefore)
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        try await call("*100#", client)
        try await client.untilEvents(1)
        _ = try await client.call("+49170")
        try await eventually { driver.sent == ["1 +49170"] }
    }
}
