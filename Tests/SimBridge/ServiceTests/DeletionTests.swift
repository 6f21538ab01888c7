import Foundation
import HTTPTypes
import NetworkingKit
import PushKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// `POST /auth/delete`: what goes, who learns it, and who may.
@Suite struct DeletionTests {
    private func delete(_ password: String = "secret", by person: TestRelay.Person, on relay: TestRelay) async throws
        -> TestRelay.Reply
    {
        try await relay.call(SimBridgeEndpoints.deleteAccount, AccountDeletion(password: password), by: person)
    }

    /// Every value of every table.
    private func values(_ relay: TestRelay) async throws -> [String: [String: [String?]]] {
        var values = try await relay.relay.store.read { try $0.values() }
        // The highest number of a deleted account, which says nothing of it.
        values["deleted_accounts"] = nil
        return values
    }

    /// Fills every table that belongs to an account.
    private func live(_ relay: TestRelay, words: String) async throws -> TestRelay.Pair {
        let pair = try await relay.pair()
        // Both number their messages, and leave again: the client first, which the host's events wait for.
        for (kind, device) in [(Device.Kind.client, pair.client), (.host, pair.host)] {
            let line = try await relay.line(kind, device, of: pair.owner, query: "&v=2")
            line.close()
            try await eventually { relay.relay.lines[device] == nil }
        }
        expect(try await relay.setPush(.full, address: .ntfy(topic: "topic\(pair.client)"), for: pair.client, of: pair.owner), 200)
        let host = try await relay.line(.host, pair.host, of: pair.owner, query: "&v=2")
        try await host.send(DeviceMessage(.event(.incomingText(sim: 1, from: "+2", body: words)), messageId: "\(pair.host)-p"))
        #expect(try await host.next().content == .stored(messageId: "\(pair.host)-p"))
        host.close()
        try await eventually { relay.relay.lines[pair.host] == nil }
        try await relay.text(words, to: pair.host, by: pair.owner, reqId: .random())
        // A valid code beside the used one.
        expect(try await relay.call(SimBridgeEndpoints.pair, by: pair.owner, query: "?host_device_id=\(pair.host)"), 200)
        return pair
    }

