import Foundation
import Pager2077Wire
import PushKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

extension Pager {
    func block(_ person: Person, by user: Person) async throws {
        #expect(try await call(PagerEndpoints.block, by: user, ["userId": person.id.rawValue]).status == 200)
    }

    func unblock(_ person: Person, by user: Person) async throws {
        #expect(try await call(PagerEndpoints.unblock, by: user, ["userId": person.id.rawValue]).status == 200)
    }

    func friendList(of person: Person) async throws -> [Friend] {
        try await call(PagerEndpoints.friends, by: person).data(FriendList.self).friends
    }

    func conversations(of person: Person) async throws -> [Conversation] {
        try await call(PagerEndpoints.conversations, by: person).data(ConversationList.self).conversations
    }

    func pendingRequests(to person: Person) async throws -> [PendingFriendRequest] {
        try await call(PagerEndpoints.pendingRequests, by: person).data(PendingFriendRequests.self).requests
    }
}

/// Blocks: Ada blocks Bob, who learns nothing.
@Suite struct BlockTests {
    let standIns = PushStandIns()
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager(standIns)
        ada = try await pager.person(PushStandIns.token)
        bob = try await pager.person("browser-bob")
        try await pager.befriend(ada, bob)
        try await pager.deliver()
        standIns.clear()
    }

    private func setStatus(_ status: User.Status, of person: Pager.Person) async throws {
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: status), by: person)
    }

    /// Sends, and returns the states that Bob is told, until the notification has ended.
    private func page(_ text: String) async throws -> [MessageDelivery] {
        let before = try await pager.deliveries(toldTo: bob).count
        #expect(try await pager.send(text, from: bob, to: ada).status == 201)
        pager.advance(.seconds(2))
        try await pager.deliver()
        return Array(try await pager.deliveries(toldTo: bob).dropFirst(before))
    }

    // MARK: What the blocked user can see

    @Test func pagesOfABlockedUserLookSentAndNeverArrive() async throws {
        #expect(try await page("before") == [.accepted])
        let events = try await pager.events(of: ada).count
        standIns.clear()
        try await pager.block(bob, by: ada)
        #expect(try await page("during") == [.accepted], "as before the block")
        // Everything that Bob can read is as it would be with a friend who does not look at the pager.
        let seen = try await pager.history(of: bob, with: ada)
        #expect(seen.map(\.text) == ["before", "during"])
        #expect(seen.map(\.delivery) == [.accepted, .accepted] && !seen.contains(where: \.isRead))
        #expect(standIns.sent.isEmpty)
        #expect(try await pager.history(of: ada, with: bob).map(\.text) == ["before"])
        #expect(try await pager.events(of: ada).dropFirst(events) == [.block(userId: bob.id, isBlocked: true)])
        try await pager.unblock(bob, by: ada)
        #expect(try await pager.history(of: ada, with: bob).map(\.text) == ["before"], "what was dropped does not come later")
        #expect(try await page("after") == [.accepted])
        #expect(try await pager.history(of: ada, with: bob).map(\.text) == ["before", "after"])
        #expect(standIns.sent.map(\.text?.body) == ["after"])
        #expect(try await pager.history(of: bob, with: ada).map(\.isRead) == [true, false, true], "a dropped page is never read")
    }

    @Test func blockedUserOfAnUnreachablePhoneIsToldSo() async throws {
        let cat = try await pager.person("browser-cat")
        try await pager.befriend(cat, bob)
        try await pager.block(bob, by: cat)
        try await pager.send("hello", from: bob, to: cat)
        pager.advance(.seconds(2))
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: bob) == [.unreachable])
    }

    @Test func userWhoBlocksSeemsToBeOffline() async throws {
        try await setStatus(.online, of: ada)
        pager.advance(.seconds(60))
        try await pager.block(bob, by: ada)
        let blockedAt = pager.now
        #expect(
            try await pager.events(of: bob).last == .friendStatus(friendId: ada.id, status: .offline, lastSeen: blockedAt))
        let events = try await pager.events(of: bob).count
        for status in [User.Status.offline, .online] {
            pager.advance(.seconds(60))
            try await setStatus(status, of: ada)
        }
        #expect(try await pager.events(of: bob).count == events)
        let shown = try #require(try await pager.friendList(of: bob).first)
        #expect(shown.status == .offline && shown.lastSeen == blockedAt)
        try await pager.unblock(bob, by: ada)
        #expect(try await pager.friendList(of: bob).first?.status == .online)
        #expect(try await pager.events(of: bob).last == .friendStatus(friendId: ada.id, status: .online, lastSeen: pager.now))
    }

    @Test func blockIsInNoReplyAndNoEventOfTheBlockedUser() async throws {
        try await pager.send("from ada", from: ada, to: bob)
        try await pager.block(bob, by: ada)
        let events = try await pager.events(of: bob)
        _ = try await pager.history(of: ada, with: bob)
        try await pager.unblock(bob, by: ada)
        try await pager.block(bob, by: ada)
        #expect(try await pager.events(of: bob) == events)
        let request = try await pager.call(
            PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: ada.hexCode.rawValue), by: bob)
        expect(request, 409, .friendshipExists)
        #expect(try await pager.friendList(of: bob).map(\.id) == [ada.id])
        #expect(try await pager.call(PagerEndpoints.removeFriend, by: bob, ["friendId": ada.id.rawValue]).status == 200)
        #expect(try await pager.events(of: ada).last == .friendRemoved(friendId: bob.id))
    }

    @Test func pagesOfABlockedUserStayUnread() async throws {
        try await pager.send("before", from: bob, to: ada)
        try await pager.block(bob, by: ada)
        #expect(try await pager.history(of: ada, with: bob).map(\.text) == ["before"], "what came before stays")
        #expect(try await pager.history(of: bob, with: ada).map(\.isRead) == [false])
    }

    // MARK: Requests

    @Test func requestsOfABlockedUserAreDropped() async throws {
        let cat = try await pager.person("browser-cat")
        try await pager.block(cat, by: ada)
        let events = try await pager.events(of: ada)
        let asked = FriendRequestCreation(toHexCode: ada.hexCode.rawValue)
        let first = try await pager.call(PagerEndpoints.requestFriend, asked, by: cat)
        #expect(first.status == 201)
        expect(try await pager.call(PagerEndpoints.requestFriend, asked, by: cat), 409, .duplicateRequest)
        #expect(try await pager.events(of: ada) == events)
        #expect(try await pager.pendingRequests(to: ada).isEmpty)
        try await pager.deliver()
        #expect(standIns.sent.isEmpty)
        let id = ["requestId": try first.data(FriendRequest.self).id.rawValue]
        expect(try await pager.call(PagerEndpoints.acceptRequest, by: ada, id), 404, .notFound)
        // A request that nobody got does not keep its sender from asking again.
        try await pager.unblock(cat, by: ada)
        #expect(try await pager.pendingRequests(to: ada).isEmpty)
        #expect(try await pager.call(PagerEndpoints.requestFriend, asked, by: cat).status == 201)
        #expect(try await pager.pendingRequests(to: ada).map(\.request.fromUserId) == [cat.id])
    }

    @Test func requestBeforeTheBlockIsNeitherListedNorNotified() async throws {
        let cat = try await pager.person("browser-cat")
        _ = try await pager.requestFriend(ada, by: cat)
        try await pager.block(cat, by: ada)
        #expect(try await pager.pendingRequests(to: ada).isEmpty)
        try await pager.deliver()
        #expect(standIns.sent.isEmpty)
        let again = try await pager.call(
            PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: ada.hexCode.rawValue), by: cat)
        expect(again, 409, .duplicateRequest)
    }

    @Test func ownRequestIsAcceptedSilently() async throws {
        let cat = try await pager.person("browser-cat")
        let request = try await pager.requestFriend(cat, by: ada)
        try await setStatus(.online, of: ada)
        try await pager.block(cat, by: ada)
        let events = try await pager.events(of: ada)
        let reply = try await pager.call(PagerEndpoints.acceptRequest, by: cat, ["requestId": request.id.rawValue])
        #expect(try reply.data(AcceptedFriend.self).friend.status == .offline)
        #expect(try await pager.events(of: ada) == events)
        #expect(try await pager.friendList(of: ada).map(\.id) == [bob.id])
    }

    // MARK: What the user who blocks can see

    @Test func blockedUserIsInNoListOfTheUser() async throws {
        try await pager.send("unread", from: bob, to: ada)
        _ = try await pager.call(PagerEndpoints.submitScore, ScoreSubmission(game: .tetris, score: 9), by: bob)
        try await pager.block(bob, by: ada)
        #expect(try await pager.friendList(of: ada).isEmpty)
        #expect(try await pager.conversations(of: ada).isEmpty)
        #expect(try await pager.store.read { try $0.unreadCount(of: ada.id) } == 0)
        let board = try await pager.call(PagerEndpoints.leaderboard, by: ada, ["game": "tetris"]).data(Leaderboard.self)
        #expect(board.entries.isEmpty)
        let blocks = try await pager.call(PagerEndpoints.blocks, by: ada).data(BlockList.self).users
        #expect(blocks == [BlockedUser(id: bob.id, hexCode: bob.hexCode, displayName: nil, blockedAt: pager.now)])
        #expect(try await pager.call(PagerEndpoints.blocks, by: bob).data(BlockList.self).users.isEmpty)
        try await pager.unblock(bob, by: ada)
        #expect(try await pager.friendList(of: ada).map(\.id) == [bob.id])
        #expect(try await pager.conversations(of: ada).map(\.unreadCount) == [1])
    }

    @Test func userWhoBlocksHasToUnblockBeforeWriting() async throws {
        try await pager.block(bob, by: ada)
        expect(try await pager.send("hello", from: ada, to: bob), 403, .blocked, "You have blocked this user")
        let request = try await pager.call(
            PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: bob.hexCode.rawValue), by: ada)
        expect(request, 403, .blocked)
    }

    @Test func waitingNotificationsOfABlockedUserAreNotSent() async throws {
        try await pager.send("a moment ago", from: bob, to: ada)
        try await setStatus(.online, of: bob)
        try await pager.block(bob, by: ada)
        pager.advance(.seconds(2))
        try await pager.deliver()
        #expect(standIns.sent.isEmpty)
        #expect(try await pager.deliveries(toldTo: bob) == [.accepted], "accepted before the block: it ends as others do")
        #expect(try await pager.history(of: ada, with: bob).map(\.text) == ["a moment ago"])
    }

    @Test func invalidBlocksAreRefused() async throws {
        let unknown = ["userId": String(repeating: "0", count: 32)]
        expect(try await pager.call(PagerEndpoints.block, by: ada, unknown), 404, .userNotFound)
        expect(try await pager.call(PagerEndpoints.block, by: ada, ["userId": "x"]), 404, .userNotFound)
        expect(
            try await pager.call(PagerEndpoints.block, by: ada, ["userId": ada.id.rawValue]), 400, .invalidInput,
            "Cannot block yourself")
        for _ in 1...2 { try await pager.block(bob, by: ada) }
        #expect(try await pager.events(of: ada).filter { $0 == .block(userId: bob.id, isBlocked: true) }.count == 1)
        for _ in 1...2 { try await pager.unblock(bob, by: ada) }
        #expect(try await pager.call(PagerEndpoints.unblock, by: ada, unknown).status == 200)
        expect(try await pager.call(PagerEndpoints.blocks), 401, .unauthorized)
    }

    @Test func blocksAreBounded() async throws {
        try await pager.store.write { [ada, now = pager.now] transaction in
            for number in 0..<Blocks.maximumCount {
                let other = UserRecord(
                    id: .random(), hexCode: HexCode(UInt32(number)), deviceToken: "browser-\(number)", lastSeen: now,
                    createdAt: now,
                    updatedAt: now)
                if try transaction.user(hexCode: other.hexCode) != nil { continue }
                try transaction.insert(other)
                try transaction.insertBlock(of: other.id, by: try transaction.caller(ada.id), at: now)
            }
        }
        let count = try await pager.store.read { [ada] in try $0.blockCount(of: ada.id) }
        try #require(count == Blocks.maximumCount)
        expect(
            try await pager.call(PagerEndpoints.block, by: ada, ["userId": bob.id.rawValue]), 400, .invalidInput,
            "Too many blocked users")
    }
}
