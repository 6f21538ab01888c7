import EndlessCodeApp
import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

/// Words of the agent's program, and its own answers to a permission, on the screen.
@MainActor
@Suite struct NoticeTests {
    @Test func aRepeatedRequestSaysWhatFailsAndWhen() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        let id = try hand.conversation.id
        try hand.client.inject(.working, in: id)
        try hand.client.inject(.notice(Notice(Notice.Kind.retry, reason: "overloaded", attempt: 3)), in: id)
        try await hand.screen.wait(for: "The model’s service is overloaded.")
        try await hand.screen.wait { hand.screen.texts.contains { $0.hasPrefix("Attempt 3 of 10 in ") } }
        try hand.client.inject(.notice(Notice(Notice.Kind.retry, reason: "authentication_failed", attempt: 4)), in: id)
        try await hand.screen.wait { hand.screen.texts.contains { $0.contains("Log in to the agent on the computer.") } }
        #expect(hand.screen.all("notice").count == 1)
        try hand.client.inject(.result(TurnResult("success")), in: id)
        try await hand.screen.wait(for: "Attempt 4 of 10")
    }

    @Test func wordsOfTheProgramAreShown() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        let id = try hand.conversation.id
        try hand.client.inject(.notice(Notice(Notice.Kind.forgotten)), in: id)
        try await hand.screen.wait(for: "The agent could not resume this conversation. It remembers nothing from before.")
        try hand.client.inject(.notice(Notice(Notice.Kind.warning, "Careful.")), in: id)
        try await hand.screen.wait(for: "Careful.")
    }

    @Test func theAgentsOwnAnswersAreOffered() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        let id = try hand.conversation.id
        try hand.client.injectQuestion(
            PromptRequest.ID("p"),
            [
                QuestionOption("Deny", name: "Reject", kind: "reject_once"), QuestionOption("Always Allow", kind: "allow_always"),
                QuestionOption("Never", kind: "reject_always"),
            ], in: id
        ) {
            $0.toolKind = "edit"
            $0.toolContent = [.text("$ ls -l"), .diff(path: "a.txt", old: "x", new: "brand new")]
        }
        try await hand.screen.wait(for: "Always Allow")
        for text in ["Reject", "Never", "Also allows later uses", "Also refuses later uses", "$ ls -l"] {
            try await hand.screen.wait(for: text)
        }
        try await hand.screen.wait { hand.screen.texts.contains { $0.contains("brand") } }
        // Nothing allows this one use alone.
        #expect(!hand.screen.has("Allow"))
    }

    @Test func aToolThatWasStoppedSaysSo() async throws {
        let hand = try await AgentHand.chatting(try await AgentBox())
        let id = try hand.conversation.id
        try hand.client.inject(.toolUse(ToolUse("t", "Bash", .object(["command": .string("sleep")]))), in: id)
        try await hand.screen.wait(for: "Running")
        try hand.client.inject(.result(TurnResult("crashed")), in: id)
        try await hand.screen.wait { !hand.screen.has("Running") && hand.screen.has("Stopped") }
    }
}
