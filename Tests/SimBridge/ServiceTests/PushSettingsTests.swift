import Foundation
import HTTPTypes
import PushKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// The settings of notifications: who may set them, and when they end.
@Suite struct PushSettingsTests {
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
    }

    static let subscription = PushSubscription(
        endpoint: "https://push.example.com/1",
        keys: .init(
            // The point of RFC 8291, section 5.
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg"))

    private func record(of device: Device.ID? = nil) async throws -> PushRecord<PushDevices>? {
        try await relay.relay.store.read { [pair] in try PushDevices.record(of: device ?? pair.client, in: $0) }
    }

    @Test func settingsAreStoredChangedAndRemoved() async throws {
        let first = try await relay.setPush(address: .webPush(Self.subscription), for: pair.client, of: pair.owner)
        expect(first, 200)
        #expect(first.text == #"{"status":"on"}"#)
        #expect(try await record()?.settings.content == PushContent.nothing)
        expect(
            try await relay.setPush(
                .full, address: .apns(token: "ab", environment: "production"), language: "ko-KR", for: pair.client, of: pair.owner),
            200)
        let stored = try #require(try await record())
        #expect(stored.settings.content == .full && stored.settings.language == "ko-KR" && stored.environment == .production)
        #expect(stored.settings.address == .apns(token: "ab", environment: "production"))
        for _ in 1...2 {
            let reply = try await relay.removePush(of: pair.client, of: pair.owner)
            expect(reply, 200)
            #expect(reply.text == #"{"status":"off"}"#)
        }
        #expect(try await record() == nil)
    }

    @Test func onlyClientsOfTheAccountHaveSettings() async throws {
        let other = try await relay.pair()
        for device in [pair.host, other.client, Device.ID(999)] {
            expect(try await relay.setPush(for: device, of: pair.owner), 404, "Device not found")
            expect(try await relay.removePush(of: device, of: pair.owner), 404, "Device not found")
        }
        expect(try await relay.call(.put, "/devices/x/push", token: pair.owner.token, body: "{}"), 422)
        expect(try await relay.call(.delete, "/devices/x/push", token: pair.owner.token), 404, "Device not found")
        let post = try await relay.call(.post, "/devices/\(pair.client)/push", token: pair.owner.token, body: "{}")
        expect(post, 405)
        #expect(post.headers[.allow] == "DELETE, PUT")
        expect(try await relay.call(.get, "/devices/\(pair.client)/pull", token: pair.owner.token), 404, "Not Found")
    }

    @Test(arguments: [
        #"null"#, #""x""#, #"{}"#, #"{"apns":{}}"#, #"{"apns":{"token":""}}"#, #"{"apns":{"token":"xyz"}}"#,
        #"{"apns":{"token":"ab","environment":"moon"}}"#, #"{"ntfy":{"topic":"a/b"}}"#, #"{"ntfy":{"topic":""}}"#,
        #"{"webPush":{"endpoint":"http://push.example.com/","keys":{"p256dh":"","auth":""}}}"#,
        #"{"webPush":{"endpoint":"https://push.example.com/","keys":{"p256dh":"AAAA","auth":"AAAA"}}}"#,
    ])
    func addressesThatNoPushServiceGivesAreRefused(_ address: String) async throws {
        let reply = try await relay.call(
            .put, "/devices/\(pair.client)/push", token: pair.owner.token,
            body: #"{"address":\#(address),"content":"none","language":"en"}"#)
        expect(reply, 422)
        #expect(reply.issues.map(\.field) == ["address"])
        #expect(try await record() == nil)
    }

    @Test func everyFieldIsRequired() async throws {
        let reply = try await relay.call(.put, "/devices/\(pair.client)/push", token: pair.owner.token, body: "{}")
        #expect(reply.issues.map(\.field) == ["content", "language", "address"])
        let bad = try await relay.call(
            .put, "/devices/\(pair.client)/push", token: pair.owner.token,
            body: #"{"address":{"ntfy":{"topic":"t"}},"content":"all","language":"e"}"#)
        #expect(bad.issues.map(\.field) == ["content", "language"])
    }

    @Test func offerNamesTheConfiguredServices() async throws {
        expect(try await relay.call(.get, "/push"), 401)
        let bare = try await TestRelay(configure: { $0.push = PushServices() })
        let owner = try await bare.pair()
        let none = try await bare.call(SimBridgeEndpoints.push, by: owner.owner)
        #expect(none.text == #"{"ntfy":null,"web_push_key":null}"#)
        for address in [PushAddress.ntfy(topic: "t"), .webPush(Self.subscription)] {
            expect(try await bare.setPush(address: address, for: owner.client, of: owner.owner), 422)
        }
        let webPush = try WebPushConfiguration()
        let other = try await TestRelay(configure: { $0.push.webPush = webPush })
        let person = try await other.person()
        let offers = [
            try await other.call(SimBridgeEndpoints.push, by: person).value(RelayPushOffer.self).offer,
            try await other.call(SimBridgeEndpoints.push, by: person).value(RelayPushOffer.self).offer,
        ]
        #expect(offers[0].webPushKey == webPush.publicKey)
        #expect(offers[0].ntfy?.server == "https://ntfy.example.com")
        #expect(offers.allSatisfy { NtfyRoute.isTopic($0.ntfy?.topic ?? "") } && offers[0].ntfy?.topic != offers[1].ntfy?.topic)
    }

    @Test func anAddressBelongsToTheLastDeviceThatStoredIt() async throws {
        let other = try await relay.pair()
        _ = try await relay.setPush(address: .apns(token: "ab"), for: pair.client, of: pair.owner)
        _ = try await relay.setPush(address: .apns(token: "AB"), for: other.client, of: other.owner)
        #expect(try await record() == nil)
        #expect(try await record(of: other.client) != nil)
    }

    @Test func removedDevicesHaveNoSettings() async throws {
        _ = try await relay.setPush(for: pair.client, of: pair.owner)
        expect(
            try await relay.call(.delete, "/devices/\(pair.client)", token: pair.owner.token), 200)
        #expect(try await record() == nil)
    }

    /// A client that is paired with another host keeps its settings.
    @Test func settingsEndWithTheLastPairing() async throws {
        let second = try await relay.device(.host, of: pair.owner)
        try await relay.pair(second, pair.client, by: pair.owner)
        _ = try await relay.setPush(for: pair.client, of: pair.owner)
        expect(try await relay.call(.delete, "/devices/\(pair.host)", token: pair.owner.token), 200)
        #expect(try await record() != nil)
        expect(try await relay.call(.delete, "/devices/\(second)", token: pair.owner.token), 200)
        #expect(try await record() == nil)
    }

    /// The devices are logged out: one that was stolen is notified of nothing more.
    @Test func newPasswordEndsTheSettingsOfTheAccount() async throws {
        let other = try await relay.pair()
        _ = try await relay.setPush(for: pair.client, of: pair.owner)
        _ = try await relay.setPush(address: .ntfy(topic: "other"), for: other.client, of: other.owner)
        let change = PasswordChange(password: "secret", newPassword: "another secret")
        expect(try await relay.call(SimBridgeEndpoints.changePassword, change, by: pair.owner), 200)
        #expect(try await record() == nil)
        #expect(try await record(of: other.client) != nil)
    }

    @Test func settingsSurviveARestart() async throws {
        _ = try await relay.setPush(.sender, for: pair.client, of: pair.owner)
        let restarted = try await relay.restarted()
        let client = pair.client
        #expect(try await restarted.relay.store.read { try PushDevices.record(of: client, in: $0) }?.settings.content == .sender)
    }
}
