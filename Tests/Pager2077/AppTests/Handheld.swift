import Pager2077App
import Pager2077Client
import Pager2077TestKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import Testing
import WireKit

/// A phone with the pager app, operated by a test.
final class Handheld {
    let device: TestPhone
    let scene = SceneModel()
    let screen: ViewDriver
    let pager: Pager

    /// - Parameters:
    ///   - device: A phone used before, to restart its app.
    ///   - phone: A phone with a running app, to open another window of it.
    ///   - earlier: The window that this one replaces after a restart.
    init(
        _ box: Box, device: TestPhone = TestPhone(), phone: Phone? = nil, after earlier: Handheld? = nil,
        languages: [String] = ["en"],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let device = earlier?.device ?? device
        self.device = device
        scene.languages = languages
        if let earlier { scene.store.restore(earlier.scene.store.storableValues) }
        let phone = phone ?? device.phone(clock: clock)
        pager = .shared(on: phone, service: box.service)
        screen = ViewDriver(PagerRoot(pager, on: phone), scene: scene)
    }

    /// A registered phone with a name, on the menu.
    static func ready(_ box: Box, _ name: String) async throws -> Handheld {
        let hand = Handheld(box)
        try await hand.screen.wait(for: "CALL: START")
        // The app gives a call up after ten seconds, which a busy machine may need.
        repeat {
            try hand.press("CALL")
            try await hand.screen.wait("SAVE or RETRY") { hand.screen.has("CALL: SAVE") || hand.screen.has("CALL: RETRY") }
        } while hand.screen.has("CALL: RETRY")
        try hand.screen.type(name, into: "NAME")
        try hand.press("CALL")
        try await hand.screen.wait(for: "CALL: SELECT")
        try await hand.screen.wait(for: "CONNECTED")
        return hand
    }

    func press(_ keys: String...) throws { for key in keys { try screen.tap(key) } }

    /// Opens an entry of the menu.
    func open(_ line: String) throws { try screen.tap(line) }

    /// The user's code, read from its screen.
    func code() async throws -> String {
        try open("MY HEX")
        let code = try #require(screen.all("code").first?.attributes[.text]?.text)
        try press("END")
        return code
    }

    /// Types a code with the keypad.
    func typeCode(_ code: String) throws {
        for letter in code {
            let (key, times) =
                switch letter {
                case "A": ("2", 2)
                case "B": ("2", 3)
                case "C": ("2", 4)
                case "D": ("3", 2)
                case "E": ("3", 3)
                case "F": ("3", 4)
                default: (String(letter), 1)
                }
            for _ in 0..<times { try press(key) }
            // The arrow completes the letter.
            try screen.pressKey(.rightArrow)
        }
    }

    /// Two phones; Bob's shows Ada's friend request.
    static func asking(_ box: Box) async throws -> (ada: Handheld, bob: Handheld) {
        let (ada, bob) = (try await ready(box, "Ada"), try await ready(box, "Bob"))
        try ada.open("ADD FRIEND")
        try ada.screen.type(try await bob.code(), into: "HEX")
        try ada.press("CALL")
        try await bob.openRequest(of: "Ada")
        // Until then, Ada's keys do nothing.
        try await ada.screen.wait("the end of the request") { !ada.screen.has("PLEASE WAIT") }
        return (ada, bob)
    }

    /// Opens the request of a user from the menu.
    func openRequest(of name: String) async throws {
        try open("FRIEND REQUESTS")
        try await screen.wait(for: name)
        try screen.tap(name)
    }

    /// Opens the empty chat with a friend from the menu.
    func openChat(with friend: String) async throws {
        try open("FRIENDS")
        try await screen.wait(for: friend)
        try screen.tap(friend)
        try await screen.wait(for: "NO MESSAGES")
    }

    /// Makes two users friends through the app.
    static func friends(_ box: Box) async throws -> (ada: Handheld, bob: Handheld) {
        let (ada, bob) = (try await ready(box, "Ada"), try await ready(box, "Bob"))
        let code = try await bob.code()
        try ada.open("ADD FRIEND")
        try ada.typeCode(code)
        try ada.press("CALL")
        try await ada.screen.wait(for: "REQUEST SENT")
        try await bob.openRequest(of: "Ada")
        try bob.screen.tap("ACCEPT")
        try await bob.screen.wait(for: "NOW FRIENDS")
        try await ada.screen.wait(for: "Bob")
        try ada.press("END")
        try bob.press("END", "END")
        return (ada, bob)
    }
}
