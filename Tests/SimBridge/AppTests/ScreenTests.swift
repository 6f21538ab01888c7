import Foundation
import PhoneTestKit
import PlatformKit
import SimBridgeClient
import SimBridgeTestKit
import SimBridgeWire
import SwiftUI
import TestKit
import Testing

/// The dashboard and the screens opened from it: `Docs/Requirements.md`, SimBridge.
@Suite struct ScreenTests {
    @Test func dashboardShowsTheStatus() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        #expect(hand.screen.title == "SimBridge Client")
        #expect(hand.screen.has("Paired Host: Pixel"))
        try await hand.screen.wait(for: "Northern")
        #expect(hand.screen.has("SIM 1") && hand.screen.has("SIM 2") && hand.screen.has("+15550001"))
        for name in ["Send SMS", "Make Call", "Log", "Settings"] { #expect(try hand.isEnabled(name)) }
        host.disconnect()
        try await hand.screen.wait(for: "offline")
        #expect(hand.screen.has("Host Offline") && !hand.screen.has("Connected"))
        box.network.cut()
        try await hand.screen.wait(for: "Disconnected")
        box.network.mend()
        try hand.screen.tap("Reconnect")
        // The relay is connected again, the host is not.
        try await hand.screen.wait(for: "Host Offline")
    }

    /// The texts inside a group of the dashboard, from the top.
    private func texts(in group: String, _ hand: Handheld) throws -> [String] {
        func texts(in element: Element) -> [String] {
            element.kind == .text ? [element.label].compactMap(\.self) : element.pageChildren.flatMap { texts(in: $0) }
        }
        return texts(in: try hand.screen.find(group))
    }
    /// Waits until the row of a conversation shows `text`: the feed shows it earlier.
    private func waitForRow(_ text: String, _ hand: Handheld) async throws {
        try await hand.screen.wait { (try? self.texts(in: "conversations", hand))?.contains(text) == true }
    }
    private func feed(_ hand: Handheld) throws -> [String] { try texts(in: "feed", hand) }

