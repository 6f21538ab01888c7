import LocalLLMApp
import LocalLLMClient
import LocalLLMTestKit
import LocalLLMWire
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

/// A phone with the LocalLLM app, operated by a test.
final class ChatHand {
    let device: TestPhone
    let phone: Phone
    let screen: ViewDriver

    /// - Parameter device: A phone used before, to restart its app.
    init(
        _ network: TestPeers, device: TestPhone = TestPhone(), languages: [String] = ["en"],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.device = device
        let scene = SceneModel()
        scene.languages = languages
        phone = device.phone(clock: clock)
        screen = ViewDriver(LocalLLMRoot(phone: phone, network: network.network), scene: scene)
    }

    /// The model behind the screens.
    var client: ChatClient { phone.instances.instance { fatalError("the root makes it") } }

    /// A phone on the Chat screen.
    static func connected(
        to host: ScriptedHost, on network: TestPeers, device: TestPhone = TestPhone(),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> ChatHand {
        let hand = ChatHand(network, device: device, clock: clock)
        try await hand.connect(to: host.id.text)
        try await hand.screen.wait(for: "prompt")
        return hand
    }

    func connect(to id: String) async throws {
        try await screen.wait(for: "server-id")
        try screen.type(id, into: "server-id")
        try screen.tap("Connect")
    }

    func scan() async throws {
        try await screen.wait(for: "Scan QR Code")
        try screen.tap("Scan QR Code")
    }

    func send(_ prompt: String) throws {
        try screen.type(prompt, into: "prompt")
        try screen.tap("Send")
    }

    /// True when the button with this name is enabled.
    func isEnabled(_ name: String) throws -> Bool { try screen.find(name, .button).attributes[.disabled] != .on }
}
