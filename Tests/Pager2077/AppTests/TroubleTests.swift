import Foundation
import Pager2077TestKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

/// Errors and slow operations.
@Suite struct TroubleTests {
    @Test func unansweredRegistrationShowsProgressAndTimesOut() async throws {
        let (box, clock) = (try await Box(), TestClock())
        let hand = Handheld(box, clock: clock)
        try await hand.screen.wait(for: "CALL: START")
        box.network.set { $0.hangs = true }
        try hand.press("CALL")
        try await hand.screen.wait(for: "REGISTERING")
        // The call has started, so the clock's sleeper is its timeout.
        try await eventually { box.network.calls.contains { $0.hasSuffix("/register") } }
        try await clock.advance(by: .seconds(10))
        try await hand.screen.wait(for: "TIMEOUT")
        box.network.set { $0.hangs = false }
        try hand.press("CALL")
        try await hand.screen.wait(for: "END: SKIP")
    }

    @Test func slowListShowsProgress() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        box.network.set { $0.hangs = true }
        let again = Handheld(box, device: ada.device)
        try await again.screen.wait(for: "CALL: SELECT")
        try again.open("FRIENDS")
        try await again.screen.wait(for: "PLEASE WAIT")
        box.network.set { $0.hangs = false }
        try await again.screen.wait(for: "Bob")
    }

    @Test func failedRefreshKeepsTheList() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        box.network.cut()
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "NETWORK ERROR")
        #expect(ada.screen.has("Bob"))
        try await ada.screen.wait(for: "NO CONNECTION")
        box.network.mend()
        try ada.screen.tap("RETRY")
        try await ada.screen.wait { !ada.screen.has("NETWORK ERROR") }
        #expect(ada.screen.has("Bob"))
    }

    @Test(arguments: [
        (TestNetwork.Answer(401, code: "INVALID_TOKEN"), "SESSION EXPIRED"),
        (.init(429, code: "RATE_LIMITED"), "TOO MANY ATTEMPTS"),
        (.init(502), "SERVICE ERROR"), (.init(503, code: "UNAVAILABLE"), "SERVICE ERROR"),
    ])
    func serviceErrorsAreShownAsText(_ answer: TestNetwork.Answer, _ words: String) async throws {
        let box = try await Box()
        let hand = try await Handheld.ready(box, "Ada")
        box.network.set { $0.answer = answer }
        try hand.open("MESSAGES")
        try await hand.screen.wait(for: words)
        try hand.press("END")
        try hand.open("ADD FRIEND")
        try hand.screen.type("00000000", into: "HEX")
        try hand.press("CALL")
        try await hand.screen.wait(for: words)
        #expect(try hand.screen.find("HEX", .field).attributes[.value] == "00000000", "what was typed is still there")
    }

    @Test func refusedMessageShowsTheReasonAndCanBeDeleted() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        try await ada.openChat(with: "Bob")
        try bob.open("FRIENDS")
        try await bob.screen.wait(for: "Ada")
        try bob.press("#")
        try bob.screen.tap("KEEP")
        try bob.press("#")
        try bob.screen.tap("REMOVE")
        try await bob.screen.wait(for: "NO FRIENDS YET")
        try ada.screen.type("still there?", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "NOT FRIENDS")
        #expect(ada.screen.has("still there?") && ada.screen.has("Bob"))
        try ada.screen.tap("DELETE")
        try await ada.screen.wait { !ada.screen.has("still there?") }
    }

    @Test func sendingIsShownAndEmptyMessagesAreRefused() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        try await ada.openChat(with: "Bob")
        try ada.screen.type("  ", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "MESSAGE IS EMPTY")
        box.network.set { $0.hangs = true }
        try ada.screen.type("wait for it", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "SENDING")
        try await ada.screen.wait(for: "WAITING")
        #expect(ada.screen.has("wait for it"))
    }

    @Test func failedChatOffersRetry() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
        // Calls fail while the line stays open, so it is not the line's reconnection that loads the chat again.
        box.network.set { $0.isDown = true }
        let lines = box.network.opened.count
        try ada.screen.tap("Bob")
        try await ada.screen.wait(for: "NETWORK ERROR")
        func fetches() -> Int { box.network.calls.count { $0.hasPrefix("GET") && $0.contains("/messages/") } }
        let before = fetches()
        box.network.mend()
        try ada.screen.tap("RETRY")
        try await ada.screen.wait(for: "NO MESSAGES")
        #expect(fetches() == before + 1 && box.network.opened.count == lines)
    }

    @Test func failedRefreshKeepsTheChat() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        try await ada.openChat(with: "Bob")
        try ada.screen.type("hello", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "SENT - WAITING FOR REPLY")
        #expect(!ada.screen.has("RETRY"))
        box.network.cut()
        try ada.press("END")
        try ada.screen.tap("Bob")
        try await ada.screen.wait(for: "RETRY")
        #expect(ada.screen.has("NETWORK ERROR") && ada.screen.has("hello"))
        box.network.mend()
        try ada.screen.tap("RETRY")
        try await ada.screen.wait { !ada.screen.has("RETRY") }
        #expect(ada.screen.has("hello"))
    }

    @Test func requestAnsweredElsewhereIsNotFound() async throws {
        let box = try await Box()
        let (_, bob) = try await Handheld.asking(box)
        // The same user on another phone.
        let other = Handheld(box, device: bob.device)
        try await other.screen.wait(for: "CALL: SELECT")
        try await other.openRequest(of: "Ada")
        try other.screen.tap("REJECT")
        try await other.screen.wait(for: "NO REQUESTS")
        try bob.screen.tap("ACCEPT")
        try await bob.screen.wait(for: "REQUEST NOT FOUND")
    }

    @Test func mutualRequestsMakeFriends() async throws {
        let box = try await Box()
        let (ada, bob) = (try await Handheld.ready(box, "Ada"), try await Handheld.ready(box, "Bob"))
        for (from, to, words) in [(ada, bob, "REQUEST SENT"), (bob, ada, "NOW FRIENDS")] {
            let code = try await to.code()
            try from.open("ADD FRIEND")
            try from.screen.type(code, into: "HEX")
            try from.press("CALL")
            try await from.screen.wait(for: words)
            while !from.screen.has("MY HEX") { try from.press("END") }
        }
        try bob.open("FRIENDS")
        try await bob.screen.wait(for: "Ada")
    }

    @Test func fullStorageIsReported() async throws {
        let hand = Handheld(try await Box())
        try await hand.screen.wait(for: "CALL: START")
        hand.device.isFull = true
        try hand.press("CALL")
        try await hand.screen.wait(for: "STORAGE ERROR - FREE SOME SPACE")
        hand.device.isFull = false
        try hand.press("CALL")
        try await hand.screen.wait(for: "END: SKIP")
    }

    @Test func failedCopyIsReported() async throws {
        let hand = try await Handheld.ready(try await Box(), "Ada")
        hand.device.refusesCopies = true
        try hand.open("MY HEX")
        try hand.press("CALL")
        try await hand.screen.wait(for: "COULD NOT COPY")
    }
}
