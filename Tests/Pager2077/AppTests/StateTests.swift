import Foundation
import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

@testable import Pager2077App

/// The error states of each screen and their recovery: requirements 3 to 7 and 10 to 13 of `Docs/Requirements.md`.
@Suite struct StateTests {
    private func chatting(_ box: Box) async throws -> (ada: Handheld, bob: Handheld) {
        let (ada, bob) = try await Handheld.friends(box)
        try await ada.openChat(with: "Bob")
        return (ada, bob)
    }

    /// Restarts the app of a phone with a test clock.
    private func again(_ box: Box, _ device: TestPhone) async throws -> (Handheld, TestClock) {
        let clock = TestClock()
        let hand = Handheld(box, device: device, clock: clock)
        try await hand.screen.wait(for: "CALL: SELECT")
        try await hand.screen.wait(for: "CONNECTED")
        return (hand, clock)
    }

    private func value(of field: String, _ hand: Handheld) throws -> String? {
        try hand.screen.find(field, .field).attributes[.value]?.text
    }

    // MARK: Lists

    @Test(arguments: [
        ("FRIENDS", "/friends", "NO FRIENDS YET"), ("FRIEND REQUESTS", "/friends/requests/pending", "NO REQUESTS"),
        ("MESSAGES", "/conversations", "NO MESSAGES"),
    ])
    func openingAListFetchesItAndReportsFailure(_ line: String, _ path: String, _ empty: String) async throws {
        let box = try await Box()
        let hand = try await Handheld.ready(box, "Ada")
        func fetches() -> Int { box.network.calls.count { $0 == "GET /pager2077/api\(path)" } }
        try hand.open(line)
        try await hand.screen.wait(for: empty)
        try hand.press("END")
        box.network.cut()
        let before = fetches()
        try hand.open(line)
        try await hand.screen.wait(for: "NETWORK ERROR")
        #expect(fetches() > before && !hand.screen.has(empty))
        try hand.screen.tap("RETRY")
        try await hand.screen.wait(for: "NETWORK ERROR")
        box.network.mend()
        try hand.screen.tap("RETRY")
        try await hand.screen.wait(for: empty)
        #expect(!hand.screen.has("NETWORK ERROR"))
    }

    @Test(arguments: ["FRIENDS", "FRIEND REQUESTS", "MESSAGES"]) func unansweredListTimesOut(_ line: String) async throws {
        let box = try await Box()
        let device = try await Handheld.ready(box, "Ada").device
        let (hand, clock) = try await again(box, device)
        try hand.open(line)
        try await hand.screen.wait { hand.screen.texts.contains { $0.hasPrefix("NO ") } }
        try hand.press("END")
        box.network.set { $0.hangs = true }
        try hand.open(line)
        try await eventually {
            try await clock.advance(by: .seconds(10))
            return await hand.screen.has("TIMEOUT")
        }
        box.network.set { $0.hangs = false }
        // The line, which timed out by the same clock, may already have caused another try.
        if hand.screen.has("RETRY") { try hand.screen.tap("RETRY") }
        try await hand.screen.wait { hand.screen.texts.contains { $0.hasPrefix("NO ") } }
    }

    @Test func failedRefreshKeepsRequestsAndMessages() async throws {
        let box = try await Box()
        let (ada, bob) = try await chatting(box)
        let eve = try await Handheld.ready(box, "Eve")
        try eve.open("ADD FRIEND")
        try eve.screen.type(try await bob.code(), into: "HEX")
        try eve.press("CALL")
        try ada.screen.type("are you there?", into: "MESSAGE")
        try ada.press("CALL")
        try await bob.screen.wait(for: "1 UNREAD")
        for (line, name) in [("FRIEND REQUESTS", "Eve"), ("MESSAGES", "Ada")] {
            try bob.open(line)
            try await bob.screen.wait(for: name)
            try bob.press("END")
            box.network.cut()
            try bob.open(line)
            try await bob.screen.wait(for: "NETWORK ERROR")
            #expect(bob.screen.has(name))
            box.network.mend()
            try bob.screen.tap("RETRY")
            try await bob.screen.wait { !bob.screen.has("NETWORK ERROR") }
            #expect(bob.screen.has(name))
            try bob.press("END")
        }
    }

