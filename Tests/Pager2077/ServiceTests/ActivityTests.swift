import Foundation
import Pager2077Wire
import PushKit
import Testing
import WireKit

@testable import Pager2077Service

/// The iPhone's own type decodes what the service sends, as the system does: with a default `JSONDecoder`.
@Suite struct ActivityTests {
    /// The members of a push that the system reads to start an activity.
    private struct Push: Decodable {
        struct System: Decodable {
            enum CodingKeys: String, CodingKey {
                case event, attributes
                case type = "attributes-type"
                case state = "content-state"
            }
            var event: String
            var type: String
            var attributes: PagerActivityAttributes
            var state: PagerActivityAttributes.ContentState
        }
        var aps: System
    }

    private func push(_ sender: String, _ text: String, at time: Timestamp = .now) throws -> Push.System {
        let page = PagerNotification.message(
            messageId: .random(), senderId: User.ID("7f3a"), senderName: sender, preview: PagerNotification.preview(of: text))
        let form = NotificationForm(language: .english, showsPreviews: true, badge: nil, pushID: Identifier("e1"))
        let payload = try #require(page.liveActivity(form, at: time)).payload
        return try JSONDecoder().decode(Push.self, from: try #require(try payload.encoded())).aps
    }

    @Test func startIsDecodedByTheAppsOwnType() throws {
        let push = try push("KAI", "MEET 19:00", at: Timestamp(milliseconds: 1_790_000_000_999))
        #expect(push.event == "start")
        #expect(push.type == String(describing: PagerActivityAttributes.self))
        #expect(push.attributes == PagerActivityAttributes(activityType: "message", senderId: "7f3a"))
        #expect(
            push.state
                == PagerActivityAttributes.ContentState(
                    sender: "KAI", message: "MEET 19:00", timestamp: Date(timeIntervalSince1970: 1_790_000_000)))
    }

    @Test(arguments: ["", "\"}{\\", "📟👩‍👩‍👧‍👦", "\u{1}\u{2028}", String(repeating: "👩‍👩‍👧‍👦", count: 100)])
    func anyTextIsDecoded(_ text: String) throws {
        #expect(try push("KAI", text).state.message == PagerNotification.preview(of: text))
    }

    /// The payload of the contract has no sender id.
    @Test func payloadOfTheContractIsDecoded() throws {
        let attributes = try JSONDecoder().decode(PagerActivityAttributes.self, from: Data(#"{"activityType":"message"}"#.utf8))
        #expect(attributes == PagerActivityAttributes())
        #expect(attributes.link.flatMap(PagerActivityAttributes.notificationID) == nil)
    }

    @Test func tapOpensTheChatWithTheSender() throws {
        let link = try #require(try push("KAI", "HELLO").attributes.link)
        #expect(link.absoluteString == "pager2077://chat/7f3a")
        #expect(PagerActivityAttributes.notificationID(of: link) == "chat-7f3a")
    }

    @Test(arguments: [
        "pager2077://chat", "pager2077://chat/", "pager2077://other/7f3a", "https://chat/7f3a", "pager2077:", "chat/7f3a",
    ])
    func otherLinksOpenNoChat(_ text: String) throws {
        #expect(PagerActivityAttributes.notificationID(of: try #require(URL(string: text))) == nil)
    }
}
