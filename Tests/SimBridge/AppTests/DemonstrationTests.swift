import Foundation
import PhoneTestKit
import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SimBridgeTestKit
import SwiftUI
import TestKit
import Testing

/// The demonstration: no account, no relay, nothing stored.
@Suite struct DemonstrationTests {
    @Test func textsAreAnsweredAndNothingIsSentOrStored() async throws {
        let box = try await RelayBox()
        let hand = Handheld(box)
        try await hand.screen.wait(for: "Log In")
        try hand.screen.tap("Try a Demonstration")
        try await hand.screen.wait(for: "Connected")
        try await hand.screen.wait(for: "Paired Host: Phone at home")
        #expect(hand.screen.has("Demonstration: invented data. Nothing is stored or sent."))
        try await hand.screen.wait(for: "Example Mobile")
        try hand.screen.tap("Send SMS")
        try hand.screen.type("+12025550123", into: "To")
        try hand.screen.type("Hello", into: "Message")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "Hello")
        try await hand.screen.wait(for: "This is a demonstration, so I always answer.")
        try hand.screen.tap("Leave")
        try await hand.screen.wait(for: "Log In")
        #expect(box.network.calls.isEmpty && box.network.opened.isEmpty)
        #expect(
            hand.device.secrets.isEmpty
                && hand.phone.storedFolder().map { FileManager.default.fileExists(atPath: $0.appending(path: "client.db").path) }
                    != true
        )
        #expect(hand.bridge.saved.username == nil)
    }

    @Test func settingsOfAnAccountAreNotShown() async throws {
        let hand = Handheld(try await RelayBox(), languages: ["ko"])
        hand.scene.locale = Locale(identifier: "ko")
        try await hand.screen.wait(for: "데모 살펴보기")
        try hand.screen.tap("데모 살펴보기")
        try await hand.screen.wait { hand.screen.texts.contains { $0.contains("집에 있는 전화기") } }
        try hand.screen.tap("설정")
        try await hand.screen.wait(for: "demo")
        #expect(!hand.screen.has("delete-account") && !hand.screen.has("로그아웃"))
    }
}
