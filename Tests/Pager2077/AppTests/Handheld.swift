import Pager2077App
import Pager2077Client
import Pager2077TestKit
import PlatformKit
import SwiftUI
import Testing
import WireKit

/// A phone with the pager in somebody's hand.
final class Handheld {
    let device: TestPhone
    let scene = SceneModel()
    let screen: ViewDriver
    let pager: Pager

    /// - Parameters:
    ///   - device: One that was used before: its app is started again.
    ///   - phone: One whose app runs: this is another window of it.
    ///   - earlier: The window in whose place this one comes after a restart.
    init(
        _ box: Box, device: TestPhone = TestPhone(), phone: Phone? = nil, after earlier: Handheld? = nil,
        languages: [String] = ["en"],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let device = earlier?.device ?? device
        self.device = device
        scene.languages = languages
        if let earlier { scene.store.restore(earlier.scene.store.kept) }
        let phone = phone ?? device.phone(clock: clock)
        pager = .shared(on: phone, service: box.service)
        screen = ViewDriver(PagerRoot(pager, on: phone), scene: scene)
    }

    /// Registered, with a name, on the menu.
    static func ready(_ box: Box, _ name: String) async throws -> Handheld {
        let hand = Handheld(box)
        try await hand.screen.wait(for: "CALL: BEGIN")
        try hand.press("CALL")
        try await hand.screen.wait(for: "CALL: SAVE")
        try hand.screen.type(name, into: "NAME")
        try hand.press("CALL")
        try await hand.screen.wait(for: "CALL: CHOOSE")
        try await hand.screen.wait(for: "CONNECTED")
        return hand
    }

    func press(_ keys: String...) throws { for key in keys { try screen.tap(key) } }

    /// Chooses a line of the menu.
    func open(_ line: String) throws { try screen.tap(line) }

    /// One's code, from the screen that shows it.
    func code() async throws -> String {
        try open("MY HEX")
        let code = try #require(screen.all("code").first?.attributes[.text]?.text)
        try press("END")
        return code
    }

    /// Types a code with the keys.
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
            // Another key, or the arrow, ends the letter.
            try screen.pressKey(.rightArrow)
        }
    }

    /// Two, of whom Bob looks at Ada's request.
    static func asking(_ box: Box) async throws -> (ada: Handheld, bob: Handheld) {
        let (ada, bob) = (try await ready(box, "Ada"), try await ready(box, "Bob"))
        try ada.open("ADD FRIEND")
        try ada.screen.type(try await bob.code(), into: "HEX")
        try ada.press("CALL")
        try await bob.openRequest(of: "Ada")
        return (ada, bob)
    }

    /// Opens somebody's request from the menu.
    func openRequest(of name: String) async throws {
        try open("FRIEND REQUESTS")
        try await screen.wait(for: name)
        try screen.tap(name)
    }

    /// From the menu to the chat with a friend, in which nothing was said yet.
    func openChat(with friend: String) async throws {
        try open("FRIENDS")
        try await screen.wait(for: friend)
        try screen.tap(friend)
        try await screen.wait(for: "NO MESSAGES")
    }

    /// Makes two of them friends, by their own hands.
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
