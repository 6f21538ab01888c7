import Foundation
import HTTPTypes
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Contract: "Accounts", "Authentication", "Rate limit".
@Suite struct AccountTests {
    let relay: TestRelay

    init() async throws { relay = try await TestRelay() }

    private func register(_ name: String, _ password: String = "secret") async throws -> TestRelay.Reply {
        try await relay.call(SimBridgeEndpoints.register, Credentials(username: name, password: password))
    }

    private func login(_ name: String, _ password: String = "secret") async throws -> TestRelay.Reply {
        try await relay.call(SimBridgeEndpoints.login, Credentials(username: name, password: password))
    }

    @Test func registrationThenLogin() async throws {
        let registered = try await register("ada")
        expect(registered, 200)
        let account = try registered.value(Registered.self)
        #expect(account.username == "ada" && account.id.rawValue > 0)
        let reply = try await login("ada").value(LoggedIn.self)
        #expect(reply.userId == account.id)
        expect(try await relay.call(.get, "/devices", token: reply.token), 200)
    }

    @Test func aNameIsTakenOnce() async throws {
        expect(try await register("ada"), 200)
        expect(try await register("ada", "other"), 400, "Username already taken")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 { group.addTask { try await register("bob", "p\(number)").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 400, count: 7))
    }

    @Test func wrongPasswordAndUnknownUserLookAlike() async throws {
        expect(try await register("ada"), 200)
        expect(try await login("ada", "wrong"), 401, "Invalid credentials")
        expect(try await login("nobody"), 401, "Invalid credentials")
    }

    @Test(arguments: [("", 422), ("a", 200), (String(repeating: "é", count: 50), 200), (String(repeating: "a", count: 51), 422)])
    func lengthsOfNames(_ name: String, _ status: Int) async throws {
        let reply = try await register(name)
        expect(reply, status)
        if status == 422 { #expect(reply.issues.map(\.field) == ["username"]) }
    }

    @Test func everyByteOfALongPasswordCounts() async throws {
        let long = String(repeating: "p", count: 100)
        expect(try await register("ada", long + "a"), 200)
        expect(try await login("ada", long + "b"), 401)
        expect(try await login("ada", long + "a"), 200)
        expect(try await register("bob", ""), 422)
        expect(try await register("bob", String(repeating: "p", count: 1025)), 422)
    }

    @Test func thePasswordIsStoredAsASlowHash() async throws {
        expect(try await register("ada"), 200)
        let stored = try await relay.relay.store.read { try $0.one("SELECT password_hash FROM accounts", as: String.self) }
        #expect(stored.hasPrefix("$scrypt$"))
    }

    // MARK: Limits

    @Test func theSixthLoginOfAMinuteIsRefused() async throws {
        expect(try await register("ada"), 200)
        for attempt in 1...5 { expect(try await login("ada", attempt % 2 == 0 ? "secret" : "wrong"), attempt % 2 == 0 ? 200 : 401) }
        let refused = try await login("ada")
        expect(refused, 429, "Too many attempts. Try again later.")
        let wait = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
        #expect((1...60).contains(wait))
        // Each name has its own count.
        expect(try await login("nobody"), 401)
    }

    @Test func theSixthConfirmationOfAMinuteIsRefused() async throws {
        let pair = try await relay.pair()
        let wrong = PairConfirmation(code: "none", clientDeviceId: pair.client)
        for _ in 1...4 {
            expect(
                try await relay.call(SimBridgeEndpoints.confirmPairing, wrong, by: pair.owner), 400,
                "Invalid or expired pairing code")
        }
        // Pairing itself was the first.
        let refused = try await relay.call(SimBridgeEndpoints.confirmPairing, wrong, by: pair.owner)
        expect(refused, 429, "Too many attempts. Try again later.")
        #expect(refused.headers[.retryAfter] != nil)
        // A request that fails the device check is not counted.
        let foreign = PairConfirmation(code: "none", clientDeviceId: pair.host)
        expect(try await relay.call(SimBridgeEndpoints.confirmPairing, foreign, by: pair.owner), 404)
    }

    @Test func registrationsFromOneAddressAreLimited() async throws {
        let relay = try await TestRelay(configure: { $0.registrationsPerMinute = 1 })
        expect(try await relay.call(SimBridgeEndpoints.register, Credentials(username: "a", password: "p")), 200)
        expect(try await relay.call(SimBridgeEndpoints.register, Credentials(username: "b", password: "p")), 429)
    }

    @Test func loginsFromOneAddressAreLimited() async throws {
        let relay = try await TestRelay(configure: { $0.loginsPerMinute = 2 })
        func login(_ name: String) async throws -> TestRelay.Reply {
            try await relay.call(SimBridgeEndpoints.login, Credentials(username: name, password: "p"))
        }
        for name in ["a", "b"] { expect(try await login(name), 401) }
        let refused = try await login("c")
        expect(refused, 429, "Too many attempts. Try again later.")
        #expect(refused.headers[.retryAfter] != nil)
    }

    /// A flood of logins does not delay others for minutes: requests beyond the capacity of hashing are refused.
    @Test func aFloodOfLoginsIsTurnedAway() async throws {
        let relay = try await TestRelay(configure: {
            $0.passwordCost = .init(logN: 13)
            $0.maximumHashes = 1
        })
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await relay.call(SimBridgeEndpoints.login, Credentials(username: "nobody\(number)", password: "p")).status
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == [401, 503])
        expect(try await relay.call(SimBridgeEndpoints.login, Credentials(username: "later", password: "p")), 401)
    }

