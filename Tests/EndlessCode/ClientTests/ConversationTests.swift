import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import PlatformKit
import TestKit
import Testing
import WireKit

/// Conversations with the real demo agent behind the real service.
@MainActor
@Suite struct ConversationTests {
    @Test func aTurnStreamsAsksAndIsTheSameOnASecondPhone() async throws {
        let box = try await AgentBox()
        let (ada, bob) = (try await box.connected("Ada"), try await box.connected("Bob"))
        let conversation = try await ada.startSession()
        try await ada.turn("hello", in: conversation)
        let outline = conversation.outline
        #expect(outline.first == "user: hello")
        #expect(outline.last == "result: success")
        #expect(outline.contains("tool: Write"))
        let write = conversation.tools.first { $0.name == "Write" }
        #expect(write?.permission?.allows == true && write?.permission?.isOwn == true && write?.output != nil)
        #expect(try String(contentsOfFile: box.project.file("NOTES.md"), encoding: .utf8).hasPrefix("# Notes\n"))
        try await bob.until { $0.conversation(conversation.id).outline == outline }
        let closed = bob.client.conversation(conversation.id).questions.map(\.closed)
        #expect(closed.count == 2 && closed.allSatisfy { $0?.by == "Ada" && $0?.isOwn == false })
        try await bob.until { $0.sessions[conversation.id]?.activity == .idle }
        #expect(bob.client.sessions[conversation.id]?.messageCount == ada.client.sessions[conversation.id]?.messageCount)
    }

    @Test func textGrowsWhileItIsWrittenAndKeepsItsPlace() async throws {
        let box = try await AgentBox(.demo(pace: .milliseconds(10)))
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("slow", in: conversation)
        let early = try await phone.first { _ in conversation.writing.flatMap { $0.text.count > 20 ? $0 : nil } }
        try await phone.until { _ in (conversation.writing?.text.count ?? 0) > early.text.count + 100 }
        let later = try #require(conversation.writing)
        #expect(later.id == early.id && later.text.hasPrefix(early.text))
        try await phone.until { _ in conversation.resultCount == 1 }
        let final = try #require(conversation.entries.first { $0.id == early.id })
        guard case .agent(let text, false) = final.content else { throw NotThere() }
        #expect(text.hasPrefix(later.text) && text.hasSuffix("400 steps,"))
        #expect(conversation.writing == nil && conversation.entries.count == 3)
    }

    @Test func stopEndsTheTurnAndNotTheSession() async throws {
        let box = try await AgentBox(.demo(pace: .milliseconds(20)))
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("slow", in: conversation)
        try await phone.until { _ in conversation.writing != nil }
        #expect(phone.client.sessions[conversation.id]?.activity == .working)
        phone.client.stop(conversation.id)
        try await phone.until { $0.sessions[conversation.id]?.activity == .idle && conversation.resultCount == 1 }
        #expect(phone.client.sessions[conversation.id]?.state == .active)
        try await phone.turn("list", in: conversation)
        #expect(conversation.outline.last == "result: success")
    }

