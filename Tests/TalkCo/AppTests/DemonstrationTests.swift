import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import TestKit
import Testing

/// The demonstration: a scripted talk with its review, no service, nothing stored.
@Suite struct DemonstrationTests {
    private let device = TestPhone()

    @Test func talkIsReviewed() async throws {
        let phone = device.phone().demonstration()
        let screen = ViewDriver(TalkCoRoot(.demonstration(on: phone), on: phone))
        try await screen.wait(for: "topic-travel")
        try screen.tap("topic-travel")
        func isOffered(_ choice: String) -> Bool { (try? screen.find(choice, .button).attributes[.disabled] != .on) == true }
        let choice = "I go to a night market with my friends."
        try await screen.wait { isOffered(choice) }
        try screen.tap(choice)
        try await screen.wait(for: "That sounds nice! What did you enjoy most?")
        try await screen.wait { isOffered("It was quiet, and I could relax.") }
        try screen.tap("end-conversation")
        try await screen.wait(for: "toggle-0")
        try screen.tap("toggle-0")
        try await screen.wait { screen.texts.contains { $0.contains("went") } }
        #expect(device.secrets.isEmpty && device.settings.isEmpty)
    }

    @Test func profileHasALevelAndNoDeletion() async throws {
        let phone = device.phone().demonstration()
        let screen = ViewDriver(TalkCoRoot(.demonstration(on: phone), on: phone))
        try await screen.wait(for: "Me")
        try screen.tap("Me")
        try await screen.wait(for: "B1")
        #expect(!screen.has("delete-data"))
    }
}
