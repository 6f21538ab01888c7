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

/// Notifications in SETTINGS, taps on notifications, and delivery states in the chat.
@Suite struct NotificationScreensTests {
    private static let address = PushAddress.apns(token: String(repeating: "a1", count: 32))

    // MARK: Settings

    private func menu(
        _ box: Box, _ answer: NotificationPermission = .granted, _ address: PushAddress? = address, device: TestPhone = TestPhone()
    ) async throws -> Handheld {
        device.answer = answer
        device.pushAddress = address
        let hand = Handheld(box, device: device)
        try await hand.screen.wait(for: "CALL: START")
        try hand.press("CALL")
        try await hand.screen.wait(for: "CALL: SAVE")
        try hand.press("END")
        try await hand.screen.wait(for: "CONNECTED")
        return hand
    }

    private func detail(of title: String, _ hand: Handheld) -> String? {
        let texts = hand.screen.texts
        return texts.firstIndex(of: title).map { texts[$0 + 1] }
    }

    @Test func notificationsAreTurnedOffAndOn() async throws {
        let box = try await Box()
        let hand = try await menu(box)
        #expect(!hand.screen.has("NO NOTIFICATIONS - SEE SETTINGS"))
        try hand.open("SETTINGS")
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "ON" }
        try hand.screen.tap("NOTIFICATIONS")
        #expect(detail(of: "NOTIFICATIONS", hand) == "OFF")
        try hand.screen.tap("NOTIFICATIONS")
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "ON" }
        #expect(detail(of: "PREVIEWS", hand) == "ON")
        try hand.screen.tap("PREVIEWS")
        #expect(detail(of: "PREVIEWS", hand) == "OFF")
        #expect(!hand.pager.notifications.showsPreviews)
    }

    @Test func refusedNotificationsAreExplained() async throws {
        let box = try await Box()
        let hand = try await menu(box, .denied)
        try await hand.screen.wait(for: "NO NOTIFICATIONS - SEE SETTINGS")
        try hand.open("SETTINGS")
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "BLOCKED" }
        #expect(hand.screen.has("ALLOW NOTIFICATIONS FOR THIS APP IN THE SETTINGS OF YOUR PHONE OR BROWSER"))
        try hand.screen.tap("NOTIFICATIONS")
        try await hand.screen.wait(for: "BLOCKED BY THIS PHONE")
        hand.device.setPermission(.granted)
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "ON" }
        #expect(!hand.screen.has("ALLOW NOTIFICATIONS FOR THIS APP IN THE SETTINGS OF YOUR PHONE OR BROWSER"))
    }

    @Test func insecurePageIsExplained() async throws {
        let hand = try await menu(try await Box(), device: TestPhone(isSecure: false))
        try hand.open("SETTINGS")
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "NOT SECURE" }
        #expect(
            hand.screen.has(
                "THE ADDRESS OF THIS PAGE IS NOT SECURE, SO THE BROWSER DOES NOT ALLOW THIS. OPEN THE APP AT AN HTTPS:// ADDRESS."))
        #expect(!hand.screen.has("ALLOW NOTIFICATIONS FOR THIS APP IN THE SETTINGS OF YOUR PHONE OR BROWSER"))
        try hand.screen.tap("NOTIFICATIONS")
        try await hand.screen.wait(for: "THIS PAGE IS NOT SECURE")
    }

    @Test(arguments: [true, false]) func firstScreenPromisesOnlyWhatThePageCan(isSecure: Bool) async throws {
        let hand = Handheld(try await Box(), device: TestPhone(isSecure: isSecure))
        try await hand.screen.wait(for: "CALL: START")
        #expect(hand.screen.has("PRESS CALL TO GET YOUR HEX") == !isSecure)
        #expect(hand.screen.has("PRESS CALL TO GET YOUR HEX AND TURN ON NOTIFICATIONS") == isSecure)
    }

    @Test func anUnansweredPromptAppearsAgainOnATap() async throws {
        let box = try await Box()
        let hand = try await menu(box, .undecided)
        try await hand.screen.wait(for: "NO NOTIFICATIONS - SEE SETTINGS")
        try hand.open("SETTINGS")
        #expect(detail(of: "NOTIFICATIONS", hand) == "OFF")
        hand.device.answer = .granted
        try hand.screen.tap("NOTIFICATIONS")
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "ON" }
    }

    @Test func aPhoneWithoutAPushServiceIsExplained() async throws {
        let box = try await Box()
        let hand = try await menu(box, .granted, nil)
        try hand.open("SETTINGS")
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "NO PUSH" }
        #expect(hand.screen.has("NO PUSH SERVICE - YOU ARE NOTIFIED ONLY WHILE THE PAGER IS OPEN"))
    }

    @Test func ntfyIsTurnedOnItsAddressCopiedAndTurnedOff() async throws {
        let box = try await Box(hasNtfy: true)
        let hand = try await menu(box, .granted, nil)
        try hand.open("SETTINGS")
        try await hand.screen.wait { detail(of: "NTFY", hand) == "OFF" }
        #expect(hand.screen.has("NO PUSH SERVICE - USE NTFY TO BE NOTIFIED WHILE THE PAGER IS CLOSED"))
        try hand.screen.tap("NTFY")
        try await hand.screen.wait(for: "TURN ON")
        try hand.press("CALL")
        try await hand.screen.wait(for: "TURN OFF")
        let address = try #require(hand.pager.notifications.ntfyAddress?.absoluteString)
        #expect(hand.screen.has(address))
        try hand.screen.tap("COPY ADDRESS")
        try await hand.screen.wait(for: "COPIED")
        #expect(hand.device.copied == address)
        try hand.press("END")
        try await hand.screen.wait { detail(of: "NOTIFICATIONS", hand) == "ON" }
        #expect(detail(of: "NTFY", hand) == "ON")
        try hand.screen.tap("NTFY")
        try hand.screen.tap("TURN OFF")
        try await hand.screen.wait(for: "TURN ON")
        #expect(!hand.screen.has(address))
    }

    @Test(arguments: [("ko_KR", "ko", "새 호출"), ("en_GB", "en", "New page"), ("fr_FR", "en", "New page")])
    func theWordsOfNotificationsAreThoseOfTheApp(_ locale: String, _ language: String, _ message: String) {
        let words = NoticeWords(Locale(identifier: locale))
        #expect(words.language == language && words.message == message)
        #expect(words.wantsToBeFriends.contains("%@") && words.acceptedRequest.contains("%@"))
    }

    // MARK: Taps

    @Test(arguments: [("request-1", "NO REQUESTS", "FRIEND REQUESTS"), ("friend-1", "Ada", "FRIENDS")])
    func aTapOpensTheListFromAnyScreen(_ id: String, _ content: String, _ title: String) async throws {
        let box = try await Box()
        let (_, bob) = try await Handheld.friends(box)
        try bob.open("SETTINGS")
        try bob.screen.tap("NAME")
        bob.device.tapNotification(id: id)
        try await bob.screen.wait(for: content)
        #expect(bob.screen.all(title).count == 1)
        try bob.press("END")
        try await bob.screen.wait(for: "MY HEX")
    }

    @Test func aTapAtAColdStartOpensTheChatBeforeTheFriendsAreLoaded() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await bob.quit()
        box.network.cut()
        bob.phone.tapNotification(id: "chat-\(ada.id)")
        let hand = Handheld(box, device: bob.phone)
        try await hand.screen.wait(for: "CALL: SEND")
        #expect(hand.pager.friends.phase != .ready)
        box.network.mend()
        bob.phone.setOnline(true)
        try await hand.screen.wait(for: "Ada")
    }

    @Test func aTapOnTheNotificationOfAStrangerLeadsToTheMessages() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        let id = try #require(ada.pager.me?.id)
        try await bob.pager.remove(id)
        for stranger in ["chat-\(id)", "chat-nobody"] {
            try bob.open("SETTINGS")
            bob.device.tapNotification(id: stranger)
            try await bob.screen.wait(for: "NOT FRIENDS")
            try await bob.screen.wait(for: "NO MESSAGES")
            try bob.press("END")
        }
    }

    @Test func aTapWhileTheDisplayIsBusyIsDoneAfterwards() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        let id = try #require(ada.pager.me?.id)
        try bob.open("SETTINGS")
        try bob.screen.tap("NAME")
        box.network.set { $0.hangs = true }
        try bob.press("CALL")
        try await bob.screen.wait(for: "PLEASE WAIT")
        bob.device.tapNotification(id: "chat-\(id)")
        try await eventually { await MainActor.run { bob.pager.destination != nil } }
        #expect(!bob.screen.has("CALL: SEND"))
        box.network.set { $0.hangs = false }
        try await bob.screen.wait(for: "CALL: SEND")
    }

    /// A letter that was begun on another screen does not end in the message.
    @Test func aTapEndsTheLetterThatIsBeingTyped() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        try bob.open("SETTINGS")
        try bob.screen.tap("NAME")
        try bob.press("2")
        bob.device.tapNotification(id: "chat-\(try #require(ada.pager.me?.id))")
        try await bob.screen.wait(for: "CALL: SEND")
        try bob.press("2")
        #expect(try bob.screen.find("MESSAGE", .field).attributes[.value]?.text == "A")
    }

    // MARK: Delivery states

    private static let waits = "ARRIVES WHEN Bob OPENS THE PAGER"

    @Test(arguments: [
        (MessageDelivery.unreachable, "NO WAY TO REACH"), (.failed, "NOT PAGED"), (.accepted, "PAGED"), (.shown, "BEEPED"),
        (.opened, "OPENED"),
    ])
    func theLatestMessageShowsWhatBecameOfIt(_ state: MessageDelivery, _ words: String) async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        let friend = try #require(bob.pager.me?.id)
        try await ada.openChat(with: "Bob")
        for text in ["one", "two"] {
            try ada.screen.type(text, into: "MESSAGE")
            try ada.press("CALL")
            try await ada.screen.wait { ada.pager.chat(with: friend).lastSent?.text == text }
        }
        let chat = ada.pager.chat(with: friend)
        for message in chat.messages {
            ada.pager.received(.event(seq: 1, at: .now, .delivery(friendId: friend, messageId: message.id, state)))
        }
        try await ada.screen.wait(for: words)
        #expect(ada.screen.texts.count { $0 == words } == 1, "\(ada.screen.texts)")
        #expect(ada.screen.has(Self.waits) == (state == .unreachable || state == .failed))
        try bob.open("MESSAGES")
        try await bob.screen.wait(for: "Ada")
        try bob.screen.tap("Ada")
        try await ada.screen.wait(for: "READ")
        #expect(!ada.screen.has(words) && !ada.screen.has(Self.waits))
    }
}
