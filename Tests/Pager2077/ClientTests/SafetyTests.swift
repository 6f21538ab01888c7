import Foundation
import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// The end of an account, blocks and reports.
@MainActor
@Suite struct SafetyTests {
    /// Another phone of a user: with a copy of the first one's keychain.
    private func copy(of phone: TestPhone) async throws -> TestPhone {
        let copy = TestPhone()
        for key in ["credentials", "deviceToken"] { try await copy.phone().keychain.set(phone.secrets[key], for: key) }
        return copy
    }

    private func another(phoneOf person: Person, _ box: Box) async throws -> Person {
        let other = box.pager(try await copy(of: person.phone))
        other.pager.setAttention(.full, screen: other)
        try await other.until { $0.signal == .full && $0.friends.phase == .ready && $0.blocked.phase == .ready }
        return other
    }

    // MARK: Deletion

    @Test func deletionRemovesTheAccountFromThePhone() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, looking) = try await ada.open(bob)
        chat.draft = "never sent"
        ada.phone.activities = ["chat-\(bob.id)"]
        ada.pager.setAttention(.away, screen: ada)
        let (other, _) = try await bob.open(ada)
        try await bob.pager.send("hello", in: other)
        try await ada.until { _ in !ada.phone.shown.isEmpty }
        let (id, code) = (ada.id, ada.code)
        await #expect(throws: PagerProblem.otherCode) { try await ada.pager.deleteAccount(confirmedBy: bob.code) }
        #expect(ada.pager.phase == .ready)
        looking.cancel()
        try await ada.pager.deleteAccount(confirmedBy: code.lowercased())
        #expect(ada.pager.phase == .welcome && ada.pager.isAccountDeleted)
        #expect(ada.phone.secrets.values.allSatisfy { !String(decoding: $0, as: UTF8.self).contains(id.rawValue) })
        #expect(ada.phone.secrets["deviceToken"] == nil && ada.phone.secrets["credentials"] == nil)
        #expect(ada.phone.shown.isEmpty && ada.phone.activities.isEmpty && ada.phone.badge == 0)
        #expect(ada.pager.friends.items.isEmpty && ada.pager.chat(with: bob.id).draft.isEmpty)
        // Friends are told, and what they wrote is marked.
        try await bob.until { $0.friends.isEmpty && other.isFriendDeleted }
        #expect(other.messages.map(\.text) == ["hello"])
        // The phone may begin again, as somebody else.
        await ada.pager.begin()
        #expect(ada.pager.phase == .naming && !ada.pager.isAccountDeleted)
        #expect(ada.id != id && ada.code != code)
        try await ada.until { $0.signal == .full && $0.friends.isEmpty }
        await ada.quit()
        let again = box.pager(ada.phone)
        try await again.until { $0.phase == .ready }
        #expect(again.id == ada.id && again.pager.chat(with: bob.id).draft.isEmpty)
    }

    @Test func messagesOfADeletedAccountAreNotSentByTheNext() async throws {
        let box = try await Box()
        let toAda = TestNetwork(box.network)
        let (ada, bob) = (try await box.registered("Ada", network: toAda), try await box.registered("Bob"))
        try await Person.befriend(ada, bob)
        let (chat, looking) = try await ada.open(bob)
        toAda.set { $0.answer = .init(503, code: "UNAVAILABLE", path: "/api/messages") }
        try await ada.pager.send("stuck", in: chat)
        try await ada.until { _ in chat.waiting.count == 1 }
        looking.cancel()
        try await ada.pager.deleteAccount(confirmedBy: ada.code)
        toAda.set { $0.answer = nil }
        await ada.pager.begin()
        try await ada.until { $0.signal == .full }
        #expect(ada.pager.chat(with: bob.id).waiting.isEmpty)
    }

    @Test func otherPhonesOfTheAccountEndInsteadOfRegisteringAnew() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada")
        let second = try await another(phoneOf: ada, box)
        let third = try await copy(of: ada.phone)
        #expect(second.id == ada.id)
        try await ada.pager.deleteAccount(confirmedBy: ada.code)
        try await second.until { $0.phase == .welcome && $0.isAccountDeleted }
        #expect(second.phone.secrets["credentials"] == nil)
        // One whose app was closed meanwhile, too.
        let closed = box.pager(third)
        try await closed.until { $0.phase == .welcome && $0.isAccountDeleted }
    }

    @Test func deletionWhoseReplyIsLostEndsTheAccountNevertheless() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada")
        box.network.set { $0.losesReplies = "/deletion" }
        await #expect(throws: PagerProblem.network) { try await ada.pager.deleteAccount(confirmedBy: ada.code) }
        try await ada.until { $0.phase == .welcome && $0.isAccountDeleted }
    }

    @Test func requestOfADeletedAccountDisappears() async throws {
        let box = try await Box()
        let (ada, bob) = (try await box.registered("Ada"), try await box.registered("Bob"))
        try await ada.pager.requestFriend(bob.code)
        try await bob.until { $0.requests.items.count == 1 }
        try await ada.pager.deleteAccount(confirmedBy: ada.code)
        try await bob.until { $0.requests.items.isEmpty }
    }

    // MARK: Blocks

    @Test func blockEndsWhatThePhoneShowsOfThePerson() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await bob.open(ada)
        ada.pager.setAttention(.away, screen: ada)
        try await bob.pager.send("one", in: chat)
        try await ada.until { _ in !ada.phone.shown.isEmpty }
        ada.phone.activities = ["chat-\(bob.id)", "chat-other"]
        try await ada.pager.block(bob.id)
        #expect(ada.phone.shown.isEmpty && ada.phone.activities == ["chat-other"])
        #expect(ada.pager.friends.items.isEmpty && ada.pager.unreadCount == 0)
        #expect(ada.pager.blocked.items.map(\.displayName) == ["Bob"] && ada.pager.isBlocked(bob.id))
        #expect(ada.pager.knownName(of: bob.id) == "Bob")
        try await bob.pager.send("two", in: chat)
        try await bob.until { _ in chat.notice == .sent && chat.messages.count == 2 }
        #expect(bob.pager.friends.items.map(\.status) == [.offline])
        await #expect(throws: PagerProblem.blocked) { try await ada.pager.requestFriend(bob.code) }
        try await ada.pager.unblock(bob.id)
        #expect(ada.pager.friends.items.map(\.displayName) == ["Bob"] && ada.pager.blocked.isEmpty)
        #expect(ada.pager.conversations.items.map(\.unreadCount) == [1])
        let (own, _) = try await ada.open(bob)
        #expect(own.messages.map(\.text) == ["one"])
        // The line is in order behind what was dropped.
        try await bob.pager.send("three", in: chat)
        try await ada.until { _ in own.messages.map(\.text) == ["one", "three"] }
    }

    @Test func blockHoldsOnEveryPhoneOfTheUser() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let second = try await another(phoneOf: ada, box)
        second.phone.activities = ["chat-\(bob.id)"]
        try await ada.pager.block(bob.id)
        try await second.until { $0.friends.items.isEmpty && $0.isBlocked(bob.id) && second.phone.activities.isEmpty }
        try await second.pager.unblock(bob.id)
        try await ada.until { $0.friends.items.count == 1 && !$0.isBlocked(bob.id) }
    }

    @Test func reportBlocksWhereThatIsWanted() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await bob.open(ada)
        try await bob.pager.send("mean words", in: chat)
        let (own, _) = try await ada.open(bob)
        try await ada.until { _ in own.messages.count == 1 }
        try await ada.pager.report(bob.id, message: own.messages[0].id, reason: .harassment, blocks: false)
        #expect(!ada.pager.isBlocked(bob.id))
        try await ada.pager.report(bob.id, message: nil, reason: .other, blocks: true)
        #expect(ada.pager.isBlocked(bob.id))
    }

    // MARK: Order

    /// The order of a conversation is that in which the service has accepted the messages, however its clock is set.
    @Test func messagesAreInTheOrderOfTheirNumbersWhenTheClockIsSetBack() async throws {
        let time = Locked(Timestamp("2026-11-20T12:00:00.000Z")!)
        let (ada, bob) = try await Box(now: { time.withLock { $0 } }).friends()
        let (chat, _) = try await ada.open(bob)
        let (other, _) = try await bob.open(ada)
        let texts = ["one", "two", "three", "four"]
        for (number, text) in texts.enumerated() {
            let isAda = number.isMultiple(of: 2)
            try await (isAda ? ada : bob).pager.send(text, in: isAda ? chat : other)
            let expected = Array(texts.prefix(number + 1))
            for (person, chat) in [(ada, chat), (bob, other)] {
                try await person.until { _ in chat.messages.map(\.text) == expected }
            }
            time.withLock { $0 = $0 - .seconds(60) }
        }
        await ada.pager.load(chat)
        #expect(chat.messages.map(\.text) == texts)
        #expect(chat.messages.compactMap(\.number).count == texts.count)
    }
}
