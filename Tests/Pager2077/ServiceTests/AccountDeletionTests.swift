import Foundation
import HTTPTypes
import Pager2077Wire
import PushKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

extension Pager {
    @discardableResult
    func deleteAccount(of person: Person, confirmedBy code: String? = nil) async throws -> Reply {
        try await call(
            PagerEndpoints.deleteAccount, AccountDeletion(hexCode: code ?? person.hexCode.rawValue), by: person)
    }

    func requestFriend(_ person: Person, by asker: Person) async throws -> FriendRequest {
        try await call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: person.hexCode.rawValue), by: asker)
            .data(FriendRequest.self)
    }

    /// Every value of every table that contains one of the texts, as `table.column: value`.
    func traces(of texts: [String]) async throws -> [String] {
        let values = try await store.read { try $0.values() }
        return values.flatMap { table, columns in
            columns.flatMap { column, values in
                values.compactMap(\.self).filter { value in texts.contains { value.contains($0) } }.map {
                    "\(table).\(column): \($0)"
                }
            }
        }
    }
}

/// The end of an account: what goes, what stays, and who learns of it.
@Suite struct AccountDeletionTests {
    private static let (token, startToken) = (String(repeating: "d1", count: 32), String(repeating: "a1", count: 40))

    @Test func confirmationIsTheOwnCode() async throws {
        let pager = try await Pager()
        let (ada, bob) = try await pager.friends()
        let other = try await pager.deleteAccount(of: ada, confirmedBy: bob.hexCode.rawValue)
        expect(other, 400, .invalidHexCode, "This is not the hex code of the account")
        expect(try await pager.deleteAccount(of: ada, confirmedBy: "BF01"), 400, .invalidHexCode, "Invalid hex code format")
        let absent = try await pager.call(.post, "/api/users/me/deletion", token: ada.token, body: Data("{}".utf8))
        expect(absent, 400, .invalidInput, "Hex code is required")
        expect(try await pager.call(.post, "/api/users/me/deletion", body: Data("{}".utf8)), 401, .unauthorized)
        #expect(try await pager.history(of: bob, with: ada).isEmpty)
        // In lower case too, as codes are typed elsewhere.
        #expect(try await pager.deleteAccount(of: ada, confirmedBy: ada.hexCode.rawValue.lowercased()).status == 200)
    }

