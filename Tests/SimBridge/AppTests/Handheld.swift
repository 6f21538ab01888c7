import PhoneTestKit
import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SimBridgeTestKit
import SwiftUI
import TestKit
import Testing

/// A phone with the SimBridge app, operated by a test.
final class Handheld {
    let device: TestPhone
    let phone: Phone
    let scene: SceneModel
    let screen: ViewDriver

    /// - Parameters:
    ///   - device: A phone used before, to restart its app.
    ///   - scene: The scene of an earlier page.
    ///   - scrolls: True when list rows appear only when scrolled to.
    init(
        _ box: RelayBox, device: TestPhone = TestPhone(), languages: [String] = ["en"],
        clock: any Clock<Duration> = ContinuousClock(), scrolls: Bool = false, scene: SceneModel = SceneModel(),
        relays: Relays? = nil
    ) {
        self.device = device
        self.scene = scene
        scene.languages = languages
        phone = device.phone(clock: clock)
        screen = ViewDriver(SimBridgeRoot(phone: phone, relays: relays ?? box.relays), scene: scene, scrolls: scrolls)
    }

    /// The model behind the screens.
    var bridge: Bridge { phone.instances.instance { fatalError("the root makes it") } }

    /// A phone that is logged in, on the pairing screen.
    static func loggedIn(
        _ box: RelayBox, device: TestPhone = TestPhone(), scrolls: Bool = false, scene: SceneModel = SceneModel()
    ) async throws -> Handheld {
        let hand = Handheld(box, device: device, scrolls: scrolls, scene: scene)
        try await hand.logIn()
        try await hand.screen.wait(for: "Pair with a host")
        return hand
    }

    func logIn(password: String = RelayBox.password) async throws {
        try await screen.wait(for: "Log In")
        try screen.type("ada", into: "Username")
        try screen.type(password, into: "Password")
        try screen.tap("Log In")
    }

    /// A phone paired with `host`, on the dashboard.
    static func ready(
        _ box: RelayBox, _ host: RawHost, device: TestPhone = TestPhone(), scrolls: Bool = false,
        scene: SceneModel = SceneModel()
    ) async throws -> Handheld {
        let hand = try await loggedIn(box, device: device, scrolls: scrolls, scene: scene)
        try hand.screen.type(try await host.code(), into: "code")
        try await hand.screen.wait(for: "Send SMS")
        try await hand.screen.wait(for: "Connected")
        try await hand.screen.wait(for: "online")
        return hand
    }

    /// A restarted phone paired with `host`, with biometrics and a locked account.
    static func locked(_ box: RelayBox, _ host: RawHost, device: TestPhone) async throws -> Handheld {
        device.hasBiometrics = true
        do {
            let hand = Handheld(box, device: device)
            try await hand.logIn()
            try await hand.screen.wait(for: "Turn on")
            try hand.screen.tap("Turn on")
            try await eventually { await !device.guarded.isEmpty }
            try await hand.screen.wait(for: "Pair with a host")
            try hand.screen.type(try await host.code(), into: "code")
            try await hand.screen.wait(for: "Send SMS")
        }
        try await eventually { await !device.awaitsTaps }
        return Handheld(box, device: device)
    }

    /// True when the button with this name is enabled.
    func isEnabled(_ name: String) throws -> Bool { try screen.find(name, .button).attributes[.disabled] != .on }
}
