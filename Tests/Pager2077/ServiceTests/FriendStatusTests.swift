import Foundation
import Pager2077Wire
import PushKit
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// Silent notifications about the status of friends.
@Suite struct FriendStatusTests {
    private static let device = String(repeating: "d0", count: 32)

    let apns = TestAPNS()
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager(senders: [apns])
        ada = try await pager.person("browser-ada")
        bob = try await pager.person(Self.device)
        try await pager.befriend(ada, bob)
        try await pager.deliver()
    }

    private func set(_ statuses: User.Status..., of person: Pager.Person) async throws {
        for status in statuses {
            #expect(try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: status), by: person).status == 200)
        }
    }

    /// The statuses that Bob's phone was sent, in order.
    private func sent() async throws -> [PagerNotification] {
        try await pager.deliver()
        let completed = try await pager.store.read { [bob] transaction in
            try transaction.all(
                "SELECT * FROM pushes WHERE recipient = ? AND state = 'completed' AND urgency = 1 ORDER BY id", bob.id,
                as: PushEntry.self)
        }
        #expect(apns.kinds(for: Self.device).count { $0 == .background } == completed.count)
        return try completed.map { try WireJSON.decode(PagerNotification.self, from: $0.content) }
    }

    private func status(_ status: User.Status, of person: Pager.Person) -> PagerNotification {
        .friendStatus(friendHexCode: person.hexCode, status: status)
    }

    @Test func latestStatusIsSentAfterTenMinutes() async throws {
        try await set(.online, of: ada)
        #expect(try await sent() == [status(.online, of: ada)])
        try await set(.offline, .online, .offline, of: ada)
        pager.advance(.seconds(600) - .milliseconds(1))
        #expect(try await sent().count == 1)
        pager.advance(.milliseconds(1))
        #expect(try await sent() == [status(.online, of: ada), status(.offline, of: ada)])
        // A quiet friend's next change goes out at once.
        pager.advance(.seconds(600))
        try await set(.online, of: ada)
        #expect(try await sent().count == 3)
    }

    @Test func waitingStatusHoldsUpNothingElse() async throws {
        let cyd = try await pager.person("browser-cyd")
        try await pager.befriend(cyd, bob)
        try await set(.online, of: ada)
        #expect(try await sent().count == 1)
        try await set(.offline, of: ada)
        try await set(.online, of: cyd)
        try await pager.send("HELLO", from: ada, to: bob)
        #expect(try await sent() == [status(.online, of: ada), status(.online, of: cyd)])
        #expect(apns.kinds(for: Self.device).last { $0 != .background } == .alert)
        #expect(try await pager.deliveries(toldTo: ada) == [.accepted])
    }

    @Test func presentRecipientGetsNone() async throws {
        let pushes = pager.pushes
        let accounts = Accounts(
            store: pager.store, pushes: pushes, now: { [pager] in pager.now }, drawHexCode: { HexCode(0) })
        try await set(.online, of: ada)
        #expect(try await sent().count == 1)
        try await set(.offline, of: ada)
        let client = TestAPNS()
        pushes.foreground.set(client, of: bob.id, until: .now + .seconds(3600))
        // The one that waits would be out of date.
        try await accounts.setStatus(.online, of: ada.id)
        pager.advance(.seconds(3600))
        #expect(try await sent().count == 1)
        pushes.foreground.set(client, of: bob.id, until: nil)
        try await accounts.setStatus(.offline, of: ada.id)
        #expect(try await sent() == [status(.online, of: ada), status(.offline, of: ada)])
        // The live socket carries every change.
        #expect(try await pager.events(of: bob).count { if case .friendStatus = $0 { true } else { false } } == 4)
    }
}
