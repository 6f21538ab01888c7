import Foundation
import Logging
import Pager2077Wire
import PushKit
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// Apple's push service in memory: replies as told for a token, and accepts otherwise.
final class TestAPNS: PushSender {
    struct Sent: Equatable {
        var token: String
        var kind: APNSNotification.Kind
        var environment: APNSEnvironment?
    }

    let channel = PushChannel.apns
    private let state = Locked(
        (sent: [Sent](), results: [String: [PushResult]](), accepted: [:] as [String: APNSEnvironment]))

    var sent: [Sent] { state.withLock { $0.sent } }
    /// Sent with the token of a phone, in order.
    func kinds(for token: String) -> [APNSNotification.Kind] { sent.filter { $0.token == token }.map(\.kind) }
    func set(_ results: [PushResult], for token: String) { state.withLock { $0.results[token] = results } }
    /// Accepts from now on in another environment than that of the route.
    func move(_ token: String, to environment: APNSEnvironment) { state.withLock { $0.accepted[token] = environment } }

    func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        guard case .apns(let apns) = route else { return .refused(.notConfigured) }
        return state.withLock { state in
            state.sent.append(Sent(token: apns.token, kind: apns.notification.kind, environment: apns.environment))
            guard let results = state.results[apns.token], let first = results.first else {
                let environment = state.accepted[apns.token]
                return .accepted(PushReceipt(route: route, environment: environment == apns.environment ? nil : environment))
            }
            state.results[apns.token] = Array(results.dropFirst())
            return first
        }
    }
}

/// Notifications and the routes by which they reach phones.
@Suite struct PushTests {
    private static let device = String(repeating: "d0", count: 32)
    private static let live = String(repeating: "a1", count: 40)

    let apns = TestAPNS()
    let pager: Pager
    let ada: Pager.Person

    init() async throws {
        pager = try await Pager(senders: [apns])
        ada = try await pager.person("browser-ada")
    }

    /// A friend of Ada's.
    private func friend(device: String = Self.device, live: String? = nil) async throws -> Pager.Person {
        let friend = try await pager.person(device)
        try await pager.befriend(ada, friend)
        if let live { try await setLive(live, of: friend) }
        try await deliver()
        return friend
    }

    private func setLive(_ token: String, of person: Pager.Person) async throws {
        let update = LiveActivityTokenUpdate(liveActivityToken: token)
        #expect(try await pager.call(PagerEndpoints.setLiveActivityToken, update, by: person).status == 200)
    }

    private func deliver() async throws { try await pager.deliver() }
    private func ends(of person: Pager.Person) async throws -> [PushState] { try await pager.ends(of: person) }

    // MARK: The table of routes

    @Test func liveActivityTakesThePlaceOfTheAlert() async throws {
        let bob = try await friend(live: Self.live)
        let before = apns.sent.count
        try await pager.send("HELLO", from: ada, to: bob)
        try await deliver()
        #expect(apns.sent.dropFirst(before).map(\.kind) == [.liveActivity])
        #expect(apns.kinds(for: Self.live) == [.liveActivity])
    }

    @Test func phoneWithoutLiveActivitiesGetsAlerts() async throws {
        let bob = try await friend()
        try await pager.send("HELLO", from: ada, to: bob)
        try await deliver()
        // The request, and the message.
        #expect(apns.kinds(for: Self.device) == [.alert, .alert])
    }

