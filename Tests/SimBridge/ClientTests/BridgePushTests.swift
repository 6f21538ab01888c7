import ClientKit
import Foundation
import HTTPTypes
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SimBridgeCalls
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// Notifications of a push service: on the user's wish only, and never with more than the user allows.
@MainActor
@Suite struct BridgePushTests {
    private let box: RelayBox
    private let host: RawHost
    private let phone = TestPhone()

    init() async throws {
        box = try await RelayBox()
        host = try await box.host("ada")
        phone.pushAddress = .ntfy(topic: "first")
    }

    private static let text = PhoneEvent.incomingText(sim: 1, from: "+1 555", body: "Code 481516")

    private func paired() async throws -> Remote { try await box.paired(with: host, user: "ada", phone: phone) }

    /// A remote control with notifications, which is not in front.
    private func notified(_ content: PushContent = .nothing) async throws -> Remote {
        let remote = try await paired()
        await remote.bridge.setPush(content)
        try await remote.until { $0.push == .on }
        try await leaveFront(remote)
        return remote
    }

    /// Leaves the front, and waits until the relay knows: it answers in the order in which it reads.
    private func leaveFront(_ remote: Remote) async throws {
        remote.bridge.setInFront(false, page: remote.page)
        try await eventually { box.network.written.contains(DeviceMessage.presence(foreground: false).text) }
        let pong = RelayMessage(.pong).text
        let answered = box.network.read.count { $0 == pong }
        remote.bridge.engine.enqueue(.ping)
        try await eventually { box.network.read.count { $0 == pong } > answered }
    }

    private func sends(_ expected: [PushRecorder.Sent]) async throws {
        try await eventually { box.pushes.sent.count >= expected.count }
        #expect(box.pushes.sent == expected)
    }

    private var pushCalls: [String] { box.network.calls.filter { $0.hasSuffix("/push") && !$0.hasPrefix("GET") } }
    private var registered: [PushSettings<PushContent>] {
        get throws {
            try zip(box.network.requests, box.network.bodies).filter { $0.0.method == .put }
                .map { try WireJSON.decode(PushSettings<PushContent>.self, from: $0.1) }
        }
    }

    // MARK: Turning on and off

    @Test func nothingIsRequestedByDefault() async throws {
        let remote = try await paired()
        try await host.send(Self.text)
        try await remote.until { $0.events.count == 1 }
        #expect(remote.bridge.push == .off && remote.bridge.pushContent == nil)
        #expect(phone.pushKeys.isEmpty && phone.permission == .undecided)
        #expect(!box.network.calls.contains { $0.hasSuffix("/push") })
        #expect(!box.network.written.contains { $0.contains("presence") })
    }

    @Test func turningOnRequestsPermissionAndShowsNoContent() async throws {
        let remote = try await notified()
        #expect(phone.permission == .granted && remote.bridge.notificationPermission == .granted)
        try await host.send(Self.text)
        try await sends([.init(topic: "first", title: "SimBridge", body: "New text message")])
        // The local notification has the id of the push, and shows no more.
        try await eventually { await !phone.shown.isEmpty }
        #expect(phone.shown == [LocalNotification(id: "text", title: "SimBridge", body: "New text message")])
    }

    @Test func contentIsWhatTheUserChose() async throws {
        let remote = try await notified(.sender)
        try await host.send(Self.text)
        try await sends([.init(topic: "first", title: "+1 555", body: "New text message")])
        try await eventually { await !phone.shown.isEmpty }
        #expect(phone.shown == [LocalNotification(id: "text-+1555", title: "+1 555", body: "New text message")])
        await remote.bridge.setPush(.full)
        try await eventually { try await registered.last?.content == .full }
        try await remote.until { $0.push == .on }
        try await host.send(Self.text)
        try await eventually { box.pushes.sent.last?.body == "Code 481516" }
        try await eventually { await phone.shown.last?.body == "Code 481516" }
    }

