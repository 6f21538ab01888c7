import Foundation
import HTTPTypes
import Pager2077Wire
import PushKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// Addresses, start tokens and settings of devices: whose they are, and how long.
@Suite struct DeviceTests {
    private static let (token, startToken) = (PushStandIns.token, PushStandIns.startToken)

    let standIns = PushStandIns()
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        (pager, ada, bob) = try await standIns.pagerOfTwo()
        try await pager.befriend(ada, bob)
        try await pager.deliver()
    }

    /// Sends a message to Bob, and returns the requests to push services.
    @discardableResult
    private func page(_ text: String = "HELLO", to person: Pager.Person? = nil) async throws -> [PushStandIns.Sent] {
        try await standIns.page(text, from: ada, to: person ?? bob, at: pager)
    }

    private func me(_ person: Pager.Person) async throws -> OwnUser {
        try await pager.call(PagerEndpoints.me, by: person).data(OwnUser.self)
    }

    // MARK: The offer

    @Test func offerNamesTheServicesAndANewTopicEachTime() async throws {
        let offers = try await [
            pager.call(PagerEndpoints.pushOffer, by: bob).data(PushOffer.self),
            pager.call(PagerEndpoints.pushOffer, by: bob).data(PushOffer.self),
        ]
        #expect(offers[0].webPushKey?.count == 87)
        #expect(offers[0].webPushKey == offers[1].webPushKey)
        #expect(offers[0].ntfy?.server == "https://ntfy.example.org")
        #expect(offers.allSatisfy { $0.ntfy.map { NtfyRoute.isTopic($0.topic) } == true })
        #expect(offers[0].ntfy?.topic != offers[1].ntfy?.topic)
        expect(try await pager.call(PagerEndpoints.pushOffer), 401, .unauthorized)
    }

    @Test func pagerWithoutServicesOffersNone() async throws {
        let pager = try await Pager()
        let bob = try await pager.person()
        let reply = try await pager.call(PagerEndpoints.pushOffer, by: bob)
        #expect(try reply.data(PushOffer.self) == PushOffer(webPushKey: nil))
        #expect(reply.text.contains(#""webPushKey":null"#))
        for address in [PushAddress.browser("a"), .ntfy(topic: "bob")] {
            expect(try await pager.setDevice(.test(0), address, of: bob), 400, .invalidInput)
        }
    }

    // MARK: Validation

    @Test(
        arguments: [
            (#"{"language":"en","showsPreviews":true}"#, "address is required"),
            (#"{"address":null,"showsPreviews":true}"#, "language is required"),
            (#"{"address":null,"language":"en"}"#, "showsPreviews is required"),
            (#"{"address":null,"language":"en","showsPreviews":1}"#, "showsPreviews must be a boolean"),
            (#"{"address":null,"language":"","showsPreviews":true}"#, "language must have 1 to 35 characters"),
            (
                #"{"address":"x","language":"en","showsPreviews":true}"#,
                "address must be null, or an object with one of apns, webPush and ntfy"
            ),
            (
                #"{"address":{},"language":"en","showsPreviews":true}"#,
                "address must be null, or an object with one of apns, webPush and ntfy"
            ),
            (
                #"{"address":{"apns":{"token":"a0"},"ntfy":{"topic":"x"}},"language":"en","showsPreviews":true}"#,
                "address must be null, or an object with one of apns, webPush and ntfy"
            ),
            (#"{"address":{"apns":{}},"language":"en","showsPreviews":true}"#, "address.apns.token is required"),
            (
                #"{"address":{"apns":{"token":"simulator-1"}},"language":"en","showsPreviews":true}"#,
                "address.apns.token must have 1 to 512 hexadecimal digits"
            ),
            (
                #"{"address":{"apns":{"token":"a0","environment":"test"}},"language":"en","showsPreviews":true}"#,
                "address.apns.environment must be \"production\" or \"sandbox\""
            ),
            (
                #"{"address":{"webPush":{"endpoint":"https://push.example.org/a"}},"language":"en","showsPreviews":true}"#,
                "address.webPush.keys.p256dh is required"
            ),
            (
                #"{"address":{"webPush":{"endpoint":"https://push.example.org/a","keys":{"p256dh":"AAAA","auth":"AAAA"}}},"#
                    + #""language":"en","showsPreviews":true}"#,
                "address.webPush.keys must be p256dh, a P-256 point of 65 bytes, and auth, 16 bytes, both in base64url"
            ),
            (
                #"{"address":{"ntfy":{"topic":"a b"}},"language":"en","showsPreviews":true}"#,
                "address.ntfy.topic must have 1 to 64 letters, digits, hyphens and underscores"
            ),
        ])
    func wrongBodyIsExplained(_ body: String, _ sentence: String) async throws {
        let path = "/api/users/devices/\(PushDevice.ID.test(0))"
        expect(try await pager.call(.put, path, token: bob.token, body: Data(body.utf8)), 400, .invalidInput, sentence)
        let stored = try await pager.store.read { [bob] transaction in try transaction.devices(of: bob.id) }
        #expect(stored.isEmpty)
    }

    @Test(arguments: [
        "http://push.example.org/a", "https://127.0.0.1/a", "https://[::1]/a", "https://10.0.0.1/a", "https://169.254.169.254/a",
        "https://push.example.org:8443/a", "https://user@push.example.org/a", "",
    ])
    func endpointInsideTheNetworkIsRefused(_ endpoint: String) async throws {
        guard case .webPush(var subscription) = PushAddress.browser("a") else { return }
        subscription.endpoint = endpoint
        expect(
            try await pager.setDevice(.test(0), .webPush(subscription), of: bob), 400, .invalidInput,
            "address.webPush.endpoint must be an https address on port 443 of a public host")
    }

    @Test func deviceIDsHaveTheFormOfIDs() async throws {
        let id = PushDevice.ID("phone")
        let sentence = "deviceId must be 32 lower-case hexadecimal digits"
        expect(try await pager.setDevice(id, nil, of: bob), 400, .invalidInput, sentence)
        expect(try await pager.setStartToken(Self.startToken, device: id, of: bob), 400, .invalidInput, sentence)
        expect(
            try await pager.call(PagerEndpoints.removePushDevice, by: bob, ["deviceId": id.rawValue]), 400, .invalidInput, sentence)
        expect(try await pager.call(.put, "/api/users/devices/\(PushDevice.ID.test(0))", body: Data("{}".utf8)), 401, .unauthorized)
        expect(try await pager.call(.delete, "/api/users/devices/\(PushDevice.ID.test(0))"), 401, .unauthorized)
    }

    // MARK: Ownership

    /// Another user signs in on the same phone, or the app draws a new device id.
    @Test func addressBelongsToOneDevice() async throws {
        let cem = try await pager.person("browser-cem")
        try await pager.befriend(ada, cem)
        try await pager.deliver()
        for address in [PushAddress.apns(token: Self.token), .browser("a"), .ntfy(topic: "topic")] {
            try await pager.setDevice(.test(0), address, of: bob)
            #expect(try await page().count == 1)
            // The same device id of another user is another device.
            try await pager.setDevice(.test(0), address, of: cem)
            #expect(try await page().isEmpty)
            #expect(try await page(to: cem).count == 1)
            try await pager.setDevice(.test(1), address, of: cem)
            #expect(try await page(to: cem).count == 1)
            try await pager.setDevice(.test(1), nil, of: cem)
        }
    }

    @Test func onlyTheOwnerRemovesADevice() async throws {
        try await pager.setDevice(.test(0), .browser("a"), of: bob)
        let id = PushDevice.ID.test(0).rawValue
        #expect(try await pager.call(PagerEndpoints.removePushDevice, by: ada, ["deviceId": id]).status == 200)
        #expect(try await page().count == 1)
        #expect(try await pager.call(PagerEndpoints.removePushDevice, by: bob, ["deviceId": id]).status == 200)
        #expect(try await page().isEmpty)
    }

    @Test func tokenInUpperCaseIsTheSame() async throws {
        try await pager.setDevice(.test(0), .apns(token: Self.token.uppercased()), of: bob)
        try await pager.setDevice(.test(1), .apns(token: Self.token), of: bob)
        #expect(try await page().map(\.address) == [Self.token])
    }

    @Test func startTokenBelongsToOneDevice() async throws {
        try await pager.setStartToken(Self.startToken, device: .test(0), of: ada)
        try await pager.setStartToken(Self.startToken, device: .test(1), of: bob)
        #expect(try await me(ada).liveActivityToken == nil)
        #expect(try await me(bob).liveActivityToken == Self.startToken)
        // The contract's own call.
        try await pager.setStartToken(Self.startToken, of: ada)
        #expect(try await me(bob).liveActivityToken == nil)
        #expect(try await me(ada).liveActivityToken == Self.startToken)
        try await pager.setStartToken(Self.startToken, device: .test(1), of: bob)
        #expect(try await me(ada).liveActivityToken == nil)
    }

    /// The phone that Cem registered with is Bob's now, until Cem registers again.
    @Test func registeredTokenOfAnotherUserIsTakenAway() async throws {
        let cem = try await pager.person(Self.token)
        try await pager.befriend(ada, cem)
        try await pager.deliver()
        #expect(try await page(to: cem).count == 1)
        try await pager.setDevice(.test(0), .apns(token: Self.token), of: bob)
        #expect(try await page(to: cem).isEmpty)
        #expect(try await page().count == 1)
        #expect(try await pager.person(Self.token).id == cem.id)
        #expect(try await page(to: cem).count == 1)
        #expect(try await page().isEmpty)
    }

    @Test func eleventhDeviceReplacesTheLeastRecentlyUpdated() async throws {
        for number in 0..<Devices.maximumDevices {
            try await pager.setDevice(.test(number), .ntfy(topic: "topic-\(number)"), of: bob)
            pager.advance(.seconds(1))
        }
        try await pager.setDevice(.test(0), .ntfy(topic: "topic-0"), of: bob)
        try await pager.setDevice(.test(Devices.maximumDevices), .ntfy(topic: "topic-new"), of: bob)
        let topics = try await page().map(\.address)
        #expect(topics.count == Devices.maximumDevices)
        #expect(!topics.contains("topic-1"))
        #expect(topics.contains("topic-0"))
        #expect(topics.contains("topic-new"))
    }

    // MARK: The registered phone

    @Test func removingTheLastDeviceSilencesTheRegisteredPhoneToo() async throws {
        let cem = try await pager.person(Self.token)
        try await pager.befriend(ada, cem)
        try await pager.setStartToken(Self.startToken, of: cem)
        for number in 0...1 { try await pager.setDevice(.test(number), .ntfy(topic: "topic-\(number)"), of: cem) }
        try await pager.deliver()
        for number in 0...1 {
            #expect(try await page(to: cem).map(\.kind) == Array(repeating: "ntfy", count: 2 - number))
            let reply = try await pager.call(
                PagerEndpoints.removePushDevice, by: cem, ["deviceId": PushDevice.ID.test(number).rawValue])
            #expect(reply.status == 200)
        }
        #expect(try await page(to: cem).isEmpty)
        // A repeated call changes nothing, also not after a registration.
        #expect(try await pager.person(Self.token).id == cem.id)
        _ = try await pager.call(PagerEndpoints.removePushDevice, by: cem, ["deviceId": PushDevice.ID.test(1).rawValue])
        #expect(try await page(to: cem).map(\.kind) == ["alert"])
    }

    @Test func ownRecordShowsTheStartTokenThatWasSentLast() async throws {
        try await pager.setStartToken("registered", of: bob)
        #expect(try await me(bob).liveActivityToken == "registered")
        pager.advance(.seconds(1))
        try await pager.setStartToken("device", device: .test(0), of: bob)
        #expect(try await me(bob).liveActivityToken == "device")
        try await pager.setStartToken(nil, device: .test(0), of: bob)
        #expect(try await me(bob).liveActivityToken == "registered")
        try await pager.setStartToken(nil, of: bob)
        #expect(try await me(bob).liveActivityToken == nil)
        #expect(try await me(bob).deviceToken == "browser-bob")
    }

    // MARK: Death and renewal

    @Test func deathWithATimeBeforeTheRenewalDoesNotCount() async throws {
        let early = pager.now
        pager.advance(.seconds(60))
        try await pager.setDevice(.test(0), .apns(token: Self.token), of: bob)
        try await pager.setStartToken(Self.startToken, device: .test(0), of: bob)
        for address in [Self.token, Self.startToken] { standIns.set(.dead("Unregistered", since: early), for: address) }
        #expect(try await page().map(\.kind) == ["start", "alert"])
        #expect(try await page().map(\.kind) == ["start"])
        try await pager.setStartToken(nil, device: .test(0), of: bob)
        #expect(try await page().map(\.kind) == ["alert"])
    }

    @Test func deadAddressLivesAgainOnceItIsSentAgain() async throws {
        for address in [PushAddress.apns(token: Self.token), .browser("a")] {
            try await pager.setDevice(.test(0), address, of: bob)
            standIns.set(.dead("Unregistered", since: pager.now), for: try #require(try await page().first?.address))
            #expect(try await page().count == 1)
            #expect(try await page().isEmpty)
            try await pager.setDevice(.test(0), address, of: bob)
            #expect(try await page().count == 1)
        }
    }

    @Test func environmentIsLearnedForEachDevice() async throws {
        try await pager.setDevice(.test(0), .apns(token: Self.token, environment: "production"), of: bob)
        try await pager.setDevice(.test(1), .apns(token: "e0"), of: bob)
        let anyRoute = PushRoute.ntfy(NtfyRoute(topic: "", message: NtfyMessage(title: "", text: "")))
        let receipt = PushReceipt(route: anyRoute, environment: .sandbox)
        standIns.set(.accepted(receipt), for: Self.token)
        func environments() async throws -> [String: APNSEnvironment?] {
            Dictionary(uniqueKeysWithValues: try await page().map { ($0.address, $0.environment) })
        }
        #expect(try await environments() == [Self.token: .production, "e0": nil])
        #expect(try await environments() == [Self.token: .sandbox, "e0": nil])
        // The app states the same at each start; another token is another matter.
        try await pager.setDevice(.test(0), .apns(token: Self.token, environment: "production"), of: bob)
        #expect(try await environments() == [Self.token: .sandbox, "e0": nil])
        try await pager.setDevice(.test(0), .apns(token: "f0", environment: "production"), of: bob)
        #expect(try await environments() == ["f0": .production, "e0": nil])
    }

    /// The result of the first attempt is unknown when the start token comes: the phone may show the alert already.
    @Test(arguments: [true, false]) func startTokenIsNotUsedForAMessageUnderWay(_ isRegisteredPhone: Bool) async throws {
        let cem = try await pager.person(Self.token)
        try await pager.befriend(ada, cem)
        if !isRegisteredPhone { try await pager.setDevice(.test(0), .apns(token: Self.token), of: cem) }
        try await pager.deliver()
        standIns.set(.retry("timed out"), for: Self.token)
        #expect(try await page(to: cem).map(\.kind) == ["alert"])
        for _ in 0...1 { try await pager.setStartToken(Self.startToken, device: isRegisteredPhone ? nil : .test(0), of: cem) }
        pager.advance(.seconds(10))
        try await pager.deliver()
        #expect(standIns.sent.map(\.kind) == ["alert", "alert"])
        #expect(try await page(to: cem).map(\.kind) == ["start"])
    }

    /// The app names its address while an attempt at the registered phone waits for its repetition.
    @Test func entryOfTheRegisteredPhoneStaysThere() async throws {
        let cem = try await pager.person(Self.token)
        try await pager.befriend(ada, cem)
        try await pager.deliver()
        standIns.set(.retry("timed out"), for: Self.token)
        #expect(try await page(to: cem).map(\.address) == [Self.token])
        try await pager.setDevice(.test(0), .browser("a"), of: cem)
        pager.advance(.seconds(10))
        try await pager.deliver()
        #expect(standIns.sent.map(\.address) == [Self.token, Self.token])
        #expect(try await pager.ends(of: cem).last == .completed)
    }
}
