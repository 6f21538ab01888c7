import Foundation
import PhoneTestKit
import PlatformKit
import SimBridgeClient
import SimBridgeTestKit
import SimBridgeWire
import SwiftUI
import TestKit
import Testing

/// Screens in progress and in error states: `Docs/Requirements.md`, SimBridge.
@Suite struct StateTests {
    private func showsProgress(_ hand: Handheld) -> Bool { hand.screen.visible.contains { $0.kind == .progress } }

    // MARK: Login and pairing

    @Test(arguments: ["Log In", "Create Account"]) func loginShowsProgress(_ button: String) async throws {
        let box = try await RelayBox()
        if button == "Log In" { _ = try await box.token("ada") }
        let hand = Handheld(box)
        try await hand.screen.wait(for: "Log In")
        if button == "Create Account" { try hand.screen.tap("Create an account") }
        try hand.screen.type("ada", into: "Username")
        try hand.screen.type(RelayBox.password, into: "Password")
        #expect(!showsProgress(hand))
        box.network.set { $0.hangs = true }
        try hand.screen.tap(button)
        try await hand.screen.wait { self.showsProgress(hand) }
        #expect(try !hand.isEnabled(button))
        box.network.set { $0.hangs = false }
        try await hand.screen.wait(for: "Pair with a host")
    }

    @Test func takenUsernameIsReported() async throws {
        let box = try await RelayBox()
        _ = try await box.token("ada")
        let hand = Handheld(box)
        try await hand.screen.wait(for: "Log In")
        try hand.screen.tap("Create an account")
        try hand.screen.type("ada", into: "Username")
        try hand.screen.type("another horse", into: "Password")
        try hand.screen.tap("Create Account")
        try await hand.screen.wait(for: "This username is taken. Choose another one.")
        #expect(try hand.isEnabled("Create Account") && !showsProgress(hand))
    }

