import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOTransport
import NetworkingKit
import PushTestKit
import ServerKit
import TestKit
import Testing
import WireKit

@testable import PushKit

/// The requests to a browser's push service, and the results of its replies.
@Suite struct WebPushSenderTests {
    /// A push service that replies as told, and accepts otherwise.
    private final class StandIn: Sendable {
        private let state = Locked(
            (requests: [ReceivedRequest](), answer: nil as (status: Int, headers: HTTPFields)?, refused: nil as String?))

        var requests: [ReceivedRequest] { state.withLock { $0.requests } }
        func set(_ status: Int, _ headers: HTTPFields = [:]) { state.withLock { $0.answer = (status, headers) } }
        /// Refuses the first token from now on, and accepts all others.
        func refuseFirstToken() { state.withLock { $0.refused = "" } }

        func answer(_ request: ReceivedRequest) -> Response {
            let answer = state.withLock { state -> (status: Int, headers: HTTPFields)? in
                state.requests.append(request)
                if state.refused == "" { state.refused = request.header("authorization") }
                if let refused = state.refused, refused == request.header("authorization") { return (403, [:]) }
                return state.answer
            }
            return answer.map { Response($0.status, "body", headers: $0.headers) } ?? Response(201)
        }
    }

    private let clock = WallClock()
    private let receiver = WebPushReceiver()

    private func entry(_ number: Int = 1) -> PushEntry {
        PushEntry(
            id: Int64(number), identifier: Identifier("0123456789abcdef0123456789abcde\(number % 10)"), origin: 1, recipient: "ada",
            urgency: .alert, content: Data(), state: .active, attempts: 0, enqueuedAt: clock.now, dueAt: clock.now,
            expiresAt: clock.now + .seconds(3600))
    }

    private func route(_ endpoint: String, _ message: WebPushMessage = WebPushMessage(payload: Data("HELLO".utf8))) throws
        -> PushRoute
    {
        .webPush(WebPushRoute(subscription: try receiver.subscription(endpoint), message: message))
    }

    private func configuration() throws -> WebPushConfiguration { try WebPushConfiguration(contact: "mailto:operator@example.org") }

    /// A stand-in, and a sender that is allowed to reach it.
    private func withSender(
        _ body: @escaping @Sendable (StandIn, WebPushSender, WebPushConfiguration, _ port: Int) async throws -> Void
    ) async throws {
        let service = StandIn()
        let certificate = try await TestCertificate.make()
        let configuration = try configuration()
        try await SecureServer.run(certificate, answer: { service.answer($0) }) { [clock] port in
            let policy = PublicHTTP.Policy(
                allowsAddress: { $0 == "127.0.0.1" }, allowsPort: { $0 == port }, resolve: { _ in ["127.0.0.1"] },
                configuration: certificate.client)
            let sender = try WebPushSender(
                configuration, logger: .quiet, now: { clock.now }, transport: PublicHTTP(policy: policy))
            try await body(service, sender, configuration, port)
        }
    }

    // MARK: The request

