import Pager2077TestKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

/// The first start: requirements 1, 2 and 11 of `Docs/Requirements.md`.
@Suite struct OnboardingTests {
    @Test func firstCallRegistersAndAsksForAName() async throws {
        let box = try await Box()
        let hand = Handheld(box)
        try await hand.screen.wait(for: "A PAGER FOR FRIENDS")
        #expect(hand.device.permission == .undecided)
        try hand.press("CALL")
        try await hand.screen.wait(for: "NAME SHOWN TO FRIENDS")
        #expect(hand.device.permission == .granted)
        // Types A, D, A with three keys.
        try hand.press("2", "3")
        try hand.screen.pressKey(.rightArrow)
        try hand.press("2")
        #expect(try hand.screen.find("NAME", .field).attributes[.value] == "ADA")
        try hand.press("CALL")
        try await hand.screen.wait(for: "MY HEX")
        try hand.open("SETTINGS")
        #expect(hand.screen.texts.contains("ADA"), "\(hand.screen.texts)")
    }

    /// On a phone whose user has typed the address of the service.
    @Test func serverCanBeChangedBeforeAndAfterRegistration() async throws {
        let device = TestPhone()
        var (phone, changes) = (device.phone(), 0)
        phone.changeServer = { changes += 1 }
        let hand = Handheld(try await Box(), device: device, phone: phone)
        try await hand.screen.wait(for: "END: SERVER")
        try hand.press("END")
        #expect(changes == 1)
        try hand.press("CALL")
        try await hand.screen.wait(for: "END: SKIP")
        try hand.press("END")
        try await hand.screen.wait(for: "MY HEX")
        try hand.open("SETTINGS")
        try hand.screen.tap("SERVER")
        #expect(changes == 2)
    }

    @Test func skippingTheNameOpensTheMenu() async throws {
        let hand = Handheld(try await Box())
        try await hand.screen.wait(for: "CALL: START")
        try hand.press("CALL")
        try await hand.screen.wait(for: "END: SKIP")
        try hand.press("END")
        try await hand.screen.wait(for: "MY HEX")
        try hand.open("SETTINGS")
        #expect(hand.screen.has("NONE"))
    }

    @Test func offlineRegistrationFailsAndCanBeRetried() async throws {
        let box = try await Box()
        let hand = Handheld(box)
        try await hand.screen.wait(for: "CALL: START")
        box.network.cut()
        try hand.press("CALL")
        try await hand.screen.wait(for: "NETWORK ERROR")
        box.network.mend()
        try hand.press("CALL")
        try await hand.screen.wait(for: "NAME SHOWN TO FRIENDS")
    }

    @Test func invalidNameShowsTheReason() async throws {
        let hand = Handheld(try await Box())
        try await hand.screen.wait(for: "CALL: START")
        try hand.press("CALL")
        try await hand.screen.wait(for: "CALL: SAVE")
        try hand.press("CALL")
        try await hand.screen.wait(for: "NAME CANNOT BE EMPTY")
        try hand.screen.type("Ädä", into: "NAME")
        try hand.press("CALL")
        try await hand.screen.wait(for: "INVALID CHARACTERS")
    }

    @Test func textsAreInThePhonesLanguage() async throws {
        let hand = Handheld(try await Box(), languages: ["ko"])
        try await hand.screen.wait(for: "친구를 위한 삐삐")
        try hand.press("통화")
        try await hand.screen.wait(for: "친구에게 보일 이름")
    }
}
