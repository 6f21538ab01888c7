import CryptoExtras
import Foundation
import HTTPTypes
import Hummingbird
import JWTKit
import NIOTransport
import NetworkingKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Sign-in with Google, against a stand-in for Google on a port of its own.
@Suite struct GoogleTests {
    @Test func withoutAClientIDItIsNotConfigured() async throws {
        let relay = try await TestRelay()
        expect(
            try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: "x")), 501,
            "Google authentication is not configured")
        expect(try await relay.call(.post, "/auth/google", body: "{}"), 422)
    }

    @Test func theFirstGoogleSignInCreatesTheAccount() async throws {
        try await StandInIssuer.run { issuer, relay in
            func signIn(_ change: (inout IDToken) -> Void = { _ in }) async throws -> TestRelay.Reply {
                try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: try await issuer.token(change)))
            }
            let first = try await signIn()
            expect(first, 200)
            let account = try first.value(LoggedIn.self)
            expect(try await relay.call(.get, "/devices", token: account.token), 200)
            // Not within the expectation: the compiler then takes this closure for the next one.
            let again = try await signIn { $0.email = "new@example.com" }
            #expect(try again.value(LoggedIn.self).userId == account.userId)
            // Another person with the same part before the @.
            let other = try await signIn {
                $0.sub = "2"
                $0.email = "ada@elsewhere.example"
            }
            let third = try await signIn {
                $0.sub = "3"
                $0.email = nil
            }
            expect(other, 200)
            expect(third, 200)
            let names = try await relay.relay.store.read {
                try $0.all("SELECT username FROM accounts ORDER BY id", as: String.self)
            }
            #expect(names == ["ada", "ada1", "user"])
            #expect(Set([account.userId, try other.value(LoggedIn.self).userId, try third.value(LoggedIn.self).userId]).count == 3)
            // There is no password to log in with.
            expect(try await relay.call(SimBridgeEndpoints.login, Credentials(username: "ada", password: "")), 422)
            expect(
                try await relay.call(SimBridgeEndpoints.login, Credentials(username: "ada", password: "x")), 401,
                "Invalid credentials")
            #expect(issuer.requests == ["/.well-known/openid-configuration", "/keys"])
        }
    }

    @Test func anAccountWithTheSameVerifiedEMailIsLinked() async throws {
        try await StandInIssuer.run { issuer, relay in
            let person = try await relay.person("somebody")
            try await relay.relay.store.write {
                _ = try $0.execute("UPDATE accounts SET email = 'ada@example.com' WHERE id = ?", person.id)
            }
            let unverified = try await relay.call(
                SimBridgeEndpoints.google,
                GoogleSignIn(
                    idToken: try await issuer.token { token in
                        token.sub = "thief"
                        token.isEmailVerified = false
                    })
            ).value(LoggedIn.self)
            #expect(unverified.userId != person.id)
            let linked = try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: try await issuer.token()))
                .value(LoggedIn.self)
            #expect(linked.userId == person.id)
        }
    }

    @Test func whatIsNotGooglesIsRefused() async throws {
        try await StandInIssuer.run { issuer, relay in
            let strangers = try await StandInIssuer.Keys()
            let wrong: [(String, String)] = [
                ("nonsense", "Invalid Google token: Not enough segments"), ("", "Invalid Google token: Not enough segments"),
                (try await issuer.token { $0.aud = "another" }, "Invalid Google token: Wrong audience"),
                (try await issuer.token { $0.iss = "https://evil.example" }, "Invalid Google token: Wrong issuer"),
                (try await issuer.token { $0.exp = 1 }, "Invalid Google token: Token expired"),
                (try await strangers.sign(IDToken(issuer.address)), "Invalid Google token: Signature verification failed"),
                (
                    try await issuer.keys.sign(IDToken(issuer.address), id: "other"),
                    "Invalid Google token: The key is not the issuer's"
                ),
                (try await StandInIssuer.symmetric(IDToken(issuer.address)), "Invalid Google token: The algorithm is not allowed"),
            ]
            for (token, detail) in wrong {
                expect(try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: token)), 401, detail)
            }
        }
    }

    @Test func anUnreachableGoogleMayBeTriedAgain() async throws {
        let relay = try await TestRelay(configure: { $0.googleClientID = "client" }, fetch: { _ in throw Unreachable() })
        let keys = try await StandInIssuer.Keys()
        let token = try await keys.sign(IDToken("https://accounts.google.com"))
        let reply = try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: token))
        expect(reply, 503)
        #expect(reply.headers[.retryAfter] != nil)
    }
}

