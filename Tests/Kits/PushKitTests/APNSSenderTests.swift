import Crypto
import Foundation
import Logging
import NIOTransport
import PushTestKit
import TestKit
import Testing
import WireKit

@testable import PushKit

/// The requests to Apple's push service, and the results of its replies.
@Suite struct APNSSenderTests {
    typealias Answer = StandInAPNS.Answer

    private static let token = String(repeating: "0a1b2c3d", count: 8)
    private let clock = WallClock()

    /// A stand-in, and a sender to it.
    private func withSender(
        timeout: Duration = .seconds(20), _ body: @escaping @Sendable (StandInAPNS, APNSSender) async throws -> Void
    ) async throws {
        let apns = StandInAPNS(now: { [clock] in clock.now })
        let certificate = try await TestCertificate.make()
        try await SecureServer.run(certificate, answer: { try await apns.answer($0) }) { [clock] port in
            let sender = try APNSSender(apns.configuration(port), logger: .quiet, now: { clock.now }) {
                APNSSender.makeConnection(certificate.client, idleTimeout: timeout)
            }
            defer { apns.end() }
            try await body(apns, sender)
        }
    }

    private func entry(_ number: Int = 1) -> PushEntry {
        PushEntry(
            id: Int64(number), identifier: Identifier("0123456789abcdef0123456789abcde\(number % 10)"), origin: 1, recipient: "ada",
            urgency: .alert, content: Data(), state: .active, attempts: 0, enqueuedAt: clock.now, dueAt: clock.now,
            expiresAt: clock.now + .seconds(3600))
    }

    private func alert(_ token: String = Self.token, body: String = "HELLO", collapseID: String? = nil) -> PushRoute {
        .apns(
            APNSRoute(
                token: token,
                notification: APNSNotification(.alert, .alert(title: "KAI", body: body, badge: 1), collapseID: collapseID)))
    }

    private func expectAccepted(
        _ sender: APNSSender, _ route: PushRoute, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = await sender.send(entry(), by: route)
        if case .accepted = result { return }
        Issue.record("\(result)", sourceLocation: sourceLocation)
    }

    // MARK: The request

    @Test func alertHasTheHeadersAndThePayloadOfTheContract() async throws {
        try await withSender { [self] apns, sender in
            let route = alert()
            let result = await sender.send(entry(), by: route)
            let id = "01234567-89ab-cdef-0123-456789abcde1"
            #expect(result == .accepted(PushReceipt(route: route, id: id)))
            let request = try #require(apns.requests.first)
            #expect(request.isHTTP2)
            #expect(request.path == "/3/device/\(Self.token)")
            #expect(request.header("apns-push-type") == "alert")
            #expect(request.header("apns-topic") == "com.example.pager")
            #expect(request.header("apns-priority") == "10")
            #expect(request.header("apns-id") == id)
            #expect(request.header("apns-expiration") == "1790003600")
            #expect(request.header("apns-collapse-id") == "0123456789abcdef0123456789abcde1")
            #expect(
                String(decoding: request.body, as: UTF8.self)
                    == #"{"aps":{"alert":{"body":"HELLO","title":"KAI"},"badge":1,"sound":"default"}}"#)
        }
    }

    @Test func silentNotificationIsConsiderate() async throws {
        try await withSender { [self] apns, sender in
            let notification = APNSNotification(
                .background, .background(custom: ["type": .string("FRIEND_STATUS")]), priority: .immediate)
            let route = PushRoute.apns(APNSRoute(token: Self.token, notification: notification))
            try await expectAccepted(sender, route)
            let request = try #require(apns.requests.first)
            #expect(request.header("apns-push-type") == "background")
            #expect(request.header("apns-priority") == "5")
            #expect(request.header("apns-collapse-id") == nil)
            #expect(
                String(decoding: request.body, as: UTF8.self) == #"{"aps":{"content-available":1},"type":"FRIEND_STATUS"}"#)
        }
    }

