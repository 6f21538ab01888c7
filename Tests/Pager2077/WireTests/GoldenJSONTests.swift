import Foundation
import Pager2077Wire
import Testing
import WireKit

/// The exact JSON of every wire type. A change here is visible to peers.
@Suite struct GoldenJSONTests {
    private static let time = Timestamp("2026-11-20T23:25:51.861Z")!
    private static let ada = User.ID("00000000000000000000000000000001")
    private static let bob = User.ID("00000000000000000000000000000002")
    private static let note = Message.ID("0000000000000000000000000000000a")
    private static let hex = HexCode(rawValue: "BF010BA2")!

    private static let request = FriendRequest(
        id: FriendRequest.ID("0000000000000000000000000000000b"), fromUserId: ada, toUserId: bob, status: .pending, createdAt: time,
        updatedAt: time)
    private static let requestJSON =
        #""createdAt":"2026-11-20T23:25:51.861Z","fromUserId":"00000000000000000000000000000001","id":"0000000000000000000000000000000b","status":"pending","toUserId":"00000000000000000000000000000002","updatedAt":"2026-11-20T23:25:51.861Z""#
    private static let pending = PendingFriendRequest(request: request, fromUserHexCode: hex, fromUserDisplayName: nil)
    private static let pendingJSON =
        #"{"createdAt":"2026-11-20T23:25:51.861Z","fromUserDisplayName":null,"fromUserHexCode":"BF010BA2","fromUserId":"00000000000000000000000000000001","id":"0000000000000000000000000000000b","status":"pending","toUserId":"00000000000000000000000000000002","updatedAt":"2026-11-20T23:25:51.861Z"}"#
    private static let friend = Friend(id: ada, hexCode: hex, displayName: nil, status: .online, lastSeen: time)
    private static let friendJSON =
        #"{"displayName":null,"hexCode":"BF010BA2","id":"00000000000000000000000000000001","lastSeen":"2026-11-20T23:25:51.861Z","status":"online"}"#
    private static let message = Message(
        id: note, senderId: ada, recipientId: bob, text: "Grüße/😀\n", isRead: false, timestamp: time, senderDisplayName: "BF010BA2")
    private static let messageJSON =
        #"{"id":"0000000000000000000000000000000a","isRead":false,"recipientId":"00000000000000000000000000000002","senderDisplayName":"BF010BA2","senderId":"00000000000000000000000000000001","text":"Grüße/😀\n","timestamp":"2026-11-20T23:25:51.861Z"}"#

    /// Checks that `value` encodes to exactly `json` and decodes from it.
    private func expect<Value: Codable & Equatable>(_ value: Value, is json: String, line: Int = #line) throws {
        let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(String(decoding: try WireJSON.encode(value), as: UTF8.self) == json, sourceLocation: location)
        #expect(try WireJSON.decode(Value.self, from: Data(json.utf8)) == value, sourceLocation: location)
    }

