import Foundation
import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Registration and names (`Docs/Requirements.md`, Pager2077, 1, 2, 11 and 12).
@MainActor
@Suite struct RegistrationTests {
    @Test func theFirstStartRequestsNotificationsAndRegisters() async throws {
        let box = try await Box()
        let phone = TestPhone()
        phone.pushAddress = .apns(token: String(repeating: "a1", count: 32))
        let person = box.pager(phone)
        try await person.until { $0.phase == .welcome }
        #expect(phone.permission == .undecided)
        await person.pager.begin()
        #expect(phone.permission == .granted)
        #expect(person.pager.phase == .naming)
        #expect(HexCode(rawValue: person.code) != nil)
        let stored = try #require(phone.secrets["credentials"].map { String(decoding: $0, as: UTF8.self) })
        for part in [person.code, person.id.rawValue, "authToken", "\"deviceToken\":\"a1a1"] { #expect(stored.contains(part)) }
    }

    @Test(arguments: [(NotificationPermission.denied, "denied-token-"), (.granted, "browser-")])
    func aMissingPushTokenIsReplacedByARandomOne(_ answer: NotificationPermission, _ prefix: String) async throws {
        let phone = TestPhone()
        phone.answer = answer
        let person = try await Box().pager(phone)
        try await person.until { $0.phase == .welcome }
        await person.pager.begin()
        let token = try #require(phone.secrets["deviceToken"].map { String(decoding: $0, as: UTF8.self) })
        #expect(token.hasPrefix(prefix) && token.count == prefix.count + 64)
    }

    @Test func aLatePushTokenIsNotReplaced() async throws {
        let (phone, clock) = (TestPhone(), TestClock())
        phone.awaitsPushAddress = true
        let person = try await Box().pager(phone, clock: clock)
        try await person.until { $0.phase == .welcome }
        let beginning = Task { await person.pager.begin() }
        // Nothing else sleeps by this clock before the registration.
        try await clock.advance(by: .seconds(10))
        try await within { await beginning.value }
        #expect(person.pager.phase == .registrationFailed(.timeout))
        #expect(phone.secrets["deviceToken"] == nil)
        phone.awaitsPushAddress = false
        phone.pushAddress = .apns(token: "a1b2")
        await person.pager.begin()
        #expect(phone.secrets["deviceToken"] == Data("a1b2".utf8))
    }

    @Test func aRepeatedRegistrationGivesTheSameUser() async throws {
        let box = try await Box()
        let person = box.pager()
        try await person.until { $0.phase == .welcome }
        box.network.cut()
        await person.pager.begin()
        #expect(person.pager.phase == .registrationFailed(.network))
        box.network.mend()
        // The service registers the user, but the phone never receives the reply.
        box.network.set { $0.losesReplies = "/register" }
        await person.pager.begin()
        #expect(person.pager.phase == .registrationFailed(.network))
        box.network.set { $0.losesReplies = nil }
        await person.pager.begin()
        #expect(person.pager.phase == .naming)
        let again = box.pager(person.phone)
        try await again.until { $0.phase == .ready }
        #expect(again.code == person.code)
    }

    @Test func laterStartsCheckTheStoredRegistration() async throws {
        let box = try await Box()
        let first = try await box.registered("Ada")
        await first.quit()
        let registrations = box.network.calls.count { $0.hasSuffix("/register") }
        let checks = box.network.calls.count { $0.hasSuffix("/users/me") }
        let second = box.pager(first.phone)
        try await second.until { $0.phase == .ready && $0.me?.displayName == "Ada" }
        #expect(second.code == first.code)
        try await eventually { box.network.calls.count { $0.hasSuffix("/users/me") } > checks }
        #expect(box.network.calls.count { $0.hasSuffix("/register") } == registrations)
    }

    @Test func anExpiredTokenIsRenewedSilently() async throws {
        let box = try await Box()
        let first = try await box.registered("Ada")
        await first.quit()
        let stored = try #require(first.phone.secrets["credentials"])
        let spoiled = String(decoding: stored, as: UTF8.self).replacing(/"authToken":"[^"]*"/, with: "\"authToken\":\"expired\"")
        try await first.phone.phone().keychain.set(Data(spoiled.utf8), for: "credentials")
        let second = box.pager(first.phone)
        try await second.until { $0.signal == .full && $0.friends.phase == .ready }
        #expect(second.code == first.code)
        #expect(second.pager.me?.displayName == "Ada")
        #expect(!String(decoding: try #require(first.phone.secrets["credentials"]), as: UTF8.self).contains("expired"))
    }

    @Test func anEmptiedServiceGetsANewRegistration() async throws {
        let old = try await Box().registered()
        await old.quit()
        let box = try await Box()
        let person = box.pager(old.phone)
        try await person.until { $0.signal == .full && $0.friends.phase == .ready }
        #expect(person.id != old.id)
    }

    @Test func aServiceEmptiedAtRunTimeGetsANewRegistration() async throws {
        let box = try await Box()
        let person = try await box.registered("Ada")
        let before = person.id
        box.network.cut()
        let other = try await Box()
        box.network.lead(to: other.network)
        box.network.mend()
        person.pager.setAttention(.away, screen: person)
        person.pager.setAttention(.full, screen: person)
        try await person.until { $0.signal == .full && $0.me?.id != before && $0.friends.isEmpty }
        #expect(person.pager.me?.displayName == nil)
        withExtendedLifetime(other) {}
    }

    @Test func namesAreCheckedAndPublishedToFriends() async throws {
        let box = try await Box()
        let person = box.pager()
        try await person.until { $0.phase == .welcome }
        await person.pager.begin()
        let names: [(String, DisplayName.Problem)] = [
            ("  ", .empty), (String(repeating: "x", count: 21), .tooLong), ("Adä", .invalidCharacters),
        ]
        for (name, problem) in names {
            await #expect(throws: PagerProblem.name(problem)) { try await person.pager.setDisplayName(name) }
        }
        #expect(!box.network.calls.contains { $0.hasSuffix("/display-name") })
        #expect(person.pager.phase == .naming)
        box.network.cut()
        await #expect(throws: PagerProblem.network) { try await person.pager.setDisplayName("Ada") }
        box.network.mend()
        try await person.pager.setDisplayName(" Ada ")
        #expect(person.pager.me?.displayName == "Ada")
        #expect(person.pager.phase == .ready)
        try await person.pager.setDisplayName("Grace")
        #expect(person.pager.me?.displayName == "Grace")
    }

    @Test func usersWithoutANameAreShownByCode() async throws {
        let box = try await Box()
        let (ada, bob) = (try await box.registered(), try await box.registered("Bob"))
        try await ada.pager.requestFriend(bob.code)
        try await bob.until { !$0.requests.items.isEmpty }
        #expect(bob.pager.requests.items[0].fromUserDisplayName == nil)
        try await bob.pager.accept(bob.pager.requests.items[0])
        #expect(bob.pager.name(of: ada.id) == ada.code)
    }
}
