import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

@testable import EndlessCodeApp

/// The Chat tab on the real client, the real service and the demo agent.
@Suite struct ChatTests {
    // MARK: Text

    @Test func aPromptStreamsToItsResult() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox(.demo(pace: .milliseconds(2))))
        #expect(try !hand.isEnabled("Send"))
        try hand.send("code")
        try await hand.screen.wait(for: "You: code")
        try await hand.screen.wait(for: "A function in Swift:")
        try await hand.screen.wait(for: "result")
        #expect(hand.screen.has("Done") && hand.screen.has("Today") && hand.screen.has("Now") && hand.screen.has("Swift"))
        #expect(try hand.screen.find("message", .field).attributes[.value]?.text == "")
        // One colour for each kind of token: the name of a type has another one than a keyword.
        let code = hand.screen.all("code").flatMap(\.withDescendants)
        #expect(code.contains { $0.kind == .run && $0.attributes[.text]?.text == "func" })
        #expect(code.contains { $0.kind == .run && $0.attributes[.text]?.text == "gcd" })
    }

    @Test func codeIsCopiedWhole() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("code")
        try await hand.screen.wait(for: "result")
        try hand.screen.tap("Copy")
        try await eventually { await hand.device.copied?.isEmpty == false }
        // The last button copies the answer, its Markdown included.
        #expect(hand.device.copied?.hasPrefix("A function in Swift:\n\n```swift\n") == true)
    }

    @Test func codeScrollsSidewaysAndZoomsWithinItsLimits() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("code")
        try await hand.screen.wait(for: "result")
        let code = try #require(hand.screen.all("code").first)
        let scroller = try #require(code.withDescendants.first { $0.kind == .scroll })
        #expect(scroller.attributes[.axis] == "h")
        #expect(!hand.screen.has("zoom"))
        for (scale, shown) in [(2.0, "200 %"), (9, "300 %"), (0.01, "50 %")] {
            hand.screen.host.send(
                .pinch, to: scroller.id,
                .pinch(PinchReport(magnification: scale, velocity: 0, start: .zero, anchor: .center, isOver: false)))
            hand.screen.host.send(
                .pinch, to: scroller.id,
                .pinch(PinchReport(magnification: scale, velocity: 0, start: .zero, anchor: .center, isOver: true)))
            #expect(hand.screen.texts.contains(shown))
        }
        try hand.screen.tap("zoom")
        #expect(!hand.screen.has("zoom"))
    }

    @Test func tablesHaveCells() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("table")
        try await hand.screen.wait(for: "result")
        let grid = try #require(hand.screen.visible.first { $0.kind == .cells })
        #expect(grid.pageChildren.filter { $0.kind == .cellrow }.count == 4)
    }

    @Test func promptOfATurnIsQueuedBelowWhatRuns() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox(.demo(pace: .milliseconds(400))))
        try hand.send("count slow")
        try await hand.screen.wait { hand.screen.texts.contains { $0.hasPrefix("1 steps") } }
        try hand.send("list")
        try await hand.screen.wait(for: "Queued")
        let texts = hand.screen.texts
        let (working, queued) = (try #require(texts.firstIndex(of: "Working")), try #require(texts.firstIndex(of: "Queued")))
        #expect(working < queued)
        try hand.screen.tap("Stop")
        try await hand.screen.wait { hand.screen.all("result").count == 2 }
        #expect(!hand.screen.has("Queued"))
    }

    @Test func promptThatWasNotDeliveredIsSentAgain() async throws {
        // The first turn outlasts what follows on any machine.
        let hand = try await AgentHand.chatting(try await AgentBox(.demo(pace: .milliseconds(400))))
        try hand.send("count slow")
        try await hand.screen.wait { hand.screen.texts.contains { $0.hasPrefix("1 steps") } }
        try hand.send("list")
        try await hand.screen.wait(for: "Queued")
        // The agent has the first one in its queue, the host keeps the second.
        try hand.send("read")
        try await hand.screen.wait { hand.screen.all("queued").count == 2 }
        let id = try hand.conversation.id
        try await hand.client.pause(id)
        try await hand.screen.wait(for: "Waits until the session is resumed")
        try await hand.client.terminate(id)
        try await hand.screen.wait(for: "Not delivered to the agent")
        try hand.screen.tap("Resume")
        try await hand.screen.wait { !hand.screen.has("Resume") }
        // The agent may have taken up the first one while it ended.
        while hand.screen.has("Send Again") {
            let count = hand.screen.texts.count { $0 == "Not delivered to the agent" }
            try hand.screen.tap("Send Again")
            try await hand.screen.wait { hand.screen.texts.count { $0 == "Not delivered to the agent" } < count }
        }
        try await hand.screen.wait { hand.screen.all("result").last?.texts.contains("Done") == true }
    }

    @Test func stopEndsTheTurnAndNotTheSession() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox(.demo(pace: .milliseconds(40))))
        try hand.send("count slow")
        try await hand.screen.wait { hand.screen.texts.contains { $0.hasPrefix("1 steps") } }
        #expect(hand.screen.has("Stop"))
        try hand.screen.tap("Stop")
        try await hand.screen.wait(for: "Stopped")
        try await hand.screen.wait { !hand.screen.has("Stop") }
        #expect(!hand.screen.has("Resume"))
    }

    // MARK: Tools, questions, permissions

    @Test func questionsTakeOneSeveralAndFreeAnswers() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("question")
        try await hand.screen.wait(for: "A greeting")
        #expect(hand.screen.has("prompt-sheet") && hand.screen.has("Hello from the demo"))
        #expect(try !hand.isEnabled("Send Answer"))
        // One of two: the second choice replaces the first.
        try hand.screen.tap("A reminder")
        try hand.screen.tap("A greeting")
        try hand.screen.tap("Send Answer")
        // Several, with a free text.
        try await hand.screen.wait(for: "A star")
        try hand.screen.tap("A star")
        try hand.screen.tap("A number")
        try hand.screen.type("and a hat", into: "answer-text")
        try hand.screen.tap("Send Answer")
        try await hand.screen.wait(for: "result")
        #expect(!hand.screen.has("prompt-sheet"))
        let answers = hand.screen.all("answered").map(\.texts)
        #expect(answers == [["A greeting"], ["A number, A star, and a hat"]])
    }

    @Test func aFreeAnswerNeedsNoOption() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("question")
        for (wait, answer) in [("A greeting", "a poem"), ("A star", "nothing")] {
            try await hand.screen.wait(for: wait)
            try hand.screen.type(answer, into: "answer-text")
            try hand.screen.tap("Send Answer")
        }
        try await hand.screen.wait { hand.screen.texts.contains("Your answer: a poem, nothing.") }
    }

    @Test func aPermissionShowsTheExactInputAndIsRefusedWithAReason() async throws {
        let box = try await AgentBox()
        let hand = try await AgentHand.chatting(box)
        try hand.send("edit")
        try await hand.screen.wait(for: "prompt-sheet")
        let input = try #require(hand.screen.all("input").first).texts.joined()
        #expect(input.contains(#""file_path""#) && input.contains(box.project.file("NOTES.md")) && input.contains(#""content""#))
        try hand.screen.type("Not today", into: "answer-text")
        // The text is the reason for a refusal.
        #expect(try !hand.isEnabled("Allow") && !hand.isEnabled("Allow for This Session"))
        try hand.screen.tap("Deny")
        try await hand.screen.wait(for: "result")
        #expect(hand.screen.has("Denied") && hand.screen.has("Not today"))
        #expect(hand.screen.texts.contains("I changed nothing. You said: Not today"))
        #expect(!FileManager.default.fileExists(atPath: box.project.file("NOTES.md")))
    }

    @Test func aGrantForTheSessionIsShownAsLongAsItLasts() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("edit")
        try await hand.screen.wait(for: "prompt-sheet")
        #expect(!hand.screen.has("Changes files without asking."))
        try hand.screen.tap("Allow for This Session")
        try await hand.screen.wait(for: "result")
        try await hand.screen.wait(for: "Changes files without asking.")
        let id = try hand.conversation.id
        try await hand.client.pause(id)
        try await hand.client.resume(id)
        try await hand.screen.wait("the end of the grant") { !hand.screen.has("Changes files without asking.") }
    }

    @Test func anAllowedEditShowsItsDiffAndFolds() async throws {
        let box = try await AgentBox()
        let hand = try await AgentHand.chatting(box)
        for turn in 1...2 {
            try hand.send("edit")
            try await hand.screen.wait(for: "prompt-sheet")
            try hand.screen.tap("Allow")
            try await hand.screen.wait { hand.screen.all("result").count == turn }
        }
        #expect(hand.screen.has("Allowed") && hand.screen.has("diff") && hand.screen.has("+1") && hand.screen.has("NOTES.md"))
        let signs = try hand.screen.find("diff").texts.filter { ["+", "−"].contains($0) }
        #expect(signs == ["+"])
        try hand.screen.tap("Edit")
        #expect(!hand.screen.has("diff"))
        try hand.screen.tap("Edit")
        #expect(hand.screen.has("diff"))
    }

    @Test func theAnswerOfAnotherPhoneClosesTheSheetAndIsNamed() async throws {
        let box = try await AgentBox()
        let (ada, bob) = (try await AgentHand.chatting(box, name: "Ada"), try await AgentHand.connected(to: box, name: "Bob"))
        bob.client.wantedSession = try ada.conversation.id
        try ada.send("edit")
        try await bob.screen.wait(for: "prompt-sheet")
        try await ada.screen.wait(for: "prompt-sheet")
        try ada.screen.tap("Allow")
        try await bob.screen.wait(for: "Answered on Ada")
        #expect(!bob.screen.has("prompt-sheet"))
        try await ada.screen.wait(for: "Allowed")
        #expect(!ada.screen.has("Answered on Ada"))
    }

    @Test func anAnsweredQuestionIsNotOfferedAgainOnAPhoneThatComesLater() async throws {
        let box = try await AgentBox()
        let ada = try await AgentHand.chatting(box, name: "Ada")
        try ada.send("question")
        try await ada.screen.wait(for: "prompt-sheet")
        try ada.screen.tap("A greeting")
        try ada.screen.tap("Send Answer")
        try await ada.screen.wait(for: "A star")
        try ada.screen.tap("A star")
        try ada.screen.tap("Send Answer")
        try await ada.screen.wait(for: "result")
        let bob = try await AgentHand.connected(to: box, name: "Bob")
        bob.client.wantedSession = try ada.conversation.id
        try await bob.screen.wait(for: "result")
        #expect(bob.screen.has("question") && !bob.screen.has("Answer"))
    }

    @Test func aQuestionThatIsPutOffWaitsBelowTheTranscript() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("question")
        try await hand.screen.wait(for: "prompt-sheet")
        try hand.screen.tap("Later")
        #expect(!hand.screen.has("prompt-sheet") && hand.screen.has("prompt-bar"))
        try hand.screen.tap("prompt-bar")
        #expect(hand.screen.has("prompt-sheet"))
        try hand.screen.dismiss()
        #expect(hand.screen.has("prompt-bar"))
    }

    @Test func aQuestionNeverComesOverTheTextThatIsBeingWritten() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("question")
        try hand.screen.type("half a thou", into: "message")
        try await hand.screen.wait(for: "prompt-bar")
        #expect(!hand.screen.has("prompt-sheet"))
        try hand.screen.leave("message")
        #expect(hand.screen.has("prompt-sheet"))
    }

    // MARK: Sessions and connections

    @Test func aPromptToAnEndedSessionWaitsForResume() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("code")
        try await hand.screen.wait(for: "result")
        try hand.screen.tap("session-menu")
        try hand.screen.tap("End Session")
        try await hand.screen.wait(for: "The session has ended.")
        try hand.send("table")
        try await hand.screen.wait(for: "Waits until the session is resumed")
        try hand.screen.tap("Resume")
        try await hand.screen.wait { hand.screen.all("result").count == 2 }
        #expect(!hand.screen.has("inactive") && !hand.screen.has("outgoing"))
    }

    @Test func aLostConnectionIsShownAndThePromptArrivesOnce() async throws {
        let box = try await AgentBox()
        let hand = try await AgentHand.chatting(box)
        #expect(hand.screen.has("Connected") && !hand.screen.has("banner"))
        box.network.cut()
        try await hand.screen.wait(for: "banner")
        #expect(!hand.screen.has("Connected"))
        try hand.send("code")
        try await hand.screen.wait(for: "Waits for the connection")
        box.network.mend()
        hand.client.reconnect()
        try await hand.screen.wait(for: "result")
        #expect(!hand.screen.has("banner") && !hand.screen.has("outgoing") && hand.screen.has("Connected"))
        #expect(hand.screen.all("You: code").count == 1)
    }

    @Test func aLostConnectionIsShownWithTheNextAttempt() async throws {
        let box = try await AgentBox()
        let clock = TestClock()
        let hand = try await AgentHand.connected(to: box, clock: clock)
        box.network.cut()
        // The clock stands still: the loss is shown at once.
        try await hand.screen.wait(for: "Next attempt in 1 s")
        #expect(hand.screen.has("The connection was lost."))
        // The second attempt follows after two seconds, which are counted down.
        try await clock.advance(by: .seconds(1), pause: .milliseconds(50)) { await hand.screen.has("Next attempt in 2 s") }
        try await clock.advance(by: .seconds(1), pause: .milliseconds(50)) { await hand.screen.has("Next attempt in 1 s") }
        box.network.mend()
        try await clock.advance(by: .seconds(1), pause: .milliseconds(50)) { await !hand.screen.has("banner") }
    }

    @Test func aRestartedServerGoesOnWithTheConversation() async throws {
        let box = try await AgentBox()
        let hand = try await AgentHand.chatting(box)
        try hand.send("code")
        try await hand.screen.wait(for: "result")
        let before = try hand.conversation.outline
        try await box.restart()
        hand.client.reconnect()
        try await hand.screen.wait { hand.client.status == .connected }
        #expect(try hand.conversation.outline == before)
        if hand.screen.has("Resume") { try hand.screen.tap("Resume") }
        try hand.send("earlier")
        try await hand.screen.wait { hand.screen.all("result").count == 2 }
    }

    @Test func koreanPhonesReadKorean() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox(), languages: ["ko"])
        for word in ["프로젝트", "채팅", "파일", "설정", "연결됨"] { #expect(hand.screen.has(word), "\(word)") }
        try hand.screen.type("코드", into: "message")
        try hand.screen.tap("보내기")
        try await hand.screen.wait(for: "result")
        #expect(hand.screen.has("완료") && hand.screen.has("오늘") && hand.screen.has("지금"))
    }

    // MARK: Scrolling

    @Test func theInputLeavesOnTheWayUpAndReturnsOnTheWayDown() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        for turn in 1...3 {
            try hand.send("read")
            try await hand.screen.wait { hand.screen.all("result").count == turn }
        }
        // The time of the layout after the last change has passed.
        var time = ContinuousClock.now + .seconds(10)
        func reach(_ name: String, _ index: Int) throws {
            time += .seconds(1)
            try hand.scroll(to: hand.screen.all(name)[index], at: time)
        }
        #expect(hand.screen.has("message"))
        try reach("result", 2)
        try reach("result", 1)
        #expect(!hand.screen.has("message") && hand.screen.has("Newest message"))
        try reach("result", 0)
        #expect(!hand.screen.has("message"))
        try reach("result", 1)
        #expect(hand.screen.has("message"))
        try reach("result", 0)
        #expect(!hand.screen.has("message"))
        try hand.screen.tap("Newest message")
        #expect(hand.screen.has("message") && !hand.screen.has("Newest message"))
    }

    @Test func theNewestMessageIsInSightAboveTheKeyboard() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("code")
        try await hand.screen.wait(for: "result")
        try hand.scroll(to: hand.screen.find("You: code"), at: .now + .seconds(10))
        #expect(hand.screen.has("Newest message"))
        hand.device.keyboard.isShown = true
        hand.screen.host.flush()
        let scroller = try hand.screen.find("transcript")
        let targets = try #require(scroller.withDescendants.first { $0.attributes[.targets] == .on })
        #expect(scroller.attributes[.scrollTarget] == .number(Double(try #require(targets.pageChildren.last).id)))
        #expect(scroller.attributes[.scrollAlignment]?.text == "end")
    }

    @Test func returnSendsThePromptJustTyped() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.screen.pressReturn(in: "message")
        try hand.screen.type("code", into: "message")
        try hand.screen.pressReturn(in: "message")
        try await hand.screen.wait(for: "You: code")
        try await hand.screen.wait { (try? hand.screen.find("message", .field).attributes[.value]) == "" }
    }

    @Test func answerBegunOutlivesItsSheetAndAReconnection() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("question")
        try await hand.screen.wait(for: "A greeting")
        try hand.screen.tap("A reminder")
        try hand.screen.type("before noon", into: "answer-text")
        try hand.screen.tap("Later")
        try await hand.screen.wait { !hand.screen.has("prompt-sheet") }
        hand.box.network.cutLines()
        try await hand.until { $0.status != .connected }
        try await hand.until { $0.status == .connected }
        try await hand.tap("prompt-bar")
        try await hand.screen.wait(for: "prompt-sheet")
        #expect(try hand.value(of: "answer-text") == "before noon")
        try hand.screen.tap("Send Answer")
        // The next question has a draft of its own.
        try await hand.screen.wait(for: "A star")
        #expect(try hand.value(of: "answer-text") == "")
        try hand.screen.tap("A star")
        try hand.screen.tap("Send Answer")
        try await hand.screen.wait(for: "result")
        #expect(hand.screen.all("answered").map(\.texts) == [["A reminder, before noon"], ["A star"]])
    }

    @Test func returnSendsAnAnswerAndARefusalWithItsReason() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        try hand.send("question")
        try await hand.screen.wait(for: "A greeting")
        try hand.screen.pressReturn(in: "answer-text")
        #expect(hand.screen.has("A greeting"))
        try hand.screen.type("a song", into: "answer-text")
        try hand.screen.pressReturn(in: "answer-text")
        try await hand.screen.wait(for: "A star")
        try hand.screen.tap("A star")
        try hand.screen.pressReturn(in: "answer-text")
        try await hand.screen.wait(for: "result")
        #expect(hand.screen.all("answered").contains { $0.texts.contains { $0.contains("a song") } })

        // Without a reason there is nothing to send: Return decides nothing.
        try hand.send("edit")
        try await hand.screen.wait(for: "Deny")
        try hand.screen.pressReturn(in: "answer-text")
        try hand.screen.type(" ", into: "answer-text")
        try hand.screen.pressReturn(in: "answer-text")
        #expect(hand.client.prompts(of: try hand.conversation.id).allSatisfy { $0.answer == nil })
        try hand.screen.type("Not today", into: "answer-text")
        try hand.screen.pressReturn(in: "answer-text")
        try await hand.screen.wait(for: "I changed nothing. You said: Not today")
    }
}