    @Test func onlyAMessageStartsALiveActivity() async throws {
        let bob = try await friend(live: Self.live)
        let asker = try await pager.person("browser-asker")
        _ = try await pager.call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: bob.hexCode.rawValue), by: asker)
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: ada)
        try await deliver()
        // An alert and a silent notification may be under way at once.
        #expect(apns.kinds(for: Self.device).map(\.rawValue).sorted() == ["alert", "alert", "background"])
        #expect(apns.kinds(for: Self.live) == [])
    }

    @Test(arguments: ["simulator-1", "denied-token-1", "browser-1"])
    func generatedDeviceTokensAreNeverPushedTo(_ token: String) async throws {
        let cem = try await friend(device: token)
        try await pager.send("x", from: ada, to: cem)
        try await deliver()
        #expect(apns.sent.isEmpty)
        #expect(try await ends(of: cem) == [.unreachable, .unreachable])

        // A Live Activity can be started all the same.
        try await setLive(Self.live, of: cem)
        try await pager.send("y", from: ada, to: cem)
        try await deliver()
        #expect(apns.sent.map(\.token) == [Self.live])
    }

    @Test func liveActivityTokenHasAtLeast32Characters() async throws {
        let bob = try await friend(live: String(repeating: "a", count: 31))
        try await pager.send("one", from: ada, to: bob)
        try await deliver()
        #expect(apns.sent.last?.token == Self.device)
        try await setLive(String(repeating: "a", count: 32), of: bob)
        try await pager.send("two", from: ada, to: bob)
        try await deliver()
        #expect(apns.sent.last?.kind == .liveActivity)
    }

    /// The user allows notifications after the message was sent, before it is due again.
    @Test func tokenThatComesBeforeTheSendingCounts() async throws {
        let bob = try await friend(device: "denied-token-1")
        try await pager.send("HELLO", from: ada, to: bob)
        try await setLive(Self.live, of: bob)
        try await deliver()
        #expect(apns.kinds(for: Self.live) == [.liveActivity])
    }

    // MARK: One activity of each friend

    @Test func fivePagesStartOneActivityAndGoOnAsAlerts() async throws {
        let bob = try await friend(live: Self.live)
        let before = apns.sent.count
        for number in 1...5 { try await pager.send("\(number)", from: ada, to: bob) }
        try await deliver()
        #expect(apns.sent.dropFirst(before).map(\.kind) == [.liveActivity, .alert, .alert, .alert, .alert])
        #expect(try await ends(of: bob).suffix(5) == Array(repeating: .completed, count: 5))
        // Another friend has an activity of its own.
        let eve = try await pager.person("browser-eve")
        try await pager.befriend(eve, bob)
        try await pager.send("from another", from: eve, to: bob)
        try await deliver()
        #expect(apns.kinds(for: Self.live) == [.liveActivity, .liveActivity])
    }

    /// The system removes an activity after twelve hours at the latest.
    @Test func activityIsStartedAgainAfterTwelveHours() async throws {
        let bob = try await friend(live: Self.live)
        try await pager.send("one", from: ada, to: bob)
        try await deliver()
        pager.advance(.seconds(12 * 3600 - 1))
        try await pager.send("two", from: ada, to: bob)
        try await deliver()
        #expect(apns.kinds(for: Self.live) == [.liveActivity])
        pager.advance(.seconds(1))
        try await pager.send("three", from: ada, to: bob)
        try await deliver()
        #expect(apns.kinds(for: Self.live) == [.liveActivity, .liveActivity])
    }

    /// A refused start has put nothing on the phone.
    @Test func refusedStartLeavesThePlaceToTheNextMessage() async throws {
        let bob = try await friend(live: Self.live)
        apns.set([.refused("PayloadEmpty")], for: Self.live)
        for text in ["one", "two"] { try await pager.send(text, from: ada, to: bob) }
        try await deliver()
        #expect(apns.kinds(for: Self.live) == [.liveActivity, .liveActivity])
    }

    @Test func activitiesThatAreSwitchedOffAndOnStartAgain() async throws {
        let bob = try await friend(live: Self.live)
        try await pager.send("one", from: ada, to: bob)
        try await deliver()
        let off = LiveActivityTokenUpdate(liveActivityToken: nil)
        #expect(try await pager.call(PagerEndpoints.setLiveActivityToken, off, by: bob).status == 200)
        try await setLive(Self.live, of: bob)
        try await pager.send("two", from: ada, to: bob)
        try await deliver()
        #expect(apns.kinds(for: Self.live) == [.liveActivity, .liveActivity])
    }

    // MARK: Dead tokens

    @Test(arguments: ["BadDeviceToken", "Unregistered", "ExpiredToken", "DeviceTokenNotForTopic"] as [PushReason])
    func deadStartTokenIsForgottenAndTheMessageGoesAsAnAlert(_ reason: PushReason) async throws {
        let bob = try await friend(live: Self.live)
        let before = apns.sent.count
        apns.set([.dead(reason)], for: Self.live)
        try await pager.send("HELLO", from: ada, to: bob)
        try await deliver()
        #expect(apns.sent.dropFirst(before).map(\.kind) == [.liveActivity, .alert])
        let me = try await pager.call(PagerEndpoints.me, by: bob).data(OwnUser.self)
        #expect(me.liveActivityToken == nil)
        try await pager.send("again", from: ada, to: bob)
        try await deliver()
        #expect(apns.kinds(for: Self.live) == [.liveActivity])
        #expect(try await ends(of: bob) == [.completed, .completed, .completed])
    }

    @Test func startTokenThatWasSentAgainOutlivesAnOlderDeath() async throws {
        let bob = try await friend(live: Self.live)
        apns.set([.dead("Unregistered", since: pager.now - .seconds(60))], for: Self.live)
        try await pager.send("HELLO", from: ada, to: bob)
        try await deliver()
        let me = try await pager.call(PagerEndpoints.me, by: bob).data(OwnUser.self)
        #expect(me.liveActivityToken == Self.live)
    }

    @Test func deadDeviceTokenIsUsedAgainAfterARegistration() async throws {
        let bob = try await friend()
        apns.set([.dead("Unregistered", since: pager.now)], for: Self.device)
        try await pager.send("one", from: ada, to: bob)
        try await deliver()
        let count = apns.sent.count
        try await pager.send("two", from: ada, to: bob)
        try await deliver()
        #expect(apns.sent.count == count)
        #expect(try await ends(of: bob) == [.completed, .failed, .unreachable])
        #expect(try await pager.person(Self.device).id == bob.id)
        try await pager.send("three", from: ada, to: bob)
        try await deliver()
        #expect(apns.sent.count == count + 1)
    }

    @Test func environmentOfATokenIsLearned() async throws {
        let bob = try await friend()
        apns.move(Self.device, to: .production)
        for text in ["one", "two"] {
            try await pager.send(text, from: ada, to: bob)
            try await deliver()
        }
        #expect(apns.sent.suffix(2).map(\.environment) == [nil, .production])
    }

    // MARK: Presence

    @Test func clientInTheForegroundHasFiveSecondsToAcknowledge() async throws {
        let bob = try await friend()
        let before = apns.sent.count
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            try await WebSocketProbe.open(
                port: server.port, "/api/live?after=0", headers: ["Authorization": "Bearer \(bob.token)"]
            ) { socket in
                try await say(.presence(foreground: true), on: socket)
                // Answered in order: when the error has come, the presence has been read.
                try await socket.send(.text("x"))
                while try await !text(socket).contains(#""error""#) {}
                try await pager.send("seen", from: ada, to: bob)
                try await pager.send("not seen", from: ada, to: bob)
                // Only what was sent can be acknowledged.
                while try await !text(socket).contains(#""seq":3"#) {}
                pager.advance(.milliseconds(4999))
                // Rings the delivery.
                try await say(.ack(seq: 2), on: socket)
                try await eventually { try await ends(of: bob) == [.completed, .withdrawn, .waiting] }
                #expect(apns.sent.count == before)
                pager.advance(.milliseconds(1))
                try await say(.ack(seq: 2), on: socket)
                try await eventually { try await ends(of: bob) == [.completed, .withdrawn, .completed] }
            }
        }
        #expect(apns.sent.count == before + 1)
    }

    private func say(_ message: LiveClientMessage, on socket: WebSocketProbe) async throws {
        try await socket.send(.text(String(decoding: WireJSON.encode(message), as: UTF8.self)))
    }

    private func text(_ socket: WebSocketProbe) async throws -> String {
        String(decoding: Data(try await socket.receive().payload), as: UTF8.self)
    }
}

