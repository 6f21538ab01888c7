import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Client

/// Delivery states at the sender of a message.
@MainActor
@Suite struct DeliveryTests {
    @Test(arguments: MessageDelivery.allCases, MessageDelivery.allCases)
    func aStateIsNeverReplacedByAnEarlierOne(_ first: MessageDelivery, _ second: MessageDelivery) {
        let chat = Chat(friend: User.ID("bob"))
        chat.insert(message("1"))
        chat.note(first, of: Message.ID("1"))
        chat.note(second, of: Message.ID("1"))
        let order = MessageDelivery.allCases
        let expected = order[max(order.firstIndex(of: first)!, order.firstIndex(of: second)!)]
        #expect(chat.lastSent?.delivery == expected)
        // A page of the history that was read before the event.
        chat.merge([message("1", first)])
        #expect(chat.lastSent?.delivery == expected)
        chat.merge([message("1")])
        #expect(chat.lastSent?.delivery == expected)
    }

    @Test func aStateMayComeBeforeItsMessage() {
        let chat = Chat(friend: User.ID("bob"))
        for id in ["1", "2"] {
            chat.note(.shown, of: Message.ID(id))
            chat.note(.accepted, of: Message.ID(id))
        }
        chat.insert(message("1"))
        #expect(chat.messages.map(\.delivery) == [.shown])
        chat.merge([message("1"), message("2", .unreachable)])
        #expect(chat.messages.map(\.delivery) == [.shown, .shown])
    }

    @Test func statesOfUnknownMessagesAreBounded() {
        let chat = Chat(friend: User.ID("bob"))
        for number in 1...1000 { chat.note(.shown, of: Message.ID("\(number)")) }
        chat.insert(message("1000"))
        chat.insert(message("1"))
        #expect(chat.messages.first { $0.id == Message.ID("1000") }?.delivery == .shown)
        #expect(chat.messages.first { $0.id == Message.ID("1") }?.delivery == nil)
    }

    @Test func aFriendsMessageHasNoState() {
        let chat = Chat(friend: User.ID("bob"))
        var message = message("1")
        message.senderId = chat.friend
        chat.insert(message)
        chat.note(.shown, of: message.id)
        #expect(chat.messages.map(\.delivery) == [nil])
    }

    @Test func aReadMessageStaysReadWhenAnOlderPageArrives() {
        let chat = Chat(friend: User.ID("bob"))
        chat.insert(message("1"))
        chat.markRead(upTo: Message.ID("1"))
        chat.merge([message("1")])
        #expect(chat.messages.map(\.isRead) == [true])
    }

    @Test func anEventChangesTheChatWithoutAFetch() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await bob.quit()
        let (chat, _) = try await ada.open(bob)
        try await ada.pager.send("hello", in: chat)
        try await ada.until { _ in chat.notice == .sent }
        let sent = try #require(chat.lastSent)
        let fetches = box.network.calls.count { $0.contains("/api/messages/") }
        ada.pager.received(.event(seq: 1, at: .now, .delivery(friendId: bob.id, messageId: sent.id, .opened)))
        #expect(chat.lastSent?.delivery == .opened)
        #expect(box.network.calls.count { $0.contains("/api/messages/") } == fetches)
    }

    // MARK: With the service

    /// Sends a message whose delivery ends in a state.
    private func send(from ada: Person, to bob: Person, _ state: MessageDelivery, _ number: Int = 1) async throws {
        let (chat, looking) = try await ada.open(bob)
        let text = "\(state) \(number)"
        try await ada.pager.send(text, in: chat)
        try await ada.until { _ in chat.lastSent?.text == text && chat.lastSent?.delivery == state }
        looking.cancel()
    }

    @Test func theSenderSeesWhetherTheFriendCanBeReached() async throws {
        let box = try await Box(sends: true)
        try await box.serve { @MainActor _ in
            let phone = TestPhone()
            phone.pushAddress = .apns(token: String(repeating: "a1", count: 32))
            let (ada, bob) = (try await box.registered("Ada"), try await box.registered("Bob", phone: phone))
            try await Person.befriend(ada, bob)
            try await bob.until { $0.notifications.state == .on }
            try await self.send(from: ada, to: bob, .shown)
            bob.pager.setAttention(.away, screen: bob)
            try await self.send(from: ada, to: bob, .accepted)
            bob.pager.notifications.turnOff()
            try await eventually { box.network.calls.contains { $0.hasPrefix("DELETE ") } }
            try await self.send(from: ada, to: bob, .unreachable)
            // A new token is a registration, with the address of the same phone.
            box.network.set { $0.answer = .init(401, code: "INVALID_TOKEN", path: "/api/friends") }
            await bob.pager.loadFriends()
            box.network.set { $0.answer = nil }
            try await eventually { box.network.calls.count { $0.hasPrefix("DELETE ") } >= 2 }
            try await self.send(from: ada, to: bob, .unreachable, 2)
        }
    }

    private func message(_ id: String, _ delivery: MessageDelivery? = nil) -> Message {
        Message(
            id: Message.ID(id), senderId: User.ID("ada"), recipientId: User.ID("bob"), text: id, isRead: false,
            timestamp: Timestamp(milliseconds: 1), senderDisplayName: "Ada", delivery: delivery)
    }
}
