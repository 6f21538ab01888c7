import Foundation
import HTTPTypes
import Pager2077Wire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// The bounds of accounts, messages and answered requests: `Docs/Operations.md`.
@Suite struct RetentionTests {
    private func texts(_ pager: Pager, _ reader: Pager.Person, _ friend: Pager.Person) async throws -> [String] {
        try await pager.history(of: reader, with: friend).map(\.text)
    }

    private func prune(_ pager: Pager, _ retention: Retention = Retention()) async throws {
        try await retention.prune(pager.store, now: pager.now)
    }

    private func count(_ table: String, in pager: Pager) async throws -> Int {
        try await pager.store.read { try $0.one("SELECT COUNT(*) FROM \(table)") }
    }

    private func exists(_ person: Pager.Person, in pager: Pager) async throws -> Bool {
        try await pager.store.read { try $0.user(person.id) != nil }
    }

    // MARK: Messages

    @Test func oldestMessagesOfASenderMakeRoomForTheNext() async throws {
        let pager = try await Pager(retention: Retention(messagesPerUser: 3))
        let (ada, bob) = try await pager.friends()
        try await pager.send("from bob", from: bob, to: ada)
        for number in 1...5 { try await pager.send("\(number)", from: ada, to: bob) }
        #expect(try await texts(pager, bob, ada) == ["from bob", "3", "4", "5"])
        // One that is sent again is the same message, and removes none.
        for _ in 1...3 { try await pager.send("6", from: ada, to: bob, clientId: "same") }
        #expect(try await texts(pager, bob, ada) == ["from bob", "4", "5", "6"])
    }

    @Test func fullServiceTakesTheRoomFromTheHeaviestSender() async throws {
        let pager = try await Pager(retention: Retention(messagesPerUser: 100, messages: 6))
        let (ada, bob) = try await pager.friends()
        for number in 1...2 { try await pager.send("b\(number)", from: bob, to: ada) }
        for number in 1...9 { try await pager.send("a\(number)", from: ada, to: bob) }
        #expect(try await texts(pager, ada, bob) == ["b1", "b2", "a6", "a7", "a8", "a9"])
        // Below the average share the oldest of all go.
        try await pager.send("b3", from: bob, to: ada)
        #expect(try await texts(pager, ada, bob) == ["b2", "a6", "a7", "a8", "a9", "b3"])
        #expect(try await pager.store.read { try $0.total("messages") } == 6)
    }

    @Test func messagesGoAfterTheirTime() async throws {
        let retention = Retention(messageAge: .seconds(86_400))
        let pager = try await Pager(retention: retention)
        let (ada, bob) = try await pager.friends()
        try await pager.send("old", from: ada, to: bob)
        pager.advance(.seconds(86_400))
        try await pager.send("new", from: ada, to: bob)
        try await prune(pager, retention)
        pager.advance(.milliseconds(1))
        #expect(try await count("messages", in: pager) == 2)
        try await prune(pager, retention)
        #expect(try await texts(pager, bob, ada) == ["new"])
    }

    // MARK: Accounts

    @Test func accountsThatWereNeverUsedGoAfterADay() async throws {
        let pager = try await Pager()
        let unused = try await pager.person()
        let named = try await pager.person()
        let (ada, bob) = try await pager.friends()
        let asker = try await pager.person()
        pager.advance(.seconds(1))
        _ = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: "Neo"), by: named)
        _ = try await pager.call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: ada.hexCode.rawValue), by: asker)
        pager.advance(.seconds(86_401))
        try await prune(pager)
        #expect(try await !exists(unused, in: pager))
        for person in [named, ada, bob, asker] { #expect(try await exists(person, in: pager)) }
        #expect(try await pager.store.read { try $0.total("users") } == 4)
    }

    @Test func accountWithoutFriendsGoesWhenItIsNotSeenForAMonth() async throws {
        let pager = try await Pager()
        let (ada, bob) = try await pager.friends()
        let loner = try await pager.person("loner")
        pager.advance(.seconds(1))
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: loner)
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .offline), by: loner)
        pager.advance(.seconds(29 * 86_400))
        try await prune(pager)
        #expect(try await exists(loner, in: pager))
        // Registering again is a sign of life.
        _ = try await pager.person("loner")
        pager.advance(.seconds(29 * 86_400))
        try await prune(pager)
        #expect(try await exists(loner, in: pager))
        pager.advance(.seconds(2 * 86_400))
        try await prune(pager)
        #expect(try await !exists(loner, in: pager))
        // Friends stay, seen or not.
        for person in [ada, bob] { #expect(try await exists(person, in: pager)) }
        // The phone registers as a new user.
        #expect(try await pager.person("loner").id != loner.id)
    }

    @Test func fullServiceRefusesNewUsersAndKnowsTheOldOnes() async throws {
        let pager = try await Pager(retention: Retention(users: 2))
        let first = try await pager.person("first")
        _ = try await pager.person("second")
        let refused = try await pager.call(PagerEndpoints.register, Registration(deviceToken: "third"))
        expect(refused, 503, .unavailable)
        #expect(refused.headers[.retryAfter] != nil)
        #expect(try await pager.person("first").id == first.id)
        pager.advance(.seconds(2 * 86_400))
        try await prune(pager)
        _ = try await pager.person("third")
    }

    // MARK: Requests

    @Test func answeredRequestsOfAUserAreBounded() async throws {
        let pager = try await Pager()
        let ada = try await pager.person()
        let bob = try await pager.person()
        for _ in 0..<Retention.answeredRequests + 5 {
            let asked = FriendRequestCreation(toHexCode: ada.hexCode.rawValue)
            let request = try await pager.call(PagerEndpoints.requestFriend, asked, by: bob).data(FriendRequest.self)
            let reply = try await pager.call(PagerEndpoints.rejectRequest, by: ada, ["requestId": request.id.rawValue])
            #expect(reply.status == 200)
        }
        #expect(try await count("friend_requests", in: pager) == Retention.answeredRequests)
    }
}