    @Test func turningOffEndsThem() async throws {
        let remote = try await notified()
        await remote.bridge.setPush(nil)
        try await remote.until { $0.push == .off }
        try await host.send(Self.text)
        try await remote.until { $0.events.count == 1 }
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .on }
        try await host.send(.incomingCall(sim: 1, from: "+1"))
        try await sends([.init(topic: "first", title: "SimBridge", body: "Incoming call")])
        let device = try #require(remote.bridge.deviceID)
        #expect(pushCalls.map { $0.prefix(6) } == ["PUT /s", "DELETE", "PUT /s"], "\(pushCalls)")
        #expect(pushCalls.allSatisfy { $0.hasSuffix("/devices/\(device)/push") })
    }

    @Test func refusalIsToldAndTakenBackInTheSystemSettings() async throws {
        phone.answer = .denied
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .blocked }
        #expect(pushCalls.isEmpty)
        phone.setPermission(.granted)
        try await remote.until { $0.push == .on }
        phone.setPermission(.denied)
        try await remote.until { $0.push == .blocked }
        #expect(pushCalls.count == 2 && pushCalls[1].hasPrefix("DELETE"))
    }

    @Test func phoneWithoutPushServiceIsTold() async throws {
        phone.pushAddress = nil
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .noService }
        phone.pushAddress = .ntfy(topic: "late")
        try await remote.until { $0.push == .on }
        #expect(try registered.map(\.address) == [.ntfy(topic: "late")])
    }

    @Test func silentPushServiceDelaysNothingElse() async throws {
        phone.awaitsPushAddress = true
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .connecting }
        try await eventually { !box.network.calls.filter { $0.hasSuffix("GET /simbridge/push") }.isEmpty }
        await remote.bridge.setPush(nil)
        try await remote.until { $0.push == .off }
        #expect(pushCalls.isEmpty)
    }

    @Test func olderRelayIsTold() async throws {
        let remote = try await paired()
        box.network.set { $0.answer = .init(404, #"{"detail":"Not Found"}"#, path: "/push") }
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .notOffered }
        #expect(!box.network.written.contains { $0.contains("presence") })
    }

    @Test(arguments: [true, false])
    func unreachableRelayIsTriedAgain(_ comesToFront: Bool) async throws {
        let remote = try await paired()
        remote.bridge.setInFront(!comesToFront, page: remote.page)
        box.network.set { $0.answer = .init(503, #"{"detail":"busy"}"#, path: "/push") }
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .failed(.unavailable("busy")) }
        box.network.set { $0.answer = nil }
        // The next line retries, the front does, and each minute.
        if comesToFront { remote.bridge.setInFront(true, page: remote.page) } else { box.network.cutLines() }
        try await remote.until { $0.push == .on }
    }

    // MARK: Renewal

    @Test func newAddressIsSentToTheRelay() async throws {
        let remote = try await notified()
        phone.pushAddress = .ntfy(topic: "second")
        try await eventually { try await registered.count == 2 }
        try await remote.until { $0.push == .on }
        try await host.send(Self.text)
        try await sends([.init(topic: "second", title: "SimBridge", body: "New text message")])
    }

    @Test func eachStartSendsTheSettingsAgain() async throws {
        let remote = try await notified(.sender)
        await remote.quit()
        phone.pushAddress = .ntfy(topic: "renewed")
        let next = box.remote(phone)
        try await next.until { $0.push == .on }
        #expect(next.bridge.pushContent == .sender)
        #expect(try registered.map(\.address) == [.ntfy(topic: "first"), .ntfy(topic: "renewed")])
    }

    @Test func newPasswordSendsTheSettingsAgain() async throws {
        let remote = try await notified()
        try await remote.bridge.changePassword(from: RelayBox.password, to: "another horse")
        try await eventually { try await registered.count == 2 }
    }

    @Test func languageIsThatOfTheApp() async throws {
        let remote = try await notified()
        remote.bridge.noticeWords = NoticeWords(language: "ko")
        try await eventually { try await registered.last?.language == "ko" }
        try await remote.until { $0.push == .on }
        try await host.send(Self.text)
        try await sends([.init(topic: "first", title: "SimBridge", body: "새 문자 메시지")])
    }

    @Test func logoutEndsThem() async throws {
        let remote = try await notified()
        let device = try #require(remote.bridge.deviceID)
        await remote.bridge.logOut()
        #expect(remote.bridge.pushContent == nil && remote.bridge.push == .off)
        // The relay removes the settings with the device.
        #expect(box.network.calls.last == "DELETE /simbridge/devices/\(device)")
        let token = try await box.token("ada", registers: false)
        let devices: [Device] = try await box.call(.get, "/devices", token: token)
        #expect(!devices.contains { $0.id == device })
    }

    // MARK: ntfy

    private func topic(_ remote: Remote) throws -> String { try #require(remote.bridge.ntfyAddress).lastPathComponent }

    @Test func ntfyReachesAPhoneWithoutPushService() async throws {
        phone.pushAddress = nil
        let remote = try await paired()
        #expect(!remote.bridge.hasNtfy)
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .noService && $0.hasNtfy }
        try await remote.bridge.setNtfy(true)
        try await remote.until { $0.push == .on }
        let topic = try topic(remote)
        #expect(topic.hasPrefix("simbridge-"))
        #expect(remote.bridge.ntfyAddress?.absoluteString == "https://ntfy.example.com/\(topic)")
        try await leaveFront(remote)
        try await host.send(Self.text)
        try await sends([.init(topic: topic, title: "SimBridge", body: "New text message")])
        // The ntfy app shows it, so the app itself does not.
        try await remote.until { $0.events.count == 1 }
        #expect(phone.shown.isEmpty)
        await remote.quit()
        let next = box.remote(phone)
        try await next.until { $0.push == .on }
        #expect(try self.topic(next) == topic && next.bridge.hasNtfy)
        #expect(try registered.map(\.address) == [.ntfy(topic: topic), .ntfy(topic: topic)])
    }

    @Test func ntfyThatIsTurnedOffLeavesTheTopicForGood() async throws {
        phone.pushAddress = nil
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.hasNtfy }
        try await remote.bridge.setNtfy(true)
        try await remote.until { $0.push == .on }
        let first = try topic(remote)
        try await remote.bridge.setNtfy(false)
        #expect(remote.bridge.hasNtfy && phone.secrets["ntfy"] == nil)
        try await remote.until { $0.push == .noService }
        #expect(pushCalls.last?.hasPrefix("DELETE") == true)
        try await remote.bridge.setNtfy(true)
        try await remote.until { $0.push == .on }
        #expect(try topic(remote) != first)
    }

    /// The ntfy app needs no permission of this one.
    @Test func blockedPhoneCanUseNtfy() async throws {
        (phone.answer, phone.pushAddress) = (.denied, nil)
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .blocked && $0.hasNtfy }
        try await remote.bridge.setNtfy(true)
        try await remote.until { $0.push == .on }
    }

    @Test func phoneWithPushServiceHasNoNtfy() async throws {
        let remote = try await notified()
        #expect(!remote.bridge.hasNtfy)
    }

    @Test func topicThatCannotBeStoredIsNotUsed() async throws {
        phone.pushAddress = nil
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.hasNtfy }
        phone.isFull = true
        await #expect(throws: BridgeProblem.storage) { try await remote.bridge.setNtfy(true) }
        #expect(remote.bridge.ntfyAddress == nil && remote.bridge.push == .noService && pushCalls.isEmpty)
    }

    @Test func logoutForgetsTheTopic() async throws {
        phone.pushAddress = nil
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.hasNtfy }
        try await remote.bridge.setNtfy(true)
        try await remote.until { $0.push == .on }
        await remote.bridge.logOut()
        #expect(remote.bridge.ntfyAddress == nil && phone.secrets["ntfy"] == nil)
    }

    // MARK: Presence

    @Test func whatIsOnScreenIsNotNotified() async throws {
        let remote = try await paired()
        await remote.bridge.setPush(PushContent.nothing)
        try await remote.until { $0.push == .on }
        try await eventually { box.network.written.contains(DeviceMessage.presence(foreground: true).text) }
        try await host.send(Self.text)
        try await remote.until { $0.events.count == 1 }
        let cursor = try #require(remote.bridge.engine.saved.value(Int64.self, for: "cursor"))
        // Cards may have been reported since.
        let confirmations = (cursor...cursor + 10).map { DeviceMessage.ack(seq: $0).text }
        try await eventually { box.network.written.contains(where: confirmations.contains) }
        try await leaveFront(remote)
        try await host.send(.incomingCall(sim: 1, from: "+1"))
        // The text would have come first.
        try await sends([.init(topic: "first", title: "SimBridge", body: "Incoming call")])
    }

    // MARK: The lock

    @Test func lockedAppShowsNoContent() async throws {
        phone.hasBiometrics = true
        let remote = try await paired()
        await remote.bridge.setPush(.full)
        try await remote.until { $0.push == .on }
        try await remote.bridge.enableBiometrics(on: remote.page)
        try await eventually { try await registered.last?.content == PushContent.nothing }
        try await remote.until { $0.push == .on }
        try await leaveFront(remote)
        // The page is not locked yet: the push is, and so is the local notification with the same id.
        try await host.send(Self.text)
        try await sends([.init(topic: "first", title: "SimBridge", body: "New text message")])
        try await eventually { await !phone.shown.isEmpty }
        #expect(phone.shown == [LocalNotification(id: "text", title: "SimBridge", body: "New text message")])
        try await remote.bridge.disableBiometrics()
        try await eventually { try await registered.last?.content == .full }
    }

    // MARK: Taps

    @Test func tapOpensTheConversationAtAColdStart() async throws {
        let remote = try await notified(.sender)
        await remote.quit()
        phone.tapNotification(id: "text-+1555")
        let next = box.remote(phone)
        try await next.until { $0.wantedConversation == "+1555" }
    }

    /// The notification does not say whose text it is.
    @Test func tapOnANotificationWithoutContentOpensTheLatestText() async throws {
        let remote = try await notified()
        try await host.send(.incomingText(sim: 1, from: "+1 111", body: "first"))
        try await host.send(.incomingText(sim: 1, from: "+1 222", body: "second"))
        try await remote.until { $0.events.count == 2 }
        try await remote.bridge.sendText(to: "+1 111", body: "an answer", sim: 1)
        await remote.quit()
        phone.tapNotification(id: "text")
        let next = box.remote(phone)
        try await next.until { $0.wantedConversation == "+1222" }
    }

    @Test func tapOpensNothingBeforeTheLock() async throws {
        phone.hasBiometrics = true
        let remote = try await paired()
        try await remote.bridge.enableBiometrics(on: remote.page)
        try await host.send(Self.text)
        try await remote.until { $0.events.count == 1 }
        await remote.quit()
        phone.tapNotification(id: "text")
        let next = box.remote(phone)
        try await next.until { $0.phase == .locked }
        #expect(next.bridge.wantedConversation == nil)
        try await next.bridge.unlock(next.page)
        try await next.until { $0.wantedConversation == "+1555" }
    }
}
