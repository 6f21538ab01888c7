import Foundation
import HTTPTypes
import NetworkingKit
import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Starts with and without the service (`Docs/Requirements.md`, Pager2077, 1 and 2).
@MainActor
@Suite struct StartTests {
    /// The stored values of the registration.
    private struct Stored: Decodable {
        var authToken: String
        var deviceToken: String
        var displayName: String?
    }

    private func stored(_ phone: TestPhone) throws -> Stored {
        try WireJSON.decode(Stored.self, from: try #require(phone.secrets["credentials"]))
    }

    @Test func theServiceHasTheDeviceTokenAndTheName() async throws {
        let box = try await Box()
        let phone = TestPhone()
        let token = String(repeating: "c3", count: 32)
        phone.pushAddress = .apns(token: token)
        let ada = try await box.registered("Ada", phone: phone)
        let request = try HTTPRequest(
            .get, PagerEndpoints.me.path, below: box.service.address,
            headers: [.authorization: "Bearer \(try stored(phone).authToken)"])
        let own = try WireJSON.decode(Success<OwnUser>.self, from: try await box.network.send(request).body).data
        #expect(own.id == ada.id && own.deviceToken == token && own.displayName == "Ada")
        #expect(try stored(phone).deviceToken == token && stored(phone).displayName == "Ada")
    }

    @Test func anOfflineStartUsesStoredDataAndConnectsLater() async throws {
        let box = try await Box()
        let first = try await box.registered("Ada")
        let code = first.code
        await first.quit()
        box.network.cut()
        let second = box.pager(first.phone)
        try await second.until { $0.phase == .ready && $0.friends.phase == .failed(.network) }
        #expect(second.code == code && second.pager.me?.displayName == "Ada")
        #expect(second.pager.signal != .full)
        box.network.mend()
        // The network is back: the next attempt starts at once.
        second.phone.setOnline(true)
        try await second.until { $0.signal == .full && $0.friends.phase == .ready }
    }

    /// A push wakes the app of a locked phone. Its keychain is no sign of a phone that is not registered.
    @Test(arguments: [true, false]) func lockedPhoneIsRegisteredOnceItIsUnlocked(_ reportsUnlock: Bool) async throws {
        let box = try await Box()
        let first = try await box.registered("Ada")
        let (code, phone) = (first.code, first.phone)
        await first.quit()
        phone.isKeychainLocked = true
        let second = box.pager(phone)
        try await eventually { await MainActor.run { phone.lockedReadCount > 0 } }
        #expect(second.pager.phase == .starting && phone.secrets["credentials"] != nil)
        if reportsUnlock {
            phone.isKeychainLocked = false
        } else {
            phone.unlockSilently()
            second.pager.setAttention(.full, screen: second)
        }
        try await second.until { $0.phase == .ready && $0.signal == .full }
        #expect(second.code == code)
    }

    @Test func brokenKeychainIsAFailure() async throws {
        let phone = TestPhone()
        phone.isKeychainBroken = true
        let ada = try await Box().pager(phone)
        try await ada.until { $0.phase == .registrationFailed(.storage) }
    }

    /// As `RemoteService` answers on an iPhone: with the status alone.
    @Test func refusedSocketWithoutABodyRenewsTheToken() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada")
        let before = try stored(ada.phone).authToken
        await ada.quit()
        box.network.set { $0.refusal = TestNetwork.Answer(401, "") }
        let again = box.pager(ada.phone)
        try await eventually { await MainActor.run { (try? self.stored(ada.phone).authToken) != before } }
        box.network.set { $0.refusal = nil }
        again.pager.setAttention(.full, screen: again)
        try await again.until { $0.signal == .full }
    }

    @Test func returningToTheForegroundReconnectsAtOnce() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada")
        await ada.quit()
        // With a clock that stands still, no wait ever ends.
        let second = box.pager(ada.phone, clock: TestClock())
        second.pager.setAttention(.full, screen: second)
        try await second.until { $0.signal == .full }
        box.network.cut()
        try await second.until { $0.signal == .none }
        box.network.mend()
        second.pager.setAttention(.away, screen: second)
        second.pager.setAttention(.full, screen: second)
        try await second.until { $0.signal == .full }
    }
}