extension GoogleTests {
    /// An attacker can send tokens: the relay must not call Google for each of them.
    @Test func manyTokensAtOnceAreOneFetch() async throws {
        try await StandInIssuer.run { issuer, relay in
            let token = try await issuer.keys.sign(IDToken(issuer.address), id: "other")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        expect(try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: token)), 401)
                    }
                }
                try await group.waitForAll()
            }
            #expect(issuer.requests == ["/.well-known/openid-configuration", "/keys"])
        }
    }

    @Test func googleOutagesDoNotCauseARequestForEachToken() async throws {
        let asked = Locked(0)
        let relay = try await TestRelay(
            configure: { $0.googleClientID = "client" },
            fetch: { _ in
                asked.withLock { $0 += 1 }
                throw Unreachable()
            })
        let token = try await StandInIssuer.Keys().sign(IDToken("https://accounts.google.com"))
        let begin = ContinuousClock.now
        for _ in 0..<20 { expect(try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: token)), 503) }
        // Once, and again every five seconds where all this takes so long.
        let most = 1 + Int((ContinuousClock.now - begin) / .seconds(5))
        #expect((1...most).contains(asked.withLock { $0 }))
    }
}

/// The error of a fetch that cannot succeed.
private struct Unreachable: Error {}

/// The claims of a token.
struct IDToken: JWTPayload {
    var iss: String
    var aud = "client"
    var sub = "1"
    var exp = 4_000_000_000
    var email: String? = "ada@example.com"
    var isEmailVerified = true

    private enum CodingKeys: String, CodingKey {
        case iss, aud, sub, exp, email
        case isEmailVerified = "email_verified"
    }

    init(_ issuer: String) { iss = issuer }

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// An identity provider on a free port.
struct StandInIssuer: Sendable {
    /// A key pair.
    struct Keys: Sendable {
        private let collection = JWTKeyCollection()
        /// The public modulus as the issuer publishes it.
        let modulus: String
        let exponent: String

        init() async throws {
            let key = try Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
            let numbers = try key.publicKey.getKeyPrimitives()
            func coded(_ data: Data) -> String {
                data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_").filter
                { $0 != "=" }
            }
            modulus = coded(numbers.modulus)
            exponent = coded(numbers.publicExponent)
            for id in ["k1", "other"] { await collection.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: id)) }
        }

        func sign(_ token: IDToken, id: String = "k1") async throws -> String {
            try await collection.sign(token, kid: JWKIdentifier(string: id))
        }
    }

    let address: String
    let keys: Keys
    private let asked: Locked<[String]>

    var requests: [String] { asked.withLock { $0 } }

    func token(_ change: (inout IDToken) -> Void = { _ in }) async throws -> String {
        var token = IDToken(address)
        change(&token)
        return try await keys.sign(token)
    }

    /// With the shared secret that a confused reader would take: the published key.
    static func symmetric(_ token: IDToken) async throws -> String {
        let collection = JWTKeyCollection()
        await collection.add(hmac: HMACKey(from: String(repeating: "public", count: 8)), digestAlgorithm: .sha256, kid: "k1")
        return try await collection.sign(token, kid: "k1")
    }

    /// Runs an issuer, and a relay that trusts it.
    static func run(_ body: @escaping @Sendable (StandInIssuer, TestRelay) async throws -> Void) async throws {
        let keys = try await Keys()
        let asked = Locked<[String]>([])
        let address = Locked("")
        let router = Router(context: ServerContext.self)
        router.get("/.well-known/openid-configuration") { request, _ in
            asked.withLock { $0.append(request.uri.path) }
            return try Response.json(["jwks_uri": address.withLock { $0 } + "/keys"])
        }
        router.get("/keys") { request, _ in
            asked.withLock { $0.append(request.uri.path) }
            return try Response.json([
                "keys": [
                    ["kty": "RSA", "kid": "k1", "use": "sig", "alg": "RS256", "n": keys.modulus, "e": keys.exponent],
                    ["kty": "EC", "kid": "k2", "crv": "P-256"],
                ]
            ])
        }
        let parts = ServiceParts(name: "issuer", responder: router.buildResponder())
        try await ServerUnderTest.run([parts]) { server async throws in
            let own = "http://127.0.0.1:\(server.port)"
            address.withLock { $0 = own }
            let http = AsyncHTTP()
            let relay = try await TestRelay(
                configure: {
                    $0.googleClientID = "client"
                    $0.googleIssuer = URL(string: own)!
                },
                fetch: { url in
                    let reply = try await http.send(HTTPRequest(.get, url.path, below: URL(string: own)!))
                    guard reply.head.status == .ok else { throw Unreachable() }
                    return reply.body
                })
            try await body(StandInIssuer(address: own, keys: keys, asked: asked), relay)
        }
    }
}
