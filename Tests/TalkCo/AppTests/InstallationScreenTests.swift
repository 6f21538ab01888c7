import SwiftUI
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing
import WireKit

/// The engines for free speech on the first screen, as the service tells of them.
@Suite struct InstallationScreenTests {
    /// Lets the service tell of an installation.
    private static func tell(_ box: TalkBox, _ change: (inout EngineInstallation) -> Void) throws {
        var info = EngineInfo(kind: .builtIn, name: "Built-in tutor", hearing: .choices, speaks: true, judge: nil)
        var installation = EngineInstallation(state: .absent, isAllowed: true)
        change(&installation)
        if installation.state == .running { info.hearing = .anything }
        info.installation = installation
        let text = String(decoding: try WireJSON.encode(info), as: UTF8.self)
        box.network.set { $0.answer = .init(200, text, path: "/engine") }
    }

    @Test func buttonInstallsAndShowsTheProgress() async throws {
        let box = try await TalkBox()
        try Self.tell(box) { _ in }
        let hand = TalkHand(box)
        try await hand.screen.wait(for: "install-engines")
        try Self.tell(box) { ($0.state, $0.text, $0.done, $0.total) = (.installing, "Downloading av", 12_000_000, 378_000_000) }
        try hand.screen.tap("install-engines")
        try await hand.screen.wait(for: "Installing the engines for free speech: Downloading av · 12 / 378 MB")
        #expect(box.network.calls.contains { $0.hasPrefix("POST") && $0.hasSuffix("/engine/installation") })
        #expect(!hand.screen.has("install-engines") && hand.screen.has("installation-progress"))
        // The screen follows by itself.
        try Self.tell(box) { $0.state = .starting }
        try await hand.screen.wait(for: "The engines for free speech are starting…")
        try Self.tell(box) { $0.state = .running }
        try await hand.screen.wait { !hand.screen.has("The engines for free speech are starting…") }
        #expect(hand.talk.engine?.hearing == .anything)
    }

    @Test func failureIsShownAndCanBeRepeated() async throws {
        let box = try await TalkBox()
        try Self.tell(box) { ($0.hasFailed, $0.text) = (true, "The disk is full") }
        let hand = TalkHand(box)
        try await hand.screen.wait(for: "Nothing was installed: The disk is full")
        #expect(hand.screen.has("install-engines"))
    }

    @Test func pageElsewhereShowsTheCommand() async throws {
        let box = try await TalkBox()
        try Self.tell(box) { $0.isAllowed = false }
        let hand = TalkHand(box)
        try await hand.screen.wait(for: "Its operator can let it hear free speech: switchboard talkco engines --install")
        #expect(!hand.screen.has("install-engines"))
    }
}
