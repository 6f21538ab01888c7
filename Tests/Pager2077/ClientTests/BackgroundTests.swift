import Foundation
import NetworkingKit
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Client

/// The app in the background: notifications, taps, silent pushes, badge and presence (`Docs/Requirements.md`, Pager2077, 8, 9 and 14).
@MainActor
@Suite struct BackgroundTests {
    /// The keys are those of RFC 8291, section 5.
    private static let webPush = PushAddress.webPush(
        PushSubscription(
            endpoint: "https://push.example.com/ada",
            keys: .init(
                p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "BTBZMqHH6r4Tts7J_aSIgg")))

    /// Two friends; the service has an address of Bob's phone, whose app is in the background.
    private func friends(_ box: Box, _ address: PushAddress) async throws -> (ada: Person, bob: Person) {
        let (ada, bob) = try await box.friends()
        bob.phone.pushAddress = address
        try await bob.until { $0.notifications.state == .on }
        bob.pager.setAttention(.away, screen: bob)
        return (ada, bob)
    }

    // MARK: Pushes of Apple's service

    @Test(
        arguments: [
            (["type": "MESSAGE", "senderId": "ada"], "chat-ada"), (["type": "FRIEND_REQUEST", "requestId": "7"], "request-7"),
            (["type": "FRIEND_ACCEPTED", "friendHexCode": "0xBEEF"], "friend-0xBEEF"), (["type": "FRIEND_STATUS"], nil),
            (["type": "MESSAGE"], nil), (["senderId": "ada"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func pushHasTheIdOfTheNotificationThatItShows(_ fields: [String: String], _ id: String?) {
        #expect(Pager.notificationID(ofPush: fields) == id)
    }

    // MARK: No notification twice

    @Test func aSystemThatShowsThePushGetsNoOtherNotification() async throws {
        let (ada, bob) = try await friends(try await Box(), .apns(token: String(repeating: "a1", count: 32)))
        try await ada.pager.send("hello", in: ada.pager.chat(with: bob.id))
        try await bob.until { $0.unreadCount == 1 }
        #expect(bob.phone.shown == [])
        #expect(bob.phone.vibrations == 0)
    }

    /// The push with the same tag replaces it without a sound.
    @Test func anOpenPageShowsANotificationAtOnceAndDoesNotBeepBesides() async throws {
        let box = try await Box(hasWebPush: true)
        let (ada, bob) = try await friends(box, Self.webPush)
        try await ada.pager.send("hello", in: ada.pager.chat(with: bob.id))
        try await eventually { await MainActor.run { bob.phone.shown.map(\.id) == ["chat-\(ada.id)"] } }
        try await bob.until { $0.unreadCount == 1 }
        #expect(bob.phone.vibrations == 0)
    }

    @Test func whatAPageHasMissedWasShownByThePush() async throws {
        let box = try await Box(hasWebPush: true)
        let (ada, bob) = try await friends(box, Self.webPush)
        let cyn = try await box.registered("Cyn")
        bob.pager.setAttention(.full, screen: bob)
        try await Person.befriend(cyn, bob)
        await bob.quit()
        let chat = ada.pager.chat(with: bob.id)
        try await ada.pager.send("missed", in: chat)
        try await ada.until { _ in chat.notice == .sent }
        // The page was in front until the service had its address, and is in the background when the line opens.
        let network = TestNetwork(box.network)
        network.set { $0.isMute = true }
        let again = box.pager(bob.phone, network: network)
        again.pager.setAttention(.full, screen: again)
        try await again.until { $0.notifications.state == .on }
        again.pager.setAttention(.away, screen: again)
        network.set { $0.isMute = false }
        try await again.until { $0.signal == .full }
        try await cyn.pager.send("live", in: cyn.pager.chat(with: bob.id))
        try await eventually { await MainActor.run { !again.phone.shown.isEmpty } }
        #expect(again.phone.shown.map(\.body) == ["live"])
    }

    @Test func notificationsThatAreOffAreNotShownByTheAppEither() async throws {
        let (ada, bob) = try await Box().friends()
        bob.pager.notifications.turnOff()
        bob.pager.setAttention(.away, screen: bob)
        try await ada.pager.send("hello", in: ada.pager.chat(with: bob.id))
        try await bob.until { $0.unreadCount == 1 }
        #expect(bob.phone.shown == [])
        try await eventually { await MainActor.run { bob.phone.vibrations == 1 } }
    }

    @Test func withoutPreviewsANotificationHidesTheText() async throws {
        let (ada, bob) = try await Box().friends()
        bob.pager.notifications.showsPreviews = false
        bob.pager.setAttention(.away, screen: bob)
        try await ada.pager.send("secret", in: ada.pager.chat(with: bob.id))
        try await eventually { await MainActor.run { bob.phone.shown.map(\.body) == ["New page"] } }
        #expect(bob.phone.shown.map(\.title) == ["📟 Ada"])
    }

    // MARK: Taps

    @Test(arguments: [
        ("request-0123456789abcdef0123456789abcdef", Pager.Destination.requests), ("friend-0123", .friends),
        ("chat-", nil), ("chat-../../settings", nil), ("chat-\(String(repeating: "a", count: 65))", nil), ("", nil),
        ("other-1", nil),
        ("chat-0123", .chat(User.ID("0123"))),
    ])
    func aTapLeadsToTheScreenOfItsNotification(_ id: String, _ destination: Pager.Destination?) async throws {
        let ada = try await Box().registered("Ada")
        // Taps come in order: the last one shows that the first had no effect.
        ada.phone.tapNotification(id: "friend-last")
        try await ada.until { $0.destination == .friends }
        ada.pager.destination = nil
        ada.phone.tapNotification(id: id)
        if let destination {
            try await ada.until { $0.destination == destination }
        } else {
            ada.pager.notificationWasTapped(id)
            #expect(ada.pager.destination == nil)
        }
    }

    // MARK: Silent pushes and badge

    @Test func aSilentPushChangesAFriendsStatus() async throws {
        let (ada, bob) = try await Box().friends()
        try await ada.until { $0.friends.items.first?.status == .online }
        let code = bob.code
        for fields in [
            ["type": "FRIEND_STATUS", "friendHexCode": code, "status": "asleep"],
            ["type": "OTHER", "friendHexCode": code, "status": "offline"],
            ["type": "FRIEND_STATUS"], [:], ["type": "FRIEND_STATUS", "friendHexCode": "00000000", "status": "offline"],
        ] { #expect(await ada.pager.receive(silent: fields) == .noData) }
        #expect(ada.pager.friends.items.map(\.status) == [.online])
        #expect(await ada.pager.receive(silent: offline(code)) == .newData)
        #expect(ada.pager.friends.items.map(\.status) == [.offline])
    }

    private func offline(_ code: String) -> [String: String] {
        ["type": "FRIEND_STATUS", "friendHexCode": code, "status": "offline"]
    }

    /// No screen runs the pager: only the handler of the push works.
    @Test func aSilentPushThatStartsTheAppIsNotLost() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await ada.quit()
        func woken() -> Pager { Pager(phone: ada.phone.phone(), service: box.service) }
        let pager = woken()
        #expect(await pager.receive(silent: offline(bob.code)) == .newData)
        #expect(pager.friends.items.map(\.id) == [bob.id])
        // The screen that comes later goes on with it.
        let running = Task { await pager.run() }
        defer { running.cancel() }
        try await eventually { await MainActor.run { pager.phase == .ready && pager.signal == .full } }

        ada.phone.isKeychainLocked = true
        #expect(await woken().receive(silent: offline(bob.code)) == .failed)
        ada.phone.isKeychainLocked = false
        box.network.cut()
        #expect(await woken().receive(silent: offline(bob.code)) == .failed)
        #expect(await Pager(phone: TestPhone().phone(), service: box.service).receive(silent: offline(bob.code)) == .noData)
    }

    @Test func theBadgeCountsUnreadMessages() async throws {
        let (ada, bob) = try await Box().friends()
        for text in ["one", "two"] { try await ada.pager.send(text, in: ada.pager.chat(with: bob.id)) }
        try await eventually { await MainActor.run { bob.phone.badge == 2 } }
        _ = try await bob.open(ada)
        try await eventually { await MainActor.run { bob.phone.badge == 0 } }
    }

    // MARK: Presence

    @Test func presenceIsRepeatedWhileTheAppIsInFront() async throws {
        let box = try await Box()
        let clock = TestClock()
        let ada = try await Person.registered(box.pager(clock: clock), "Ada")
        let (present, absent) = (#"{"foreground":true,"type":"presence"}"#, #"{"foreground":false,"type":"presence"}"#)
        @Sendable nonisolated func count(_ text: String) -> Int { box.network.written.count { $0 == text } }
        /// True when nothing but the heartbeat and the status, which is sent each minute, sleeps: no call and no ping, which have 10 s.
        @Sendable nonisolated func isQuiet(after heartbeats: Int) -> Bool {
            let isMinute = heartbeats.isMultiple(of: 2)
            return clock.sleeperCount(for: .seconds(30)) == (isMinute ? 1 : 2)
                && clock.sleeperCount(for: .seconds(60)) == (isMinute ? 1 : 0) && !clock.hasSleeper(for: .seconds(10))
        }
        try await eventually { count(present) >= 1 && isQuiet(after: 0) }
        // Less than the 45 s that the service counts.
        for heartbeats in 1...3 {
            let before = count(present)
            try await clock.advance(by: .seconds(30))
            try await eventually { count(present) > before && isQuiet(after: heartbeats) }
        }
        let before = count(absent)
        ada.pager.setAttention(.away, screen: ada)
        try await eventually { count(absent) > before }
    }
}