/// The payloads of the contract, byte for byte.
@Suite struct PushPayloadTests {
    private static let code = HexCode(0x7F3A_2100)

    private func json(_ notification: APNSNotification?) throws -> String {
        let payload = try #require(notification).payload
        return String(decoding: try #require(try payload.encoded()), as: UTF8.self)
    }

    private let page = PagerNotification.message(
        messageId: Message.ID("m1"), senderId: User.ID("u1"), senderName: "KAI", preview: "HELLO")

    @Test func message() throws {
        #expect(
            try json(page.apns(.contract))
                == #"{"aps":{"alert":{"body":"HELLO","title":"📟 KAI"},"badge":1,"sound":"default"},"messageId":"m1","#
                + #""senderId":"u1","senderName":"KAI","type":"MESSAGE"}"#)
        #expect(page.apns(.contract).kind == .alert)
    }

    @Test func friendRequest() throws {
        let notification = PagerNotification.friendRequest(
            requestId: FriendRequest.ID("r1"), senderName: "KAI", senderHexCode: Self.code)
        #expect(
            try json(notification.apns(.contract))
                == #"{"aps":{"alert":{"body":"KAI wants to be friends","title":"👋 Friend Request"},"badge":1,"sound":"default"},"#
                + #""requestId":"r1","senderHexCode":"7F3A2100","type":"FRIEND_REQUEST"}"#)
    }

    @Test func friendAccepted() throws {
        #expect(
            try json(PagerNotification.friendAccepted(friendHexCode: Self.code).apns(.contract))
                == #"{"aps":{"alert":{"body":"7F3A2100 accepted your request","title":"✅ Friend Request Accepted"},"badge":1,"#
                + #""sound":"default"},"friendHexCode":"7F3A2100","type":"FRIEND_ACCEPTED"}"#)
    }

    @Test func friendStatus() throws {
        let notification = PagerNotification.friendStatus(friendHexCode: Self.code, status: .online).apns(.contract)
        #expect(
            try json(notification)
                == #"{"aps":{"content-available":1},"friendHexCode":"7F3A2100","status":"online","type":"FRIEND_STATUS"}"#)
        #expect(notification.kind == .background)
        #expect(notification.priority == .considerate)
    }

    @Test func liveActivityStart() throws {
        let start = page.liveActivity(.contract, at: Timestamp(milliseconds: 1_790_000_000_999))
        #expect(
            try json(start)
                == #"{"aps":{"alert":{"body":"HELLO","title":"KAI"},"attributes":{"activityType":"message"},"#
                + #""attributes-type":"PagerActivityAttributes","content-state":{"isDemo":false,"message":"HELLO","messageIndex":1,"#
                + #""sender":"KAI","timestamp":811692800,"totalMessages":1},"event":"start","sound":"default","#
                + #""timestamp":1790000000}}"#)
        #expect(start?.kind == .liveActivity)
        #expect(start?.priority == .immediate)
    }

    @Test func othersStartNoLiveActivity() {
        #expect(PagerNotification.friendAccepted(friendHexCode: Self.code).liveActivity(.contract, at: .now) == nil)
    }

    @Test func longestMessageFits() throws {
        let long = PagerNotification.message(
            messageId: .random(), senderId: .random(), senderName: String(repeating: "x", count: 20),
            preview: PagerNotification.preview(of: String(repeating: "👩‍👩‍👧‍👦", count: 100)))
        #expect(try json(long.apns(.contract)).utf8.count <= APNSNotification.maximumSize)
        #expect(try json(long.liveActivity(.contract, at: .now)).utf8.count <= APNSNotification.maximumSize)
    }
}
