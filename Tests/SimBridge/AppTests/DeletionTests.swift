import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SimBridgeTestKit
import SwiftUI
import TestKit
import Testing

/// The sheet that deletes the account.
@Suite struct DeletionTests {
    @Test func sheetSaysWhatGoesAndAsksForThePassword() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.ready(box, host)
        try hand.screen.tap("Settings")
        try hand.screen.tap("Delete Account…")
        try await hand.screen.wait(for: "This deletes the account “ada” on the relay:")
        #expect(hand.screen.has("You cannot undo this."))
        #expect(hand.screen.has("Your other devices and hosts are logged out at once, and forget the account."))
        #expect(try !hand.isEnabled("Delete Account"))
        try hand.screen.type("wrong", into: "delete-password")
        try hand.screen.tap("confirm-deletion")
        try await hand.screen.wait(for: "The password is incorrect. Try again.")
        try hand.screen.type(RelayBox.password, into: "delete-password")
        try hand.screen.tap("confirm-deletion")
        try await hand.screen.wait(for: "This account has been deleted, and everything of it has been removed from this phone.")
        #expect(hand.screen.has("Log In"))
        #expect(try hand.screen.find("Username", .field).attributes[.value]?.text == "")
    }

    @Test func sheetSpeaksKorean() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let scene = SceneModel()
        let hand = try await Handheld.ready(box, host, scene: scene)
        scene.languages = ["ko"]
        try hand.screen.tap("설정")
        try hand.screen.tap("계정 삭제…")
        try await hand.screen.wait(for: "이 작업은 취소할 수 없습니다.")
    }
}