    @Test func liveActivityHasItsOwnTopicAndExpiry() async throws {
        try await withSender { [self] apns, sender in
            let payload = APNSPayload.liveActivityStart(
                at: clock.now, attributesType: "PagerActivityAttributes", attributes: ["activityType": .string("message")],
                state: ["sender": .string("KAI"), "message": .string("HELLO")], title: "KAI", body: "HELLO")
            let notification = APNSNotification(.liveActivity, payload, collapseID: "start", expiresAt: clock.now + .seconds(30))
            let route = PushRoute.apns(APNSRoute(token: Self.token, notification: notification))
            try await expectAccepted(sender, route)
            let request = try #require(apns.requests.first)
            #expect(request.header("apns-push-type") == "liveactivity")
            #expect(request.header("apns-topic") == "com.example.pager.push-type.liveactivity")
            #expect(request.header("apns-expiration") == "1790000030")
            #expect(request.header("apns-collapse-id") == "start")
        }
    }

    @Test func tokensInUpperCaseAreSentInLowerCase() async throws {
        try await withSender { [self] apns, sender in
            try await expectAccepted(sender, alert("ABCDEF"))
            #expect(apns.requests.map(\.path) == ["/3/device/abcdef"])
        }
    }

    @Test(arguments: ["", "simulator-token-1", "aa/../../4/broadcasts", "aa?x=1", "äö"])
    func tokenThatIsNotHexadecimalIsNeverSent(_ token: String) async throws {
        try await withSender { [self] apns, sender in
            #expect(await sender.send(entry(), by: alert(token)) == .dead("BadDeviceToken"))
            #expect(apns.requests.isEmpty)
        }
    }

    // MARK: Size

    @Test func longBodyIsShortenedToTheLimit() async throws {
        try await withSender { [self] apns, sender in
            for character in ["x", "é", "📟", "\"", "\u{1}"] {
                try await expectAccepted(sender, alert(body: String(repeating: character, count: 5000)))
                let body = try #require(apns.requests.last?.body)
                #expect((4000...4096).contains(body.count), "\(character): \(body.count)")
            }
        }
    }

    @Test func payloadThatCannotBeShortenedIsRefused() async throws {
        try await withSender { [self] apns, sender in
            let notification = APNSNotification(
                .background, .background(custom: ["x": .string(String(repeating: "x", count: 4096))]))
            let route = PushRoute.apns(APNSRoute(token: Self.token, notification: notification))
            #expect(await sender.send(entry(), by: route) == .refused(.payloadTooLarge))
            #expect(apns.requests.isEmpty)
        }
    }

    @Test func collapseIdentifierThatIsTooLongIsRefused() async throws {
        try await withSender { [self] apns, sender in
            let result = await sender.send(entry(), by: alert(collapseID: String(repeating: "x", count: 65)))
            #expect(result == .refused(.unreadable))
            #expect(apns.requests.isEmpty)
        }
    }

    // MARK: The provider token

    @Test func providerTokenIsUsedFor45Minutes() async throws {
        try await withSender { [self] apns, sender in
            for minutes in [0, 1, 43] {
                clock.advance(by: .seconds(minutes * 60))
                _ = await sender.send(entry(), by: alert())
            }
            #expect(Set(apns.requests.map { $0.header("authorization") }).count == 1)
            clock.advance(by: .seconds(60))
            _ = await sender.send(entry(), by: alert())
            #expect(Set(apns.requests.map { $0.header("authorization") }).count == 2)
        }
    }

    @Test func clockThatWasSetBackMakesANewProviderToken() async throws {
        try await withSender { [self] apns, sender in
            _ = await sender.send(entry(), by: alert())
            clock.advance(by: .seconds(-86_400))
            try await expectAccepted(sender, alert())
        }
    }

    @Test func expiredProviderTokenIsRenewedOnce() async throws {
        try await withSender { [self] apns, sender in
            _ = await sender.send(entry(), by: alert())
            clock.advance(by: .seconds(25 * 60))
            apns.set(403, "ExpiredProviderToken", for: Self.token)
            try await expectAccepted(sender, alert())
            #expect(apns.requests.count == 3)
            #expect(apns.requests[0].header("authorization") == apns.requests[1].header("authorization"))
            #expect(apns.requests[1].header("authorization") != apns.requests[2].header("authorization"))
        }
    }