    @Test func deniedPermissionTellsTheAgentTheReason() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("edit", in: conversation)
        let prompt = try await phone.first { $0.prompts.first }
        #expect(prompt.isPermission && prompt.offersSession && prompt.request.toolName == "Write")
        #expect(prompt.request.toolInput == conversation.tools.last?.input)
        try phone.client.deny(prompt.id, reason: "not today")
        try await phone.until { $0.prompts.isEmpty && conversation.resultCount == 1 }
        #expect(conversation.outline.contains { $0.contains("You said: not today") })
        #expect(conversation.tools.last?.permission?.allows == false && conversation.tools.last?.isError == true)
        #expect(!FileManager.default.fileExists(atPath: box.project.file("NOTES.md")))
    }

    @Test func permissionForTheSessionIsNotAskedAgain() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("edit", in: conversation)
        try phone.client.allowForThisSession(try await phone.first { $0.prompts.first }.id)
        try await phone.until { _ in conversation.resultCount == 1 }
        try await phone.turn("edit", in: conversation) { prompt in
            Issue.record("asked again: \(prompt.request.question.question)")
            return "Deny"
        }
    }

    @Test func severalAndFreeAnswersReachTheAgent() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("question", in: conversation)
        let first = try await phone.first { $0.prompts.first }
        #expect(throws: CodeProblem.invalidAnswer) { try phone.client.answer(first.id, options: ["A greeting", "A reminder"]) }
        #expect(throws: CodeProblem.invalidAnswer) { try phone.client.answer(first.id, options: ["Something else"]) }
        #expect(throws: CodeProblem.invalidAnswer) { try phone.client.answer(first.id, options: [], text: " \n") }
        #expect(phone.client.prompts.first?.answer == nil)
        try phone.client.answer(first.id, options: [], text: "a poem")
        let second = try await phone.first { $0.prompts.first { $0.id != first.id } }
        #expect(second.request.question.multiSelect)
        try phone.client.answer(second.id, options: ["A number", "A star"])
        try await phone.until { _ in conversation.resultCount == 1 }
        #expect(conversation.outline.contains { $0.contains("a poem") && $0.contains("A number") && $0.contains("A star") })
        #expect(conversation.questions.map(\.closed?.customInput) == ["a poem", nil])
        #expect(conversation.questions.map(\.closed?.selectedOptions) == [[], ["A number", "A star"]])
    }

    @Test func questionAnsweredElsewhereClosesWithTheOtherPhonesName() async throws {
        let box = try await AgentBox()
        let own = TestNetwork(box.network)
        let (ada, bob) = (try await box.connected("Ada", own: own), try await box.connected("Bob"))
        let conversation = try await ada.startSession()
        try await ada.client.send("edit", in: conversation)
        let prompt = try await ada.first { $0.prompts.first }
        try await bob.until { $0.prompts.map(\.id) == [prompt.id] }
        // Ada's phone hears nothing of it before she taps.
        own.set { $0.isMute = true }
        try bob.client.allow(prompt.id)
        try await bob.until { $0.prompts.isEmpty }
        try ada.client.deny(prompt.id, reason: nil)
        own.set { $0.isMute = false }
        try await ada.until { $0.prompts.isEmpty && conversation.resultCount == 1 }
        let permission = try #require(conversation.tools.last?.permission)
        #expect(permission.allows && permission.by == "Bob" && !permission.isOwn)
        #expect(ada.client.alert == nil)
    }

    @Test func answerOnABrokenLineCountsOnce() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("edit", in: conversation)
        let prompt = try await phone.first { $0.prompts.first }
        // The line stalls: the answer is not confirmed before it breaks.
        box.network.set { $0.isMute = true }
        try phone.client.allow(prompt.id)
        #expect(phone.client.prompts.first?.answer != nil)
        box.network.cutLines()
        box.network.set { $0.isMute = false }
        phone.client.reconnect()
        try await phone.until { $0.prompts.isEmpty && conversation.resultCount == 1 }
        #expect(conversation.tools.last?.permission?.allows == true)
        #expect(throws: Never.self) { try phone.client.allow(prompt.id) }
    }

    @Test func questionsOfADisconnectedPhoneAreKeptAndNotAnswered() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("edit", in: conversation)
        let prompt = try await phone.first { $0.prompts.first }
        box.network.cut()
        try await phone.until { $0.status != .connected }
        #expect(throws: CodeProblem.notConnected) { try phone.client.allow(prompt.id) }
        #expect(phone.client.prompts.map(\.id) == [prompt.id])
        // The server ends: it withdraws the question.
        try await box.restart()
        phone.client.reconnect()
        try await phone.until { $0.status == .connected && $0.prompts.isEmpty }
        try await phone.until { _ in conversation.tools.last?.permission?.outcome == .withdrawn }
        #expect(phone.client.sessions[conversation.id]?.state == .paused)
    }
}

extension Conversation {
    var tools: [ToolCall] { entries.compactMap { if case .tool(let call) = $0.content { call } else { nil } } }
    var questions: [AskedQuestion] { entries.compactMap { if case .question(let question) = $0.content { question } else { nil } } }
    /// The text that is being written.
    var writing: (id: String, text: String)? {
        entries.compactMap { if case .agent(let text, true) = $0.content { (id: $0.id, text: text) } else { nil } }.first
    }
    var outgoingPrompts: [OutgoingPrompt] {
        entries.compactMap { if case .outgoing(let prompt) = $0.content { prompt } else { nil } }
    }
    /// The prompts that the server has accepted.
    var prompts: [String] { entries.compactMap { if case .user(let text) = $0.content { text } else { nil } } }
}