    @Test func users() throws {
        try expect(Registration(deviceToken: "t"), is: #"{"deviceToken":"t"}"#)
        try expect(
            Registered(userId: Self.ada, hexCode: Self.hex, token: "x.y.z"),
            is: #"{"hexCode":"BF010BA2","token":"x.y.z","userId":"00000000000000000000000000000001"}"#)
        try expect(
            OwnUser(
                id: Self.ada, hexCode: Self.hex, displayName: "Neo", status: .offline, lastSeen: Self.time, createdAt: Self.time,
                updatedAt: Self.time, deviceToken: "t", liveActivityToken: nil),
            is:
                #"{"createdAt":"2026-11-20T23:25:51.861Z","deviceToken":"t","displayName":"Neo","hexCode":"BF010BA2","id":"00000000000000000000000000000001","lastSeen":"2026-11-20T23:25:51.861Z","liveActivityToken":null,"status":"offline","updatedAt":"2026-11-20T23:25:51.861Z"}"#
        )
        try expect(StatusUpdate(status: .online), is: #"{"status":"online"}"#)
        try expect(DisplayNameUpdate(displayName: "Neo"), is: #"{"displayName":"Neo"}"#)
        try expect(LiveActivityTokenUpdate(liveActivityToken: nil), is: #"{"liveActivityToken":null}"#)
        try expect(
            NamedUser(userId: Self.ada, hexCode: Self.hex, displayName: nil),
            is: #"{"displayName":null,"hexCode":"BF010BA2","userId":"00000000000000000000000000000001"}"#)
    }

    @Test func friends() throws {
        try expect(FriendRequestCreation(toHexCode: "bf010ba2"), is: #"{"toHexCode":"bf010ba2"}"#)
        try expect(Self.request, is: "{\(Self.requestJSON)}")
        try expect(PendingFriendRequests(requests: [Self.pending]), is: #"{"requests":[\#(Self.pendingJSON)]}"#)
        try expect(FriendList(friends: [Self.friend]), is: #"{"friends":[\#(Self.friendJSON)]}"#)
        try expect(AcceptedFriend(friend: Self.friend), is: #"{"friend":\#(Self.friendJSON)}"#)
    }

    @Test func messages() throws {
        try expect(
            MessageCreation(recipientId: Self.bob, text: "hi"),
            is: #"{"recipientId":"00000000000000000000000000000002","text":"hi"}"#)
        try expect(
            MessageCreation(recipientId: Self.bob, text: "hi", clientId: "c"),
            is: #"{"clientId":"c","recipientId":"00000000000000000000000000000002","text":"hi"}"#)
        try expect(
            MessageReceipt(messageId: Self.note, timestamp: Self.time),
            is: #"{"messageId":"0000000000000000000000000000000a","timestamp":"2026-11-20T23:25:51.861Z"}"#)
        try expect(MessageHistory(messages: [Self.message]), is: #"{"messages":[\#(Self.messageJSON)]}"#)
        try expect(
            ConversationList(conversations: [
                Conversation(
                    friendId: Self.ada, friendHexCode: Self.hex, friendDisplayName: nil, unreadCount: 2,
                    lastMessage: .init(id: Self.note, senderId: Self.ada, text: "hi", timestamp: Self.time)),
                Conversation(
                    friendId: Self.bob, friendHexCode: Self.hex, friendDisplayName: "Bob", unreadCount: 1, lastMessage: nil),
            ]),
            is:
                #"{"conversations":[{"friendDisplayName":null,"friendHexCode":"BF010BA2","friendId":"00000000000000000000000000000001","lastMessage":{"id":"0000000000000000000000000000000a","senderId":"00000000000000000000000000000001","text":"hi","timestamp":"2026-11-20T23:25:51.861Z"},"unreadCount":2},{"friendDisplayName":"Bob","friendHexCode":"BF010BA2","friendId":"00000000000000000000000000000002","lastMessage":null,"unreadCount":1}]}"#
        )
    }

    @Test func numbersOfMessages() throws {
        var message = Self.message
        message.number = 7
        try expect(message, is: Self.messageJSON.replacing(#""recipientId""#, with: #""number":7,"recipientId""#))
        try expect(
            MessageReceipt(messageId: Self.note, timestamp: Self.time, number: 7),
            is: #"{"messageId":"0000000000000000000000000000000a","number":7,"timestamp":"2026-11-20T23:25:51.861Z"}"#)
    }

    @Test func deletionBlocksAndReports() throws {
        try expect(AccountDeletion(hexCode: "BF010BA2"), is: #"{"hexCode":"BF010BA2"}"#)
        try expect(
            BlockList(users: [BlockedUser(id: Self.ada, hexCode: Self.hex, displayName: nil, blockedAt: Self.time)]),
            is:
                #"{"users":[{"blockedAt":"2026-11-20T23:25:51.861Z","displayName":null,"hexCode":"BF010BA2","id":"00000000000000000000000000000001"}]}"#
        )
        try expect(
            ReportCreation(userId: Self.ada, reason: .spam),
            is: #"{"blocks":false,"reason":"spam","userId":"00000000000000000000000000000001"}"#)
        try expect(
            ReportCreation(userId: Self.ada, messageId: Self.note, reason: .threat, blocks: true),
            is:
                #"{"blocks":true,"messageId":"0000000000000000000000000000000a","reason":"threat","userId":"00000000000000000000000000000001"}"#
        )
        try expect(ServiceOperator(contact: nil), is: #"{"contact":null}"#)
        try expect(
            Failure(.init(code: "USER_NOT_FOUND", message: "m", details: Failure.Reason.deletedAccount)),
            is: #"{"error":{"code":"USER_NOT_FOUND","details":{"isDeleted":true},"message":"m"},"success":false}"#)
    }

    @Test func scores() throws {
        try expect(ScoreSubmission(game: .snake, score: 7), is: #"{"game":"snake","score":7}"#)
        try expect(
            ScoreResult(updated: true, score: 7, updatedAt: Self.time),
            is: #"{"score":7,"updated":true,"updatedAt":"2026-11-20T23:25:51.861Z"}"#)
        try expect(
            Leaderboard(entries: [.init(userId: Self.ada, displayName: nil, hexCode: Self.hex, score: 7, updatedAt: Self.time)]),
            is:
                #"{"entries":[{"displayName":null,"hexCode":"BF010BA2","score":7,"updatedAt":"2026-11-20T23:25:51.861Z","userId":"00000000000000000000000000000001"}]}"#
        )
    }

    @Test func envelopes() throws {
        try expect(Done(), is: #"{"success":true}"#)
        try expect(Health(status: "ok"), is: #"{"status":"ok"}"#)
        try expect(
            QueueMetrics(waiting: 1, active: 2, completed: 3, failed: 4), is: #"{"active":2,"completed":3,"failed":4,"waiting":1}"#)
        try expect(
            Failure(.init(code: "NOT_FOUND", message: "m")), is: #"{"error":{"code":"NOT_FOUND","message":"m"},"success":false}"#)
        try expect(
            Failure(.init(code: "X", message: "m", details: .array([.integer(1)]))),
            is: #"{"error":{"code":"X","details":[1],"message":"m"},"success":false}"#)
        #expect(
            String(decoding: try WireJSON.encode(Success(data: Done())), as: UTF8.self)
                == #"{"data":{"success":true},"success":true}"#)
        #expect(
            try WireJSON.decode(Success<Done>.self, from: Data(#"{"data":{"success":true},"success":true}"#.utf8)).data == Done())
    }

    @Test func liveEvents() throws {
        let at = #""at":"2026-11-20T23:25:51.861Z""#
        func expectEvent(_ event: LiveEvent, _ before: String, _ after: String, line: Int = #line) throws {
            try expect(event, is: "{\(before)\(before.isEmpty || after.isEmpty ? "" : ",")\(after)}", line: line)
            // Framed messages are compared decoded, since the order of keys is irrelevant.
            let framed = LiveServerMessage.event(seq: 9, at: Self.time, event)
            let json = "{\(at),\"seq\":9,\(before)\(before.isEmpty || after.isEmpty ? "" : ",")\(after)}"
            #expect(try WireJSON.decode(LiveServerMessage.self, from: Data(json.utf8)) == framed)
            #expect(try WireJSON.decode(LiveServerMessage.self, from: WireJSON.encode(framed)) == framed)
        }
        try expectEvent(.message(Self.message), #""message":\#(Self.messageJSON)"#, #""type":"message""#)
        try expectEvent(.friendRequest(Self.pending), #""request":\#(Self.pendingJSON)"#, #""type":"friendRequest""#)
        try expectEvent(.friendAccepted(Self.friend), #""friend":\#(Self.friendJSON)"#, #""type":"friendAccepted""#)
        try expectEvent(
            .friendRemoved(friendId: Self.ada), #""friendId":"00000000000000000000000000000001""#, #""type":"friendRemoved""#)
        try expectEvent(
            .friendRemoved(friendId: Self.ada, isAccountDeleted: true),
            #""friendId":"00000000000000000000000000000001","isAccountDeleted":true"#, #""type":"friendRemoved""#)
        try expectEvent(
            .requestWithdrawn(requestId: Self.request.id), #""requestId":"0000000000000000000000000000000b""#,
            #""type":"requestWithdrawn""#)
        try expectEvent(
            .block(userId: Self.ada, isBlocked: true), #""isBlocked":true"#,
            #""type":"block","userId":"00000000000000000000000000000001""#)
        try expectEvent(
            .friendStatus(friendId: Self.ada, status: .online, lastSeen: Self.time),
            #""friendId":"00000000000000000000000000000001","lastSeen":"2026-11-20T23:25:51.861Z","status":"online""#,
            #""type":"friendStatus""#)
        try expectEvent(
            .read(friendId: Self.ada, upTo: Self.note), #""friendId":"00000000000000000000000000000001""#,
            #""type":"read","upTo":"0000000000000000000000000000000a""#)
    }

    @Test func liveSocket() throws {
        try expect(LiveServerMessage.hello(seq: 4), is: #"{"seq":4,"type":"hello"}"#)
        try expect(LiveServerMessage.reset(seq: 4), is: #"{"seq":4,"type":"reset"}"#)
        try expect(LiveServerMessage.error(message: "m"), is: #"{"message":"m","type":"error"}"#)
        try expect(LiveClientMessage.ack(seq: 4), is: #"{"seq":4,"type":"ack"}"#)
        try expect(LiveClientMessage.presence(foreground: true), is: #"{"foreground":true,"type":"presence"}"#)
    }

    /// A newer service may send further events; their sequence numbers must still advance the cursor.
    @Test func unknownEventTypeIsAccepted() throws {
        let json = #"{"at":"2026-11-20T23:25:51.861Z","seq":9,"type":"fireworks","colour":"red"}"#
        #expect(try WireJSON.decode(LiveServerMessage.self, from: Data(json.utf8)) == .unknown(seq: 9))
    }

    @Test func errorCodesMatchTheContract() {
        #expect(
            Set(ErrorCode.allCases.map(\.rawValue))
                == [
                    "INVALID_INPUT", "INVALID_DISPLAY_NAME", "INVALID_HEX_CODE", "INVALID_GAME", "INVALID_SCORE",
                    "MESSAGE_TOO_LONG",
                    "UNAUTHORIZED", "INVALID_TOKEN", "FORBIDDEN", "NOT_FRIENDS", "BLOCKED", "NOT_FOUND", "USER_NOT_FOUND",
                    "FRIENDSHIP_EXISTS",
                    "DUPLICATE_REQUEST", "DUPLICATE_CLIENT_ID", "PAYLOAD_TOO_LARGE", "UPGRADE_REQUIRED", "RATE_LIMITED",
                    "UNAVAILABLE", "STORAGE_FULL",
                    "INTERNAL_ERROR",
                ])
    }
}