    @Test func browserDecryptsTheMessage() async throws {
        try await withSender { [self] service, sender, _, port in
            let message = WebPushMessage(payload: Data("HELLO".utf8), urgency: .high, topic: "chat")
            let route = try route("https://push.example.org:\(port)/send/a?b=c%20d", message)
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route)))
            let request = try #require(service.requests.first)
            #expect(request.method == "POST")
            #expect(request.path == "/send/a?b=c%20d")
            #expect(request.header("content-encoding") == "aes128gcm")
            #expect(request.header("content-type") == "application/octet-stream")
            #expect(request.header("ttl") == "3600")
            #expect(request.header("urgency") == "high")
            #expect(request.header("topic") == "chat")
            #expect(try receiver.decrypt(request.body) == Data("HELLO".utf8))
        }
    }

    @Test func repeatedAttemptHasTheSameTopic() async throws {
        try await withSender { [self] service, sender, _, port in
            let route = try route("https://push.example.org:\(port)/a")
            for _ in 0..<2 { _ = await sender.send(entry(), by: route) }
            #expect(service.requests.map { $0.header("topic") } == Array(repeating: "0123456789abcdef0123456789abcde1", count: 2))
        }
    }

    @Test func expiredEntryIsNowOrNever() async throws {
        try await withSender { [self] service, sender, _, port in
            let entry = entry()
            clock.advance(by: .seconds(7200))
            _ = await sender.send(entry, by: try route("https://push.example.org:\(port)/a"))
            #expect(service.requests.map { $0.header("ttl") } == ["0"])
        }
    }

    @Test func longestMessageFitsAndALongerOneIsNotSent() async throws {
        try await withSender { [self] service, sender, _, port in
            let longest = WebPushMessage(payload: Data(repeating: 1, count: 3993))
            let fitting = try route("https://push.example.org:\(port)/a", longest)
            #expect(await sender.send(entry(), by: fitting) == .accepted(PushReceipt(route: fitting)))
            #expect(service.requests.map(\.body.count) == [4096])
            let longer = WebPushMessage(payload: Data(repeating: 1, count: 3994))
            let result = await sender.send(entry(), by: try route("https://push.example.org:\(port)/a", longer))
            #expect(result == .refused(.payloadTooLarge))
            #expect(service.requests.count == 1)
        }
    }

    /// A push service would refuse the request: the log says so before.
    @Test(arguments: ["", "chat with space", String(repeating: "x", count: 33), "schl\u{fc}ssel"])
    func topicThatNoServiceAcceptsIsNotSent(_ topic: String) async throws {
        try await withSender { [self] service, sender, _, port in
            let message = WebPushMessage(payload: Data("HELLO".utf8), topic: topic)
            let result = await sender.send(entry(), by: try route("https://push.example.org:\(port)/a", message))
            #expect(result == .refused(.unreadable))
            #expect(service.requests.isEmpty)
        }
    }

    // MARK: VAPID

    private struct Claims: Decodable {
        var aud: String
        var exp: Int64
        var sub: String
    }

    /// Verifies the header without the library that made it.
    private func claims(of request: ReceivedRequest, _ configuration: WebPushConfiguration) throws -> Claims {
        let header = try #require(request.header("authorization"))
        let match = try #require(header.wholeMatch(of: /vapid t=([^,.]+)\.([^,.]+)\.([^,.]+), k=(.+)/))
        #expect(String(match.4) == configuration.publicKey)
        let key = try P256.Signing.PublicKey(x963Representation: try #require(Data(base64URL: String(match.4))))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Data(base64URL: String(match.3))))
        #expect(key.isValidSignature(signature, for: Data("\(match.1).\(match.2)".utf8)))
        let jose = try JSONDecoder().decode([String: String].self, from: try #require(Data(base64URL: String(match.1))))
        #expect(jose == ["alg": "ES256", "typ": "JWT"])
        return try JSONDecoder().decode(Claims.self, from: try #require(Data(base64URL: String(match.2))))
    }

    @Test func tokenNamesThePushServiceAndTheOperator() async throws {
        try await withSender { [self] service, sender, configuration, port in
            _ = await sender.send(entry(), by: try route("https://push.example.org:\(port)/a"))
            let claims = try claims(of: try #require(service.requests.first), configuration)
            #expect(claims.aud == "https://push.example.org:\(port)")
            #expect(claims.sub == "mailto:operator@example.org")
            #expect(claims.exp == clock.now.seconds + 12 * 3600)
        }
    }

    @Test func tokenIsKeptForSixHoursAndForEachService() async throws {
        try await withSender { [self] service, sender, configuration, port in
            for (host, pause) in [("push.example.org", 0), ("push.example.org", 21_599), ("localhost", 0), ("push.example.org", 1)]
            {
                clock.advance(by: .seconds(pause))
                _ = await sender.send(entry(), by: try route("https://\(host):\(port)/a"))
            }
            let headers = service.requests.map { $0.header("authorization") }
            try #require(headers.count == 4)
            #expect(headers[0] == headers[1])
            #expect(headers[1] != headers[2])
            #expect(headers[3] != headers[0])
            for request in service.requests { #expect(try claims(of: request, configuration).exp <= clock.now.seconds + 86_400) }
        }
    }

    @Test func refusedTokenIsRenewedOnce() async throws {
        try await withSender { [self] service, sender, _, port in
            let route = try route("https://push.example.org:\(port)/a")
            service.refuseFirstToken()
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route)))
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route)))
            let headers = service.requests.map { $0.header("authorization") }
            try #require(headers.count == 3)
            #expect(headers[0] != headers[1] && headers[1] == headers[2])
            #expect(service.requests[0].path == service.requests[1].path)
            service.set(403)
            #expect(await sender.send(entry(), by: route) == .misconfigured("VAPID refused"))
            #expect(service.requests.count == 5)
        }
    }

    // MARK: Replies

    @Test func everyStatusHasItsResult() async throws {
        try await withSender { [self] service, sender, _, port in
            let route = try route("https://push.example.org:\(port)/a")
            let accepted = PushResult.accepted(PushReceipt(route: route))
            for (status, result) in [
                (200, accepted), (201, accepted), (202, accepted), (400, .refused(.unexpectedReply)),
                (401, .misconfigured("VAPID refused")), (403, .misconfigured("VAPID refused")), (404, .dead("gone")),
                (410, .dead("gone")), (413, .refused(.payloadTooLarge)), (429, .retry("too many requests")),
                (408, .retry("service failure")), (500, .retry("service failure")), (503, .retry("service failure")),
                (507, .dead("gone")),
                (301, .refused(.unexpectedReply)),
            ] as [(Int, PushResult)] {
                service.set(status)
                #expect(await sender.send(entry(), by: route) == result, "\(status)")
            }
        }
    }

    @Test func redirectIsNotFollowed() async throws {
        try await withSender { [self] service, sender, _, port in
            service.set(307, [.location: "https://push.example.org:\(port)/elsewhere"])
            let result = await sender.send(entry(), by: try route("https://push.example.org:\(port)/a"))
            #expect(result == .refused(.unexpectedReply))
            #expect(service.requests.map(\.path) == ["/a"])
        }
    }

    @Test func pauseOfTheServiceIsHonoured() async throws {
        try await withSender { [self] service, sender, _, port in
            let route = try route("https://push.example.org:\(port)/a")
            service.set(429, [.retryAfter: "120"])
            #expect(await sender.send(entry(), by: route) == .retry("too many requests", after: .seconds(120)))
            service.set(503, [.retryAfter: "Mon, 21 Sep 2026 14:45:20 GMT"])
            #expect(await sender.send(entry(), by: route) == .retry("service failure", after: .seconds(1920)))
        }
    }

    @Test(
        arguments: [
            ("0", .zero), ("120", .seconds(120)), ("99999999", .seconds(86_400)), ("99999999999999999999999", .seconds(86_400)),
            ("-5", nil), ("soon", nil), ("", nil), ("Thu, 01 Jan 1970 00:00:00 GMT", .zero), ("1.5", nil),
        ] as [(String, Duration?)])
    func pauseIsReadAndBounded(_ text: String, _ pause: Duration?) {
        #expect(RetryAfter.pause(text, now: clock.now) == pause)
    }

    // MARK: Addresses inside the network

    @Test func connectionGoesToTheCheckedAddress() async throws {
        let service = StandIn()
        let certificate = try await TestCertificate.make()
        try await SecureServer.run(certificate, answer: { service.answer($0) }) { [self] port in
            let asked = Locked(0)
            let policy = PublicHTTP.Policy(
                allowsAddress: { $0 != "127.0.0.2" }, allowsPort: { _ in true },
                resolve: { _ in
                    // A name whose answer changes after the check.
                    asked.withLock { $0 += 1 }
                    return asked.withLock { $0 } == 1 ? ["127.0.0.1"] : ["127.0.0.2"]
                }, configuration: certificate.client)
            let sender = try WebPushSender(
                configuration(), logger: .quiet, now: { clock.now }, transport: PublicHTTP(policy: policy))
            let route = try route("https://push.example.org:\(port)/a")
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route)))
            #expect(await sender.send(entry(), by: route) == .dead("address not public"))
            #expect(service.requests.count == 1)
            #expect(asked.withLock { $0 } == 2)
        }
    }

    @Test func allowedOriginMayBeInTheNetwork() async throws {
        let service = StandIn()
        let certificate = try await TestCertificate.make()
        try await SecureServer.run(certificate, answer: { service.answer($0) }) { [self] port in
            let policy = PublicHTTP.Policy(resolve: { _ in ["127.0.0.1"] }, configuration: certificate.client)
            let origin = try #require(WebOrigin("https://push.example.org:\(port)"))
            let sender = try WebPushSender(
                configuration(), logger: .quiet, now: { clock.now },
                transport: PublicHTTP(policy: policy, allowedOrigins: [origin]))
            let route = try route("https://push.example.org:\(port)/a")
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route)))
            let other = try self.route("https://other.example.org:\(port)/a")
            #expect(await sender.send(entry(), by: other) == .dead("address not public"))
            #expect(service.requests.count == 1)
        }
    }

    @Test func addressThatDoesNotAnswerIsFollowedByTheNext() async throws {
        let service = StandIn()
        let certificate = try await TestCertificate.make()
        try await SecureServer.run(certificate, answer: { service.answer($0) }) { [self] port in
            let policy = PublicHTTP.Policy(
                allowsAddress: { _ in true }, allowsPort: { _ in true }, resolve: { _ in ["127.0.0.3", "127.0.0.1"] },
                configuration: certificate.client)
            let sender = try WebPushSender(
                configuration(), logger: .quiet, now: { clock.now }, transport: PublicHTTP(policy: policy))
            let route = try route("https://push.example.org:\(port)/a")
            #expect(await sender.send(entry(), by: route) == .accepted(PushReceipt(route: route)))
        }
    }

    @Test(arguments: [
        "https://127.0.0.1/a", "https://[::1]/a", "https://169.254.169.254/latest/meta-data", "https://10.0.0.1/a",
        "https://192.168.1.1/a", "https://172.16.0.1/a", "https://[::ffff:10.0.0.1]/a", "https://[fe80::1]/a",
        "https://[fd00::1]/a",
        "https://0.0.0.0/a", "https://push.example.org:8443/a", "https://localhost/a", "https://private.example.org/a",
        "https://mixed.example.org/a", "https://0x7f000001/a", "https://2130706433/a", "https://127.1/a",
    ])
    func endpointInsideTheNetworkGetsNoRequest(_ endpoint: String) async throws {
        let policy = PublicHTTP.Policy(resolve: { host in
            switch host {
            case "private.example.org": ["10.1.2.3"]
            case "mixed.example.org": ["93.184.215.14", "127.0.0.1"]
            case "push.example.org": ["93.184.215.14"]
            default: try await Names.addresses(of: host)
            }
        })
        let sender = try WebPushSender(configuration(), logger: .quiet, now: { clock.now }, transport: PublicHTTP(policy: policy))
        #expect(await sender.send(entry(), by: try route(endpoint)) == .dead("address not public"))
    }

    @Test func unknownNameIsAnAttempt() async throws {
        let policy = PublicHTTP.Policy(resolve: { _ in throw TransportError(.network, "unknown") })
        let sender = try WebPushSender(configuration(), logger: .quiet, now: { clock.now }, transport: PublicHTTP(policy: policy))
        #expect(await sender.send(entry(), by: try route("https://push.example.org/a")) == .retry(.unreachableService))
    }
}

/// The addresses that count as public.
@Suite struct PublicAddressTests {
    @Test(arguments: [
        "93.184.215.14", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "169.253.255.255",
        "198.17.0.1",
        "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001::1", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1",
        "2001:200::1", "192.0.1.0",
    ])
    func publicAddressesAreAllowed(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::ffff:127.0.0.1", "::ffff:93.184.215.14", "::127.0.0.1", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fdff::1", "ff02::1",
        "2001:db8::1", "2001::1", "2001:1ff::1", "3fff::1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::1",
        "2002:a00:1::1", "2002:c0a8:101::1", "100::1", "4000::1",
    ])
    func othersAreNot(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic == false)
    }

    @Test func namesAreNoAddresses() {
        #expect(IPAddress("localhost") == nil)
        #expect(IPAddress("127.1") == nil)
        #expect(IPAddress("") == nil)
    }

    @Test func systemResolvesNames() async throws {
        #expect(try await Names.addresses(of: "localhost").allSatisfy { ["127.0.0.1", "::1"].contains($0) })
        await #expect(throws: TransportError.self) { try await Names.addresses(of: "no-such-name.invalid") }
    }
}