    @Test func nothingOfTheAccountStaysInAnyTable() async throws {
        let standIns = PushStandIns()
        let pager = try await Pager(standIns)
        let ada = try await pager.person("device-of-ada-\(Self.token)")
        let (bob, eve, cat, dan) = (
            try await pager.person("browser-bob"), try await pager.person("browser-eve"), try await pager.person("browser-cat"),
            try await pager.person("browser-dan")
        )
        let name = "Ada Lovelace 1815"
        _ = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: name), by: ada)
        try await pager.setDevice(.test(1), .apns(token: Self.token), of: ada)
        try await pager.setStartToken(Self.startToken, device: .test(1), of: ada)
        for friend in [bob, eve] { try await pager.befriend(ada, friend) }
        // Requests in both directions, one answered, one dropped by a block.
        _ = try await pager.requestFriend(cat, by: ada)
        _ = try await pager.requestFriend(ada, by: dan)
        for (text, sender, recipient) in [("from-ada-1", ada, bob), ("to-ada-1", bob, ada), ("from-ada-2", ada, eve)] {
            try await pager.send(text, from: sender, to: recipient, clientId: UUID().uuidString)
        }
        _ = try await pager.history(of: bob, with: ada)
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: ada)
        _ = try await pager.call(PagerEndpoints.submitScore, ScoreSubmission(game: .snake, score: 9), by: ada)
        try await pager.deliver()
        // A former friend, whose log still tells of the friendship.
        _ = try await pager.call(PagerEndpoints.removeFriend, by: eve, ["friendId": ada.id.rawValue])
        _ = try await pager.call(PagerEndpoints.block, by: ada, ["userId": eve.id.rawValue])
        _ = try await pager.call(PagerEndpoints.block, by: cat, ["userId": ada.id.rawValue])
        let reported = try await pager.history(of: bob, with: ada).first { $0.senderId == ada.id }
        _ = try await pager.call(
            PagerEndpoints.report, ReportCreation(userId: ada.id, messageId: reported?.id, reason: .spam), by: bob)
        _ = try await pager.call(PagerEndpoints.report, ReportCreation(userId: bob.id, reason: .other), by: ada)
        try await pager.send("from-ada-3", from: ada, to: bob)

        let texts = [
            ada.id.rawValue, ada.hexCode.rawValue, name, Self.token, Self.startToken, "from-ada", "to-ada", "device-of-ada",
        ]
        let before = Set(try await pager.traces(of: texts).map { String($0.prefix { $0 != "." }) })
        #expect(
            before.isSuperset(of: [
                "users", "devices", "messages", "friend_requests", "friendships", "scores", "events", "pushes", "mentions",
                "blocks",
                "reports", "commands", "logs", "activities",
            ]), "\(before.sorted())")

        #expect(try await pager.deleteAccount(of: ada).status == 200)
        let after = try await pager.traces(of: texts)
        // The code without the id, and the id without anything else: what the decision keeps, and the news for the friend.
        let kept = [
            "retired_codes.hex_code: \(ada.hexCode)", "deleted_accounts.id: \(ada.id)",
            #"events.payload: {"friendId":"\#(ada.id)","isAccountDeleted":true,"type":"friendRemoved"}"#,
        ]
        #expect(Set(after) == Set(kept))
        #expect(after.count == 3, "only a friend is told")
        #expect(try await pager.store.read { try $0.total("users") } == 4)
        #expect(try await pager.store.read { try $0.total("messages") } == 0)
        // Logs have no gaps, and readers go on.
        #expect(try await pager.events(of: bob).last == .friendRemoved(friendId: ada.id, isAccountDeleted: true))
    }

    @Test func tokensEndAtOnceAndSayWhy() async throws {
        let pager = try await Pager()
        let (ada, bob) = try await pager.friends()
        try await pager.deleteAccount(of: ada)
        for path in ["/api/users/me", "/api/friends", "/api/conversations", "/api/messages/\(bob.id)", "/api/live", "/api/push"] {
            let headers: HTTPFields =
                path == "/api/live"
                ? [.connection: "Upgrade", .upgrade: "websocket", .init("Sec-WebSocket-Version")!: "13"] : [:]
            let reply = try await pager.call(.get, path, token: ada.token, headers: headers)
            if path == "/api/live", reply.status == 426 { continue }
            expect(reply, 404, .userNotFound, "Account deleted")
            #expect(reply.failure?.isAccountDeleted == true)
        }
        expect(try await pager.deleteAccount(of: ada), 404, .userNotFound)
        // The id is forgotten when no token can live any more.
        pager.advance(AccountTraces.idAge + .seconds(1))
        try await pager.store.write { [now = pager.now] in try $0.removeOldTraces(at: now) }
        #expect(try await pager.store.read { try !$0.isDeleted(ada.id) && $0.isRetired(ada.hexCode) })
    }

    @Test func deviceTokenRegistersAsAnotherUserWhoGetsNothingOfTheFirst() async throws {
        let standIns = PushStandIns()
        let pager = try await Pager(standIns)
        let ada = try await pager.person(PushStandIns.token)
        let bob = try await pager.person("browser-bob")
        try await pager.befriend(ada, bob)
        try await pager.deliver()
        standIns.clear()
        // Waits for a push service while the account goes.
        try await pager.send("for the old one", from: bob, to: ada)
        try await pager.deleteAccount(of: ada)
        let again = try await pager.person(PushStandIns.token)
        #expect(again.id != ada.id && again.hexCode != ada.hexCode)
        try await pager.deliver()
        #expect(standIns.sent.isEmpty)
        expect(try await pager.send("more", from: bob, to: ada), 404, .userNotFound, "Recipient not found")
        expect(try await pager.send("more", from: bob, to: again), 403, .notFriends)
    }

    /// A code that is printed somewhere must not lead to a stranger.
    @Test func codeIsNeverGivenToAnotherUser() async throws {
        let codes = Locked([1, 1, 2, 1, 3].map { HexCode($0) })
        let pager = try await Pager { codes.withLock { $0.removeFirst() } }
        let ada = try await pager.person("ada")
        try await pager.deleteAccount(of: ada)
        #expect(try await pager.person("bob").hexCode == HexCode(2))
        #expect(try await pager.person("eve").hexCode == HexCode(3))
        let bob = try await pager.person("bob")
        let reply = try await pager.call(
            PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: ada.hexCode.rawValue), by: bob)
        expect(reply, 404, .userNotFound)
    }

    @Test func pendingRequestsAreWithdrawn() async throws {
        let pager = try await Pager()
        let (ada, bob) = (try await pager.person(), try await pager.person())
        let request = try await pager.requestFriend(bob, by: ada)
        try await pager.deleteAccount(of: ada)
        #expect(try await pager.events(of: bob) == [.requestWithdrawn(requestId: request.id)])
        let pending = try await pager.call(PagerEndpoints.pendingRequests, by: bob).data(PendingFriendRequests.self)
        #expect(pending.requests.isEmpty)
        expect(
            try await pager.call(PagerEndpoints.acceptRequest, by: bob, ["requestId": request.id.rawValue]), 404, .notFound)
        #expect(try await pager.notifications().isEmpty)
    }

    /// The log of a database from before the deletion of accounts is looked through as well.
    @Test func mentionsOfEarlierVersionsAreFound() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("old.db")
        let (ada, bob) = (User.ID(String(repeating: "a", count: 32)), User.ID(String(repeating: "b", count: 32)))
        let time = Timestamp("2026-11-20T12:00:00.000Z")!
        let events: [LiveEvent] = [
            .friendStatus(friendId: ada, status: .online, lastSeen: time),
            .friendAccepted(Friend(id: ada, hexCode: HexCode(1), displayName: nil, status: .online, lastSeen: time)),
        ]
        do {
            // Without those of deletion, blocks and reports. Its lock ends with it.
            let old = try Database(path: path, migrations: PagerMigrations.all.dropLast(3))
            try await old.write { transaction in
                for event in events { try transaction.append(WireJSON.encode(event), to: bob.log, at: time) }
            }
            old.close()
        }
        let new = try Database(path: path, migrations: PagerMigrations.all)
        let mentions = try await new.read { try $0.all(#"SELECT "user" || ' ' || log FROM mentions"#, as: String.self) }
        #expect(mentions == ["\(ada) \(bob)"])
    }
}
