import Pager2077App
import Pager2077Client
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

/// The demonstration: invented friends, no service, nothing stored.
@Suite struct DemonstrationTests {
    private let device = TestPhone()

    private func screen(_ languages: [String] = ["en"]) -> ViewDriver {
        let scene = SceneModel()
        scene.languages = languages
        scene.locale = Locale(identifier: languages[0])
        return ViewDriver(PagerDemonstration(on: device.phone(clock: HurriedClock()).demonstration()), scene: scene)
    }

    @Test func friendAnswersAMessage() async throws {
        let screen = screen()
        try await screen.wait(for: "CONNECTED")
        try screen.tap("FRIENDS")
        try await screen.wait(for: "Mina")
        try screen.tap("Mina")
        try await screen.wait(for: "Done. Bring coins!")
        try screen.type("Here I am", into: "MESSAGE")
        try screen.tap("CALL")
        try await screen.wait(for: "Here I am")
        try await screen.wait(for: "This is a demonstration: I answer everything.")
        #expect(device.secrets.isEmpty && device.settings.isEmpty)
    }

    @Test func requestOfAStrangerIsAccepted() async throws {
        let pager: Pager = .demonstration(
            on: device.phone().demonstration(),
            words: DemonstrationWords(
                friend: "A", otherFriend: "B", stranger: "C", messages: ["a"], otherMessages: [], answers: []))
        let running = Task { await pager.run() }
        try await eventually { await MainActor.run { pager.requests.items.count == 1 && pager.friends.items.count == 2 } }
        try await pager.accept(pager.requests.items[0])
        #expect(pager.friends.items.contains { $0.displayName == "C" } && pager.requests.items.isEmpty)
        running.cancel()
        await running.value
    }
}
