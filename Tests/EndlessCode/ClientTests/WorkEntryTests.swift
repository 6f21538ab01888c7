import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Tools that are told piece by piece or never end, and words of the agent's program.
@MainActor
@Suite struct WorkEntryTests {
    let box: AgentBox
    let phone: AgentPhone
    let conversation: Conversation

    init() async throws {
        box = try await AgentBox()
        phone = try await box.connected()
        conversation = try await phone.startSession()
    }

    private func receive(_ messages: Message.Content...) throws {
        for message in messages { try phone.client.inject(message, in: conversation.id) }
    }

    @Test func aToolOfWhichMoreIsToldStaysOneEntry() throws {
        try receive(.toolUse(ToolUse("t", "Edit")))
        let id = conversation.entries.last?.id
        let diff = ToolContent.diff(path: "a", old: "x", new: "y")
        try receive(.toolUse(ToolUse("t", "Edit a", .object(["path": .string("a")]), kind: "edit", content: [diff])))
        #expect(conversation.tools.count == 1 && conversation.entries.last?.id == id)
        let call = try #require(conversation.tools.last)
        #expect(call.name == "Edit a" && call.kind == "edit" && call.content == [diff] && call.isRunning)
        // The end comes before the output.
        try receive(.toolResult(ToolResult("t", "")), .toolResult(ToolResult("t", "done")))
        #expect(conversation.tools.map(\.output) == ["done"])
    }

    @Test(arguments: ["crashed", "interrupted"]) func whatRanAtTheEndDoesNotRunForEver(_ reason: String) throws {
        try receive(.toolUse(ToolUse("t", "Bash")), .toolUse(ToolUse("u", "Bash")), .toolResult(ToolResult("u", "ok")))
        #expect(conversation.tools.map(\.isRunning) == [true, false])
        try receive(.result(TurnResult(reason)))
        #expect(conversation.tools.map(\.wasStopped) == [true, false] && conversation.tools.allSatisfy { !$0.isRunning })
        // A sub-agent in the background goes on behind a turn that has ended well.
        try receive(.toolUse(ToolUse("v", "Write")), .result(TurnResult("success")))
        #expect(conversation.tools.last?.isRunning == true)
    }

    @Test func onlyTheLatestAttemptIsShown() throws {
        try receive(
            .notice(Notice(Notice.Kind.retry, reason: "overloaded", attempt: 1)),
            .notice(Notice(Notice.Kind.retry, reason: "overloaded", attempt: 2)))
        #expect(conversation.outline.last == "notice: retry" && conversation.entries.count == 1)
        #expect(conversation.retry?.attempt == 2)
        try receive(.notice(Notice(Notice.Kind.compacting)), .notice(Notice(Notice.Kind.compacted)))
        #expect(conversation.retry == nil)
        try receive(.notice(Notice("something_new", "words")), .notice(Notice("something_new", "more")))
        #expect(
            conversation.outline == ["notice: retry", "notice: compacted", "notice: something_new", "notice: something_new"])
    }

    @Test func aTextThatWasGivenUpIsGone() throws {
        func piece(_ id: String, _ text: String) throws {
            try phone.client.received(
                .output(
                    Output(
                        sessionId: conversation.id, seq: nil,
                        message: Message(.chat(Chat(id: id, role: .assistant, content: text, timestamp: .now, offset: 0))),
                        timestamp: .now)))
        }
        try piece("x", "Half")
        #expect(conversation.outline == ["writing: Half"])
        for id in ["x", "x", "y"] { try piece(id, "") }
        #expect(conversation.outline == [])
        try piece("x", "The real")
        #expect(conversation.outline == ["writing: The real"])
    }

    @Test func theEndIsToldOnceTheAgentIsIdle() async throws {
        await phone.client.setNotifications(true)
        phone.client.setNotificationContent(.full)
        phone.client.setInFront(false, screen: phone)
        try phone.client.inject(.working, in: conversation.id)
        try receive(.result(TurnResult("success")))
        try receive(.chat(Chat(id: "report", role: .assistant, content: "The report.", timestamp: .now)))
        try receive(.result(TurnResult("end_turn")))
        #expect(phone.phone.shown.isEmpty)
        try phone.client.inject(.idle, in: conversation.id)
        try await phone.until { _ in phone.phone.shown.map(\.body) == ["The report."] }
    }

    @Test func anAgentsOwnOptionAllowsOrRefuses() throws {
        let options = [
            QuestionOption("Deny", kind: "reject_once"), QuestionOption("Always", kind: "allow_always"),
            QuestionOption("Never", kind: "reject_always"),
        ]
        for (number, option) in options.enumerated() {
            let id = PromptRequest.ID("p\(number)")
            try receive(.toolUse(ToolUse("t\(number)", "Run")))
            try phone.client.injectQuestion(id, options, in: conversation.id) { $0.toolUseId = "t\(number)" }
            try phone.client.injectAnswer([option.label], allows: option.allows, to: id, in: conversation.id)
            #expect(conversation.tools.last?.permission?.allows == option.kind?.hasPrefix("allow"))
        }
    }
}
