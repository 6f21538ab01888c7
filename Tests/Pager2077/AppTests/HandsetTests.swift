import Pager2077TestKit
import PhoneTestKit
import PlatformKit
import TestKit
import Testing

@testable import SwiftUI

/// Typing, navigation and keys without effect.
@Suite struct HandsetTests {
    private func value(of field: String, _ hand: Handheld) throws -> String? {
        try hand.screen.find(field, .field).attributes[.value]?.text
    }

    @Test func onScreenKeyboardReplacesTheKeypad() async throws {
        let (ada, _) = try await Handheld.friends(try await Box())
        try await ada.openChat(with: "Bob")
        try ada.screen.type("half a", into: "MESSAGE")
        let field = try ada.screen.find("MESSAGE", .field).id
        ada.device.keyboard.isShown = true
        try await ada.screen.wait { !ada.screen.has("7") && !ada.screen.has("CALL") }
        #expect(try ada.screen.find("MESSAGE", .field).id == field, "it keeps the focus")
        try ada.screen.tap("CALL: SEND")
        try await ada.screen.wait(for: "half a")
        // In landscape orientation there is no room for the buttons.
        ada.scene.size = CGSize(width: 667, height: 175)
        try await ada.screen.wait { !ada.screen.has("END: BACK") }
        #expect(try ada.screen.find("MESSAGE", .field).id == field)
        ada.scene.size = CGSize(width: 375, height: 407)
        try await ada.screen.wait(for: "END: BACK")
        try ada.screen.tap("END: BACK")
        ada.device.keyboard.isShown = false
        try await ada.screen.wait(for: "CALL")
        #expect(ada.screen.has("FRIENDS"))
    }