    @Test func youngProviderTokenIsNotRenewed() async throws {
        try await withSender { [self] apns, sender in
            apns.set(403, "InvalidProviderToken", for: Self.token)
            #expect(await sender.send(entry(), by: alert()) == .misconfigured("InvalidProviderToken"))
            #expect(apns.requests.count == 1)
        }
    }

    // MARK: The connection

    @Test func requestsShareOneConnection() async throws {
        try await withSender { [self] apns, sender in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<30 { group.addTask { _ = await sender.send(self.entry(number), by: self.alert()) } }
            }
            for number in 0..<5 { _ = await sender.send(entry(number), by: alert()) }
            #expect(apns.requests.count == 35)
            #expect(Set(apns.requests.map(\.connection)).count == 1)
        }
    }

    @Test func closedConnectionIsAnAttemptAndTheNextOneOpensAnother() async throws {
        try await withSender { [self] apns, sender in
            apns.set([Answer(status: 0, reason: "", hangsUp: true)], for: Self.token)
            #expect(await sender.send(entry(), by: alert()) == .retry(.unreachableService))
            try await expectAccepted(sender, alert())
            #expect(Set(apns.requests.map(\.connection)).count == 2)
            #expect(Set(apns.requests.map { $0.header("apns-id") }).count == 1)
        }
    }

    @Test func silentConnectionIsReplaced() async throws {
        try await withSender(timeout: .seconds(2)) { [self] apns, sender in
            apns.set([Answer(status: 200, reason: "", stalls: true)], for: Self.token)
            #expect(await sender.send(entry(), by: alert()) == .retry(.timedOut))
            try await expectAccepted(sender, alert())
            #expect(Set(apns.requests.map(\.connection)).count == 2)
        }
    }

    @Test func serviceThatShutsDownIsLeft() async throws {
        try await withSender { [self] apns, sender in
            apns.set(503, "Shutdown", for: Self.token)
            #expect(await sender.send(entry(), by: alert()) == .retry("Shutdown"))
            try await expectAccepted(sender, alert())
            #expect(Set(apns.requests.map(\.connection)).count == 2)
        }
    }

    @Test func unknownCertificateIsNoConnection() async throws {
        let apns = StandInAPNS(now: { [clock] in clock.now })
        let (certificate, other) = (try await TestCertificate.make(), try await TestCertificate.make())
        try await SecureServer.run(certificate, answer: { try await apns.answer($0) }) { [self] port in
            let sender = try APNSSender(apns.configuration(port), logger: .quiet, now: { clock.now }) {
                APNSSender.makeConnection(other.client)
            }
            #expect(await sender.send(entry(), by: alert()) == .retry(.unreachableService))
            #expect(apns.requests.isEmpty)
        }
    }

    @Test func certificateOfTheConfigurationIsTrusted() async throws {
        let apns = StandInAPNS(now: { [clock] in clock.now })
        let certificate = try await TestCertificate.make()
        let authorities = try String(contentsOfFile: certificate.path, encoding: .utf8)
        try await SecureServer.run(certificate, answer: { try await apns.answer($0) }) { [self] port in
            let strange = try APNSSender(apns.configuration(port), logger: .quiet, now: { clock.now })
            #expect(await strange.send(entry(), by: alert()) == .retry(.unreachableService))
            let known = try APNSSender(apns.configuration(port, authorities: authorities), logger: .quiet, now: { clock.now })
            try await expectAccepted(known, alert())
        }
    }

    // MARK: Replies

    @Test func pauseOfTheServiceIsKept() async throws {
        try await withSender { [self] apns, sender in
            apns.set([Answer(status: 429, reason: "TooManyRequests", retryAfter: 90)], for: Self.token)
            #expect(await sender.send(entry(), by: alert()) == .retry("TooManyRequests", after: .seconds(90)))
        }
    }

    @Test func everyDocumentedReasonHasItsResult() async throws {
        let expected: [(Int, String, PushResult)] = [
            (400, "BadCollapseId", .refused("BadCollapseId")),
            (400, "BadDeviceToken", .dead("BadDeviceToken")),
            (400, "BadExpirationDate", .refused("BadExpirationDate")),
            (400, "BadMessageId", .refused("BadMessageId")),
            (400, "BadPriority", .refused("BadPriority")),
            (400, "BadTopic", .misconfigured("BadTopic")),
            (400, "DeviceTokenNotForTopic", .dead("DeviceTokenNotForTopic")),
            (400, "DuplicateHeaders", .refused("DuplicateHeaders")),
            (400, "IdleTimeout", .retry("IdleTimeout")),
            (400, "InvalidPushType", .refused("InvalidPushType")),
            (400, "MissingDeviceToken", .refused("MissingDeviceToken")),
            (400, "MissingTopic", .misconfigured("MissingTopic")),
            (400, "PayloadEmpty", .refused("PayloadEmpty")),
            (400, "TopicDisallowed", .misconfigured("TopicDisallowed")),
            (403, "BadCertificate", .misconfigured("BadCertificate")),
            (403, "BadCertificateEnvironment", .misconfigured("BadCertificateEnvironment")),
            (403, "BadEnvironmentKeyIdInToken", .misconfigured("BadEnvironmentKeyIdInToken")),
            (403, "ExpiredProviderToken", .misconfigured("ExpiredProviderToken")),
            (403, "Forbidden", .misconfigured("Forbidden")),
            (403, "InvalidProviderToken", .misconfigured("InvalidProviderToken")),
            (403, "MissingProviderToken", .misconfigured("MissingProviderToken")),
            (403, "UnrelatedKeyIdInToken", .misconfigured("UnrelatedKeyIdInToken")),
            (404, "BadPath", .refused("BadPath")),
            (405, "MethodNotAllowed", .refused("MethodNotAllowed")),
            (410, "ExpiredToken", .dead("ExpiredToken")),
            (410, "Unregistered", .dead("Unregistered")),
            (413, "PayloadTooLarge", .refused("PayloadTooLarge")),
            (429, "TooManyProviderTokenUpdates", .retry("TooManyProviderTokenUpdates")),
            (429, "TooManyRequests", .retry("TooManyRequests")),
            (500, "InternalServerError", .retry("InternalServerError")),
            (503, "ServiceUnavailable", .retry("ServiceUnavailable")),
            (503, "Shutdown", .retry("Shutdown")),
        ]
        #expect(expected.map(\.1).sorted() == APNSReply.reasons)
        try await withSender { [self] apns, sender in
            for (status, reason, result) in expected {
                apns.set(status, reason, for: Self.token)
                #expect(await sender.send(entry(), by: alert()) == result, "\(status) \(reason)")
            }
        }
    }

    @Test func undocumentedRepliesAreJudgedByTheirStatus() async throws {
        let expected: [(Int, String, PushResult)] = [
            (400, "SomethingNew", .refused(.unexpectedReply)), (403, "", .misconfigured(.unexpectedReply)),
            (410, "SomethingNew", .dead("Unregistered")), (413, "", .refused(.payloadTooLarge)),
            (429, "", .retry(.unexpectedReply)), (500, "", .retry(.unexpectedReply)), (599, "New", .retry(.unexpectedReply)),
            (302, "", .refused(.unexpectedReply)), (201, "", .refused(.unexpectedReply)),
        ]
        try await withSender { [self] apns, sender in
            for (status, reason, result) in expected {
                apns.set(status, reason, for: Self.token)
                #expect(await sender.send(entry(), by: alert()) == result, "\(status) \(reason)")
            }
        }
    }

    @Test func timeOfDeathIsInMilliseconds() async throws {
        try await withSender { [self] apns, sender in
            apns.set([Answer(status: 410, reason: "Unregistered", timestamp: 1_789_999_999_123)], for: Self.token)
            let since = Timestamp(milliseconds: 1_789_999_999_123)
            #expect(await sender.send(entry(), by: alert()) == .dead("Unregistered", since: since))
        }
    }

    @Test(arguments: ["", "{", "[]", #"{"reason":7}"#, #"{"timestamp":9e99}"#, String(repeating: "[", count: 4000)])
    func hostileReplyIsNoTrap(_ body: String) {
        let reply = APNSReply(status: 410, body: Data(body.utf8))
        #expect(reply.action == .dead(since: nil))
        #expect(reply.pushReason == "Unregistered")
    }

    // MARK: Two environments

    /// Two stand-ins that know the same key, and a sender to both.
    private func withEnvironments(
        _ body: @escaping @Sendable (_ production: StandInAPNS, _ sandbox: StandInAPNS, APNSSender) async throws -> Void
    ) async throws {
        let production = StandInAPNS(now: { [clock] in clock.now })
        let sandbox = StandInAPNS(key: production.key, now: { [clock] in clock.now })
        let certificate = try await TestCertificate.make()
        try await SecureServer.run(certificate, answer: { try await production.answer($0) }) { [self] port in
            try await SecureServer.run(certificate, answer: { try await sandbox.answer($0) }) { [self] sandboxPort in
                let configuration = try production.configuration(port, sandbox: sandboxPort)
                let sender = try APNSSender(configuration, logger: .quiet, now: { clock.now }) {
                    APNSSender.makeConnection(certificate.client)
                }
                try await body(production, sandbox, sender)
            }
        }
    }

    private func alert(in environment: APNSEnvironment?) -> PushRoute {
        let notification = APNSNotification(.alert, .alert(title: "KAI", body: "HELLO"))
        return .apns(APNSRoute(token: Self.token, environment: environment, notification: notification))
    }

    @Test func tokenOfTheOtherEnvironmentIsFound() async throws {
        try await withEnvironments { [self] production, sandbox, sender in
            production.set(400, "BadDeviceToken", for: Self.token)
            let route = alert(in: .production)
            let id = APNSSender.uuid(of: entry())
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route, id: id, environment: .sandbox)))
            #expect((production.requests.count, sandbox.requests.count) == (1, 1))
        }
    }

    @Test func tokenWithoutAnEnvironmentBelongsToThatOfTheConfiguration() async throws {
        try await withEnvironments { [self] production, sandbox, sender in
            let route = alert(in: nil)
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route, id: APNSSender.uuid(of: entry()))))
            #expect((production.requests.count, sandbox.requests.count) == (0, 1))
        }
    }

    @Test func tokenThatNoEnvironmentKnowsIsDead() async throws {
        try await withEnvironments { [self] production, sandbox, sender in
            production.set(400, "BadDeviceToken", for: Self.token)
            sandbox.set(400, "BadDeviceToken", for: Self.token)
            #expect(await sender.send(entry(), by: alert(in: .production)) == .dead("BadDeviceToken"))
            #expect((production.requests.count, sandbox.requests.count) == (1, 1))
        }
    }

    @Test func otherEnvironmentThatIsBusyIsAskedAgain() async throws {
        try await withEnvironments { [self] production, sandbox, sender in
            production.set(400, "BadDeviceToken", for: Self.token)
            sandbox.set(503, "ServiceUnavailable", for: Self.token)
            #expect(await sender.send(entry(), by: alert(in: .production)) == .retry("ServiceUnavailable"))
        }
    }
}

extension StandInAPNS {
    fileprivate func configuration(_ port: Int, sandbox: Int? = nil, authorities: String? = nil) throws -> APNSConfiguration {
        var configuration = try APNSConfiguration(
            key: key.pemRepresentation, keyID: Self.keyID, teamID: Self.teamID, bundleID: Self.bundleID,
            address: URL(string: "https://localhost:\(port)")!, authorities: authorities)
        if let sandbox { configuration.addresses[.sandbox] = URL(string: "https://localhost:\(sandbox)")! }
        return configuration
    }
}