    // MARK: Messages

    @Test func unansweredMessageTimesOutAndCanBeRetried() async throws {
        let box = try await Box()
        let device = try await Handheld.friends(box).ada.device
        let (hand, clock) = try await again(box, device)
        try await hand.openChat(with: "Bob")
        box.network.set { $0.hangs = true }
        try hand.screen.type("anybody?", into: "MESSAGE")
        try hand.press("CALL")
        try await hand.screen.wait(for: "WAITING")
        #expect(hand.screen.has("SENDING"))
        try await eventually {
            try await clock.advance(by: .seconds(10))
            return await hand.screen.has("TIMEOUT")
        }
        #expect(hand.screen.has("anybody?") && hand.screen.has("WAITING"))
        box.network.set { $0.hangs = false }
        try hand.screen.tap("RETRY")
        try await hand.screen.wait(for: "SENT - WAITING FOR REPLY")
        // Neither the message nor the chat, which is fetched again automatically, offers it.
        try await hand.screen.wait { !hand.screen.has("RETRY") }
    }

    @Test func expiredSessionIsShownInTheChat() async throws {
        let box = try await Box()
        let (ada, _) = try await chatting(box)
        box.network.set { $0.answer = .init(401, code: "INVALID_TOKEN") }
        try ada.screen.type("who am I?", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "SESSION EXPIRED")
        #expect(ada.screen.has("who am I?"))
        box.network.set { $0.answer = nil }
        try ada.screen.tap("RETRY")
        try await ada.screen.wait(for: "SENT - WAITING FOR REPLY")
    }

    @Test(arguments: [
        (TestNetwork.Answer(403, code: "NOT_FRIENDS", path: "/messages"), "NOT FRIENDS"),
        (.init(404, code: "USER_NOT_FOUND", path: "/messages"), "USER NOT FOUND"),
        (.init(400, code: "MESSAGE_TOO_LONG", path: "/messages"), "MESSAGE TOO LONG"),
    ])
    func refusedMessageStaysWithoutBlockingOthers(_ answer: TestNetwork.Answer, _ words: String) async throws {
        let box = try await Box()
        let (ada, _) = try await chatting(box)
        box.network.set { $0.answer = answer }
        try ada.screen.type("not this one", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "RETRY")
        try await ada.screen.wait(for: words)
        box.network.set { $0.answer = nil }
        try ada.screen.type("but this one", into: "MESSAGE")
        try ada.press("CALL")
        // Accepted, whether or not it has been read.
        try await ada.screen.wait { ada.screen.has("SENT") }
        #expect(ada.screen.has(words) && ada.screen.has("not this one") && ada.screen.has("but this one"))
        try ada.screen.tap("DELETE")
        try await ada.screen.wait { !ada.screen.has("not this one") && !ada.screen.has(words) }
    }

    @Test func callWithoutTextRetriesUnsentMessages() async throws {
        let box = try await Box()
        let (ada, _) = try await chatting(box)
        box.network.cut()
        try ada.screen.type("on its way", into: "MESSAGE")
        try ada.press("CALL")
        try await ada.screen.wait(for: "NETWORK ERROR")
        box.network.mend()
        try ada.press("CALL")
        try await ada.screen.wait(for: "SENT - WAITING FOR REPLY")
    }

    @Test func fullOutboxRefusesMessages() async throws {
        let box = try await Box()
        let device = try await Handheld.friends(box).ada.device
        let phone = device.phone()
        let hand = Handheld(box, device: device, phone: phone)
        try await hand.screen.wait(for: "CONNECTED")
        try await hand.openChat(with: "Bob")
        let pager = Pager.shared(on: phone, service: box.service)
        let chat = pager.chat(with: pager.friends.items[0].id)
        box.network.cut()
        for number in 1...200 { try await pager.send("\(number)", in: chat) }
        try hand.screen.type("one too many", into: "MESSAGE")
        try hand.press("CALL")
        try await hand.screen.wait(for: "TOO MANY UNSENT MESSAGES")
        #expect(try value(of: "MESSAGE", hand) == "one too many", "the text stays in the field")
    }

