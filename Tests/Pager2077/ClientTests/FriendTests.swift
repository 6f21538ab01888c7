import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing

/// Friends and requests (`Docs/Requirements.md`, Pager2077, 3, 4, 5, 13 and 14).
@MainActor
@Suite struct FriendTests {
    @Test func theFriendListMatchesTheService() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let eve = try await box.registered("Eve")
        try await Person.befriend(eve, ada)
        await ada.quit()
        // Without a line, only fetched data can be there.
        box.network.set { $0.refusal = .init(503) }
        let again = box.pager(ada.phone)
        try await again.until { $0.friends.phase == .ready }
        let names = [bob.code: "Bob", eve.code: "Eve"]
        #expect(again.pager.friends.items.map(\.hexCode.rawValue) == names.keys.sorted())
        #expect(again.pager.friends.items.map(\.displayName) == names.keys.sorted().map { names[$0] })
        #expect(again.pager.signal != .full)
        let other = box.pager()
        try await other.until { $0.phase == .welcome }
        await other.pager.begin()
        try await other.until { $0.friends.isEmpty }
    }

    @Test func aFailedFetchIsReportedAndKeepsTheList() async throws {
        let box = try await Box()
        let (ada, _) = try await box.friends()
        box.network.cut()
        await ada.pager.loadFriends()
        #expect(ada.pager.friends.phase == .failed(.network))
        #expect(ada.pager.friends.items.count == 1)
        box.network.mend()
        await ada.pager.loadFriends()
        #expect(ada.pager.friends.phase == .ready)
    }

    @Test func aRequestArrivesAtOnceAndIsAccepted() async throws {
        let box = try await Box()
        let (toAda, toBob) = (TestNetwork(box.network), TestNetwork(box.network))
        let (ada, bob) = (
            try await box.registered("Ada", network: toAda), try await box.registered("Bob", network: toBob)
        )
        // No call of Bob's is answered: only the line can deliver the request.
        toBob.set { $0.hangs = true }
        #expect(try await ada.pager.requestFriend(bob.code.lowercased()) == false)
        try await bob.until { $0.requests.items.map(\.fromUserDisplayName) == ["Ada"] }
        toBob.set { $0.hangs = false }
        toAda.set { $0.hangs = true }
        try await bob.pager.accept(bob.pager.requests.items[0])
        #expect(bob.pager.requests.items == [])
        #expect(bob.pager.friends.items.map(\.displayName) == ["Ada"])
        try await ada.until { $0.friends.items.map(\.displayName) == ["Bob"] }
    }

    @Test func aRejectedRequestDisappears() async throws {
        let box = try await Box()
        let (ada, bob) = (try await box.registered(), try await box.registered())
        try await ada.pager.requestFriend(bob.code)
        try await bob.until { !$0.requests.items.isEmpty }
        try await bob.pager.reject(bob.pager.requests.items[0])
        #expect(bob.pager.requests.items == [])
        await bob.pager.refresh()
        #expect(bob.pager.requests.isEmpty && bob.pager.friends.isEmpty)
    }

    @Test func invalidRequestsAreReported() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let other = try await box.registered()
        await #expect(throws: PagerProblem.alreadyFriends) { try await ada.pager.requestFriend(bob.code) }
        try await ada.pager.requestFriend(other.code)
        await #expect(throws: PagerProblem.requestAlreadySent) { try await ada.pager.requestFriend(other.code) }
        await #expect(throws: PagerProblem.ownCode) { try await ada.pager.requestFriend(ada.code) }
        for code in ["", "123456", "123456789", "GHIJKLMN"] {
            await #expect(throws: PagerProblem.invalidCode) { try await ada.pager.requestFriend(code) }
        }
        let unknown = [ada, bob, other].map(\.code).contains("00000000") ? "00000001" : "00000000"
        await #expect(throws: PagerProblem.userNotFound) { try await ada.pager.requestFriend(unknown) }
        box.network.cut()
        await #expect(throws: PagerProblem.network) { try await ada.pager.requestFriend(unknown) }
    }

    @Test func mutualRequestsMakeFriendsAtOnce() async throws {
        let box = try await Box()
        let (ada, bob) = (try await box.registered(), try await box.registered())
        try await ada.pager.requestFriend(bob.code)
        #expect(try await bob.pager.requestFriend(ada.code) == true)
        #expect(bob.pager.friends.items.count == 1)
        #expect(bob.pager.requests.items == [])
    }

    @Test func friendsSeeUsersInTheForegroundAsOnline() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        try await ada.until { $0.friends.items.first?.status == .online }
        bob.pager.setAttention(.away, screen: bob)
        try await ada.until { $0.friends.items.first?.status == .offline }
        bob.pager.setAttention(.full, screen: bob)
        try await ada.until { $0.friends.items.first?.status == .online }
    }

    @Test func anInactiveScreenStaysOnline() async throws {
        let (ada, bob) = try await Box().friends()
        let (chat, _) = try await ada.open(bob)
        let (other, _) = try await bob.open(ada)
        bob.pager.setAttention(.partial, screen: bob)
        try await ada.pager.send("psst", in: chat)
        try await bob.until { _ in other.messages.count == 1 && bob.phone.shown.count == 1 }
        #expect(ada.pager.friends.items.first?.status == .online)
        #expect(chat.messages.last?.isRead != true)
        bob.pager.setAttention(.away, screen: bob)
        try await ada.until { $0.friends.items.first?.status == .offline }
    }

    @Test func removingAFriendRemovesBothSides() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        try await ada.pager.remove(bob.id)
        #expect(ada.pager.friends.items == [])
        try await bob.until { $0.friends.items.isEmpty }
    }
}
