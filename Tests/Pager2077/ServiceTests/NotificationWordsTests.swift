import Foundation
import Pager2077Wire
import PushKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// The content of notifications: language, previews and badge, and the members that devices with a record of their own get beside the
/// contract's payload.
@Suite struct NotificationWordsTests {
    private static let (token, startToken) = (PushStandIns.token, PushStandIns.startToken)

    let standIns = PushStandIns()
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        (pager, ada, bob) = try await standIns.pagerOfTwo()
        let name = DisplayNameUpdate(displayName: "KAI")
        #expect(try await pager.call(PagerEndpoints.setDisplayName, name, by: ada).status == 200)
    }

    private func befriend() async throws {
        try await pager.befriend(ada, bob)
        try await pager.deliver()
        standIns.clear()
    }

    private func page(_ text: String = "HELLO") async throws -> [PushStandIns.Sent] {
        try await standIns.page(text, from: ada, to: bob, at: pager)
    }

    private static let addresses = [PushAddress.apns(token: token), .browser("a"), .ntfy(topic: "bob")]

    @Test(arguments: [
        ("en", true, "HELLO"), ("en", false, "New page"), ("ko", true, "HELLO"), ("ko", false, "새 호출"), ("ko-KR", false, "새 호출"),
        ("KO", false, "새 호출"), ("kok", false, "New page"), ("fr-CA", false, "New page"), ("-", false, "New page"),
    ])
    func message(_ language: String, _ previews: Bool, _ body: String) async throws {
        try await befriend()
        for address in Self.addresses {
            try await pager.setDevice(.test(0), address, language: language, previews: previews, of: bob)
            let sent = try await page()
            #expect(sent.map(\.text) == [NotificationText(title: "📟 KAI", body: body)])
            #expect(previews || !"\(sent)".contains("HELLO"))
        }
        try await pager.setStartToken(Self.startToken, device: .test(0), of: bob)
        let start = try await page()
        #expect(start.map(\.kind) == ["start"])
        #expect(start.map(\.text) == [NotificationText(title: "KAI", body: body)])
        guard case .object(let aps) = start.first?["aps"], case .object(let state) = aps["content-state"] else {
            Issue.record("no state")
            return
        }
        #expect(state["message"] == .string(body))
        #expect(previews || !"\(start)".contains("HELLO"))
    }

    @Test(arguments: [
        (
            "en", NotificationText(title: "👋 Friend Request", body: "KAI wants to be friends"),
            NotificationText(title: "✅ Friend Request Accepted", body: "CODE accepted your request")
        ),
        (
            "ko", NotificationText(title: "👋 친구 요청", body: "KAI 님이 친구가 되고 싶어 합니다"),
            NotificationText(title: "✅ 친구 요청 수락", body: "CODE 님이 친구 요청을 수락했습니다")
        ),
    ])
    func friends(_ language: String, _ request: NotificationText, _ accepted: NotificationText) async throws {
        var accepted = accepted
        accepted.body = accepted.body.replacingOccurrences(of: "CODE", with: bob.hexCode.rawValue)
        let addresses = [
            (PushAddress.apns(token: "a0"), PushAddress.apns(token: "b0")), (.browser("a"), .browser("b")),
            (.ntfy(topic: "a"), .ntfy(topic: "b")),
        ]
        for (adas, bobs) in addresses {
            // Previews are about messages only.
            try await pager.setDevice(.test(0), adas, language: language, previews: false, of: ada)
            try await pager.setDevice(.test(0), bobs, language: language, previews: false, of: bob)
            let asked = try await pager.call(
                PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: bob.hexCode.rawValue), by: ada
            ).data(FriendRequest.self)
            try await pager.deliver()
            _ = try await pager.call(PagerEndpoints.acceptRequest, by: bob, ["requestId": asked.id.rawValue])
            try await pager.deliver()
            #expect(standIns.sent.map(\.text) == [request, accepted])
            if case .webPush = adas {
                #expect(standIns.sent.map { $0["tag"] } == [.string("request-\(asked.id)"), .string("friend-\(bob.id)")])
                #expect(standIns.sent.allSatisfy { $0["shown"] == nil && $0["opened"] == nil })
            }
            _ = try await pager.call(PagerEndpoints.removeFriend, by: ada, ["friendId": bob.id.rawValue])
            standIns.clear()
        }
    }

    @Test func badgeIsTheNumberOfUnreadMessages() async throws {
        try await befriend()
        for (number, address) in Self.addresses.dropLast().enumerated() {
            try await pager.setDevice(.test(number), address, of: bob)
        }
        #expect(try await page("one").map(\.badge) == [.integer(1), .integer(1)])
        #expect(try await page("two").map(\.badge) == [.integer(2), .integer(2)])
        _ = try await pager.history(of: bob, with: ada)
        #expect(try await page("three").map(\.badge) == [.integer(1), .integer(1)])
        _ = try await pager.history(of: bob, with: ada)
        // Nothing is unread: the number stays as it is.
        let asker = try await pager.person("browser-asker")
        standIns.clear()
        _ = try await pager.call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: bob.hexCode.rawValue), by: asker)
        try await pager.deliver()
        #expect(standIns.sent.map(\.badge) == [nil, nil])
    }

    /// The registered phone gets the contract's payload, whatever other devices get.
    @Test func registeredPhoneGetsTheContractsPayload() async throws {
        let cem = try await pager.person(Self.token)
        try await pager.befriend(ada, cem)
        try await pager.deliver()
        for text in ["one", "two"] {
            standIns.clear()
            try await pager.send(text, from: ada, to: cem)
            try await pager.deliver()
            guard case .object(var payload) = standIns.sent.first?.payload else {
                Issue.record("no payload")
                return
            }
            payload["messageId"] = nil
            #expect(
                payload == [
                    "aps": .object([
                        "alert": .object(["title": .string("📟 KAI"), "body": .string(text)]), "badge": .integer(1),
                        "sound": .string("default"),
                    ]), "type": .string("MESSAGE"), "senderId": .string(ada.id.rawValue), "senderName": .string("KAI"),
                ])
        }
    }

    /// The identifier is that of the entry for this device: the device reports by it.
    @Test func messageNamesItsEntry() async throws {
        try await befriend()
        for (number, address) in Self.addresses.dropLast().enumerated() {
            try await pager.setDevice(.test(number), address, of: bob)
        }
        let sent = try await page()
        let alert = try #require(sent.first { $0.kind == "alert" })
        let browser = try #require(sent.first { $0.kind == "webPush" })
        #expect(alert.entry != browser.entry)
        #expect(alert["pushId"] == .string(alert.entry.rawValue))
        #expect(alert["senderId"] == .string(ada.id.rawValue))
        #expect(browser["shown"] == .string("/pager2077/api/pushes/\(browser.entry)/shown"))
        #expect(browser["opened"] == .string("/pager2077/api/pushes/\(browser.entry)/opened"))
        #expect(browser["tag"] == .string("chat-\(ada.id)"))
        let entries = try await pager.store.read { transaction in
            try transaction.all("SELECT * FROM pushes WHERE state = 'completed'", as: PushEntry.self)
        }
        #expect(entries.first { $0.identifier == browser.entry }?.target == PushDevice.ID.test(1).rawValue)
    }

    /// Entries that an earlier version has stored.
    @Test func acceptanceWithoutAnIDIsStillRead() throws {
        let stored = #"{"friendAccepted":{"friendHexCode":"7F3A2100"}}"#
        let notification = try WireJSON.decode(PagerNotification.self, from: Data(stored.utf8))
        #expect(notification == .friendAccepted(friendHexCode: HexCode(0x7F3A_2100), friendId: nil))
    }
}