    @Test func pairingRateLimitShowsTheWaitingTime() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.loggedIn(box)
        let good = try await host.code()
        for _ in 1...5 {
            try hand.screen.type(good == "000000" ? "000001" : "000000", into: "code")
            // The field is cleared when the relay has answered.
            try await hand.screen.wait { (try? hand.screen.find("code", .field).attributes[.value]?.text) == "" }
            #expect(hand.screen.has("Invalid code. Check the code that the host shows."))
        }
        try hand.screen.type(good, into: "code")
        try await hand.screen.wait {
            hand.screen.texts.contains { $0.contains(/^Too many attempts\. Try again in \d+ seconds\.$/) }
        }
    }

    @Test func expiredWrongAndUsedCodesHaveTheirOwnSentences() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.loggedIn(box)
        let expired = try await host.code()
        let used = try await host.code()
        let other = try await Handheld.loggedIn(box)
        try other.screen.type(used, into: "code")
        try await other.screen.wait(for: "Send SMS")
        let wrong = ["000000", "000001", "000002"].first { ![expired, used].contains($0) } ?? ""
        for (code, sentence) in [
            (wrong, "Invalid code. Check the code that the host shows."),
            (expired, "This code has expired. Enter the newest code that the host shows."),
            (used, "This code has been used. Get a new code from the host."),
        ] {
            try hand.screen.type(code, into: "code")
            try await hand.screen.wait(for: sentence)
        }
    }

    @Test func expiredSessionLeadsToTheLogin() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        box.network.set { $0.answer = .init(401, #"{"detail":"Token expired"}"#, path: "/devices") }
        try hand.screen.pull()
        try await hand.screen.wait(for: "Your session has ended. Log in again.")
        box.network.set { $0.answer = nil }
        #expect(try hand.screen.find("Username", .field).attributes[.value]?.text == "ada")
        try hand.screen.type(RelayBox.password, into: "Password")
        try hand.screen.tap("Log In")
        try await hand.screen.wait(for: "Paired Host: Pixel")
    }

    @Test func passwordUnlocksWithoutBiometrics() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        let again = try await Handheld.locked(box, host, device: device)
        try await again.screen.wait(for: "Use the password instead")
        try again.screen.tap("Use the password instead")
        try await again.screen.wait(for: "Log In")
        try again.screen.type(RelayBox.password, into: "Password")
        try again.screen.tap("Log In")
        try await again.screen.wait(for: "Paired Host: Pixel")
    }

    @Test func fieldsHaveMatchingKeyboards() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        func keyboard(_ hand: Handheld, _ field: String) throws -> String? {
            try hand.screen.find(field, .field).attributes[.inputMode]?.text
        }
        let fresh = Handheld(box)
        try await fresh.screen.wait(for: "Log In")
        #expect(try keyboard(fresh, "Server URL") == "url")
        let pairing = try await Handheld.loggedIn(box)
        #expect(try keyboard(pairing, "code") == "numeric")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Send SMS")
        try await hand.screen.wait(for: "To")
        #expect(try keyboard(hand, "To") == "tel")
        try hand.screen.back()
        try hand.screen.tap("Make Call")
        try await hand.screen.wait(for: "Phone number")
        #expect(try keyboard(hand, "Phone number") == "tel")
    }

    // MARK: Dashboard

    @Test func statusCardShowsConnectingAndInUseElsewhere() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = try await Handheld.ready(box, host).device
        box.network.set { $0.isMute = true }
        let hand = Handheld(box, device: device)
        try await hand.screen.wait(for: "Connecting…")
        box.network.set { $0.isMute = false }
        try await hand.screen.wait(for: "Connected")
        // The same device, started again.
        let other = Handheld(box, device: device)
        try await hand.screen.wait(for: "This device is in use elsewhere. Reconnect to use it here.")
        #expect(hand.screen.has("Disconnected"))
        try await other.screen.wait(for: "Connected")
        try hand.screen.tap("Reconnect")
        try await hand.screen.wait(for: "Connected")
        try await other.screen.wait(for: "This device is in use elsewhere. Reconnect to use it here.")
    }

    @Test func lostRelayIsShownWithTheTimeOfTheNextAttempt() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = try await Handheld.ready(box, host).device
        let clock = TestClock()
        let hand = Handheld(box, device: device, clock: clock)
        try await hand.screen.wait(for: "Connected")
        box.network.cut()
        // The clock stands still: the loss is shown at once. The pause has a jitter.
        try await hand.screen.wait {
            hand.screen.texts.contains { $0.contains(/^Can’t reach the relay\. Next attempt in [12] s\.$/) }
        }
        #expect(hand.screen.has("Disconnected"))
        // The seconds follow the phone's clock.
        try await clock.advance(by: .seconds(1), pause: .milliseconds(50)) {
            await hand.screen.texts.contains { $0.contains(/Next attempt in [3-9] s/) }
        }
        box.network.mend()
        try await clock.advance(by: .seconds(1), pause: .milliseconds(50)) { await hand.screen.has("Connected") }
        #expect(!hand.screen.texts.contains { $0.contains("Next attempt") })
    }

    @Test func logShowsEventsOfEveryKind() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Log")
        try await hand.screen.wait(for: "Recent events")
        try hand.screen.tap("Recent events")
        try await hand.screen.wait(for: "New events from the host appear here.")
        for number in 1...6 { try await host.send(.incomingText(sim: 1, from: "+1", body: "text \(number)")) }
        try await hand.screen.wait(for: "text 6")
        let texts = hand.screen.texts.filter { $0.hasPrefix("text ") }
        #expect(texts == ["text 6", "text 5", "text 4", "text 3", "text 2", "text 1"])
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await hand.screen.wait(for: "Hide")
        try hand.screen.tap("Hide")
        try await hand.screen.wait(for: "Incoming call")
        try await host.send(.callState(.active, sim: 1, from: "+49", reason: nil))
        try await hand.screen.wait(for: "Call answered")
        try await host.send(.textSent(.ok, reason: nil))
        try await hand.screen.wait(for: "Text sent")
        try await host.send(text: #"{"type":"event","event":"BATTERY_LOW"}"#)
        try await hand.screen.wait(for: "BATTERY_LOW")
        host.disconnect()
        try await hand.screen.wait(for: "Host went offline")
        try await host.connect()
        try await host.send(.simInfo([SIMCard(slot: 1, carrier: "Eastern", number: nil)]))
        try hand.screen.back()
        try await hand.screen.wait(for: "Eastern")
        #expect(!hand.screen.has("Coastal"), "the cards are those of the host now")
    }

    // MARK: Texts and calls

    @Test func textShowsItsDeliveryState() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        host.disconnect()
        try await hand.screen.wait(for: "offline")
        try hand.screen.tap("Send SMS")
        try await hand.screen.wait(for: "To")
        try hand.screen.type("+1555", into: "To")
        try hand.screen.type("Hello", into: "Message")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "Waiting for the host")
        try await host.connect()
        try await eventually { host.commands.count == 1 }
        try await host.send(.textSent(.unknown, reason: nil), reqId: host.messages[0].reqId)
        try await hand.screen.wait(for: "May not have been sent")
        #expect(hand.screen.has("Send again") && hand.screen.has("Delete"))
        try hand.screen.tap("Delete")
        try await hand.screen.wait { !hand.screen.has("Hello") }
    }

    @Test func callUsesTheSelectedCardAndShowsItsFailure() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Make Call")
        try await hand.screen.wait(for: "Coastal")
        try hand.screen.type("nobody", into: "Phone number")
        try hand.screen.tap("Call")
        try await hand.screen.wait(for: "This isn’t a valid phone number. Check the number.")
        try hand.screen.type("+1 555", into: "Phone number")
        try hand.screen.tap("SIM 2 Coastal")
        try hand.screen.tap("Call")
        try await hand.screen.wait(for: "Dialing…")
        try await eventually { host.commands == [.makeCall(sim: 2, to: "+1555")] }
        #expect(hand.screen.has("SIM 2") && hand.screen.has("+1555"))
        try await host.send(.callState(.ringing, sim: 2, from: nil, reason: nil), reqId: host.messages[0].reqId)
        try await hand.screen.wait(for: "Ringing…")
        try await host.send(.callState(.error, sim: 2, from: nil, reason: "Busy"), reqId: host.messages[0].reqId)
        try await hand.screen.wait(for: "Failed: Busy")
        try hand.screen.tap("Close")
        try await hand.screen.wait(for: "Phone number")
        host.disconnect()
        try await eventually { await !hand.bridge.isHostOnline }
        try hand.screen.tap("Call")
        try await hand.screen.wait(for: "Waiting for the host")
    }

    // MARK: History

    @Test func logIsFilteredByHostWithTimesAndDirections() async throws {
        let box = try await RelayBox()
        let first = try await box.host("ada", name: "Pixel")
        let second = try await box.host("ada", name: "Attic", registers: false)
        let hand = try await Handheld.ready(box, first)
        try hand.screen.tap("Settings")
        try await hand.screen.wait(for: "Pair another host")
        try hand.screen.tap("Pair another host")
        try await hand.screen.wait(for: "Pair with a host")
        try hand.screen.type(try await second.code(), into: "code")
        try await hand.screen.wait(for: "Paired Host: Attic")
        try await first.send(.incomingText(sim: 1, from: "+1", body: "by the Pixel"))
        try await second.send(.incomingText(sim: 1, from: "+2", body: "in the attic"))
        try await hand.bridge.sendText(to: "+3", body: "to the attic", sim: 1)
        try hand.screen.tap("Log")
        for text in ["by the Pixel", "in the attic", "to the attic"] { try await hand.screen.wait(for: text) }
        #expect(hand.screen.has("Incoming") && hand.screen.has("Outgoing"))
        #expect(hand.screen.texts.contains { $0.contains(/\d{1,2}:\d\d/) }, "\(hand.screen.texts)")
        try hand.screen.tap("Pixel")
        try await hand.screen.wait { hand.screen.has("by the Pixel") && !hand.screen.has("in the attic") }
        try hand.screen.tap("Attic")
        try await hand.screen.wait { hand.screen.has("to the attic") && !hand.screen.has("by the Pixel") }
        try hand.screen.tap("All hosts")
        try await hand.screen.wait { hand.screen.has("to the attic") && hand.screen.has("by the Pixel") }

        // Select the first host again.
        try hand.screen.back()
        try hand.screen.tap("Settings")
        try await hand.screen.wait(for: "Pair another host")
        try hand.screen.tap("Pixel")
        try hand.screen.back()
        try await hand.screen.wait(for: "Paired Host: Pixel")
    }

    @Test func failedHistoryIsReported() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = try await Handheld.ready(box, host).device
        box.network.set { $0.answer = .init(500, #"{"detail":"Internal Server Error"}"#, path: "/history") }
        let hand = Handheld(box, device: device)
        try await hand.screen.wait(for: "Send SMS")
        try hand.screen.tap("Log")
        try await hand.screen.wait(for: "Internal Server Error")
        #expect(!hand.screen.has("No messages yet."))
        box.network.set { $0.answer = nil }
        try hand.screen.pull()
        try await hand.screen.wait { !hand.screen.has("Internal Server Error") }
    }

    // MARK: Settings

    @Test(arguments: [NotificationPermission.granted, .denied])
    func settingsShowARefusalOfNotifications(_ answer: NotificationPermission) async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        device.answer = answer
        let hand = try await Handheld.ready(box, host, device: device)
        try hand.screen.tap("Settings")
        try await hand.screen.wait(for: "Device ID")
        let refusal = "Notifications are off. Turn them on for this app in the system settings."
        #expect(hand.screen.has(refusal) == (answer == .denied), "\(hand.screen.texts)")
        #expect(hand.screen.texts.contains(hand.bridge.deviceID.map { "\($0)" } ?? "none"))
    }

    @Test func insecurePageSaysWhyThereAreNoNotificationsAndNoLock() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host, device: TestPhone(isSecure: false))
        try hand.screen.tap("Settings")
        try await hand.screen.wait(for: "Device ID")
        let sentence = "This page’s address isn’t secure, so the browser doesn’t allow this. Open the app at an https:// address."
        #expect(hand.screen.texts.count { $0 == sentence } == 2, "\(hand.screen.texts)")
        #expect(!hand.screen.has("Notifications are off. Turn them on for this app in the system settings."))
        #expect(try hand.screen.find("Unlock with face or finger", .toggle).attributes[.disabled] == .on)
        try hand.screen.tap("Notify when SimBridge is closed")
        try await eventually { await hand.bridge.push == .insecure }
    }
}
