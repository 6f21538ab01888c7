import Foundation
import HTTPTypes
import Pager2077Wire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

@Suite struct FriendshipTests {
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager()
        ada = try await pager.person()
        bob = try await pager.person()
    }

    private func ask(_ hexCode: String, by person: Pager.Person) async throws -> Pager.Reply {
        try await pager.call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: hexCode), by: person)
    }

    private func accept(_ id: FriendRequest.ID, by person: Pager.Person) async throws -> Pager.Reply {
        try await pager.call(PagerEndpoints.acceptRequest, by: person, ["requestId": id.rawValue])
    }

    private func reject(_ id: FriendRequest.ID, by person: Pager.Person) async throws -> Pager.Reply {
        try await pager.call(PagerEndpoints.rejectRequest, by: person, ["requestId": id.rawValue])
    }

    private func pending(_ person: Pager.Person) async throws -> [PendingFriendRequest] {
        try await pager.call(PagerEndpoints.pendingRequests, by: person).data(PendingFriendRequests.self).requests
    }

    private func friends(_ person: Pager.Person) async throws -> [Friend] {
        try await pager.call(PagerEndpoints.friends, by: person).data(FriendList.self).friends
    }

    // MARK: Requests

    @Test func askingMakesAPendingRequestAndTellsTheOther() async throws {
        _ = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: "Ada"), by: ada)
        let reply = try await ask(bob.hexCode.rawValue.lowercased(), by: ada)
        #expect(reply.status == 201)
        let request = try reply.data(FriendRequest.self)
        #expect(request.fromUserId == ada.id && request.toUserId == bob.id && request.status == .pending)

        let shown = PendingFriendRequest(request: request, fromUserHexCode: ada.hexCode, fromUserDisplayName: "Ada")
        #expect(try await pending(bob) == [shown])
        #expect(try await pending(ada).isEmpty)
        #expect(try await pager.events(of: bob) == [.friendRequest(shown)])
        let notifications = try await pager.notifications()
        #expect(notifications.count == 1 && notifications[0].recipient == bob.id)
        #expect(
            notifications[0].notification == .friendRequest(requestId: request.id, senderName: "Ada", senderHexCode: ada.hexCode))
    }

    @Test(arguments: ["BF010B", "BF010BA2F", "ZZZZZZZZ", "", "BF010BA "]) func whatIsNoHexCodeIsRefused(_ code: String) async throws
    {
        expect(try await ask(code, by: ada), 400, .invalidHexCode, "Invalid hex code format")
    }

    @Test func anUnknownHexCodeIsRefused() async throws {
        let unused = HexCode(rawValue: "00000000") == bob.hexCode ? "00000001" : "00000000"
        expect(try await ask(unused, by: ada), 404, .userNotFound, "User not found")
    }

    @Test func oneselfIsRefused() async throws {
        expect(try await ask(ada.hexCode.rawValue, by: ada), 400, .invalidInput, "Cannot add yourself")
    }

    @Test func aFriendIsRefused() async throws {
        try await pager.befriend(ada, bob)
        expect(try await ask(bob.hexCode.rawValue, by: ada), 409, .friendshipExists, "Already friends")
        expect(try await ask(ada.hexCode.rawValue, by: bob), 409, .friendshipExists, "Already friends")
    }

    @Test func aSecondRequestIsRefused() async throws {
        _ = try await ask(bob.hexCode.rawValue, by: ada)
        expect(try await ask(bob.hexCode.rawValue, by: ada), 409, .duplicateRequest, "Friend request already sent")
    }

    @Test func tryingOutCodesIsLimited() async throws {
        let pager = try await Pager(unknownHexCodesPerMinute: 3)
        let eve = try await pager.person()
        let bob = try await pager.person()
        func ask(_ code: String) async throws -> Pager.Reply {
            try await pager.call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: code), by: eve)
        }
        for number in 0..<3 { expect(try await ask("0000000\(number)"), 404, .userNotFound) }
        let reply = try await ask("00000009")
        expect(reply, 429, .rateLimited)
        #expect(reply.headers[.retryAfter] != nil)
        // The reply must not reveal which codes exist.
        expect(try await ask(bob.hexCode.rawValue), 429, .rateLimited)
    }

    /// Makes many users who did something with `person`.
    private func crowd(_ count: Int, _ act: @escaping @Sendable (WriteTransaction, UserRecord) throws -> Void) async throws {
        let now = pager.now
        try await pager.store.write { transaction in
            for number in 0..<count {
                let user = UserRecord(
                    id: .random(), hexCode: HexCode(UInt32(number)), deviceToken: "crowd-\(number)", lastSeen: now, createdAt: now,
                    updatedAt: now)
                try transaction.insert(user)
                try act(transaction, user)
            }
        }
    }

    @Test func pendingRequestsOfAUserAreBounded() async throws {
        let (bob, now) = (bob, pager.now)
        try await crowd(Friendships.maximumPending) { transaction, user in
            try transaction.insert(
                FriendRequest(
                    id: .random(), fromUserId: user.id, toUserId: bob.id, status: .pending, createdAt: now, updatedAt: now))
        }
        let refused = try await ask(bob.hexCode.rawValue, by: ada)
        expect(refused, 429, .rateLimited)
        #expect(refused.headers[.retryAfter] != nil)
        let first = try #require(try await pending(bob).first)
        #expect(try await reject(first.id, by: bob).status == 200)
        #expect(try await ask(bob.hexCode.rawValue, by: ada).status == 201)
    }

    @Test func friendsAreLimitedOnBothSides() async throws {
        let (bob, now) = (bob, pager.now)
        try await crowd(Friendships.maximumFriends) { transaction, user in try transaction.befriend(user.id, bob.id, at: now) }
        let asked = try await ask(ada.hexCode.rawValue, by: bob).data(FriendRequest.self)
        expect(try await accept(asked.id, by: ada), 400, .invalidInput, "Too many friends")
        expect(try await ask(bob.hexCode.rawValue, by: ada), 400, .invalidInput, "Too many friends")
        let eve = try await pager.person()
        let other = try await ask(bob.hexCode.rawValue, by: eve).data(FriendRequest.self)
        expect(try await accept(other.id, by: bob), 400, .invalidInput, "Too many friends")
        #expect(try await friends(bob).count == Friendships.maximumFriends)
    }

    @Test func bothAskingEachOtherMakesThemFriendsWithNothingPending() async throws {
        let first = try await ask(bob.hexCode.rawValue, by: ada).data(FriendRequest.self)
        let second = try await ask(ada.hexCode.rawValue, by: bob)
        #expect(second.status == 201)
        let accepted = try second.data(FriendRequest.self)
        #expect(accepted.id == first.id && accepted.status == .accepted)
        #expect(try await friends(ada).map(\.id) == [bob.id])
        #expect(try await friends(bob).map(\.id) == [ada.id])
        #expect(try await pending(ada).isEmpty)
        #expect(try await pending(bob).isEmpty)
        expect(try await accept(first.id, by: bob), 400, .invalidInput, "Request already processed")
    }

    @Test func simultaneousRequestsMakeFriendsOnce() async throws {
        for _ in 0..<20 {
            let a = try await pager.person()
            let b = try await pager.person()
            async let one = ask(b.hexCode.rawValue, by: a).status
            async let other = ask(a.hexCode.rawValue, by: b).status
            #expect(try await [one, other] == [201, 201])
            #expect(try await friends(a).map(\.id) == [b.id])
            #expect(try await pending(a).isEmpty)
            #expect(try await pending(b).isEmpty)
        }
    }

    // MARK: Answering

    @Test func acceptingMakesFriendsOfBothAndTellsTheAsker() async throws {
        let request = try await ask(bob.hexCode.rawValue, by: ada).data(FriendRequest.self)
        let reply = try await accept(request.id, by: bob)
        #expect(reply.status == 200)
        let friend = try reply.data(AcceptedFriend.self).friend
        #expect(friend == Friend(id: ada.id, hexCode: ada.hexCode, displayName: nil, status: .offline, lastSeen: pager.now))
        #expect(!reply.text.contains("oken"), "no token of the friend's")

        #expect(try await friends(bob) == [friend])
        #expect(try await friends(ada).map(\.id) == [bob.id])
        #expect(try await pending(bob).isEmpty)
        #expect(
            try await pager.events(of: ada)
                == [
                    .friendAccepted(
                        Friend(id: bob.id, hexCode: bob.hexCode, displayName: nil, status: .offline, lastSeen: pager.now))
                ])
        #expect(try await pager.notifications().last?.notification == .friendAccepted(friendHexCode: bob.hexCode, friendId: bob.id))
    }

    @Test func ofManyAcceptancesAtOnceExactlyOneCounts() async throws {
        let request = try await ask(bob.hexCode.rawValue, by: ada).data(FriendRequest.self)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await accept(request.id, by: bob).status } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1, 400: 19])
    }

    @Test func rejectingRemovesTheRequestAndLetsThemAskAgain() async throws {
        let request = try await ask(bob.hexCode.rawValue, by: ada).data(FriendRequest.self)
        let reply = try await reject(request.id, by: bob)
        #expect(reply.status == 200)
        #expect(try reply.data() == Done())
        #expect(try await pending(bob).isEmpty)
        #expect(try await friends(bob).isEmpty)
        expect(try await reject(request.id, by: bob), 400, .invalidInput, "Request already processed")
        expect(try await accept(request.id, by: bob), 400, .invalidInput, "Request already processed")

        let again = try await ask(bob.hexCode.rawValue, by: ada)
        #expect(again.status == 201)
        #expect(try again.data(FriendRequest.self).id != request.id)
    }

    @Test func onlyTheAddresseeMayAnswer() async throws {
        let eve = try await pager.person()
        let request = try await ask(bob.hexCode.rawValue, by: ada).data(FriendRequest.self)
        for person in [ada, eve] {
            expect(try await accept(request.id, by: person), 403, .forbidden)
            expect(try await reject(request.id, by: person), 403, .forbidden)
        }
        #expect(try await pending(bob).count == 1)
    }

    @Test(arguments: ["00000000000000000000000000000000", "x", "%00", "..%2f..", "' OR 1=1"])
    func anUnknownRequestIs404(_ id: String) async throws {
        for endpoint in [PagerEndpoints.acceptRequest.path, PagerEndpoints.rejectRequest.path] {
            let path = endpoint.replacingOccurrences(of: ":requestId", with: id.replacingOccurrences(of: " ", with: "%20"))
            expect(try await pager.call(.post, path, token: bob.token), 404, .notFound, "Friend request not found")
        }
    }

    @Test func pendingRequestsAreNewestFirst() async throws {
        var ids: [User.ID] = []
        for _ in 0..<3 {
            let person = try await pager.person()
            _ = try await ask(bob.hexCode.rawValue, by: person)
            ids.insert(person.id, at: 0)
        }
        #expect(try await pending(bob).map(\.request.fromUserId) == ids)
    }

    // MARK: Friends

    @Test func friendsAreOrderedByHexCode() async throws {
        for _ in 0..<5 { try await pager.befriend(try await pager.person(), ada) }
        let codes = try await friends(ada).map(\.hexCode.rawValue)
        #expect(codes == codes.sorted() && codes.count == 5)
    }

    @Test func removingAFriendNotifiesTheOtherAndAllowsNewRequests() async throws {
        try await pager.befriend(ada, bob)
        let reply = try await pager.call(PagerEndpoints.removeFriend, by: ada, ["friendId": bob.id.rawValue])
        #expect(reply.status == 200)
        #expect(try reply.data() == Done())
        #expect(try await friends(ada).isEmpty)
        #expect(try await friends(bob).isEmpty)
        #expect(try await pager.events(of: bob).last == .friendRemoved(friendId: ada.id))
        expect(
            try await pager.call(PagerEndpoints.removeFriend, by: ada, ["friendId": bob.id.rawValue]), 404, .notFound,
            "Friendship not found")
        #expect(try await ask(bob.hexCode.rawValue, by: ada).status == 201)
    }

    @Test func strangersCannotBeRemoved() async throws {
        let eve = try await pager.person()
        try await pager.befriend(ada, bob)
        expect(
            try await pager.call(PagerEndpoints.removeFriend, by: eve, ["friendId": bob.id.rawValue]), 404, .notFound,
            "Friendship not found")
        #expect(try await friends(ada).count == 1)
    }
}