    @Test func messageShowsSenderAndTime() async throws {
        let (ada, bob) = try await chatting(try await Box())
        try ada.screen.type("hello there", into: "MESSAGE")
        try ada.press("CALL")
        try await bob.screen.wait(for: "1 UNREAD")
        try bob.open("MESSAGES")
        try await bob.screen.wait(for: "Ada")
        try bob.screen.tap("Ada")
        try await bob.screen.wait(for: "hello there")
        try await ada.screen.wait(for: "READ")
        for (hand, sender) in [(ada, "YOU"), (bob, "Ada")] {
            let texts = hand.screen.texts.filter { $0 != "✓" && $0 != "✓✓" }
            let index = try #require(texts.firstIndex(of: "hello there"))
            #expect(texts[index - 2] == sender, "\(texts)")
            #expect(texts[index - 1].contains(/^\d{1,2}:\d\d/), "\(texts)")
        }
    }

    // MARK: Names

    @Test func namelessUserIsShownByHexCode() async throws {
        let box = try await Box()
        let (ada, bob) = (try await Handheld.nameless(box), try await Handheld.ready(box, "Bob"))
        let code = try await ada.code()
        try ada.open("ADD FRIEND")
        try ada.screen.type(try await bob.code(), into: "HEX")
        try ada.press("CALL")
        try await ada.screen.wait(for: "REQUEST SENT")
        try await bob.openRequest(of: code)
        #expect(bob.screen.has(code), "as the title")
        try bob.screen.tap("ACCEPT")
        try await bob.screen.wait(for: "NOW FRIENDS")
        try bob.press("END", "END")
        try bob.open("FRIENDS")
        try await bob.screen.wait(for: code)
        try bob.press("END")
        try await ada.screen.wait(for: "Bob")
        try ada.screen.tap("Bob")
        try await ada.screen.wait(for: "NO MESSAGES")
        try ada.screen.type("guess who", into: "MESSAGE")
        try ada.press("CALL")
        try await bob.screen.wait(for: "1 UNREAD")
        try bob.open("MESSAGES")
        try await bob.screen.wait(for: code)
        try bob.screen.tap(code)
        try await bob.screen.wait(for: "guess who")
        #expect(bob.screen.all(code).count >= 2, "the title, and the sender of the message")
    }

    @Test func failedFirstNameCanBeRetried() async throws {
        let box = try await Box()
        let hand = Handheld(box)
        try await hand.screen.wait(for: "CALL: START")
        try hand.press("CALL")
        try await hand.screen.wait(for: "CALL: SAVE")
        box.network.cut()
        try hand.screen.type("Ada", into: "NAME")
        try hand.press("CALL")
        try await hand.screen.wait(for: "NETWORK ERROR")
        #expect(try value(of: "NAME", hand) == "Ada")
        box.network.mend()
        box.network.set { $0.answer = .init(400, code: "INVALID_DISPLAY_NAME", path: "/display-name") }
        try hand.press("CALL")
        try await hand.screen.wait(for: "INVALID NAME")
        box.network.set { $0.answer = nil }
        try hand.press("CALL")
        try await hand.screen.wait(for: "CALL: SELECT")
        try hand.open("SETTINGS")
        #expect(hand.screen.has("Ada"))
    }

    @Test func failedNameChangeKeepsTheOldName() async throws {
        let box = try await Box()
        let hand = try await Handheld.ready(box, "Ada")
        try hand.open("SETTINGS")
        try hand.screen.tap("NAME")
        box.network.cut()
        try hand.screen.type("Grace", into: "NAME")
        try hand.press("CALL")
        try await hand.screen.wait(for: "NETWORK ERROR")
        try hand.press("END")
        #expect(hand.screen.has("Ada") && !hand.screen.has("Grace"))
    }

    // MARK: Friends

    @Test func failedRequestKeepsTheCodeForRetry() async throws {
        let box = try await Box()
        let (ada, bob) = (try await Handheld.ready(box, "Ada"), try await Handheld.ready(box, "Bob"))
        let code = try await bob.code()
        try ada.open("ADD FRIEND")
        try ada.screen.type(code, into: "HEX")
        box.network.cut()
        try ada.press("CALL")
        try await ada.screen.wait(for: "NETWORK ERROR")
        #expect(try value(of: "HEX", ada) == code)
        box.network.mend()
        box.network.set { $0.answer = .init(400, code: "INVALID_HEX_CODE", path: "/friends/request") }
        try ada.press("CALL")
        try await ada.screen.wait(for: "INVALID HEX")
        box.network.set { $0.answer = nil }
        try ada.press("CALL")
        try await ada.screen.wait(for: "REQUEST SENT")
        try await ada.screen.wait(for: "NO FRIENDS YET")
    }

