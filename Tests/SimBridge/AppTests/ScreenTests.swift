import Foundation
import PlatformKit
import SimBridgeClient
import SimBridgeTestKit
import SimBridgeWire
import SwiftUI
import TestKit
import Testing

/// The dashboard and what is opened from it: seed, "Screen Specs"; simbridge-client-tests.
@Suite struct ScreenTests {
    @Test func theDashboardShowsHowThingsAre() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        #expect(hand.screen.title == "SimBridge Client")
        #expect(hand.screen.has("Paired Host: Pixel"))
        try await hand.screen.wait(for: "Northern")
        #expect(hand.screen.has("SIM 1") && hand.screen.has("SIM 2") && hand.screen.has("+15550001"))
        for name in ["Send SMS", "Make Call", "History", "Settings"] { #expect(try hand.isEnabled(name)) }
        host.disconnect()
        try await hand.screen.wait(for: "offline")
        box.network.cut()
        try await hand.screen.wait(for: "Disconnected")
        box.network.mend()
        try hand.screen.tap("Reconnect")
        try await hand.screen.wait(for: "Connected")
    }

    @Test func eventsAppearAsTheyComeTheLastFiveOfThem() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        for number in 1...6 { try await host.send(.incomingText(sim: 1, from: "+1", body: "text \(number)")) }
        try await hand.screen.wait(for: "text 6")
        try await hand.screen.wait("five") { !hand.screen.has("text 1") && hand.screen.has("text 2") }
        let texts = hand.screen.texts.filter { $0.hasPrefix("text ") }
        #expect(texts == ["text 6", "text 5", "text 4", "text 3", "text 2"])
        try await host.send(.error("No SIM card"))
        try await hand.screen.wait(for: "OK")
        #expect(hand.screen.has("No SIM card"))
        try hand.screen.tap("OK")
        try await hand.screen.wait(for: "Send SMS")
    }

    @Test func aTextIsWrittenSentAndConfirmed() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Send SMS")
        try await hand.screen.wait(for: "To")
        #expect(try !hand.isEnabled("Send"))
        try hand.screen.type("+1 555", into: "To")
        #expect(try !hand.isEnabled("Send"))
        try hand.screen.type("Hello €", into: "Message")
        #expect(hand.screen.has("152 left"))
        try hand.screen.type("Hello\n안녕", into: "Message")
        #expect(hand.screen.has("62 left") && hand.screen.has("Unicode"))
        try await hand.screen.wait(for: "Coastal")
        try hand.screen.tap("SIM 2 Coastal")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "Sent to the host")
        #expect(host.commands == [.sendText(sim: 2, to: "+1555", body: "Hello\n안녕")])
        #expect(try hand.screen.find("Message", .field).attributes[.value]?.text == "")
        try await host.send(.textSent(.ok, reason: nil), reqId: host.messages[0].reqId)
        try await hand.screen.wait(for: "Sent")
        #expect(hand.screen.has("Hello\n안녕"))
    }

    @Test func aTextThatDoesNotGoSaysWhyAndCanBeSentAgain() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        host.answer { DeviceMessage(.event(.textSent(.error, reason: "No service")), to: $0.fromDeviceId, reqId: $0.reqId) }
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Send SMS")
        try await hand.screen.wait(for: "To")
        try hand.screen.type("nobody", into: "To")
        try hand.screen.type("Hello", into: "Message")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "This is not a phone number.")
        try hand.screen.type("+1555", into: "To")
        try await hand.screen.wait("the complaint to go") { !hand.screen.has("This is not a phone number.") }
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "Not sent: No service")
        host.answer { DeviceMessage(.event(.textSent(.ok, reason: nil)), to: $0.fromDeviceId, reqId: $0.reqId) }
        try hand.screen.tap("Send again")
        try await hand.screen.wait(for: "Sent")
        box.network.cut()
        try hand.screen.type("later", into: "Message")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "Waiting for the relay")
        try hand.screen.tap("Delete")
        try await hand.screen.wait("it to go") { !hand.screen.has("later") }
    }

    @Test func aCallIsMadeAndHungUp() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Make Call")
        try await hand.screen.wait(for: "1")
        #expect(try !hand.isEnabled("Call"))
        for digit in ["1", "5", "5", "0", "#"] { try hand.screen.tap(digit) }
        try hand.screen.tap("Delete last digit")
        #expect(try hand.screen.find("Phone number", .field).attributes[.value]?.text == "1550")
        try hand.screen.tap("Call")
        try await hand.screen.wait(for: "Dialing…")
        #expect(host.commands == [.makeCall(sim: 1, to: "1550")])
        let id = host.messages[0].reqId
        try await host.send(.callState(.active, sim: 1, from: nil, reason: nil), reqId: id)
        try await hand.screen.wait(for: "Active")
        try hand.screen.tap("Hang Up")
        try await eventually { host.commands.last == .hangUp }
        try await host.send(.callState(.ended, sim: 1, from: nil, reason: nil), reqId: id)
        try await hand.screen.wait(for: "Ended")
        try hand.screen.tap("Close")
        try await hand.screen.wait("the card to go") { !hand.screen.has("Ended") }
    }

    @Test func aCallThatWaitsForItsHostSaysSoAndThatNobodyCanHangUp() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        host.disconnect()
        try await hand.screen.wait(for: "offline")
        try hand.screen.tap("Make Call")
        try await hand.screen.wait(for: "1")
        try hand.screen.type("+1555", into: "Phone number")
        try hand.screen.tap("Call")
        try await hand.screen.wait(for: "Waiting for the host")
        #expect(hand.screen.has("It is dialed if the host comes back within a minute."))
        try hand.screen.tap("Hang Up")
        try await hand.screen.wait(for: "The host is offline.")
    }

    @Test func theHistoryShowsWhatWasRelayed() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("History")
        try await hand.screen.wait(for: "All messages")
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Hello there"))
        try await hand.screen.wait(for: "Hello there")
        #expect(hand.screen.has("SMS") && hand.screen.has("Incoming"))
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await hand.screen.wait(for: "Incoming call")
        #expect(hand.screen.has("Call"))
        let calls = box.network.requests.count
        try hand.screen.pull()
        try await eventually { box.network.requests.count > calls }
        try hand.screen.tap("Hello there")
        try await hand.screen.wait(for: "payload")
        let payload = try hand.screen.find("payload").attributes[.text]?.text ?? ""
        #expect(payload.contains(#""body" : "Hello there""#) && payload.contains("INCOMING_SMS"))
        try hand.screen.tap("Done")
        try await hand.screen.wait(for: "Conversations")
        try hand.screen.tap("Conversations")
        try await hand.screen.wait(for: "+1555")
        try hand.screen.tap("+1555")
        try await hand.screen.wait(for: "Message")
        #expect(hand.screen.title == "+1555")
        #expect(hand.screen.has("Hello there"))
    }

    /// A phone for which so many texts came while it was away: of the history it has the newest only. The first is from another number.
    private func handBack(_ box: RelayBox, _ host: RawHost, texts: Int) async throws -> Handheld {
        let hand = try await Handheld.ready(box, host, scrolls: true)
        box.network.cut()
        try await hand.screen.wait(for: "Disconnected")
        for number in 1...texts {
            try await host.send(.incomingText(sim: 1, from: number == 1 ? "+49 1" : "+1 555", body: "text \(number)"))
        }
        box.network.mend()
        try hand.screen.tap("Reconnect")
        try await hand.screen.wait(for: "text \(texts)")
        return hand
    }

    @Test func olderMessagesComeWhenTheEndIsSeen() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await handBack(box, host, texts: 140)
        let end = "Loading older messages"
        func texts() -> [Int] { hand.screen.texts.compactMap { $0.hasPrefix("text ") ? Int($0.dropFirst(5)) : nil } }
        /// Where the pages began that were asked for, apart from the newest.
        func asked() -> [Int] {
            box.network.calls.compactMap { $0.firstMatch(of: /offset=([1-9]\d*)/).flatMap { Int($0.1) } }
        }
        try hand.screen.tap("History")
        try await hand.screen.wait(for: end)
        try hand.screen.scroll(to: "text 135")
        #expect(texts().first == 140 && texts().count <= 50)
        #expect(asked() == [])
        try hand.screen.scroll(to: end)
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "text 50")
        #expect(asked().count == 1)
        // What comes meanwhile stands above, and moves what is still to come.
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "text 141"))
        try await hand.screen.wait(for: "text 141")
        box.network.set { $0.answer = .init(503, "{}", path: "offset=") }
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "Try again")
        #expect(hand.screen.has("error") && !hand.screen.has(end))
        box.network.set { $0.answer = nil }
        try hand.screen.tap("Try again")
        try await hand.screen.wait(for: "text 1")
        #expect(texts() == (1...141).reversed())
        #expect(asked().count == 3 && asked()[1] == asked()[2] && asked()[1] > asked()[0] + 50)
        #expect(!hand.screen.has(end) && !hand.screen.has("Try again"))
        try hand.screen.scroll(to: "text 1")
        try hand.screen.pull()
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "text 142"))
        try await hand.screen.wait(for: "text 142")
        #expect(texts() == (1...142).reversed())
        #expect(asked().count == 3)
    }

    @Test func eachHostHasAnEndOfItsOwn() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let spare = try await box.host("ada", name: "Spare", registers: false)
        let hand = try await handBack(box, host, texts: 60)
        try hand.screen.tap("History")
        let end = "Loading older messages"
        try await hand.screen.wait(for: end)
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "text 1")
        try hand.screen.tap("Pixel")
        // The newest are the same ones: the end of this list is another one all the same.
        try await hand.screen.wait(for: end)
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "text 1")
        try hand.screen.tap("Spare")
        try await hand.screen.wait(for: "Nothing was relayed yet.")
        spare.disconnect()
    }

    @Test func conversationsGrowWithTheHistory() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await handBack(box, host, texts: 110)
        try hand.screen.tap("History")
        try hand.screen.tap("Conversations")
        let end = "Loading older messages"
        try await hand.screen.wait(for: "+1555")
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "+491")
        #expect(!hand.screen.has(end))
    }

    @Test func aConversationGoesOnAsFarAsOneScrolls() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await handBack(box, host, texts: 70)
        func asked() -> Int { box.network.calls.count { $0.contains(/offset=[1-9]/) } }
        try hand.screen.tap("text 70")
        let end = "Loading older messages"
        try await hand.screen.wait(for: "text 60")
        #expect(!hand.screen.has("text 2") && asked() == 0)
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "text 2")
        // The first one is of another number.
        #expect(!hand.screen.has("text 1") && !hand.screen.has(end))
        #expect(asked() == 1)
    }

    @Test func anEmptyHistorySaysSo() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        box.network.set { $0.answer = .init(200, #"{"items":[],"total":0,"offset":0,"limit":50}"#, path: "/history") }
        try hand.screen.tap("History")
        try await hand.screen.wait(for: "Nothing was relayed yet.")
        try hand.screen.tap("Conversations")
        try await hand.screen.wait(for: "No texts yet.")
    }

    @Test func settingsShowTheDevicesAndLogOutAsks() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Settings")
        try await hand.screen.wait(for: "Device ID")
        for text in ["This box", "Test phone", "Pixel", "ada"] { #expect(hand.screen.has(text), "\(text)") }
        #expect(!hand.screen.has("Unlock with face or finger"))
        try hand.screen.tap("Log Out")
        try await hand.screen.wait(for: "Log out?")
        try hand.screen.tap("Log Out")
        try await hand.screen.wait(for: "Log In")
        #expect(hand.device.secrets.isEmpty)
    }

    @Test func aTapOnANotificationOpensTheConversation() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        hand.scene.phase = .background
        hand.screen.host.flush()
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "wake up"))
        try await eventually { await !hand.device.shown.isEmpty }
        hand.scene.phase = .active
        hand.device.tapNotification(id: hand.device.shown[0].id)
        try await hand.screen.wait("the conversation") { hand.screen.title == "+1555" }
        try await hand.screen.wait(for: "wake up")
    }
}