    @Test func dashboardShowsTheLastFiveEvents() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await hand.screen.wait(for: "New events from the host appear here.")
        for number in 1...6 { try await host.send(.incomingText(sim: 1, from: "+1", body: "text \(number)")) }
        try await hand.screen.wait { (try? self.feed(hand))?.contains("text 6") == true }
        #expect(try feed(hand).filter { $0.hasPrefix("text") } == ["text 6", "text 5", "text 4", "text 3", "text 2"])
        try await hand.bridge.placeCall(to: "+1555", sim: 1)
        try await eventually { host.messages.count == 1 }
        let id = host.messages[0].reqId
        for state in [PhoneEvent.CallState.dialing, .active, .ended] {
            try await host.send(.callState(state, sim: 1, from: nil, reason: nil), reqId: id)
        }
        try await hand.screen.wait { (try? self.feed(hand))?.contains("Call ended") == true }
        let states = try feed(hand).filter { ["Call ended", "Call answered", "Dialing…"].contains($0) || $0.hasPrefix("text") }
        #expect(states == ["Call ended", "Call answered", "Dialing…", "text 6", "text 5"])
    }

    @Test func callThatIsHungUpWhileItDialsIsCancelled() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await hand.bridge.placeCall(to: "+1555", sim: 1)
        try await eventually { host.messages.count == 1 }
        let id = host.messages[0].reqId
        try await host.report(.incomingText(sim: 1, from: "+1555", body: "call me"))
        try await host.send(.callState(.dialing, sim: 1, from: nil, reason: nil), reqId: id)
        try await hand.bridge.hangUp()
        try await eventually { host.commands.last == .hangUp }
        try await host.send(.callState(.ended, sim: 1, from: nil, reason: nil), reqId: id)
        try await hand.screen.wait { hand.bridge.call?.isUnderWay == false }
        try await waitForRow("+1555", hand)
        try hand.screen.tap("+1555")
        try await hand.screen.wait(for: "Cancelled call")
        #expect(!hand.screen.has("No answer"))
    }

    /// The titles of the rows, from the top.
    private func rows(_ hand: Handheld) -> [String] {
        hand.screen.visible.filter { $0.kind == .button }.compactMap(\.label).filter {
            $0.hasPrefix("+") || $0.hasPrefix("Unknown")
        }
    }

    @Test func dashboardListsConversationsWithoutReports() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await hand.screen.wait(for: "Your messages and calls appear here.")
        for text in ["one", "two"] { try await host.send(.incomingText(sim: 1, from: "+1 555", body: text)) }
        try await host.send(.incomingText(sim: 1, from: "+49", body: "three"))
        try await hand.screen.wait(for: "three")
        // Reports, some of them about commands of other clients.
        try await host.send(.textSent(.ok, reason: nil))
        try await host.send(.callState(.ended, sim: 1, from: nil, reason: nil))
        try await host.send(.simInfo(RawHost.cards))
        try await hand.bridge.placeCall(to: "+1555", sim: 1)
        try await eventually { host.messages.count == 1 }
        let id = host.messages[0].reqId
        try await host.send(.callState(.active, sim: 1, from: nil, reason: nil), reqId: id)
        try await host.send(.callState(.ended, sim: 1, from: nil, reason: nil), reqId: id)
        try await hand.screen.wait("one row for each number, the latest first") {
            self.rows(hand).map { $0.prefix { $0 != " " } } == ["+1555", "+49"]
        }
        try await hand.screen.wait { hand.screen.texts.contains { $0.hasPrefix("Outgoing call") } }
        let conversations = try texts(in: "conversations", hand)
        for report in ["Text sent", "SIM cards", "Call ended"] { #expect(!conversations.contains(report)) }
        try hand.screen.tap("+1555")
        try await hand.screen.wait(for: "two")
        #expect(hand.screen.has("one") && !hand.screen.has("three"))
        // Three messages about the call form one row.
        #expect(hand.screen.texts.count { $0.hasPrefix("Outgoing call") } == 1)
        try hand.screen.back()
        try await host.send(.error("No SIM card"))
        try await hand.screen.wait(for: "OK")
        #expect(hand.screen.has("No SIM card"))
        try hand.screen.tap("OK")
        try await hand.screen.wait(for: "Send SMS")
    }

    @Test func incomingCallCoversTheScreenAndMissedCallsAreMarked() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await hand.screen.wait(for: "Coastal")
        try hand.screen.tap("Log")
        try await hand.screen.wait(for: "All messages")
        try await host.send(.incomingCall(sim: 2, from: "+49 30"))
        try await hand.screen.wait(for: "Decline")
        #expect(hand.screen.has("+49 30") && hand.screen.has("SIM 2 Coastal") && hand.screen.has("Incoming call"))
        #expect(hand.screen.has("To answer, pick up Pixel. The call takes place on that phone."))
        #expect(!hand.screen.has("All messages"), "the call covers everything")
        try hand.screen.tap("Answer on the host")
        try await hand.screen.wait(for: "Waiting for an answer on Pixel…")
        #expect(host.commands.isEmpty, "the host answers")
        try await host.send(.callState(.active, sim: 2, from: "+49 30", reason: nil))
        try await hand.screen.wait(for: "The call is taking place on Pixel.")
        #expect(hand.screen.texts.contains { $0.contains(/^0:\d\d$/) } && !hand.screen.has("Decline"))
        try hand.screen.tap("Hang Up")
        try await eventually { host.commands.last?.name == .hangUp }
        try await host.send(.callState(.ended, sim: 2, from: "+49 30", reason: nil))
        try await hand.screen.wait(for: "All messages")

        // The next call is hidden, then declined from the dashboard; the one after it is missed.
        try await host.send(.incomingCall(sim: 1, from: "+44"))
        try await hand.screen.wait(for: "Decline")
        try hand.screen.tap("Hide")
        try await hand.screen.wait(for: "All messages")
        try hand.screen.back()
        try await hand.screen.wait(for: "+44 Ringing…")
        try hand.screen.tap("+44 Ringing…")
        try await hand.screen.wait(for: "Decline")
        try hand.screen.tap("Decline")
        try await eventually { host.commands.count == 2 }
        try await host.send(.callState(.ended, sim: 1, from: "+44", reason: nil))
        try await hand.screen.wait(for: "Declined call")
        try await host.send(.incomingCall(sim: 1, from: "+33"))
        try await hand.screen.wait(for: "Decline")
        try await host.send(.callState(.ended, sim: 1, from: "+33", reason: nil))
        try await hand.screen.wait(for: "Missed call")
    }

    @Test func textIsWrittenSentAndConfirmed() async throws {
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
        try await eventually { host.commands == [.sendText(sim: 2, to: "+1555", body: "Hello\n안녕")] }
        #expect(try hand.screen.find("Message", .field).attributes[.value]?.text == "")
        // The screen is now a conversation; its title is the contact, which is no longer editable.
        #expect(hand.screen.title == "+1555" && !hand.screen.has("To"))
        try await host.send(.textSent(.ok, reason: nil), reqId: host.messages[0].reqId)
        try await hand.screen.wait(for: "Sent")
        #expect(hand.screen.has("Hello\n안녕"))
    }

    /// The app starts with a conversation on screen, before its history has come.
    @Test func restoredConversationAnswersByItsCard() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let (device, scene) = (TestPhone(), SceneModel())
        func isSelected(_ name: String, _ hand: Handheld) -> Bool {
            (try? hand.screen.find(name, .button).attributes[.selected]) == .on
        }
        do {
            let hand = try await Handheld.ready(box, host, device: device, scene: scene)
            try await host.send(.incomingText(sim: 2, from: "+1 555", body: "Hello"))
            try await waitForRow("Hello", hand)
            try hand.screen.tap("Hello")
            try await hand.screen.wait { isSelected("SIM 2 Coastal", hand) }
        }
        box.network.set { $0.answer = .init(503, "{}", path: "/history") }
        let again = Handheld(box, device: device, scene: scene)
        try await again.screen.wait(for: "Choose the SIM card for this number.")
        #expect(again.screen.title == "+1555" && !isSelected("SIM 1 Northern", again) && !isSelected("SIM 2 Coastal", again))
        try again.screen.type("Hi", into: "Message")
        #expect(try !again.isEnabled("Send"))
        box.network.set { $0.answer = nil }
        await again.bridge.refresh(again.bridge.history)
        try await again.screen.wait { isSelected("SIM 2 Coastal", again) }
        #expect(!again.screen.has("Choose the SIM card for this number."))
        try again.screen.tap("Send")
        try await eventually { host.commands == [.sendText(sim: 2, to: "+1555", body: "Hi")] }
    }

    @Test func failedTextShowsTheReasonAndCanBeResent() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        host.answer { DeviceMessage(.event(.textSent(.error, reason: "No service")), to: $0.fromDeviceId, reqId: $0.reqId) }
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Send SMS")
        try await hand.screen.wait(for: "To")
        try hand.screen.type("nobody", into: "To")
        try hand.screen.type("Hello", into: "Message")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "This isn’t a valid phone number. Check the number.")
        let order = hand.screen.visible.compactMap { $0.attributes[.identifier]?.text }
        #expect(order.firstIndex(of: "error") == order.firstIndex(of: "to").map { $0 + 1 }, "next to the number")
        try hand.screen.type("+1 555 x12", into: "To")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "Enter the phone number without its extension.")
        try hand.screen.type("\u{202a}tel:+１-555\u{202c}", into: "To")
        try await hand.screen.wait("the complaint to go") { !hand.screen.has("This isn’t a valid phone number. Check the number.") }
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

    @Test func callIsPlacedAndEnded() async throws {
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
        try await eventually { host.commands == [.makeCall(sim: 1, to: "1550")] }
        let id = host.messages[0].reqId
        try await host.send(.callState(.active, sim: 1, from: nil, reason: nil), reqId: id)
        try await hand.screen.wait(for: "Active")
        try await hand.screen.wait("the timer") { hand.screen.texts.contains { $0.contains(/^0:\d\d$/) } }
        try hand.screen.tap("Hang Up")
        try await eventually { host.commands.last == .hangUp }
        try await host.send(.callState(.ended, sim: 1, from: nil, reason: nil), reqId: id)
        try await hand.screen.wait(for: "Ended")
        try hand.screen.tap("Close")
        try await hand.screen.wait("the card to go") { !hand.screen.has("Ended") }
    }

    @Test func queuedCallShowsStateAndCannotBeEnded() async throws {
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
        #expect(hand.screen.has("The call will be placed if the host is back online within 10 seconds."))
        try hand.screen.tap("Hang Up")
        try await hand.screen.wait(for: "The host is offline. Try again when it’s back online.")
    }

    @Test func logShowsRelayedMessages() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Log")
        try await hand.screen.wait(for: "All messages")
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Hello there"))
        try await hand.screen.wait(for: "Hello there")
        #expect(hand.screen.has("SMS") && hand.screen.has("Incoming"))
        try await host.send(.callState(.dialing, sim: 1, from: "+49", reason: nil))
        try await hand.screen.wait(for: "+49")
        #expect(hand.screen.has("Call"))
        let calls = box.network.requests.count
        try hand.screen.pull()
        try await eventually { box.network.requests.count > calls }
        try hand.screen.tap("Hello there")
        try await hand.screen.wait(for: "payload")
        let payload = try hand.screen.find("payload").attributes[.text]?.text ?? ""
        #expect(payload.contains(#""body" : "Hello there""#) && payload.contains("INCOMING_SMS"))
        // An incoming call covers the screen, whatever is open.
        try await host.send(.callState(.ended, sim: 1, from: "+49", reason: nil))
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await hand.screen.wait(for: "Decline")
        try hand.screen.tap("Hide")
        try await hand.screen.wait(for: "All messages")
        #expect(!hand.screen.has("payload"))
    }

    /// A phone shows one presentation at a time: the call comes before an alert that is open, and an alert that comes later before the call.
    @Test func callsAndAlertsCoverEachOther() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await hand.screen.wait(for: "Coastal")
        try await host.send(.error("No SIM card"))
        try await hand.screen.wait(for: "No SIM card")
        try await host.send(.incomingCall(sim: 2, from: "+49 30"))
        try await hand.screen.wait(for: "Decline")
        #expect(!hand.screen.has("No SIM card"), "the call covers the alert")
        #expect(hand.screen.announcements.last == "Incoming call")
        try await host.send(.error("Radio off"))
        try await hand.screen.wait(for: "Radio off")
        #expect(!hand.screen.has("Decline"), "the alert is above the call")
        try hand.screen.tap("OK")
        try await hand.screen.wait(for: "Decline")
        try await host.send(.error("No service"))
        try await hand.screen.wait(for: "No service")
        try await host.send(.callState(.ended, sim: 2, from: "+49 30", reason: nil))
        // The alert outlives the call.
        try await hand.screen.wait(for: "No service")
        try hand.screen.tap("OK")
        try await hand.screen.wait(for: "Missed call")

        // What was put aside comes back after the call.
        try await host.send(.error("No SIM card"))
        try await hand.screen.wait(for: "No SIM card")
        try await host.send(.incomingCall(sim: 2, from: "+49 30"))
        try await hand.screen.wait(for: "Decline")
        try hand.screen.tap("Hide")
        try await hand.screen.wait(for: "No SIM card")
        try hand.screen.tap("OK")
        try await hand.screen.wait(for: "Send SMS")
    }

    @Test func holdingZeroTypesAPlus() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await hand.screen.wait(for: "Coastal")
        try hand.screen.tap("Make Call")
        try await hand.screen.wait(for: "number")
        try hand.screen.longPress("0")
        for digit in ["4", "9", "0"] { try hand.screen.tap(digit) }
        #expect(try hand.screen.find("number", .field).attributes[.value] == "+490")
    }

    /// Reports have no direction.
    @Test func onlyTextsAndCallsHaveDirections() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await hand.bridge.sendText(to: "+1 555", body: "Hello", sim: 1)
        try await eventually { host.messages.count == 1 }
        try await host.send(.textSent(.ok, reason: nil), reqId: host.messages[0].reqId)
        let list = hand.bridge.history
        try await hand.screen.wait {
            list.items.contains { $0.message.content == .event(.textSent(.ok, reason: nil)) }
        }
        var directions: [HistorySummary.Direction?: Int] = [:]
        for item in list.items { directions[HistorySummary(item, numbers: list.numbers).direction, default: 0] += 1 }
        #expect(directions[.outgoing] == 1 && directions[.incoming] == nil)
        let report = try #require(list.items.first { $0.message.content == .event(.textSent(.ok, reason: nil)) })
        #expect(HistorySummary(report, numbers: list.numbers).content == .textSent(.ok, number: "+1555", reason: nil))
    }

    @Test func linksNumbersAndCodesCanBeTapped() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        let text = "Your code is 481 516? No: 23421. See https://example.com/a?b=1, or call +44 20 7946 0123."
        try await host.send(.incomingText(sim: 2, from: "+1 555", body: text))
        try await waitForRow(text, hand)
        try hand.screen.tap(text)
        try await hand.screen.wait(for: "Copy 23421")
        #expect(try hand.screen.find("example.com", .link).attributes[.href]?.text == "https://example.com/a?b=1")
        try await hand.screen.wait(for: "SIM 2")
        hand.device.refusesCopies = true
        try hand.screen.tap("Copy 23421")
        try await hand.screen.wait(for: "This couldn’t be copied. Hold your finger on the text, and copy it there.")
        hand.device.refusesCopies = false
        try hand.screen.tap("Copy 23421")
        try await hand.screen.wait(for: "Copied 23421")
        #expect(hand.device.copied == "23421")
        try hand.screen.tap("Call +44 20 7946 0123")
        try await hand.screen.wait(for: "Phone number")
        #expect(try hand.screen.find("Phone number", .field).attributes[.value]?.text == "+44 20 7946 0123")
        #expect(host.commands.isEmpty, "only the button dials")
    }

    @Test func returnSendsTheTextJustTyped() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Send SMS")
        try await hand.screen.wait(for: "To")
        try hand.screen.type("+1 555", into: "To")
        try hand.screen.pressReturn(in: "Message")
        try hand.screen.type("Hello", into: "Message")
        try hand.screen.pressReturn(in: "Message")
        try await eventually { host.commands == [.sendText(sim: 1, to: "+1555", body: "Hello")] }
        try await hand.screen.wait { (try? hand.screen.find("Message", .field).attributes[.value]) == "" }
    }

    @Test func senderWithoutNumberCannotBeRepliedTo() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await host.send(.incomingText(sim: 1, from: "BANK", body: "Your account"))
        try await host.send(.incomingText(sim: 1, from: nil, body: "Psst"))
        try await waitForRow("Psst", hand)
        #expect(hand.screen.has("Unknown number"))
        try hand.screen.tap("BANK")
        try await hand.screen.wait(for: "You can’t reply to this sender.")
        #expect(hand.screen.title == "BANK" && !hand.screen.has("Send"))
    }

    @Test func replyBegunIsKeptUntilItIsSent() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Hello there"))
        try await host.send(.incomingText(sim: 1, from: "+49 1", body: "Hallo"))
        try await waitForRow("Hallo", hand)
        func written(to number: String) throws -> String? {
            try hand.screen.tap(number)
            defer { try? hand.screen.back() }
            return try hand.screen.find("Message", .field).attributes[.value]?.text
        }
        try hand.screen.tap("+1555")
        try hand.screen.type("half a th", into: "Message")
        try hand.screen.back()
        #expect(try written(to: "+491") == "" && written(to: "+1555") == "half a th")
        try hand.screen.tap("+1555")
        try hand.screen.tap("Send")
        try await eventually { host.commands == [.sendText(sim: 1, to: "+1555", body: "half a th")] }
        try await hand.screen.wait { (try? hand.screen.find("Message", .field).attributes[.value]) == "" }
        try hand.screen.back()
        #expect(try written(to: "+1555") == "")
    }

    /// A phone that has received `texts` texts while disconnected, so it has loaded only the newest page. The first text has another
    /// sender.
    private func handBack(_ box: RelayBox, _ host: RawHost, texts: Int) async throws -> Handheld {
        let hand = try await Handheld.ready(box, host, scrolls: true)
        box.network.cut()
        try await hand.screen.wait(for: "Disconnected")
        for number in 1...texts {
            try await host.send(.incomingText(sim: 1, from: number == 1 ? "+49 1" : "+1 555", body: "text \(number)"))
        }
        box.network.mend()
        hand.bridge.reconnect()
        try await hand.screen.wait(for: "text \(texts)")
        return hand
    }

    @Test func scrollingToTheEndLoadsOlderMessages() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await handBack(box, host, texts: 140)
        let end = "Loading older messages"
        func texts() -> [Int] { hand.screen.texts.compactMap { $0.hasPrefix("text ") ? Int($0.dropFirst(5)) : nil } }
        /// The offsets of the requested pages, apart from the first.
        func asked() -> [Int] {
            box.network.calls.compactMap { $0.firstMatch(of: /offset=([1-9]\d*)/).flatMap { Int($0.1) } }
        }
        try hand.screen.tap("Log")
        try await hand.screen.wait(for: end)
        try hand.screen.scroll(to: "text 135")
        #expect(texts().first == 140 && texts().count <= 50)
        #expect(asked() == [])
        try hand.screen.scroll(to: end)
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "text 50")
        #expect(asked().count == 1)
        // A new text moves the remaining ones by one position.
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

    @Test func everyHostPagesSeparately() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let spare = try await box.host("ada", name: "Spare", registers: false)
        let hand = try await handBack(box, host, texts: 60)
        try hand.screen.tap("Log")
        let end = "Loading older messages"
        try await hand.screen.wait(for: end)
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "text 1")
        try hand.screen.tap("Pixel")
        // The newest messages are the same, yet this list has its own last row.
        try await hand.screen.wait(for: end)
        try hand.screen.scroll(to: end)
        try await hand.screen.wait(for: "text 1")
        try hand.screen.tap("Spare")
        try await hand.screen.wait(for: "No messages yet.")
        spare.disconnect()
    }

    @Test func loadingOlderMessagesAddsConversations() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await handBack(box, host, texts: 110)
        try await hand.screen.wait(for: "+1555")
        #expect(!hand.screen.has("Loading older messages"), "a short list does not load by itself")
        try hand.screen.tap("Load older messages")
        try await hand.screen.wait(for: "+491")
        #expect(!hand.screen.has("Load older messages"))
    }

    @Test func conversationLoadsOlderMessagesWhileScrolling() async throws {
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
        // The first text has another sender.
        #expect(!hand.screen.has("text 1") && !hand.screen.has(end))
        #expect(asked() == 1)
    }

    @Test func emptyHistoryShowsAPlaceholder() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        box.network.set { $0.answer = .init(200, #"{"items":[],"total":0,"offset":0,"limit":50}"#, path: "/history") }
        try hand.screen.tap("Log")
        try await hand.screen.wait(for: "All messages")
        try hand.screen.pull()
        try await hand.screen.wait(for: "No messages yet.")
        try hand.screen.tap("Recent events")
        try await hand.screen.wait(for: "New events from the host appear here.")
    }

    @Test func settingsShowDevicesAndLogoutIsConfirmed() async throws {
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

    @Test func tappedNotificationOpensTheConversation() async throws {
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
