import Pager2077Client
import Pager2077TestKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

/// The screens that delete the account, block and report.
@Suite struct SafetyScreensTests {
    /// Opens what can be done about a friend from the menu.
    private func openOptions(of friend: String, on hand: Handheld) async throws {
        try hand.open("FRIENDS")
        try await hand.screen.wait(for: friend)
        try hand.press("#")
        #expect(hand.screen.has("BLOCK") && hand.screen.has("REPORT"))
    }

    @Test func accountIsDeletedAfterItsCodeIsEntered() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        let code = try await ada.code()
        try ada.open("SETTINGS")
        try ada.screen.tap("DELETE ACCOUNT")
        #expect(ada.screen.has("THIS CANNOT BE UNDONE."))
        try ada.screen.tap("KEEP THE ACCOUNT")
        #expect(ada.screen.has("PREVIEWS"))
        try ada.screen.tap("DELETE ACCOUNT")
        try ada.screen.tap("CONTINUE")
        #expect(ada.screen.has("HEX \(code)"))
        try ada.press("1", "CALL")
        #expect(ada.screen.has("A HEX HAS 8 DIGITS"))
        try ada.press("#")
        try ada.screen.type(code == "00000000" ? "00000001" : "00000000", into: "HEX")
        try ada.press("CALL")
        try await ada.screen.wait(for: "THIS IS NOT YOUR HEX")
        try ada.screen.type("", into: "HEX")
        try ada.typeCode(code)
        try ada.press("CALL")
        try await ada.screen.wait(for: "YOUR ACCOUNT IS DELETED")
        #expect(ada.screen.has("CALL: START"))
        try bob.open("FRIENDS")
        try await bob.screen.wait(for: "NO FRIENDS YET")
        // A new account begins at the menu.
        try ada.press("CALL")
        try await ada.screen.wait(for: "CALL: SAVE")
        try ada.press("END")
        try await ada.screen.wait(for: "MY HEX")
        #expect(try await ada.code() != code)
    }

    @Test func openChatTellsThatTheFriendIsGone() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        let code = try await ada.code()
        try await bob.openChat(with: "Ada")
        // Nobody sees the message before the account goes.
        ada.scene.phase = .background
        try bob.screen.type("are you there?", into: "MESSAGE")
        try bob.press("CALL")
        try await bob.screen.wait(for: "SENT - WAITING FOR REPLY")
        try await ada.pager.deleteAccount(confirmedBy: code)
        try await bob.screen.wait(for: "ACCOUNT DELETED")
        #expect(bob.screen.has("NOT DELIVERED") && bob.screen.has("are you there?") && bob.screen.has("Ada"))
        #expect(!bob.screen.has("CALL: SEND"))
        try bob.press("CALL")
        #expect(bob.screen.has("are you there?"))
    }

    @Test func friendIsBlockedAndUnblocked() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        try await openOptions(of: "Bob", on: ada)
        try ada.screen.tap("BLOCK")
        #expect(ada.screen.has("BLOCK Bob?") && ada.screen.has("THE PERSON IS NOT TOLD. PAGES UP TO NOW STAY."))
        try ada.press("8", "CALL")
        try await ada.screen.wait(for: "BLOCKED")
        try await ada.screen.wait(for: "NO FRIENDS YET")
        // The blocked person's pager is as before.
        try await bob.openChat(with: "Ada")
        try bob.screen.type("hello?", into: "MESSAGE")
        try bob.press("CALL")
        try await bob.screen.wait(for: "SENT - WAITING FOR REPLY")
        try ada.press("END")
        try ada.open("SETTINGS")
        try ada.screen.tap("BLOCKED PEOPLE")
        try await ada.screen.wait(for: "Bob")
        try ada.press("CALL")
        try ada.screen.tap("PAGES")
        try await ada.screen.wait(for: "BLOCKED - UNBLOCK TO REPLY")
        #expect(!ada.screen.has("hello?"))
        try ada.press("CALL")
        #expect(ada.screen.has("YOU HAVE BLOCKED THIS PERSON"))
        try ada.press("END")
        try ada.screen.tap("UNBLOCK")
        try await ada.screen.wait(for: "NOBODY IS BLOCKED")
        try ada.press("END", "END")
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
    }

    @Test func pageIsReportedWithItsReasonAndTheSenderBlocked() async throws {
        let box = try await Box()
        let (ada, bob) = try await Handheld.friends(box)
        try await bob.openChat(with: "Ada")
        try bob.screen.type("mean words", into: "MESSAGE")
        try bob.press("CALL")
        try ada.open("FRIENDS")
        try await ada.screen.wait(for: "Bob")
        try ada.press("CALL")
        try await ada.screen.wait(for: "mean words")
        // Nothing is typed: the key has nothing to delete.
        #expect(ada.screen.has("#: MORE"))
        try ada.press("#")
        try ada.screen.tap("REPORT")
        #expect(ada.screen.has("WHAT DO YOU REPORT?"))
        try ada.screen.tap("mean words")
        try ada.screen.tap("HARASSMENT")
        #expect(ada.screen.has("THE OPERATOR OF THIS SERVICE GETS THE REASON AND THE HEX AND NAME OF Bob."))
        #expect(ada.screen.has("mean words"))
        try ada.screen.tap("REPORT AND BLOCK")
        try await ada.screen.wait(for: "REPORTED - THANK YOU")
        try await ada.screen.wait(for: "NO FRIENDS YET")
    }

    @Test func lastDeletedLetterDoesNotOpenTheOptions() async throws {
        let box = try await Box()
        let (ada, _) = try await Handheld.friends(box)
        try await ada.openChat(with: "Bob")
        let now = ContinuousClock.now
        ada.device.inputTime = now
        try ada.press("2", "#", "#")
        #expect(ada.screen.has("MESSAGE") && !ada.screen.has("BLOCK"))
        ada.device.inputTime = now + .seconds(2)
        try ada.press("#")
        #expect(ada.screen.has("BLOCK"))
        try ada.press("END")
        #expect(ada.screen.has("MESSAGE"))
    }

    @Test func senderOfARequestIsBlocked() async throws {
        let (ada, bob) = try await Handheld.asking(try await Box())
        try bob.screen.tap("BLOCK")
        #expect(bob.screen.has("DO NOT BLOCK"))
        try bob.press("8", "CALL")
        try await bob.screen.wait(for: "NO REQUESTS")
        #expect(bob.screen.has("FRIEND REQUESTS"))
        #expect(!ada.screen.has("BLOCKED"))
    }
}
