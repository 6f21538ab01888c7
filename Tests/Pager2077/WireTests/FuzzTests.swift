import Foundation
import Pager2077Wire
import TestKit
import Testing
import WireKit

/// Every wire message: any input that decodes survives re-encoding, and no input traps.
@Suite(.seeded) struct FuzzTests {
    private static let id = #""00000000000000000000000000000001""#
    private static let time = #""2026-11-20T23:25:51.861Z""#
    private static let friend = #"{"displayName":null,"hexCode":"BF010BA2","id":\#(id),"lastSeen":\#(time),"status":"online"}"#
    private static let message =
        #"{"id":\#(id),"isRead":false,"recipientId":\#(id),"senderDisplayName":"Neo","senderId":\#(id),"text":"Grüße/😀\n","timestamp":\#(time)}"#
    private static let request =
        #"{"createdAt":\#(time),"fromUserDisplayName":"Neo","fromUserHexCode":"BF010BA2","fromUserId":\#(id),"id":\#(id),"status":"pending","toUserId":\#(id),"updatedAt":\#(time)}"#

    @Test func liveServerMessagesSurviveReencoding() async throws {
        let head = #""at":\#(Self.time),"seq":9,"type""#
        try await expectSame(
            LiveServerMessage.self,
            [
                #"{\#(head):"message","message":\#(Self.message)}"#, #"{\#(head):"friendRequest","request":\#(Self.request)}"#,
                #"{\#(head):"friendAccepted","friend":\#(Self.friend)}"#, #"{\#(head):"friendRemoved","friendId":\#(Self.id)}"#,
                #"{\#(head):"friendStatus","friendId":\#(Self.id),"status":"offline","lastSeen":\#(Self.time)}"#,
                #"{\#(head):"read","friendId":\#(Self.id),"upTo":\#(Self.id)}"#, #"{"seq":4,"type":"hello"}"#,
                #"{"seq":4,"type":"reset"}"#, #"{"message":"m","type":"error"}"#, #"{"seq":4,"type":"fireworks"}"#,
            ], count: 10_000)
    }

    @Test func liveClientMessagesSurviveReencoding() async throws {
        try await expectSame(LiveClientMessage.self, [#"{"seq":4,"type":"ack"}"#, #"{"foreground":true,"type":"presence"}"#])
    }

    @Test func replies() async throws {
        try await expectSame(MessageHistory.self, [#"{"messages":[\#(Self.message)]}"#])
        try await expectSame(FriendList.self, [#"{"friends":[\#(Self.friend)]}"#])
        try await expectSame(PendingFriendRequests.self, [#"{"requests":[\#(Self.request)]}"#])
        let last = #"{"id":\#(Self.id),"senderId":\#(Self.id),"text":"hi","timestamp":\#(Self.time)}"#
        let conversation = #"{"friendDisplayName":null,"friendHexCode":"BF010BA2","friendId":\#(Self.id),"unreadCount":2"#
        try await expectSame(
            ConversationList.self,
            [#"{"conversations":[\#(conversation),"lastMessage":\#(last)},\#(conversation),"lastMessage":null}]}"#])
        try await expectSame(Registered.self, [#"{"hexCode":"BF010BA2","token":"x.y.z","userId":\#(Self.id)}"#])
        try await expectSame(
            OwnUser.self,
            [
                #"{"createdAt":\#(Self.time),"deviceToken":"t","displayName":"Neo","hexCode":"BF010BA2","id":\#(Self.id),"lastSeen":\#(Self.time),"liveActivityToken":null,"status":"offline","updatedAt":\#(Self.time)}"#
            ])
        try await expectSame(
            Leaderboard.self,
            [
                #"{"entries":[{"displayName":null,"hexCode":"BF010BA2","score":7,"updatedAt":\#(Self.time),"userId":\#(Self.id)}]}"#
            ])
        try await expectSame(
            Failure.self, [#"{"error":{"code":"X","details":[1,{"a":null}],"message":"m"},"success":false}"#])
    }

    @Test func envelopes() async throws {
        let corpus = [#"{"data":{"messageId":\#(Self.id),"timestamp":\#(Self.time)},"success":true}"#]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(2500, soak: 25_000)) { input in
            let envelope: Success<MessageReceipt>
            do {
                envelope = try WireJSON.decode(from: input)
            } catch let error where error is WireJSONError || error is DecodingError {
                return
            }
            let again = try WireJSON.decode(Success<MessageReceipt>.self, from: WireJSON.encode(envelope))
            try #require(again.data == envelope.data)
        }
    }

    @Test func validatedFormsAreStable() async throws {
        try await fuzz(["Neo_77 x-y", " bf010ba2\n"].map { Data($0.utf8) }, count: Effort.count(5000, soak: 50_000)) { input in
            let text = String(decoding: input, as: UTF8.self)
            if let code = HexCode(rawValue: text) {
                try #require(HexCode(rawValue: code.rawValue) == code && code.rawValue.count == 8)
            }
            if let name = try? DisplayName.checked(text) {
                try #require(try DisplayName.checked(name) == name)
                try #require(1...DisplayName.maximumLength ~= name.utf8.count)
            }
        }
    }
}
