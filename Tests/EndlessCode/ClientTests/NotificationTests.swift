import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import HTTPTypes
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Notifications while nobody looks at the app.
@MainActor
@Suite struct NotificationTests {
    @Test func questionAndEndAreShownInTheBackgroundWithoutContent() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        await phone.client.setNotifications(true)
        #expect(phone.client.notificationPermission == .granted)
        phone.client.setInFront(false, screen: phone)
        try await phone.client.send("edit", in: conversation)
        let prompt = try await phone.first { $0.prompts.first }
        try await phone.until { _ in !phone.phone.shown.isEmpty }
        let words = phone.client.noticeWords
        #expect(
            phone.phone.shown == [
                LocalNotification(id: NoticeID.session(conversation.id), title: "EndlessCode", body: words.asksPermission)
            ])
        phone.client.setNotificationContent(.full)
        try phone.client.allow(prompt.id)
        try await phone.until { _ in phone.phone.shown.first?.body.contains("NOTES.md") == true }
        #expect(phone.phone.shown.count == 1 && phone.phone.shown.first?.title == phone.client.projects.first?.name)
        phone.phone.tapNotification(id: NoticeID.session(conversation.id))
        try await phone.until { $0.wantedSession == conversation.id }
        await phone.client.open(conversation)
        try await phone.until { _ in phone.phone.shown.isEmpty }
    }

    @Test func nothingIsShownInFrontOrUnwanted() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        phone.client.setInFront(false, screen: phone)
        try await phone.turn("list", in: conversation)
        await phone.client.setNotifications(true)
        phone.client.setInFront(true, screen: phone)
        try await phone.turn("list", in: conversation)
        #expect(phone.phone.shown.isEmpty)
        // The wish survives the app, and what happened before is not told again.
        box.network.cutLines()
        phone.client.setInFront(false, screen: phone)
        phone.client.reconnect()
        try await phone.until { $0.status == .connected }
        #expect(phone.phone.shown.isEmpty && phone.client.wantsNotifications)
    }

    @Test func tapOpensTheServerOfTheSession() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        let first = phone.client.current
        try await phone.client.addServer(address: "https://other", token: "")
        phone.phone.tapNotification(id: NoticeID.session(conversation.id))
        try await phone.until { $0.current == first && $0.wantedSession == conversation.id }
        phone.client.wantedSession = nil
        phone.phone.tapNotification(id: "something else")
        phone.phone.tapNotification(id: NoticeID.session(conversation.id))
        try await phone.until { $0.wantedSession == conversation.id }
    }

    // MARK: Push services

    private static let address = PushAddress.apns(token: String(repeating: "ab", count: 32))

    /// The settings that the phone has sent, and `off` for each removal.
    private func settings(_ box: AgentBox) -> [PushSettings<PushContent>?] {
        zip(box.network.requests, box.network.bodies).compactMap { request, body in
            guard request.path?.hasSuffix("/push") == true, request.path?.contains("/phones/") == true else { return nil }
            return request.method == .put ? .some(try? WireJSON.decode(from: body)) : .some(nil)
        }
    }

    @Test func phoneRegistersForPushesOnlyWhenWantedAndAllowed() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        device.pushAddress = Self.address
        let phone = try await box.connected("Test phone", device)
        #expect(phone.client.push == .off && settings(box).isEmpty)
        phone.client.noticeWords.language = "ko"
        await phone.client.setNotifications(true)
        try await phone.until { $0.push == .on }
        #expect(settings(box) == [PushSettings(address: Self.address, content: .nothing, language: "ko")])
        phone.client.setNotificationContent(.full)
        try await phone.until { _ in self.settings(box).count == 2 }
        #expect(settings(box).last??.content == .full)
        try await phone.until { $0.push == .on }
        // The push service shows the same: the app shows nothing itself.
        let conversation = try await phone.startSession()
        phone.client.setInFront(false, screen: phone)
        try await phone.turn("list", in: conversation)
        #expect(device.shown.isEmpty)
        device.setPermission(.denied)
        try await phone.until { $0.push == .blocked }
        #expect(settings(box).count == 3 && settings(box).last == .some(nil))
        device.setPermission(.granted)
        try await phone.until { $0.push == .on }
        await phone.client.setNotifications(false)
        try await phone.until { $0.push == .off }
        #expect(settings(box).last == .some(nil))
    }

    @Test func phoneRegistersAgainWithANewTokenAndLeavesWithItsServer() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        device.pushAddress = Self.address
        let phone = try await box.connected("Test phone", device)
        await phone.client.setNotifications(true)
        try await phone.until { $0.push == .on }
        let token = try box.renewToken()
        try await phone.until { $0.hold == .tokenRefused }
        try await phone.client.setToken(token.text)
        try await phone.until { _ in self.settings(box).count == 2 }
        #expect(settings(box).first == settings(box).last)
        try await phone.until { $0.push == .on }
        try await phone.client.removeServer(try #require(phone.client.current))
        try await phone.until { _ in self.settings(box).count == 3 }
        #expect(settings(box).last == .some(nil))
    }

    @Test func phoneWithoutAPushServiceIsOfferedNtfy() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        await phone.client.setNotifications(true)
        try await phone.until { $0.push == .noService }
        #expect(phone.client.hasNtfy && phone.client.ntfyAddress == nil && settings(box).isEmpty)
        try await phone.client.setNtfy(true)
        try await phone.until { $0.push == .on }
        let address = try #require(phone.client.ntfyAddress)
        #expect(settings(box).last??.address == .ntfy(topic: address.lastPathComponent))
        try await phone.client.setNtfy(false)
        try await phone.until { $0.push == .noService }
        #expect(settings(box).last == .some(nil) && phone.client.ntfyAddress == nil)
    }
}
