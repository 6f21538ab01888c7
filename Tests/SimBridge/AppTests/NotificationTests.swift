import PhoneTestKit
import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SimBridgeTestKit
import SimBridgeWire
import SwiftUI
import TestKit
import Testing
import WireKit

/// Notifications in the settings, and what a tap on one opens.
@Suite struct NotificationTests {
    private let toggle = "Notify when SimBridge is closed"
    private let choices = ["Only that there is one", "Sender", "Sender and text"]

    private func settings(_ box: RelayBox, _ device: TestPhone) async throws -> Handheld {
        let hand = try await Handheld.ready(box, try await box.host("ada"), device: device)
        try hand.screen.tap("Settings")
        try await hand.screen.wait(for: toggle)
        return hand
    }

    @Test func userTurnsThemOnAndChoosesWhatTheyShow() async throws {
        let (box, device) = (try await RelayBox(), TestPhone())
        device.pushAddress = .ntfy(topic: "t")
        let hand = try await settings(box, device)
        for choice in choices { #expect(!hand.screen.has(choice)) }
        try hand.screen.tap(toggle)
        try await hand.screen.wait(for: "Notifications reach this phone.")
        #expect(hand.bridge.pushContent == .nothing)
        for choice in choices { #expect(hand.screen.has(choice), "\(choice)") }
        try hand.screen.tap("Sender and text")
        try await eventually { await hand.bridge.pushContent == .full }
        try hand.screen.tap(toggle)
        try await hand.screen.wait("no choices") { !hand.screen.has("Sender and text") }
        #expect(hand.bridge.pushContent == nil)
    }

    @Test func userTurnsNtfyOnCopiesTheAddressAndTurnsItOff() async throws {
        let (box, device) = (try await RelayBox(), TestPhone())
        let hand = try await settings(box, device)
        let ntfy = "Notify through the ntfy app"
        #expect(!hand.screen.has(ntfy))
        try hand.screen.tap(toggle)
        try await hand.screen.wait(
            for: "There is no push service for this phone. Use ntfy to be notified while SimBridge is closed.")
        try hand.screen.tap(ntfy)
        try await hand.screen.wait(for: "Notifications reach the ntfy app.")
        let address = try #require(hand.bridge.ntfyAddress?.absoluteString)
        #expect(hand.screen.has(address))
        try hand.screen.tap("Copy address")
        try await hand.screen.wait(for: "Address copied")
        #expect(device.copied == address)
        try hand.screen.tap(ntfy)
        try await hand.screen.wait("no address") { !hand.screen.has(address) }
        #expect(hand.screen.has(ntfy))
    }

    @Test func settingsTellWhyThereAreNone() async throws {
        let (box, device) = (try await RelayBox(hasNtfy: false), TestPhone())
        let hand = try await settings(box, device)
        try hand.screen.tap(toggle)
        try await hand.screen.wait(
            for: "There is no push service for this phone. You are notified only while SimBridge is open.")
        device.setPermission(.denied)
        try await hand.screen.wait(for: "Notifications are off. Turn them on for this app in the system settings.")
    }

    /// The app was closed and has a lock.
    @Test func tapShowsNothingBeforeTheLock() async throws {
        let (box, device) = (try await RelayBox(), TestPhone())
        let host = try await box.host("ada")
        let hand = try await Handheld.locked(box, host, device: device)
        try await host.report(.incomingText(sim: 1, from: "+1 555", body: "Code 481516"))
        device.tapNotification(id: "text")
        try await hand.screen.wait(for: "SimBridge is locked")
        #expect(!hand.screen.has("Code 481516") && hand.screen.title != "+1555")
        try hand.screen.tap("Unlock")
        try await hand.screen.wait("the conversation") { hand.screen.title == "+1555" }
        try await hand.screen.wait(for: "Code 481516")
    }
}