    @Test func nothingOfADeletedAccountIsLeftInAnyTableOrInTheFile() async throws {
        let relay = try await TestRelay()
        let other = try await live(relay, words: "of another account")
        let before = try await values(relay)
        let pair = try await live(relay, words: "a very private text")
        let full = try await values(relay)
        // Tables of lines that this service does not use.
        let untouched: Set = ["logs", "events"]
        for (table, columns) in full { #expect((columns != before[table]) == !untouched.contains(table), "\(table)") }

        let reply = try await delete(by: pair.owner, on: relay)
        expect(reply, 200)
        #expect(reply.text == #"{"status":"deleted"}"#)
        #expect(try await values(relay) == before)
        expect(try await relay.call(SimBridgeEndpoints.devices, by: other.owner), 200)

        await relay.parts.close()
        if TestDatabase.isPostgreSQL { return }
        for file in try FileManager.default.contentsOfDirectory(atPath: relay.folder.url.path) {
            let bytes = try Data(contentsOf: URL(filePath: relay.folder.file(file)))
            #expect(bytes.range(of: Data("a very private text".utf8)) == nil, "\(file)")
        }
    }

    @Test func everyDeviceOfTheAccountLearnsIt() async throws {
        let relay = try await TestRelay()
        let (pair, other) = (try await relay.pair(), try await relay.pair())
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        let (client, _) = try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2")
        let others = try await relay.line(.host, other.host, of: other.owner)
        expect(try await delete(by: pair.owner, on: relay), 200)
        for line in [host, client] { #expect(try await line.ending() == SocketEnd(1008, "Account deleted")) }
        try await others.expectQuiet()

        func refusals(_ relay: TestRelay) async throws {
            let reply = try await relay.call(SimBridgeEndpoints.devices, by: pair.owner)
            expect(reply, 401, "Invalid token: The account has been deleted")
            let error = await #expect(throws: TransportError.self) { () async throws in
                _ = try await relay.open(.host, pair.host, of: pair.owner)
            }
            #expect(error?.reply?.head.status == .unauthorized)
        }
        try await refusals(relay)
        // The next process knows it as well, and tells it a device whose token has expired meanwhile.
        let later = try await relay.restarted(after: .seconds(90_000))
        try await refusals(later)
        expect(try await later.call(SimBridgeEndpoints.devices, by: other.owner), 401, "Token expired")
        // An account that this relay has never had.
        let foreign = try await RelayTokensForTests.token(for: 1_000, at: later.now, secret: later.secret)
        expect(try await later.call(.get, "/devices", token: foreign), 401, "Invalid token: No such account")
    }

    @Test func theNameIsFreeAgainAndTheNewAccountIsEmpty() async throws {
        let relay = try await TestRelay()
        let first = try await relay.person("ada")
        _ = try await relay.device(.client, of: first)
        expect(try await delete(by: first, on: relay), 200)
        let second = try await relay.person("ada")
        #expect(second.id != first.id)
        #expect(try await relay.devices(of: second).isEmpty)
        expect(try await relay.call(SimBridgeEndpoints.devices, by: first), 401, "Invalid token: The account has been deleted")
    }

    @Test func onlyTheOwnerDeletes() async throws {
        let relay = try await TestRelay()
        let person = try await relay.person("ada")
        let before = try await values(relay)
        expect(try await delete("wrong", by: person, on: relay), 403, "Wrong password")
        for (body, field) in [("{}", "password"), (#"{"password":7}"#, "password"), (#"{"id_token":7}"#, "id_token")] {
            let reply = try await relay.call(.post, "/auth/delete", token: person.token, body: body)
            expect(reply, 422)
            #expect(Set(reply.issues.map(\.field)) == [field])
        }
        expect(try await relay.call(.post, "/auth/delete", body: #"{"password":"secret"}"#), 401)
        expect(
            try await relay.call(SimBridgeEndpoints.deleteAccount, AccountDeletion(idToken: "x"), by: person), 501,
            "Google authentication is not configured")
        #expect(try await values(relay) == before)
        // The login and the wrong password were the first two of the minute.
        for _ in 1...3 { expect(try await delete("wrong", by: person, on: relay), 403) }
        expect(try await delete(by: person, on: relay), 429)
    }

    /// An account without a password is proved by a new token of Google's.
    @Test func anAccountOfGoogleIsDeletedByATokenOfItsOwn() async throws {
        try await StandInIssuer.run { issuer, relay in
            let signedIn = try await relay.call(SimBridgeEndpoints.google, GoogleSignIn(idToken: try await issuer.token()))
                .value(LoggedIn.self)
            let person = TestRelay.Person(id: signedIn.userId, token: signedIn.token)
            func delete(_ deletion: AccountDeletion) async throws -> TestRelay.Reply {
                try await relay.call(SimBridgeEndpoints.deleteAccount, deletion, by: person)
            }
            expect(try await delete(AccountDeletion(password: "x")), 403, "Wrong password")
            let foreign = try await issuer.token { $0.sub = "2" }
            expect(try await delete(AccountDeletion(idToken: foreign)), 403, "This is another Google account")
            let own = try await issuer.token()
            expect(try await delete(AccountDeletion(idToken: own)), 200)
            #expect(try await values(relay)["accounts"]?["id"] == [])
        }
    }

    /// The process ended after the account was removed, and before all its messages were.
    @Test func messagesLeftByACrashAreRemovedLater() async throws {
        let relay = try await TestRelay()
        let (pair, other) = (try await live(relay, words: "left"), try await live(relay, words: "kept"))
        let kept = try await relay.history(of: other.owner)
        try await relay.relay.store.write { transaction in
            for sql in [
                "DELETE FROM push_devices", "DELETE FROM pairings", "DELETE FROM pairing_codes", "DELETE FROM ended_pairing_codes",
            ] { try transaction.execute(sql) }
            try transaction.execute("DELETE FROM devices WHERE account = ?", pair.owner.id)
            try transaction.execute("DELETE FROM accounts WHERE id = ?", pair.owner.id)
        }
        try await relay.relay.accounts.removeMessagesOfDeletedAccounts()
        #expect(try await values(relay)["messages"]?["payload"]?.contains { $0?.contains("left") == true } == false)
        #expect(try await relay.history(of: other.owner) == kept)
    }

    /// A call that was under way when the account was deleted.
    @Test func nothingIsStoredForAnAccountThatHasJustBeenDeleted() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        expect(try await delete(by: pair.owner, on: relay), 200)
        let empty = try await values(relay)
        let pairings = Pairings(
            store: relay.relay.store, lines: relay.relay.lines, now: { relay.now }, drawCode: Pairings.randomCode)
        let gone = RelayError(.unauthorized, "Invalid token: The account has been deleted")
        await #expect(throws: gone) {
            try await pairings.add(DeviceRegistration(name: "late", type: .client), for: pair.owner.id)
        }
        let quota = Quota(store: relay.relay.store, bytes: 1_000_000)
        await #expect(throws: gone) {
            try await relay.relay.store.read { try quota.check(pair.owner.id, for: "{}", in: $0) }
        }
        #expect(try await values(relay) == empty)
    }
}
