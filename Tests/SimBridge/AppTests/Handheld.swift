import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SimBridgeTestKit
import SwiftUI
import TestKit
import Testing

/// A phone with the app in somebody's hand.
final class Handheld {
    let device: TestPhone
    let phone: Phone
    let scene: SceneModel
    let screen: ViewDriver

    /// - Parameters:
    ///   - device: One that was used before: its app is started again.
    ///   - scene: One of a page that was there before.
    ///   - scrolls: What is in lists comes into sight only when it is scrolled to.
    init(
        _ box: RelayBox, device: TestPhone = TestPhone(), languages: [String] = ["en"],
        clock: any Clock<Duration> = ContinuousClock(), scrolls: Bool = false, scene: SceneModel = SceneModel()
    ) {
        self.device = device
        self.scene = scene
        scene.languages = languages
        phone = device.phone(clock: clock)
        screen = ViewDriver(SimBridgeRoot(phone: phone, relays: box.relays), scene: scene, scrolls: scrolls)
    }

    /// What the screens show.
    var bridge: Bridge { phone.instances.instance { fatalError("the root makes it") } }

    /// Logged in, on the screen where one pairs.
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

    /// Paired with `host`, on the dashboard.
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

    /// Paired with `host` and started again, on a phone that knows its owner and for an account that is locked.
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
        return Handheld(box, device: device)
    }

    /// Whether what has this name can be used.
    func isEnabled(_ name: String) throws -> Bool { try screen.find(name, .button).attributes[.disabled] != .on }
}
