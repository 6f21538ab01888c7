import ClientKit
import Foundation
import NetworkingKit
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Client

/// The phone as a device of its user at the service (`Docs/Requirements.md`, Pager2077, 1, 8 and 9).
@MainActor
@Suite struct PhoneNotificationsTests {
    private nonisolated static let tokens = ["a1", "b2"].map { String(repeating: $0, count: 32) }
    private nonisolated static let addresses = tokens.map { PushAddress.apns(token: $0) }

    /// A phone with a push service.
    private static func phone() -> TestPhone {
        let phone = TestPhone()
        phone.pushAddress = addresses[0]
        return phone
    }

    private nonisolated func device(
        _ address: PushAddress? = addresses[0], language: String = "en", showsPreviews: Bool = true
    ) -> PushDeviceUpdate {
        PushDeviceUpdate(address: address, language: language, showsPreviews: showsPreviews)
    }

    @Test func theStartUploadsThePhoneUnderTheSameId() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        #expect(box.network.devices == [device()])
        let id = try #require(ada.phone.secrets["device"].map { PushDevice.ID(String(decoding: $0, as: UTF8.self)) })
        #expect(id.isWellFormed)
        await ada.quit()
        let again = box.pager(ada.phone)
        again.pager.setAttention(.full, screen: again)
        try await again.until { $0.notifications.state == .on }
        #expect(box.network.devices == [device(), device()])
        #expect(Set(box.network.deviceCalls) == ["PUT /pager2077/api/users/devices/\(id)"])
    }

    @Test func anIdThatCannotBeStoredIsNotUsed() async throws {
        let box = try await Box()
        let (phone, clock) = (Self.phone(), TestClock())
        let ada = try await Person.registered(box.pager(phone, clock: clock), "Ada")
        try await ada.until { $0.notifications.state == .on }
        await ada.quit()
        try await phone.phone().keychain.set(nil, for: "device")
        phone.isFull = true
        let count = box.network.deviceCalls.count
        let again = box.pager(phone, clock: clock)
        again.pager.setAttention(.full, screen: again)
        try await eventually { clock.hasSleeper(between: .seconds(1), and: .seconds(3)) }
        #expect(box.network.deviceCalls.count == count)
        phone.isFull = false
        // The line of a phone that stores nothing may sleep as long.
        try await clock.advance(by: .seconds(3)) { await MainActor.run { again.pager.notifications.state == .on } }
    }

    @Test func anotherAddressIsUploaded() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        ada.phone.pushAddress = Self.addresses[1]
        try await eventually { box.network.devices.last == self.device(Self.addresses[1]) }
        try await ada.until { $0.notifications.state == .on }
    }

    @Test func comingToTheFrontUploadsOnlyWhatHasChanged() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        let count = ada.phone.pushKeys.count
        ada.toBackAndFront()
        try await eventually { await MainActor.run { ada.phone.pushKeys.count > count } }
        ada.pager.notifications.showsPreviews = false
        try await eventually { box.network.devices.last == self.device(showsPreviews: false) }
        #expect(box.network.devices.count == 2)
    }

    @Test func aRefusalTakenBackIsNoticed() async throws {
        let box = try await Box()
        let phone = Self.phone()
        phone.answer = .denied
        let ada = try await box.registered("Ada", phone: phone)
        try await ada.until { $0.notifications.state == .blocked }
        try await eventually { box.network.devices == [self.device(nil)] }
        // The phone does not ask twice.
        await ada.pager.notifications.turnOn()
        #expect(ada.pager.notifications.state == .blocked)
        phone.setPermission(.granted)
        try await ada.until { $0.notifications.state == .on }
        #expect(box.network.devices == [device(nil), device()])
        phone.setPermission(.denied)
        try await ada.until { $0.notifications.state == .blocked }
        try await eventually { box.network.devices.last == self.device(nil) }
    }

    @Test func aPhoneWithoutAPushServiceSaysSo() async throws {
        let ada = try await Box().registered("Ada")
        try await ada.until { $0.notifications.state == .withoutPush }
    }

    @Test func aChangedLanguageIsUploaded() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        ada.pager.notifications.words = NoticeWords(language: "ko")
        try await eventually { box.network.devices.last == self.device(language: "ko") }
    }

    /// A browser without a page has no permission, and pushes are for that time.
    @Test func anAppWithoutAScreenDoesNotAskThePhone() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        ada.pager.setAttention(.away, screen: ada)
        ada.phone.setPermission(.denied)
        ada.pager.notifications.showsPreviews = false
        try await eventually { box.network.devices.last == self.device(showsPreviews: false) }
        ada.pager.setAttention(.full, screen: ada)
        try await ada.until { $0.notifications.state == .blocked }
        try await eventually { box.network.devices.last == self.device(nil, showsPreviews: false) }
    }

    @Test func turnedOffTheServiceForgetsThePhone() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        ada.pager.notifications.turnOff()
        #expect(ada.pager.notifications.state == .off)
        try await eventually { box.network.deviceCalls.last?.hasPrefix("DELETE ") == true }
        // It stays off at the next start, and is told once more: the reply may have been lost.
        await ada.quit()
        let again = box.pager(ada.phone)
        again.pager.setAttention(.full, screen: again)
        try await eventually { box.network.deviceCalls.count { $0.hasPrefix("DELETE ") } >= 2 }
        #expect(again.pager.notifications.state == .off)
        await again.pager.notifications.turnOn()
        try await again.until { $0.notifications.state == .on }
        // The run that registered has named the device without an address first, perhaps once more before its end.
        let devices = box.network.devices
        #expect(devices.first == device() && devices.last == device())
        #expect(!devices.dropFirst().dropLast().isEmpty && devices.dropFirst().dropLast().allSatisfy { $0 == device(nil) })
    }

    @Test func aFailedUploadIsRepeatedAndHoldsUpNothing() async throws {
        let box = try await Box()
        let (phone, clock) = (Self.phone(), TestClock())
        box.network.set { $0.answer = .init(503, code: "UNAVAILABLE", path: "/users/devices/") }
        let ada = try await Person.registered(box.pager(phone, clock: clock), "Ada")
        let bob = try await box.registered("Bob")
        try await Person.befriend(ada, bob)
        let chat = ada.pager.chat(with: bob.id)
        try await ada.pager.send("hello", in: chat)
        try await ada.until { _ in chat.notice == .sent }
        try await eventually { clock.hasSleeper(between: .seconds(1), and: .seconds(3)) }
        #expect(ada.pager.notifications.state == .waiting)
        let count = box.network.devices.count
        try await clock.advance(by: .seconds(3))
        try await eventually { box.network.devices.count > count }
        // The next delay is longer.
        try await eventually { clock.hasSleeper(between: .seconds(3), and: .seconds(5)) }
        box.network.set { $0.answer = nil }
        try await clock.advance(by: .seconds(5))
        try await ada.until { $0.notifications.state == .on }
    }

    @Test func anAddressThatDoesNotComeIsRequestedAgain() async throws {
        let box = try await Box()
        let clock = TestClock()
        let ada = try await Person.registered(box.pager(TestPhone(), clock: clock), "Ada")
        try await ada.until { $0.notifications.state == .withoutPush }
        ada.phone.awaitsPushAddress = true
        ada.phone.pushAddress = Self.addresses[0]
        try await eventually { clock.hasSleeper(for: PhoneNotifications.addressTimeout) }
        try await clock.advance(by: PhoneNotifications.addressTimeout)
        ada.phone.awaitsPushAddress = false
        try await eventually { clock.hasSleeper(between: .seconds(1), and: .seconds(3)) }
        try await clock.advance(by: .seconds(3))
        try await ada.until { $0.notifications.state == .on }
    }

    @Test func aServiceThatHasForgottenTheUserGetsThePhoneAgain() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        let (before, count) = (ada.id, box.network.devices.count)
        box.network.cut()
        let other = try await Box()
        box.network.lead(to: other.network)
        box.network.mend()
        ada.toBackAndFront()
        try await ada.until { $0.me?.id != before }
        // The phone's network records the calls, wherever it leads.
        try await eventually { box.network.devices.count > count }
        try await ada.until { $0.notifications.state == .on }
        withExtendedLifetime(other) {}
    }

    /// A registration may have reached a service that knows the user again, but none of the phones.
    @Test func aRenewedTokenUploadsThePhoneAgain() async throws {
        let box = try await Box()
        let ada = try await box.registered("Ada", phone: Self.phone())
        try await ada.until { $0.notifications.state == .on }
        let count = box.network.devices.count
        box.network.set { $0.answer = .init(401, code: "INVALID_TOKEN", path: "/api/friends") }
        await ada.pager.loadFriends()
        box.network.set { $0.answer = nil }
        try await eventually { box.network.devices.count == count + 1 }
    }

    // MARK: ntfy

    /// A phone without a push service, at a service with an ntfy server.
    private func withoutPush(_ phone: TestPhone = TestPhone()) async throws -> (Box, Person) {
        let box = try await Box(hasNtfy: true)
        return (box, try await box.registered("Ada", phone: phone))
    }

    private func topic(_ person: Person) throws -> String { try #require(person.pager.notifications.ntfyAddress).lastPathComponent }

    @Test func ntfyIsTurnedOnAndStaysOn() async throws {
        let (box, ada) = try await withoutPush()
        try await ada.until { $0.notifications.state == .withoutPush && $0.notifications.hasNtfy }
        #expect(ada.pager.notifications.ntfyAddress == nil && ada.phone.secrets["ntfy"] == nil)
        try await ada.pager.notifications.turnOnNtfy()
        try await ada.until { $0.notifications.state == .on }
        let topic = try topic(ada)
        #expect(topic.hasPrefix("pager-") && box.network.devices == [device(nil), device(.ntfy(topic: topic))])
        let address = "https://ntfy.example.com/\(topic)"
        #expect(ada.pager.notifications.ntfyAddress?.absoluteString == address)
        await ada.quit()
        // No preference has the topic, which is a secret.
        #expect(!ada.phone.settings.values.contains { String(decoding: $0, as: UTF8.self).contains(topic) })
        let again = box.pager(ada.phone)
        again.pager.setAttention(.full, screen: again)
        try await again.until { $0.notifications.state == .on }
        #expect(again.pager.notifications.ntfyAddress?.absoluteString == address && again.pager.notifications.hasNtfy)
        #expect(box.network.devices.last == device(.ntfy(topic: topic)))
    }

    @Test func ntfyThatIsTurnedOffLeavesTheTopicForGood() async throws {
        let (box, ada) = try await withoutPush()
        try await ada.until { $0.notifications.hasNtfy }
        try await ada.pager.notifications.turnOnNtfy()
        try await ada.until { $0.notifications.state == .on }
        let first = try topic(ada)
        try await ada.pager.notifications.turnOffNtfy()
        try await ada.until { $0.notifications.state == .withoutPush && $0.notifications.hasNtfy }
        #expect(ada.pager.notifications.ntfyAddress == nil && ada.phone.secrets["ntfy"] == nil)
        try await eventually { box.network.devices.last == self.device(nil) }
        try await ada.pager.notifications.turnOnNtfy()
        try await ada.until { $0.notifications.state == .on }
        #expect(try topic(ada) != first)
    }

    /// The ntfy app needs no permission of this one.
    @Test func aBlockedPhoneCanUseNtfy() async throws {
        let phone = TestPhone()
        phone.answer = .denied
        let (_, ada) = try await withoutPush(phone)
        try await ada.until { $0.notifications.state == .blocked && $0.notifications.hasNtfy }
        try await ada.pager.notifications.turnOnNtfy()
        try await ada.until { $0.notifications.state == .on }
        try await ada.pager.notifications.turnOffNtfy()
        try await ada.until { $0.notifications.state == .blocked }
    }

    @Test func aPhoneWithAPushServiceHasNoNtfy() async throws {
        let (_, ada) = try await withoutPush(Self.phone())
        try await ada.until { $0.notifications.state == .on }
        #expect(!ada.pager.notifications.hasNtfy)
    }

    @Test func aServiceWithoutNtfyOffersNone() async throws {
        let ada = try await Box().registered("Ada")
        try await ada.until { $0.notifications.state == .withoutPush }
        #expect(!ada.pager.notifications.hasNtfy)
        await #expect(throws: PagerProblem.self) { try await ada.pager.notifications.turnOnNtfy() }
        #expect(ada.phone.secrets["ntfy"] == nil)
    }

    @Test func aTopicThatCannotBeStoredIsNotUsed() async throws {
        let (box, ada) = try await withoutPush()
        try await ada.until { $0.notifications.hasNtfy }
        ada.phone.isFull = true
        await #expect(throws: PagerProblem.storage) { try await ada.pager.notifications.turnOnNtfy() }
        #expect(ada.pager.notifications.ntfyAddress == nil && box.network.devices == [device(nil)])
    }

    /// The user has subscribed at a server to which nothing is sent any more.
    @Test func aTopicAtAnotherServerIsNotUsed() async throws {
        let phone = TestPhone()
        let other = try #require(NtfySubscription(server: "https://old.example.com/", topic: "pager-1"))
        try await NtfySubscription.store(other, in: phone.phone().keychain)
        let (box, ada) = try await withoutPush(phone)
        try await ada.until { $0.notifications.state == .withoutPush && $0.notifications.hasNtfy }
        #expect(ada.pager.notifications.ntfyAddress == nil && box.network.devices == [device(nil)])
    }

    // MARK: Live Activities

    @Test func startTokensAreUploadedWithTheDevice() async throws {
        let box = try await Box()
        let phone = Self.phone()
        phone.startToken = Self.tokens[0]
        let ada = try await box.registered("Ada", phone: phone)
        try await eventually { box.network.startTokens.count == 1 }
        let id = try #require(phone.secrets["device"].map { PushDevice.ID(String(decoding: $0, as: UTF8.self)) })
        #expect(box.network.startTokens == [LiveActivityTokenUpdate(liveActivityToken: Self.tokens[0], deviceId: id)])
        for token in [Self.tokens[1], nil] {
            phone.startToken = token
            try await eventually {
                box.network.startTokens.last == LiveActivityTokenUpdate(liveActivityToken: token, deviceId: id)
            }
        }
        try await ada.until { $0.notifications.state == .on }
    }
}

extension TestNetwork {
    private func bodies<Body: Decodable>(_ method: String, _ path: String) -> [Body] {
        zip(calls, bodies).filter { $0.0.hasPrefix("\(method) /pager2077\(path)") }.compactMap { try? WireJSON.decode(from: $0.1) }
    }

    /// The devices that were uploaded so far.
    fileprivate var devices: [PushDeviceUpdate] { bodies("PUT", "/api/users/devices/") }
    fileprivate var startTokens: [LiveActivityTokenUpdate] { bodies("PUT", "/api/users/live-activity-token") }
    fileprivate var deviceCalls: [String] { calls.filter { $0.contains("/users/devices/") } }
}

extension Person {
    fileprivate func toBackAndFront() {
        pager.setAttention(.away, screen: self)
        pager.setAttention(.full, screen: self)
    }
}
