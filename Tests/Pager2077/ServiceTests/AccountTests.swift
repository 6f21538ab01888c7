import Foundation
import HTTPTypes
import Pager2077Wire
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

@Suite struct AccountTests {
    let pager: Pager

    init() async throws { pager = try await Pager() }

    // MARK: Registration

    @Test func aNewUserIsOfflineAndHasNoName() async throws {
        let reply = try await pager.call(PagerEndpoints.register, Registration(deviceToken: "t"))
        #expect(reply.status == 201)
        let registered = try reply.data(Registered.self)
        #expect(registered.userId.isWellFormed)

        let person = Pager.Person(id: registered.userId, hexCode: registered.hexCode, token: registered.token)
        let me = try await pager.call(PagerEndpoints.me, by: person).data(OwnUser.self)
        #expect(
            me
                == OwnUser(
                    id: person.id, hexCode: person.hexCode, displayName: nil, status: .offline, lastSeen: pager.now,
                    createdAt: pager.now,
                    updatedAt: pager.now, deviceToken: "t", liveActivityToken: nil))
    }

    @Test func registeringAgainReturnsTheSameUserWithANewToken() async throws {
        let first = try await pager.person("t")
        pager.advance(.seconds(5))
        let second = try await pager.person("t")
        #expect(first.id == second.id && first.hexCode == second.hexCode)
        #expect(first.token != second.token)
    }

    @Test func hundredRegistrationsOfOneDeviceAtOnceMakeOneUser() async throws {
        let ids = try await withThrowingTaskGroup(of: User.ID.self) { group in
            for _ in 0..<100 { group.addTask { try await pager.person("t").id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func aTakenHexCodeIsDrawnAgain() async throws {
        let draws = Draws([1, 1, 1, 2])
        let pager = try await Pager(drawHexCode: { draws.next() })
        #expect(try await pager.person("a").hexCode == HexCode(1))
        #expect(try await pager.person("b").hexCode == HexCode(2))
    }

    @Test func afterTenDrawsItGivesUpWithoutAUser() async throws {
        let draws = Draws([1])
        let pager = try await Pager(drawHexCode: { draws.next() })
        _ = try await pager.person("a")
        let reply = try await pager.call(PagerEndpoints.register, Registration(deviceToken: "b"))
        expect(reply, 500, .internalError, "An unexpected error occurred")
        #expect(draws.count == 11)
    }

    @Test func registrationsOfOneAddressAreLimited() async throws {
        let pager = try await Pager(registrationsPerMinute: 2)
        _ = try await pager.person()
        _ = try await pager.person()
        let reply = try await pager.call(PagerEndpoints.register, Registration(deviceToken: "t"))
        expect(reply, 429, .rateLimited)
        #expect(reply.headers[.retryAfter].flatMap { Int($0) }.map { (1...61).contains($0) } == true)
    }

    // MARK: Token

    @Test func theTokenLastsSevenDaysAndHasTheContractsClaims() async throws {
        let person = try await pager.person()
        let claims = try #require(Data(base64Encoded: padded(person.token.split(separator: ".")[1])))
        let object = try WireJSON.decode([String: JSONValue].self, from: claims)
        let issued = pager.now.milliseconds / 1000
        #expect(
            object == [
                "userId": .string(person.id.rawValue), "hexCode": .string(person.hexCode.rawValue), "iat": .integer(issued),
                "exp": .integer(issued + 7 * 86_400),
            ])
        pager.advance(.seconds(7 * 86_400 - 1))
        #expect(try await pager.call(PagerEndpoints.me, by: person).status == 200)
        pager.advance(.seconds(1))
        expect(try await pager.call(PagerEndpoints.me, by: person), 401, .invalidToken, "Invalid or expired token")
    }

    @Test func aGoodTokenOfAUserWhoIsGoneIs404() async throws {
        let stranger = try await Pager().person()
        // Same secret, another database.
        expect(try await pager.call(PagerEndpoints.me, by: stranger), 404, .userNotFound, "User not found")
        expect(try await pager.call(PagerEndpoints.friends, by: stranger), 404, .userNotFound)
        expect(try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: stranger), 404, .userNotFound)
    }

    // MARK: Name

    @Test func aNameIsTrimmedAndKept() async throws {
        let person = try await pager.person()
        pager.advance(.seconds(1))
        let reply = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: "  Neo-77_ x "), by: person)
        #expect(reply.status == 200)
        #expect(try reply.data() == NamedUser(userId: person.id, hexCode: person.hexCode, displayName: "Neo-77_ x"))
        let me = try await pager.call(PagerEndpoints.me, by: person).data(OwnUser.self)
        #expect(me.displayName == "Neo-77_ x")
        #expect(me.updatedAt == pager.now && me.createdAt < pager.now)
    }

    @Test(arguments: [
        ("", "Display name cannot be empty"), (" \n", "Display name cannot be empty"),
        ("123456789012345678901", "Display name must be 20 characters or less"),
        ("Zoë", "Display name can only contain letters, numbers, spaces, hyphens, and underscores"),
    ])
    func aRefusedNameChangesNothing(_ name: String, _ message: String) async throws {
        let person = try await pager.person()
        _ = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: "Neo"), by: person)
        let reply = try await pager.call(PagerEndpoints.setDisplayName, DisplayNameUpdate(displayName: name), by: person)
        expect(reply, 400, .invalidDisplayName, message)
        #expect(try await pager.call(PagerEndpoints.me, by: person).data(OwnUser.self).displayName == "Neo")
    }

    // MARK: Status

    @Test func statusChangesReachEveryFriendOnce() async throws {
        let (ada, bob) = try await pager.friends()
        let before = try await pager.events(of: bob).count
        pager.advance(.seconds(9))
        for _ in 0..<2 {
            let reply = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: ada)
            #expect(reply.status == 200)
            #expect(try reply.data() == Done())
        }
        pager.advance(.seconds(9))
        let seen = try await pager.call(PagerEndpoints.friends, by: bob).data(FriendList.self).friends[0]
        #expect(seen.status == .online)
        #expect(seen.lastSeen == pager.now - .seconds(9))
        // However often it changes, only the latest status waits to be pushed.
        for status in [User.Status.offline, .online, .offline, .online] {
            _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: status), by: ada)
        }
        let statuses = try await pager.notifications().filter { if case .friendStatus = $0.notification { true } else { false } }
        #expect(statuses.count == 1)
        let events = try await pager.events(of: bob).dropFirst(before).prefix(1)
        #expect(Array(events) == [.friendStatus(friendId: ada.id, status: .online, lastSeen: pager.now - .seconds(9))])
        #expect(
            try await pager.notifications().filter { $0.recipient == bob.id }.last?.notification
                == .friendStatus(friendHexCode: ada.hexCode, status: .online))
    }

    // MARK: Live Activity token

    @Test func liveActivityTokensBelongToOneUserAndCanBeRemoved() async throws {
        let (ada, bob) = try await pager.friends()
        let token = String(repeating: "ab", count: 32)
        let reply = try await pager.call(
            PagerEndpoints.setLiveActivityToken, LiveActivityTokenUpdate(liveActivityToken: token), by: ada)
        #expect(try reply.data() == Done())
        #expect(try await pager.call(PagerEndpoints.me, by: ada).data(OwnUser.self).liveActivityToken == token)
        #expect(try await !pager.call(PagerEndpoints.friends, by: bob).text.contains(token))

        _ = try await pager.call(PagerEndpoints.setLiveActivityToken, LiveActivityTokenUpdate(liveActivityToken: nil), by: ada)
        #expect(try await pager.call(PagerEndpoints.me, by: ada).data(OwnUser.self).liveActivityToken == nil)
    }

    private func padded(_ part: Substring) -> String {
        let base64 = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
    }
}
