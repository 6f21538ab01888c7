import Foundation
import HTTPTypes
import Pager2077Wire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

@Suite struct MessagingTests {
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager()
        (ada, bob) = try await pager.friends()
    }

    // MARK: Sending

    @Test func messagesAreTrimmedStoredPublishedAndQueuedForPush() async throws {
        let reply = try await pager.send(" \n hello\u{3000} ", from: ada, to: bob)
        #expect(reply.status == 201)
        let receipt = try reply.data(MessageReceipt.self)
        #expect(receipt.timestamp == pager.now && receipt.number != nil)

        let message = Message(
            id: receipt.messageId, senderId: ada.id, recipientId: bob.id, text: "hello", isRead: false, timestamp: pager.now,
            senderDisplayName: ada.hexCode.rawValue, number: receipt.number)
        #expect(try await pager.events(of: bob).last == .message(message))
        #expect(
            try await pager.notifications().last?.notification
                == .message(messageId: message.id, senderId: ada.id, senderName: ada.hexCode.rawValue, preview: "hello"))
        #expect(try await pager.history(of: bob, with: ada) == [message])
    }

    @Test(.onSQLite) func fullDiskIsReportedAndTheSameMessageIsSentOnceThereIsRoom() async throws {
        try await pager.store.limitGrowth(toPages: 0)
        var number = 0
        var reply = try await pager.send("0", from: ada, to: bob, clientId: "m-0")
        while reply.status == 201, number < 500 {
            number += 1
            reply = try await pager.send("\(number)", from: ada, to: bob, clientId: "m-\(number)")
        }
        expect(reply, 507, .storageFull, "The disk of the service is full")
        #expect(reply.headers[.retryAfter] == "10")
        try await pager.store.limitGrowth(toPages: nil)
        #expect(try await pager.send("\(number)", from: ada, to: bob, clientId: "m-\(number)").status == 201)
        let texts = try await pager.store.read { try $0.all("SELECT text FROM messages ORDER BY rowid", as: String.self) }
        #expect(texts == (0...number).map(String.init))
    }

    @Test func aMessageCarriesTheSendersDisplayName() async throws {
        _ = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: "Ada"), by: ada)
        try await pager.send("x", from: ada, to: bob)
        #expect(try await pager.history(of: bob, with: ada)[0].senderDisplayName == "Ada")
        guard case .message(_, _, "Ada", _) = try await pager.notifications().last?.notification else {
            Issue.record("the notification has no name")
            return
        }
    }

    @Test func theLimitCountsCharactersAfterTrimming() async throws {
        #expect(try await pager.send("  " + String(repeating: "😀", count: 500) + "\n\n", from: ada, to: bob).status == 201)
        expect(
            try await pager.send(String(repeating: "é", count: 501), from: ada, to: bob), 400, .messageTooLong,
            "Message exceeds 500 characters")
        #expect(try await pager.history(of: bob, with: ada).count == 1)
    }

    @Test(arguments: [" ", "\n\t", "\u{3000}"]) func onlyWhiteSpaceIsRefused(_ text: String) async throws {
        expect(try await pager.send(text, from: ada, to: bob), 400, .invalidInput, "Message text cannot be empty")
    }

    /// A space that carries an accent is white space as a character, but not as a text.
    @Test func anAccentedSpaceIsNotTrimmed() async throws {
        try await pager.send("hi \u{301}", from: ada, to: bob)
        #expect(Array(try await pager.history(of: bob, with: ada)[0].text.unicodeScalars) == Array("hi \u{301}".unicodeScalars))
        #expect(try await pager.send(" \u{301}", from: ada, to: bob).status == 201)
    }

    @Test func anEmptyTextCountsAsMissing() async throws {
        expect(try await pager.send("", from: ada, to: bob), 400, .invalidInput, "Message text is required")
    }

    @Test func anUnknownRecipientIs404() async throws {
        let nobody = Pager.Person(id: User.ID(String(repeating: "0", count: 32)), hexCode: HexCode(0), token: "")
        expect(try await pager.send("x", from: ada, to: nobody), 404, .userNotFound, "Recipient not found")
    }

    @Test func messagesToStrangersAndOneselfAreRefused() async throws {
        let eve = try await pager.person()
        expect(try await pager.send("x", from: eve, to: bob), 403, .notFriends, "Users are not friends")
        expect(try await pager.send("x", from: ada, to: ada), 403, .notFriends, "Users are not friends")
    }

    /// Each request breaks every later rule too.
    @Test func theRulesAreCheckedInTheContractsOrder() async throws {
        func send(_ json: String) async throws -> String? {
            try await pager.call(.post, "/api/messages", token: ada.token, body: Data(json.utf8)).failure?.message
        }
        let long = String(repeating: "x", count: 501)
        #expect(try await send("{}") == "Recipient ID is required")
        #expect(try await send(#"{"recipientId":""}"#) == "Recipient ID is required")
        #expect(try await send(#"{"recipientId":"nobody"}"#) == "Message text is required")
        #expect(try await send(#"{"recipientId":"nobody","text":" "}"#) == "Recipient not found")
        #expect(try await send(#"{"recipientId":"\#(ada.id)","text":" "}"#) == "Users are not friends")
        #expect(try await send(#"{"recipientId":"\#(bob.id)","text":" "}"#) == "Message text cannot be empty")
        #expect(try await send(#"{"recipientId":"\#(bob.id)","text":"\#(long)"}"#) == "Message exceeds 500 characters")
    }

    // MARK: Once

    @Test func theSameClientIDTwiceIsOneMessage() async throws {
        let first = try await pager.send("hi", from: ada, to: bob, clientId: "c1")
        pager.advance(.seconds(60))
        // White space at the ends is not part of a message.
        let second = try await pager.send(" hi\n", from: ada, to: bob, clientId: "c1")
        #expect(first.status == 201 && second.status == 201)
        #expect(try first.data(MessageReceipt.self) == second.data(MessageReceipt.self))
        #expect(try await pager.history(of: bob, with: ada).count == 1)
        #expect(try await pager.events(of: bob).filter { if case .message = $0 { true } else { false } }.count == 1)
    }

    @Test func aReusedClientIDWithAnotherTextIsAConflict() async throws {
        try await pager.send("hi", from: ada, to: bob, clientId: "c1")
        expect(try await pager.send("other", from: ada, to: bob, clientId: "c1"), 409, .duplicateClientID)
        #expect(try await pager.send("other", from: ada, to: bob, clientId: "c2").status == 201)
        #expect(try await pager.send("hi", from: bob, to: ada, clientId: "c1").status == 201)
        #expect(try await pager.history(of: bob, with: ada).count == 3)
    }

    @Test func aClientIDOfARefusedMessageCanBeReused() async throws {
        let eve = try await pager.person()
        expect(try await pager.send("hi", from: ada, to: eve, clientId: "c1"), 403, .notFriends)
        try await pager.befriend(ada, eve)
        #expect(try await pager.send("hi", from: ada, to: eve, clientId: "c1").status == 201)
    }

    @Test func aRepeatedMessageGetsItsReceiptAfterUnfriending() async throws {
        let first = try await pager.send("hi", from: ada, to: bob, clientId: "c1").data(MessageReceipt.self)
        _ = try await pager.call(PagerEndpoints.removeFriend, by: bob, ["friendId": ada.id.rawValue])
        #expect(try await pager.send("hi", from: ada, to: bob, clientId: "c1").data(MessageReceipt.self) == first)
    }

    // MARK: History

    @Test func theLatestComeOldestFirst() async throws {
        // All at the same time: the order is that of insertion.
        for number in 1...120 {
            try await pager.send("\(number)", from: number % 2 == 0 ? ada : bob, to: number % 2 == 0 ? bob : ada)
        }
        #expect(try await pager.history(of: ada, with: bob).map(\.text) == (71...120).map { "\($0)" })
        #expect(try await pager.history(of: ada, with: bob, query: "?limit=1").map(\.text) == ["120"])
        #expect(try await pager.history(of: ada, with: bob, query: "?limit=100").map(\.text) == (21...120).map { "\($0)" })
    }

    @Test(arguments: ["0", "101", "-1", "x", "", "1.5", "99999999999999999999"]) func aLimitOutOfRangeIsRefused(_ limit: String)
        async throws
    {
        let reply = try await pager.call(PagerEndpoints.history, by: ada, ["friendId": bob.id.rawValue], query: "?limit=\(limit)")
        expect(reply, 400, .invalidInput, "Limit must be between 1 and 100")
    }

    @Test func fetchingMarksMessagesReadAndReturnsTheirPreviousState() async throws {
        try await pager.send("one", from: ada, to: bob)
        try await pager.send("two", from: bob, to: ada)
        #expect(try await pager.history(of: bob, with: ada).map(\.isRead) == [false, false])
        #expect(
            try await pager.history(of: bob, with: ada).map(\.isRead) == [true, false], "one's own stay as the other left them")
        #expect(try await pager.history(of: ada, with: bob).map(\.isRead) == [true, false])
        #expect(try await pager.history(of: ada, with: bob).map(\.isRead) == [true, true])
    }

    @Test func readingTellsTheSenderOnce() async throws {
        let id = try await pager.send("one", from: ada, to: bob).data(MessageReceipt.self).messageId
        let before = try await pager.events(of: ada).count
        for _ in 0..<2 { _ = try await pager.history(of: bob, with: ada) }
        #expect(Array(try await pager.events(of: ada).dropFirst(before)) == [.read(friendId: bob.id, upTo: id)])
    }

    @Test func historyNeedsAFriend() async throws {
        let eve = try await pager.person()
        func read(_ id: String, by person: Pager.Person) async throws -> Pager.Reply {
            try await pager.call(PagerEndpoints.history, by: person, ["friendId": id])
        }
        expect(try await read(String(repeating: "0", count: 32), by: ada), 404, .userNotFound, "Friend not found")
        expect(try await read("nobody", by: ada), 404, .userNotFound, "Friend not found")
        expect(try await read(ada.id.rawValue, by: eve), 403, .notFriends)
        _ = try await pager.call(PagerEndpoints.removeFriend, by: bob, ["friendId": ada.id.rawValue])
        expect(try await read(bob.id.rawValue, by: ada), 403, .notFriends)
    }

    // MARK: Conversations

    private func conversations(_ person: Pager.Person) async throws -> [Conversation] {
        try await pager.call(PagerEndpoints.conversations, by: person).data(ConversationList.self).conversations
    }

    @Test func onlyUnreadOnesAreListedTheLatestUnreadFirst() async throws {
        let cem = try await pager.person()
        try await pager.befriend(cem, ada)
        try await pager.send("b1", from: bob, to: ada)
        try await pager.send("c1", from: cem, to: ada)
        try await pager.send("b2", from: bob, to: ada)
        // An own message is the last of a conversation, but is no unread one.
        let last = try await pager.send("reply", from: ada, to: cem).data(MessageReceipt.self)

        let list = try await conversations(ada)
        #expect(list.map(\.friendId) == [bob.id, cem.id])
        #expect(list.map(\.unreadCount) == [2, 1])
        #expect(list[0].lastMessage?.text == "b2")
        #expect(
            list[1].lastMessage == .init(id: last.messageId, senderId: ada.id, text: "reply", timestamp: last.timestamp))
        #expect(list[1].friendHexCode == cem.hexCode && list[1].friendDisplayName == nil)

        _ = try await pager.history(of: ada, with: bob)
        #expect(try await conversations(ada).map(\.friendId) == [cem.id])
        #expect(try await conversations(bob).isEmpty)
    }

    @Test func whoIsNoFriendAnyMoreIsNotListed() async throws {
        try await pager.send("x", from: bob, to: ada)
        _ = try await pager.call(PagerEndpoints.removeFriend, by: bob, ["friendId": ada.id.rawValue])
        #expect(try await conversations(ada).isEmpty)
    }

    // MARK: Notifications

    @Test(arguments: [
        (String(repeating: "a", count: 100), String(repeating: "a", count: 100)),
        (String(repeating: "é", count: 101), String(repeating: "é", count: 97) + "..."),
        (String(repeating: "a", count: 95) + "👨‍👩‍👧‍👦", String(repeating: "a", count: 95) + "..."),
        (String(repeating: "a", count: 96) + "🇰🇷🇹🇼🇰🇷", String(repeating: "a", count: 96) + "..."),
    ])
    func longTextsHaveAShortPreview(_ text: String, _ preview: String) {
        #expect(PagerNotification.preview(of: text) == preview)
    }

    @Test func theQueuesCountsAreOpen() async throws {
        let reply = try await pager.call(PagerEndpoints.queueMetrics)
        #expect(reply.status == 200)
        #expect(try reply.data() == QueueMetrics(waiting: 2, active: 0, completed: 0, failed: 0))
    }
}