    @Test(arguments: [("ACCEPT", "NOW FRIENDS"), ("REJECT", "NO REQUESTS")])
    func failedAnswerKeepsTheRequest(_ answer: String, _ words: String) async throws {
        let box = try await Box()
        let (_, bob) = try await Handheld.asking(box)
        box.network.cut()
        try bob.screen.tap(answer)
        try await bob.screen.wait(for: "NETWORK ERROR")
        #expect(bob.screen.has("ACCEPT") && bob.screen.has("REJECT") && bob.screen.has("Ada"))
        box.network.mend()
        try bob.screen.tap(answer)
        try await bob.screen.wait(for: words)
        while !bob.screen.has("MY HEX") { try bob.press("END") }
        try bob.open("FRIEND REQUESTS")
        try await bob.screen.wait(for: "NO REQUESTS")
    }

    @Test func failedRemovalKeepsTheFriend() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
        try ada.press("#")
        box.network.cut()
        try ada.screen.tap("REMOVE")
        try await ada.screen.wait(for: "NETWORK ERROR")
        try ada.press("END")
        #expect(ada.screen.has("Bob"))
    }

    // MARK: Keys

    @Test func starHashAndHoldEditTheText() async throws {
        let (ada, _) = try await chatting(try await Box())
        try ada.press("*", "4", "4", "*", "7", "7", "*")
        try ada.screen.pressKey(.rightArrow)
        try ada.press("2")
        #expect(try value(of: "MESSAGE", ada) == "h77A")
        try ada.press("#", "#")
        #expect(try value(of: "MESSAGE", ada) == "h7")
        try ada.screen.longPress("9")
        #expect(try value(of: "MESSAGE", ada) == "h79")
        // A key that was just tapped types its digit as well.
        try ada.press("9")
        try ada.screen.longPress("9")
        #expect(try value(of: "MESSAGE", ada) == "h79W9")
    }

    @Test func keysClickAndMessagesBeepAndVibrate() async throws {
        let (ada, bob) = try await chatting(try await Box())
        let before = bob.device.played.count
        try bob.press("8")
        try await eventually { await bob.device.played.count > before }
        #expect(bob.device.played.last?.notes.count == 1, "one short note")
        #expect(bob.device.vibrations == 0)
        try ada.screen.type("beep", into: "MESSAGE")
        try ada.press("CALL")
        try await eventually { await bob.device.vibrations == 1 }
        #expect(bob.device.played.last?.notes.filter { $0.frequency > 0 }.count == 3)
    }

    // MARK: Texts

    @Test(arguments: [
        (PagerProblem.network, "NETWORK ERROR"), (.timeout, "TIMEOUT"), (.userNotFound, "USER NOT FOUND"),
        (.alreadyFriends, "ALREADY FRIENDS"), (.requestAlreadySent, "REQUEST ALREADY SENT"), (.messageTooLong, "MESSAGE TOO LONG"),
        (.name(nil), "INVALID NAME"), (.name(.empty), "NAME CANNOT BE EMPTY"), (.name(.tooLong), "NAME MUST BE 1-20 CHARS"),
        (.name(.invalidCharacters), "INVALID CHARACTERS"), (.sessionExpired, "SESSION EXPIRED"), (.expired, "NOT SENT - EXPIRED"),
    ])
    func problemTextsMatchTheContract(_ problem: PagerProblem, _ words: String) {
        #expect(problem.text == words)
    }
}

extension Handheld {
    /// A registered phone without a name, on the menu.
    fileprivate static func nameless(_ box: Box) async throws -> Handheld {
        let hand = Handheld(box)
        try await hand.screen.wait(for: "CALL: START")
        try hand.press("CALL")
        try await hand.screen.wait(for: "END: SKIP")
        try hand.press("END")
        try await hand.screen.wait(for: "CONNECTED")
        return hand
    }
}
