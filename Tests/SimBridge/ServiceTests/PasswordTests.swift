import Foundation
import HTTPTypes
import NetworkingKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// The rule for new passwords, changes of the password, and closed registration.
@Suite struct PasswordTests {
    private func register(_ name: String, _ password: String, on relay: TestRelay) async throws -> TestRelay.Reply {
        try await relay.call(SimBridgeEndpoints.register, Credentials(username: name, password: password))
    }

    private func change(
        _ password: String = "secret", to new: String, by person: TestRelay.Person, on relay: TestRelay
    ) async throws -> TestRelay.Reply {
        try await relay.call(
            SimBridgeEndpoints.changePassword, PasswordChange(password: password, newPassword: new), by: person)
    }

    @Test(arguments: [
        ("k7#mQ!w", "password must have at least 8 characters"),
        ("Password1", "password is one of the first that others would try; choose another"), ("k7#mQ!w9", nil),
    ]) func aBoxRequiresLongUncommonPasswords(_ password: String, _ message: String?) async throws {
        let relay = try await TestRelay(configure: { $0.minimumPasswordLength = 8 })
        let reply = try await register("ada", password, on: relay)
        expect(reply, message == nil ? 200 : 422)
        #expect(reply.issues.first?.msg == message)
    }

    @Test func aRelayAloneTakesTheContracts() async throws {
        let relay = try await TestRelay()
        expect(try await register("ada", "x", on: relay), 200)
        expect(try await register("bob", "password", on: relay), 200)
    }

    /// An account from before the rule can still log in.
    @Test func loginAcceptsPasswordsOfAnyLength() async throws {
        let relay = try await TestRelay()
        expect(try await register("ada", "x", on: relay), 200)
        let strict = try await relay.restarted(configure: { $0.minimumPasswordLength = 8 })
        expect(try await strict.call(SimBridgeEndpoints.login, Credentials(username: "ada", password: "x")), 200)
    }

    @Test func aNewPasswordVoidsEveryEarlierToken() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        let (client, _) = try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2")
        let other = try await relay.pair()
        let others = try await relay.line(.host, other.host, of: other.owner)

        let reply = try await change(to: "another", by: pair.owner, on: relay)
        expect(reply, 200)
        let new = TestRelay.Person(id: pair.owner.id, token: try reply.value(LoggedIn.self).token)
        for line in [host, client] { #expect(try await line.ending() == SocketEnd(1008, "Token expired")) }
        try await others.expectQuiet()
        expect(
            try await relay.call(SimBridgeEndpoints.devices, by: pair.owner), 401, "Invalid token: The password has been changed")
        let error = await #expect(throws: TransportError.self) { () async throws in
            _ = try await relay.open(.host, pair.host, of: pair.owner)
        }
        #expect(error?.reply?.head.status == .unauthorized)

        #expect(try await relay.devices(of: new).count == 2)
        let again = try await relay.line(.host, pair.host, of: new)
        try await again.expectQuiet()
        // The next process behaves the same way.
        let later = try await relay.restarted()
        expect(try await later.call(SimBridgeEndpoints.devices, by: pair.owner), 401)
        expect(try await later.call(SimBridgeEndpoints.devices, by: new), 200)
    }

    /// The token was valid when the handshake checked it.
    @Test func aLineThatOpensWhileThePasswordChangesEnds() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        try await relay.relay.store.write { _ = try $0.execute("UPDATE accounts SET generation = 1") }
        let line = try await relay.connect(SimBridgeLine.path(.host, pair.host) + "?token=\(pair.owner.token)")
        #expect(try await line.ending() == SocketEnd(1008, "Token expired"))
    }

    /// The password is changed after the old one has been compared, and before the token is signed.
    @Test func aLoginDuringAPasswordChangeIsVoid() async throws {
        let relay = try await TestRelay()
        expect(try await register("ada", "secret", on: relay), 200)
        let accounts = Accounts(
            store: relay.relay.store, now: { relay.now }, passwordCost: .init(logN: 4), maximumHashes: 1, google: nil,
            lines: relay.relay.lines, passwordRule: PasswordRule(minimumLength: 1), isRegistrationOpen: true, logger: .quiet)
        let tokens = RelayTokens(signer: await TokenSigner(secret: relay.secret), accounts: accounts, now: { relay.now })
        let login = try await accounts.login(Credentials(username: "ada", password: "secret"))
        try await relay.relay.store.write { _ = try $0.execute("UPDATE accounts SET generation = 1") }
        let token = try await tokens.token(for: login)
        await #expect(throws: RelayError(.unauthorized, "Invalid token: The password has been changed")) {
            try await tokens.claims(of: token)
        }
    }

    @Test func aWrongPasswordChangesNothing() async throws {
        let relay = try await TestRelay()
        let person = try await relay.person("ada")
        // The log-in of `person` was the first of the minute.
        for _ in 1...3 { expect(try await change("wrong", to: "another", by: person, on: relay), 403, "Wrong password") }
        let short = try await change(to: "", by: person, on: relay)
        expect(short, 422)
        #expect(short.issues.map(\.field) == ["new_password"])
        expect(try await change(to: "another", by: person, on: relay), 200)
        expect(try await relay.call(SimBridgeEndpoints.login, Credentials(username: "ada", password: "another")), 429)
        expect(try await relay.call(.post, "/auth/password", body: #"{"password":"secret","new_password":"b"}"#), 401)
    }

    @Test func theNewPasswordFollowsTheRule() async throws {
        let relay = try await TestRelay(configure: { $0.minimumPasswordLength = 8 })
        expect(try await register("ada", "k7#mQ!w9", on: relay), 200)
        let reply = try await relay.call(SimBridgeEndpoints.login, Credentials(username: "ada", password: "k7#mQ!w9"))
        let person = TestRelay.Person(id: 1, token: try reply.value(LoggedIn.self).token)
        let refused = try await change("k7#mQ!w9", to: "12345678", by: person, on: relay)
        expect(refused, 422)
        #expect(refused.issues.map(\.field) == ["new_password"])
        expect(try await relay.call(SimBridgeEndpoints.devices, by: person), 200)
    }

    @Test func oneOfTwoConcurrentPasswordChangesCounts() async throws {
        let relay = try await TestRelay()
        let person = try await relay.person()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<3 { group.addTask { try await change(to: "new\(number)", by: person, on: relay).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.allSatisfy { [200, 401, 403].contains($0) })
    }

    @Test func closedRegistrationLetsTheFirstAccountIn() async throws {
        let relay = try await TestRelay(configure: { $0.isRegistrationOpen = false })
        expect(try await register("ada", "secret", on: relay), 200)
        expect(try await register("bob", "secret", on: relay), 403, "Registration is closed")
        expect(try await register("ada", "secret", on: relay), 403, "Registration is closed")
        expect(try await relay.call(SimBridgeEndpoints.login, Credentials(username: "ada", password: "secret")), 200)
    }
}
