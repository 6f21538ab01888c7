import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing

/// The screen of a conversation.
@Suite struct ConversationScreenTests {
    @Test func refusedMicrophoneOpensTheTextField() async throws {
        let box = try await TalkBox()
        let device = TalkHand.device()
        device.speech.allowsMicrophone = false
        let hand = try await TalkHand.talking(box, device: device)
        #expect(!hand.screen.has("draft"))
        try await hand.hold()
        try await hand.screen.wait(for: "draft")
        #expect(hand.screen.has("The microphone is not allowed. Allow it in the settings, or write instead."))
        try await hand.write("I like tea.")
        #expect(hand.screen.has("I like tea."))
    }

    @Test func phoneWithoutMicrophoneWrites() async throws {
        let hand = try await TalkHand.talking(try await TalkBox())
        #expect(hand.screen.has("draft") && !hand.screen.has("talk") && !hand.screen.has("Speak"))
    }

    @Test func insecurePageSaysWhyThereIsNoMicrophone() async throws {
        let hand = try await TalkHand.talking(try await TalkBox(), device: TestPhone(isSecure: false))
        #expect(hand.screen.has("draft") && !hand.screen.has("talk"))
        #expect(
            hand.screen.has(
                "This page’s address isn’t secure, so the browser doesn’t allow this. Open the app at an https:// address. Write instead."
            ))
        #expect(!(try await TalkHand.talking(try await TalkBox())).screen.has("insecure-page"))
    }

    @Test func reasonOfAMissingAnswerIsShown() async throws {
        let box = try await TalkBox()
        box.tutor.set { ($0.unanswered, $0.reason) = (["Hm."], "The chat server has no model.") }
        let hand = try await TalkHand.talking(box)
        try hand.screen.type("Hm.", into: "draft")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "The tutor did not answer. Try again, or go on.")
        #expect(hand.screen.has("The chat server has no model."))
    }

    @Test func tapWithoutAPressStartsAndEndsARecording() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.transcript = { _ in "I like tea." } }
        let hand = try await TalkHand.talking(box, device: TalkHand.device())
        try hand.screen.tap("talk")
        try await hand.screen.wait { hand.conversation?.recordingState == .recording }
        #expect(try hand.screen.find("talk").label == "Stop and Send")
        try hand.screen.tap("talk")
        try await hand.screen.wait(for: "I like tea.")
    }

    @Test func recordingCanBeDiscarded() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box, device: TalkHand.device())
        try hand.screen.tap("talk")
        try await hand.screen.wait { hand.conversation?.recordingState == .recording }
        try hand.screen.tap("Discard Recording")
        try await hand.screen.wait { hand.conversation?.recordingState == .idle }
        #expect(box.tutor.heard == [] && hand.conversation?.messages.count == 1)
    }

    @Test func interruptedRecordingIsSaid() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box, device: TalkHand.device([Data()]))
        try hand.screen.tap("talk")
        try await hand.screen.wait { hand.conversation?.recordingState == .recording }
        hand.device.speech.interrupt()
        try await hand.screen.wait(for: "The recording was interrupted by a call or another app. Say it again.")
        try hand.screen.tap("Dismiss")
        #expect(!hand.screen.has("problem"))
    }

    @Test func choicesCanBeReadAloudOrTapped() async throws {
        let box = try await TalkBox(hearing: .choices)
        box.tutor.set {
            $0.choices = ["I stayed at home.", "I went out."]
            $0.transcript = { _ in "I went out." }
        }
        let hand = try await TalkHand.talking(box, device: TalkHand.device())
        #expect(hand.screen.has("choices") && hand.screen.has("Read one aloud, tap one, or write your own:"))
        try await hand.hold()
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "I went out."))
        try await hand.screen.wait { hand.conversation?.isWaiting == false && hand.screen.has("choices") }
        try hand.screen.tap("I stayed at home.")
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "I stayed at home."))
    }

    @Test func unansweredTurnCanBeRetriedOrDiscarded() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.unanswered = ["Hm."] }
        let hand = try await TalkHand.talking(box)
        try hand.screen.type("Hm.", into: "draft")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "turn-problem")
        #expect(hand.screen.has("The tutor did not answer. Try again, or go on."))
        box.tutor.set { $0.unanswered = [] }
        try hand.screen.tap("Try Again")
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "Hm."))
        #expect(!hand.screen.has("turn-problem"))
    }

    @Test func turnOfALostConnectionIsSentAgainOrDiscarded() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        box.network.cut()
        try hand.screen.type("I like tea.", into: "draft")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "It is sent again by itself.")
        try hand.screen.tap("Discard")
        try await hand.screen.wait { !hand.screen.has("turn-problem") }
        try hand.screen.type("I like coffee.", into: "draft")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: "It is sent again by itself.")
        box.network.mend()
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "I like coffee."))
        #expect(box.tutor.heard == ["I like coffee."])
    }

    @Test func turnIsNoLongerBeingSentWhileItsAnswerIsSpoken() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        box.tutor.set { ($0.isHeld, $0.writesFirst) = (true, true) }
        try hand.screen.type("To Korea.", into: "draft")
        try hand.screen.tap("Send")
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "To Korea."))
        #expect(hand.conversation?.isWaiting == true && !hand.screen.has("Sending…"))
        box.tutor.set { $0.isHeld = false }
        try await hand.screen.wait { hand.conversation?.isWaiting == false }
    }

    @Test func returnSendsTheAnswerJustTyped() async throws {
        let hand = try await TalkHand.talking(try await TalkBox())
        if !hand.screen.has("draft") { try hand.screen.tap("Write") }
        try hand.screen.pressReturn(in: "draft")
        try hand.screen.type("I like tea.", into: "draft")
        try hand.screen.pressReturn(in: "draft")
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "I like tea."))
        #expect(hand.box.tutor.heard == ["I like tea."])
    }

    @Test func endAsksWhileATurnHasNoAnswer() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        box.tutor.set { $0.isHeld = true }
        try hand.screen.type("I like tea.", into: "draft")
        try hand.screen.tap("Send")
        try await hand.screen.wait { hand.conversation?.hasUnsentTurn == true }
        try hand.screen.tap("end-conversation")
        try await hand.screen.wait(for: "End the conversation?")
        try hand.screen.tap("Keep Talking")
        box.tutor.set { $0.isHeld = false }
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "I like tea."))
        #expect(hand.conversation?.phase == .open)
    }

    @Test func pausedTalkGoesOnFromTheTopics() async throws {
        let hand = try await TalkHand.talking(try await TalkBox())
        try await hand.write("I like tea.")
        try hand.screen.tap("pause")
        try await hand.screen.wait(for: "open-session")
        #expect(hand.screen.has("Continue the conversation") && hand.talk.openSession != nil)
        try hand.screen.tap("open-session")
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "I like tea."))
        try await hand.write("And coffee.")
        #expect(hand.box.tutor.openCount == 1)
    }

    @Test func wayBackAsksBeforeItLeavesATalk() async throws {
        let hand = try await TalkHand.talking(try await TalkBox())
        try await hand.write("I like tea.")
        try hand.screen.escape()
        try await hand.screen.wait(for: "Leave the conversation?")
        try hand.screen.tap("Keep Talking")
        try await hand.screen.wait { !hand.screen.has("Leave the conversation?") }
        #expect(hand.conversation?.phase == .open && hand.screen.has("end-conversation"))
        try hand.screen.escape()
        try await hand.screen.wait(for: "Go On Later")
        try hand.screen.tap("Go On Later")
        try await hand.screen.wait(for: "open-session")
        try hand.screen.tap("open-session")
        try await hand.screen.wait(for: "end-conversation")
        try hand.screen.escape()
        try await hand.screen.wait(for: "Leave the conversation?")
        try hand.screen.tap("End Conversation")
        try await hand.screen.wait(for: "end-review")
    }

    @Test func wordsOfTheTutorAreExplained() async throws {
        let hand = try await TalkHand.talking(try await TalkBox(help: ScriptedHelp(translates: false)))
        #expect(!hand.screen.has("Translate"))
        try hand.screen.tap("Words")
        try await hand.screen.wait(for: "Tap a word")
        try hand.screen.tap("today")
        try await hand.screen.wait(for: "今天")
        try hand.screen.tap("did")
        try await hand.screen.wait(for: "It is not in the dictionary.")
        try hand.screen.tap("Done")
        try await hand.screen.wait { !hand.screen.has("Tap a word") }
        #expect(!hand.screen.has("meaning"))
    }

    @Test func translationIsShownAndHidden() async throws {
        let hand = try await TalkHand.talking(try await TalkBox(help: ScriptedHelp()))
        try hand.screen.tap("Translate")
        try await hand.screen.wait(for: "你好！你今天做了什麼？")
        try hand.screen.tap("Hide Translation")
        try await hand.screen.wait { !hand.screen.has("translation") && hand.screen.has("Translate") }
    }

    @Test func serviceWithoutHelpOffersNone() async throws {
        let hand = try await TalkHand.talking(try await TalkBox())
        #expect(!hand.screen.has("Words") && !hand.screen.has("Translate"))
    }

    @Test func tutorsWordsCanBeHeardAgain() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        try await hand.screen.wait { hand.screen.has("Play again") }
        let count = hand.device.speech.playbacks.count
        try hand.screen.tap("Play again")
        try await hand.screen.wait { hand.device.speech.playbacks.count == count + 1 && hand.screen.has("Play again") }
        #expect(hand.device.speech.playbacks.last == ScriptedTutor.voice(of: "Hello! What did you do today?"))
    }

    @Test func draftSurvivesARestart() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        do {
            let hand = try await TalkHand.talking(box, device: device)
            try hand.screen.type("I was going to", into: "draft")
            await hand.talk.flush()
        }
        let hand = TalkHand(box, device: device)
        try await hand.screen.wait(for: "open-session")
        try hand.screen.tap("open-session")
        try await hand.screen.wait(for: "draft")
        #expect(try hand.screen.find("draft", .field).attributes[.value]?.text == "I was going to")
    }
}