    @Test func escapeActsLikeEND() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        try hand.open("SETTINGS")
        try hand.screen.tap("NAME")
        try await hand.screen.wait(for: "NEW NAME")
        // A screen reader stops at no empty view.
        #expect(hand.screen.visible.filter { $0.handlers[.escape] != nil }.map(\.label) == [nil])
        #expect(hand.screen.visible.filter { $0.handlers[.escape] != nil }.allSatisfy { !$0.pageChildren.isEmpty })
        try hand.screen.escape()
        try await hand.screen.wait(for: "SOUND")
        try hand.screen.escape()
        try await hand.screen.wait(for: "MY HEX")
        #expect(throws: DriverError.self) { try hand.screen.escape() }
    }

    @Test func multiTapUsesTheTimeOfTheKeyPress() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        try hand.open("SETTINGS")
        try hand.screen.tap("NAME")
        try hand.screen.type("", into: "NAME")
        let start = ContinuousClock.now
        for (digit, seconds) in [("4", 0), ("4", 2), ("4", 2.5), ("6", 9), ("6", 9.9)] {
            hand.device.inputTime = start + .seconds(seconds)
            try hand.press(digit)
        }
        #expect(try value(of: "NAME", hand) == "GHN")
    }

    @Test func callExplainsWhyItHasNoEffect() async throws {
        let (ada, _) = try await Handheld.friends(try await Box())
        try ada.open("FRIEND REQUESTS")
        try await ada.screen.wait(for: "NO REQUESTS")
        try ada.press("CALL")
        #expect(ada.screen.has("NOTHING TO SELECT"))
        try ada.press("END")
        try ada.open("ADD FRIEND")
        try ada.press("1", "CALL")
        #expect(ada.screen.has("A HEX HAS 8 DIGITS"))
        try ada.press("END")
        try await ada.openChat(with: "Bob")
        try ada.press("CALL")
        #expect(ada.screen.has("MESSAGE IS EMPTY"))
    }

    @Test func acceptingOpensTheNewFriendsChat() async throws {
        let (_, bob) = try await Handheld.asking(try await Box())
        try bob.screen.tap("ACCEPT")
        try await bob.screen.wait(for: "NOW FRIENDS")
        try await bob.screen.wait(for: "NO MESSAGES")
        #expect(bob.screen.has("Ada") && bob.screen.has("CALL: SEND"))
        try bob.press("END")
        #expect(bob.screen.has("FRIENDS") && bob.screen.has("Ada"))
    }

    // MARK: State restoration

    @Test func restartRestoresScreenAndSelection() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        func selected(_ hand: Handheld) -> String? { hand.screen.visible.first { $0.attributes[flag: .selected] }?.label }
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
        try ada.press("#", "8")
        #expect(selected(ada) == "REMOVE")
        let second = Handheld(box, after: ada)
        try await second.screen.wait(for: "Bob")
        #expect(selected(second) == "REMOVE")
        try second.press("END", "END")
        try second.open("SETTINGS")
        try second.press("8")
        let third = Handheld(box, after: second)
        try await third.screen.wait(for: "SETTINGS")
        #expect(selected(third)?.hasPrefix("SOUND") == true)
        try third.screen.tap("NAME")
        let fourth = Handheld(box, after: third)
        try await fourth.screen.wait(for: "NEW NAME")
        #expect(try value(of: "NAME", fourth) == "Ada")
    }

    @Test func invalidRestorationPathIsIgnored() async throws {
        let box = try await Box()
        let ada = try await Handheld.ready(box, "Ada")
        ada.scene.store.restore(["place": .text("nowhere/chat./@/starting/settings/..")])
        let again = Handheld(box, after: ada)
        try await again.screen.wait(for: "SOUND")
        try again.press("END")
        #expect(again.screen.has("MY HEX"))
    }

    // MARK: Links

    @Test func linkOpensAddFriendWithItsCode() async throws {
        let box = try await Box()
        let (ada, bob) = (try await Handheld.ready(box, "Ada"), try await Handheld.ready(box, "Bob"))
        let code = try await bob.code()
        let link = try #require(URL(string: "https://box.example/apps/test/#add=\(code.lowercased())"))
        try ada.open("SETTINGS")
        ada.screen.host.open(link)
        #expect(try value(of: "HEX", ada) == code)
        try ada.press("CALL")
        try await ada.screen.wait(for: "REQUEST SENT")
    }

    @Test func linkWaitsForRegistration() async throws {
        let hand = Handheld(try await Box())
        try await hand.screen.wait(for: "CALL: START")
        hand.screen.host.open(try #require(URL(string: "https://box.example/apps/test/#add=1A2B3C4D")))
        try hand.press("CALL")
        try await hand.screen.wait(for: "END: SKIP")
        try hand.press("END")
        try await hand.screen.wait(for: "HEX")
        #expect(try value(of: "HEX", hand) == "1A2B3C4D")
    }

    @Test(arguments: ["#add=1A2B", "#add=1A2B3C4D0", "#add=GHIJKLMN", "#pair=123456", "#1A2B3C4D", ""])
    func invalidLinkIsIgnored(_ fragment: String) async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        hand.screen.host.open(try #require(URL(string: "https://box.example/apps/test/\(fragment)")))
        #expect(hand.screen.has("MY HEX") && hand.screen.has("CALL: SELECT"))
    }

    // MARK: Banners

    @Test func confirmationDisappearsByItself() async throws {
        let box = try await Box()
        let device = try await Handheld.ready(box, "Ada").device
        let clock = TestClock()
        let hand = Handheld(box, device: device, clock: clock)
        try await hand.screen.wait(for: "CALL: SELECT")
        try hand.open("MY HEX")
        try hand.press("CALL")
        try await hand.screen.wait(for: "COPIED")
        try await eventually {
            try await clock.advance(by: .seconds(4))
            return await !hand.screen.has("COPIED")
        }
    }

    @Test func refusalDisappearsWhenTheTextChanges() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        try hand.open("ADD FRIEND")
        try hand.screen.type("12", into: "HEX")
        try hand.screen.submit("HEX")
        #expect(hand.screen.has("A HEX HAS 8 DIGITS"))
        try hand.screen.type("123", into: "HEX")
        #expect(!hand.screen.has("A HEX HAS 8 DIGITS"))
    }

    @Test func networkErrorDisappearsAfterReconnection() async throws {
        let box = try await Box()
        let hand = try await Handheld.ready(box, "Ada")
        try hand.open("ADD FRIEND")
        try hand.screen.type("00000000", into: "HEX")
        box.network.cut()
        try hand.press("CALL")
        try await hand.screen.wait(for: "NETWORK ERROR")
        try await hand.screen.wait(for: "NO CONNECTION")
        box.network.mend()
        hand.device.setOnline(true)
        try await hand.screen.wait(for: "CONNECTED")
        try await hand.screen.wait { !hand.screen.has("NETWORK ERROR") }
    }
}
