import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoService
import TalkCoTestKit
import TestKit
import Testing

/// The card of the tutor's model in the profile.
@Suite struct ModelCardTests {
    /// A network on which no host is.
    private struct EmptyNetwork: ByteStreamDialler {
        let ownKey = PeerKey([UInt8](repeating: 7, count: 32))!

        func dial(_ destination: DialDestination, onHop: @escaping @Sendable (DialHop) -> Void) async throws -> any ByteStream {
            throw DialError(.notFound, at: .lookup)
        }
    }

    private static let id = "11111111111111111111111111111112"

    /// A phone on the profile. The box reaches no host.
    private func profile(_ languages: [String] = ["en"], _ tab: String = "Me", device: TestPhone = TestPhone()) async throws
        -> TalkHand
    {
        let models = ModelNetwork(secret: Data(repeating: 5, count: 32)) { _ in EmptyNetwork() }
        let hand = TalkHand(try await TalkBox(models: models), device: device, languages: languages)
        try await hand.screen.wait { hand.talk.engine != nil && hand.screen.has(tab) }
        try hand.screen.tap(tab)
        try await hand.screen.wait(for: "model-card")
        return hand
    }

    @Test func cardIsHiddenWhereTheBoxReachesNoModels() async throws {
        let hand = TalkHand(try await TalkBox())
        try await hand.screen.wait { hand.talk.engine != nil && hand.screen.has("Me") }
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "level-card")
        #expect(!hand.screen.has("model-card"))
    }

    @Test func otherTextIsNamedAndStays() async throws {
        let hand = try await profile()
        #expect(try !hand.isEnabled("use-model"))
        try hand.screen.type("my computer", into: "server-id")
        try hand.screen.tap("use-model")
        try await hand.screen.wait { hand.screen.texts.contains { $0.contains("This is not a Server ID") } }
        #expect(try hand.screen.find("server-id", .field).attributes[.value]?.text == "my computer")
    }

    @Test(arguments: [
        (["en"], "Me", "Your model does not answer."), (["zh-Hant"], "我的", "你的模型沒有回應。"),
    ]) func hostThatIsAwayCanBeTriedAgainAndRemoved(_ languages: [String], _ tab: String, _ words: String) async throws {
        let hand = try await profile(languages, tab)
        try hand.screen.type(Self.id, into: "server-id")
        try hand.screen.tap("use-model")
        try await hand.screen.wait(for: words)
        #expect(hand.screen.has(Self.id))
        try hand.screen.tap("try-model-again")
        try await hand.screen.wait { hand.screen.has(words) && (try? hand.isEnabled("remove-model")) == true }
        try hand.screen.tap("remove-model")
        try await hand.screen.wait(for: "use-model")
        #expect(!hand.screen.has(words))
    }

    @Test func clipboardIsPastedOrItsRefusalSaid() async throws {
        let device = TestPhone()
        let hand = try await profile(device: device)
        device.refusesPastes = true
        try hand.screen.tap("Paste")
        try await hand.screen.wait(for: "The clipboard can’t be read here. Paste into the field instead.")
        device.refusesPastes = false
        try await device.phone(clock: ContinuousClock()).clipboard.copy(Self.id)
        try hand.screen.tap("Paste")
        try await hand.screen.wait { (try? hand.isEnabled("use-model")) == true }
        #expect(!hand.screen.has("The clipboard can’t be read here. Paste into the field instead."))
    }
}