    // MARK: Tokens

    @Test func theTokenIsTheContracts() async throws {
        let person = try await relay.person()
        let parts = person.token.split(separator: ".")
        #expect(parts.count == 3)
        func decoded(_ part: Substring) throws -> JSONValue {
            var text = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            text += String(repeating: "=", count: (4 - text.count % 4) % 4)
            return try WireJSON.decode(from: try #require(Data(base64Encoded: text)))
        }
        #expect(try decoded(parts[0]) == .object(["alg": .string("HS256"), "typ": .string("JWT")]))
        let issued = relay.now.milliseconds / 1000
        #expect(
            try decoded(parts[1])
                == .object(["user_id": .integer(person.id.rawValue), "iat": .integer(issued), "exp": .integer(issued + 86_400)]))
    }

    @Test func theSchemeMayBeInAnyCase() async throws {
        let person = try await relay.person()
        for scheme in ["bearer", "BEARER", "Bearer"] {
            expect(try await relay.call(.get, "/devices", headers: [.authorization: "\(scheme) \(person.token)"]), 200)
        }
    }

    @Test func noBearerHeaderIsNotAuthenticated() async throws {
        for headers: HTTPFields in [[:], [.authorization: "Basic abc"], [.authorization: "Bearer"]] {
            let reply = try await relay.call(.get, "/devices", headers: headers)
            expect(reply, 401, "Not authenticated")
            #expect(reply.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test func aTokenEndsAfterADay() async throws {
        let person = try await relay.person()
        relay.advance(.seconds(86_399))
        expect(try await relay.call(.get, "/devices", token: person.token), 200)
        relay.advance(.seconds(1))
        expect(try await relay.call(.get, "/devices", token: person.token), 401, "Token expired")
    }

    private struct Odd: TokenClaims {
        var userId: JSONValue
        var iat = 0
        var exp = 4_000_000_000
        private enum CodingKeys: String, CodingKey {
            case iat, exp
            case userId = "user_id"
        }
    }

    private struct Timeless: TokenClaims {
        var userId = 1
        var iat = 0
        var exp = 0
        private enum CodingKeys: String, CodingKey {
            case iat
            case userId = "user_id"
        }
    }

    @Test func aTokenOfNobodyIsRefused() async throws {
        _ = try await relay.person()
        let odd = await TokenSigner<Odd>(secret: relay.secret)
        for id: JSONValue in [.integer(99), .string("1"), .number(1.5), .null, .integer(-1)] {
            let reply = try await relay.call(.get, "/devices", token: try await odd.sign(Odd(userId: id)))
            expect(reply, 401)
            #expect(reply.detail?.hasPrefix("Invalid token: ") == true)
        }
        let timeless = await TokenSigner<Timeless>(secret: relay.secret)
        expect(try await relay.call(.get, "/devices", token: try await timeless.sign(Timeless())), 401)
    }
}
