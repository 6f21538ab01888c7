import Pager2077TestKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

/// The screens FRIENDS, ADD FRIEND, FRIEND REQUESTS, MY HEX and SETTINGS: requirements 3, 4, 5, 12, 13 and 14 of `Docs/Requirements.md`.
@Suite struct FriendScreensTests {
    @Test func keysNavigateTheMenu() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        func selected() -> String? { hand.screen.visible.first { $0.attributes[flag: .selected] }?.label }
        #expect(selected() == "MESSAGES")
        try hand.press("8", "8")
        #expect(selected() == "ADD FRIEND")
        try hand.press("2", "2", "2")
        #expect(selected() == "SETTINGS")
        try hand.screen.pressKey(.downArrow)
        #expect(selected() == "MESSAGES")
        try hand.press("8", "6")
        try await hand.screen.wait(for: "NO FRIENDS YET")
        try hand.press("4")
        #expect(selected() == "FRIENDS")
        #expect(!hand.device.played.isEmpty)
    }

    @Test func friendIsAddedByHexCode() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
        #expect(ada.screen.has("ONLINE"))
        bob.scene.phase = .background
        try await ada.screen.wait(for: "OFFLINE")
        bob.scene.phase = .active
        try await ada.screen.wait(for: "ONLINE")
    }

    @Test func emptyListHidesHintsForInactiveKeys() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        for (line, words) in [("FRIENDS", "NO FRIENDS YET"), ("FRIEND REQUESTS", "NO REQUESTS"), ("MESSAGES", "NO MESSAGES")] {
            try hand.open(line)
            try await hand.screen.wait(for: words)
            #expect(hand.screen.has("END: BACK"))
            for hint in ["CALL: CHAT", "CALL: SELECT", "#: MORE"] { #expect(!hand.screen.has(hint)) }
            try hand.press("END")
        }
    }

    @Test func requestShowsTheSendersCode() async throws {
        let (ada, bob) = try await Handheld.asking(try await Box())
        try ada.press("END")
        #expect(bob.screen.has("HEX \(try await ada.code())"))
    }

    @Test func incompleteCodeIsNotSent() async throws {
        let box = try await Box()
        let hand = try await Handheld.ready(box, "Ada")
        try hand.open("ADD FRIEND")
        try hand.press("1", "2", "2", "#", "9")
        #expect(try hand.screen.find("HEX", .field).attributes[.value] == "19")
        try hand.press("CALL")
        // A request started by the key would be sent before the list is loaded.
        try hand.press("END")
        try hand.open("FRIENDS")
        try await hand.screen.wait(for: "NO FRIENDS YET")
        #expect(!box.network.calls.contains { $0.hasSuffix("/friends/request") })
    }

    @Test func refusedFriendRequestsShowTheReason() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        let (own, code) = (try await ada.code(), try await bob.code())
        try ada.open("ADD FRIEND")
        for (typed, words) in [
            (own, "THIS IS YOUR OWN HEX"), (code, "ALREADY FRIENDS"),
            (code == "00000000" ? "00000001" : "00000000", "USER NOT FOUND"),
        ] {
            try ada.screen.type(typed, into: "HEX")
            try ada.press("CALL")
            try await ada.screen.wait(for: words)
        }
        let other = try await Handheld.ready(box, "Eve")
        let third = try await other.code()
        for words in ["REQUEST SENT", "REQUEST ALREADY SENT"] {
            if !ada.screen.has("HEX") { try ada.press("END"); try ada.open("ADD FRIEND") }
            try ada.screen.type(third, into: "HEX")
            try ada.press("CALL")
            try await ada.screen.wait(for: words)
        }
    }

    @Test func requestIsRejected() async throws {
        let box = try await Box()
        let (_, bob) = try await Handheld.asking(box)
        try bob.screen.tap("REJECT")
        try await bob.screen.wait(for: "NO REQUESTS")
    }

    @Test func failedListOffersRetry() async throws {
        let box = try await Box()
        let hand = try await Handheld.ready(box, "Ada")
        box.network.cut()
        try hand.open("FRIENDS")
        try await hand.screen.wait(for: "NETWORK ERROR")
        box.network.mend()
        try hand.screen.tap("RETRY")
        try await hand.screen.wait(for: "NO FRIENDS YET")
    }

    @Test func ownCodeIsShownAndCopied() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        let code = try await hand.code()
        #expect(code.wholeMatch(of: /[0-9A-F]{8}/) != nil)
        try hand.open("MY HEX")
        #expect(hand.screen.has("QR CODE OF MY HEX"))
        try hand.press("CALL")
        try await hand.screen.wait(for: "COPIED")
        #expect(hand.device.copied == code)
    }

    @Test func changedNameIsVisibleToFriends() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        try ada.open("SETTINGS")
        try ada.screen.tap("NAME")
        try ada.screen.type("Grace", into: "NAME")
        try ada.press("CALL")
        try await ada.screen.wait(for: "SAVED")
        #expect(ada.screen.has("Grace"))
        try bob.open("FRIENDS")
        try await bob.screen.wait(for: "Grace")
    }

    @Test func selectionStaysWhenRowsAreInsertedBefore() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        let code = try await bob.code()
        // Repeat until a code sorts before Bob's.
        var eve = try await Handheld.ready(box, "Eve")
        while try await eve.code() > code { eve = try await Handheld.ready(box, "Eve") }
        try ada.open("ADD FRIEND")
        try ada.screen.type(try await eve.code(), into: "HEX")
        try ada.press("CALL")
        try await ada.screen.wait(for: "REQUEST SENT")
        func selected() -> String? { ada.screen.visible.first { $0.attributes[flag: .selected] }?.label }
        try await ada.screen.wait { selected()?.hasPrefix("Bob") == true }
        try eve.open("FRIEND REQUESTS")
        try await eve.screen.wait(for: "Ada")
        try eve.screen.tap("Ada")
        try eve.screen.tap("ACCEPT")
        try await ada.screen.wait(for: "Eve")
        #expect(selected()?.hasPrefix("Bob") == true)
    }

    @Test func soundCanBeTurnedOff() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        try hand.open("SETTINGS")
        try hand.screen.tap("SOUND")
        #expect(hand.screen.has("OFF"))
        let before = hand.device.played.count
        try hand.press("8", "2", "END")
        // Any sound of the keys would be played before the list is loaded.
        try hand.open("FRIENDS")
        try await hand.screen.wait(for: "NO FRIENDS YET")
        #expect(hand.device.played.count == before)
    }

    @Test func friendIsRemoved() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
        try ada.press("#")
        try ada.screen.tap("REMOVE")
        try await ada.screen.wait(for: "NO FRIENDS YET")
        try bob.open("FRIENDS")
        try await bob.screen.wait(for: "NO FRIENDS YET")
    }
}
