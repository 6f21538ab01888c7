import Foundation
import PushKit
import Testing
import WireKit

@Suite struct WebPushNotificationTests {
    /// The payload as a service worker reads it.
    private struct Shown: Decodable {
        var title: String
        var body: String
        var tag: String
    }

    private func text(_ notification: WebPushNotification) throws -> String {
        String(decoding: try notification.message().payload, as: UTF8.self)
    }

    @Test func allMembers() throws {
        let notification = WebPushNotification(
            title: "KAI", body: "HELLO", tag: "chat-1", badge: 3, shown: "/pager2077/api/pushes/1/shown",
            opened: "/pager2077/api/pushes/1/opened")
        #expect(
            try text(notification)
                == #"{"badge":3,"body":"HELLO","opened":"/pager2077/api/pushes/1/opened","#
                + #""shown":"/pager2077/api/pushes/1/shown","tag":"chat-1","title":"KAI"}"#)
    }

    @Test func absentMembersAreLeftOut() throws {
        let notification = WebPushNotification(title: "KAI", body: "HELLO", tag: "chat-1")
        #expect(try text(notification) == #"{"body":"HELLO","tag":"chat-1","title":"KAI"}"#)
    }

    /// Plain text, text that JSON escapes, and characters of many bytes.
    @Test(arguments: ["x", "\"", "\u{1}", "👩‍👩‍👧‍👦", "가"])
    func bodyIsShortenedToFit(_ character: String) throws {
        let body = String(repeating: character, count: 10_000)
        let payload = try WebPushNotification(title: "KAI", body: body, tag: "chat-1").message().payload
        #expect(payload.count <= WebPushMessage.maximumSize)
        // One more character would not fit.
        let longest = try WireJSON.encode(character).count - 2
        #expect(payload.count > WebPushMessage.maximumSize - longest)
        let shown = try WireJSON.decode(Shown.self, from: payload)
        #expect(shown.body.hasSuffix("…"))
        #expect(body.hasPrefix(shown.body.dropLast()))
        #expect(shown.title == "KAI")
        #expect(shown.tag == "chat-1")
    }

    @Test func bodyOfTheLargestSizeIsWhole() throws {
        let rest = try WebPushNotification(title: "KAI", body: "", tag: "chat-1").message().payload.count
        let body = String(repeating: "x", count: WebPushMessage.maximumSize - rest)
        let payload = try WebPushNotification(title: "KAI", body: body, tag: "chat-1").message().payload
        #expect(payload.count == WebPushMessage.maximumSize)
        #expect(try WireJSON.decode(Shown.self, from: payload).body == body)
    }

    @Test func titleIsShortenedWhereTheBodyIsNotEnough() throws {
        let title = String(repeating: "x", count: 10_000)
        let payload = try WebPushNotification(title: title, body: "HELLO", tag: "chat-1").message().payload
        #expect(payload.count == WebPushMessage.maximumSize)
        #expect(try WireJSON.decode(Shown.self, from: payload).body == "")
    }
}
