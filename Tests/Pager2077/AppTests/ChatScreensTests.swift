import Foundation
import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import Pager2077App

/// The screens MESSAGES and chat: requirements 6, 7 and 10 of `Docs/Requirements.md`.
@Suite struct ChatScreensTests {
    private func chatting(_ box: Box) async throws -> (ada: Handheld, bob: Handheld) {
        let (ada, bob) = try await Handheld.friends(box)
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
        try ada.press("CALL")
        try await ada.screen.wait(for: "NO MESSAGES")
        return (ada, bob)
    }

    @Test func messageIsTypedSentAndAnswered() async throws {
        let (ada, bob) = try await chatting(try await Box())
        // H I, then a full stop.
        try ada.press("4", "4")
        try ada.screen.pressKey(.rightArrow)
        try ada.press("4", "4", "4", "1", "CALL")
        try await ada.screen.wait(for: "SENT - WAITING FOR REPLY")
        #expect(ada.screen.has("HI."))
        #expect(try ada.screen.find("MESSAGE", .field).attributes[.value] == "")

        try await bob.screen.wait(for: "1 UNREAD")
        try bob.open("MESSAGES")
        try await bob.screen.wait(for: "Ada")
        try bob.screen.tap("Ada")
        try await bob.screen.wait(for: "HI.")
        try await ada.screen.wait(for: "READ")
        // Pasted lines become one.
        try bob.screen.type("hello\nback", into: "MESSAGE")
        #expect(try bob.screen.find("MESSAGE", .field).attributes[.value] == "hello back")
        try bob.screen.submit("MESSAGE")
        try await ada.screen.wait(for: "hello back")
        #expect(!ada.screen.has("WAITING FOR REPLY"))
        try bob.press("END")
        try await bob.screen.wait(for: "NO MESSAGES")
    }

    @Test func offlineMessageWaitsAndIsRetried() async throws {
        let box = try await Box()
        let (ada, bob) = try await chatting(box)
        box.network.cut()
        try ada.screen.type("on its way", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "NETWORK ERROR")
        #expect(ada.screen.has("WAITING") && ada.screen.has("on its way"))
        box.network.mend()
        try ada.screen.tap("RETRY")
        try await ada.screen.wait(for: "SENT - WAITING FOR REPLY")
        bob.scene.phase = .background
        bob.scene.phase = .active
        try await bob.screen.wait(for: "1 UNREAD")
    }

    @Test func unsentMessageCanBeDeleted() async throws {
        let box = try await Box()
        let (ada, _) = try await chatting(box)
        box.network.cut()
        try ada.screen.type("better not", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "NETWORK ERROR")
        try ada.screen.tap("DELETE")
        try await ada.screen.wait(for: "NO MESSAGES")
    }

    @Test func overlongMessageStaysInTheField() async throws {
        let (ada, _) = try await chatting(try await Box())
        let text = String(repeating: "x", count: 501)
        try ada.screen.type(text, into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "MESSAGE TOO LONG")
        #expect(try ada.screen.find("MESSAGE", .field).attributes[.value]?.text == text)
    }

    @Test func draftIsKeptWhenLeavingTheChat() async throws {
        let (ada, _) = try await chatting(try await Box())
        try ada.screen.type("half a", into: "MESSAGE")
        try ada.press("END", "CALL")
        #expect(try ada.screen.find("MESSAGE", .field).attributes[.value] == "half a")
    }

    @Test func restartRestoresChatAndDraft() async throws {
        let box = try await Box()
        let (ada, _) = try await chatting(box)
        try ada.press("4", "4")
        try await ada.pager.flush()
        let again = Handheld(box, after: ada)
        try await again.screen.wait(for: "MESSAGE")
        #expect(try again.screen.find("MESSAGE", .field).attributes[.value] == "H")
        try again.press("END", "END")
        let onceMore = Handheld(box, after: again)
        try await onceMore.screen.wait(for: "MY HEX")
    }

    @Test func tappedNotificationOpensTheChat() async throws {
        let (ada, bob) = try await chatting(try await Box())
        bob.scene.phase = .background
        try ada.screen.type("ring ring", into: "MESSAGE")
        try ada.press("CALL")
        try await eventually { await MainActor.run { !bob.device.shown.isEmpty } }
        bob.scene.phase = .active
        bob.device.tapNotification(id: bob.device.shown[0].id)
        try await bob.screen.wait(for: "ring ring")
    }

    @Test func tappedNotificationOpensTheChatInTheActiveWindow() async throws {
        let box = try await Box()
        let (ada, bob) = try await chatting(box)
        let phone = bob.device.phone()
        let windows = [Handheld(box, device: bob.device, phone: phone), Handheld(box, device: bob.device, phone: phone)]
        for window in windows { try await window.screen.wait(for: "CALL: SELECT") }
        bob.scene.phase = .background
        windows[0].scene.phase = .background
        windows[1].scene.phase = .background
        try ada.screen.type("ring ring", into: "MESSAGE")
        try ada.press("CALL")
        try await eventually { await MainActor.run { !bob.device.shown.isEmpty } }
        bob.device.tapNotification(id: bob.device.shown[0].id)
        windows[1].scene.phase = .active
        try await windows[1].screen.wait(for: "ring ring")
        #expect(!windows[0].screen.has("ring ring"))
    }

    @Test func dayHeadersFollowThePhonesTimeZone() throws {
        let hours = [0, 1, 23, 25, 49].map { Date(timeIntervalSince1970: Double($0) * 3600) }
        let messages = hours.enumerated().map { number, date in
            Message(
                id: .init("\(number)"), senderId: .init("a"), recipientId: .init("b"), text: "", isRead: true,
                timestamp: Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1000), senderDisplayName: "A")
        }
        func firsts(_ zone: String, today hour: Double) throws -> [String] {
            let zone = try #require(TimeZone(identifier: zone))
            return messages.firstOfEachDay(in: zone, today: Date(timeIntervalSince1970: hour * 3600)).map(\.rawValue).sorted()
        }
        #expect(try firsts("UTC", today: 5) == ["3", "4"], "today has no header")
        #expect(try firsts("UTC", today: 50) == ["0", "3", "4"])
        #expect(try firsts("Asia/Seoul", today: 50) == ["0", "2", "4"], "nine hours ahead")
    }
}
