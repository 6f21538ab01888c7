import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import PushKit
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// The activity of a session whose agent works beside its turns, and what its program says.
@Suite struct AgentWorkTests {
    let test: TestServer
    let id: Session.ID
    let agent: ScriptedAgent

    init() async throws {
        test = try await TestServer(push: PushTests.services)
        (id, agent) = try await test.session()
    }

    private var activity: Session.Activity { get async throws { try await test.sessions.session(id).activity } }

    private func kinds() async throws -> [String] { try await test.log(id).map(\.kind) }

    private func prompt() async throws {
        try await test.prompt("go", to: id)
        agent.send(.workChanged(true))
        try await test.taken(id)
    }

    private func text(_ text: String) { agent.send(.text(AgentText(id: UUID().uuidString, text: text))) }

    private func result(_ text: String? = nil) {
        agent.send(.result(AgentResult(isError: false, reason: "success", text: text, duration: .seconds(1))))
    }

    private func until(_ activity: Session.Activity) async throws { try await eventually { try await self.activity == activity } }

    private func results(_ count: Int) async throws {
        try await eventually { try await kinds().filter { $0.hasPrefix("result") }.count == count }
    }

    // MARK: Activity

    @Test func aQuestionOfASubagentWaitsBehindTheResultOfTheTurn() async throws {
        try await prompt()
        text("Started.")
        agent.send(.prompt(.permission))
        let question = try #require(try await test.prompts(1).first)
        result()
        try await results(1)
        #expect(try await activity == .waiting)
        try await test.sessions.answer(
            PromptAnswer(sessionId: id, promptId: question.promptId, selectedOptions: ["Allow"]), from: "1", named: nil)
        // It goes on.
        try await until(.working)
        text("Report.")
        result()
        agent.send(.workChanged(false))
        try await until(.idle)
    }

    @Test func workInTheBackgroundIsWorkUntilItEndsAndCanBeStopped() async throws {
        try await prompt()
        text("Started.")
        result()
        try await results(1)
        #expect(try await activity == .working)
        try await test.sessions.interrupt(id)
        #expect(agent.commands.last == .interrupt)
        agent.send(.result(AgentResult(isError: false, reason: AgentResult.interrupted, duration: .zero)))
        agent.send(.workChanged(false))
        try await until(.idle)
        #expect(try await kinds().filter { $0.hasPrefix("result") } == ["result success", "result interrupted"])
    }

    @Test func aLateMessageOfAnIdleAgentBeginsNoTurn() async throws {
        try await prompt()
        result()
        agent.send(.workChanged(false))
        try await until(.idle)
        agent.send(.toolResult(AgentToolResult(toolUseID: "t", output: "late", isError: false)))
        try await eventually { try await kinds().last == "toolResult late" }
        #expect(try await activity == .idle)
    }

    @Test func theEndIsNotifiedOnceTheAgentHasFinished() async throws {
        let settings = PushSettings(address: .ntfy(topic: "t"), content: PushContent.full, language: "en")
        try await test.server.pushes.set(settings, for: "ada")
        func waiting() async throws -> [SessionNotification] {
            try await test.server.pushes.outbox.entries(.waiting, limit: 10).map { try WireJSON.decode(from: $0.content) }
        }
        try await prompt()
        text("A sub-agent works.")
        result("A sub-agent works.")
        try await results(1)
        #expect(try await waiting() == [])
        text("The report.")
        result("The report.")
        agent.send(.workChanged(false))
        try await until(.idle)
        #expect(try await waiting().map(\.detail) == ["The report."])
        #expect(try await waiting().map(\.event) == [.finished])
    }

    // MARK: Messages

    @Test func aResultDoesNotRepeatTheAnswer() async throws {
        func texts() async throws -> [String?] {
            try await test.log(id).compactMap {
                guard case .output(let output) = $0 else { return nil }
                switch output.message.content {
                case .chat(let chat) where chat.role == .assistant: return "agent: \(chat.content)"
                case .result(let result): return .some(result.text)
                default: return nil
                }
            }
        }
        try await prompt()
        text("The answer.")
        result("The answer.")
        try await results(1)
        #expect(try await texts() == ["agent: The answer.", nil])
        // A command of the agent's program answers with a result alone.
        result("Total: $1")
        try await results(2)
        #expect(try await texts().suffix(2) == ["agent: Total: $1", nil])
        agent.send(.result(AgentResult(isError: true, reason: "api_error", text: "API Error", duration: .zero)))
        try await results(3)
        #expect(try await texts().last == "API Error")
    }

    @Test func aTextThatWasGivenUpLeavesThePhones() async throws {
        try await test.run { [test, id, agent] server in
            try await test.phone(server) { phone in
                _ = try await phone.sync()
                agent.send(.partialText(AgentPartialText(id: "x", offset: 0, piece: "Half")))
                agent.send(.textAbandoned("x"))
                var pieces: [String] = []
                while pieces.count < 2 {
                    guard case .output(let output) = try await phone.next(), case .chat(let chat) = output.message.content else {
                        continue
                    }
                    #expect(chat.id == "x" && chat.offset == 0)
                    pieces.append(chat.content)
                }
                #expect(pieces == ["Half", ""])
                let frames = await test.sessions.partialFrames()
                #expect(frames == [])
                _ = id
            }
        }
    }

    @Test func wordsOfTheProgramAreMessagesAndNoAnswers() async throws {
        try await prompt()
        let retry = AgentRetry(attempt: 2, maximumAttempts: 10, delay: .seconds(5), reason: "overloaded", status: 529)
        agent.send(.notice(AgentNotice(.retry(retry))))
        agent.send(.notice(AgentNotice(.warning, "careful")))
        try await eventually { try await kinds().contains("notice warning") }
        #expect(try await activity == .working)
        #expect(try await test.store.read { try !$0.hasAnswers(id) })
        let history = try await test.sessions.history(of: id, limit: 10, offset: 0, before: nil)
        guard case .notice(let notice) = history.messages.suffix(2).first?.message.content else { throw Unexpected() }
        #expect(notice.reason == "overloaded" && notice.status == 529 && notice.attempt == 2 && notice.maxAttempts == 10)
        #expect(notice.nextAttemptAt == test.now + .seconds(5))
        // It is no silence to wait for the next attempt.
        agent.send(
            .notice(AgentNotice(.retry(AgentRetry(attempt: 3, maximumAttempts: 10, delay: .seconds(40), reason: "x", status: nil))))
        )
        try await eventually { try await kinds().filter { $0 == "notice retry" }.count == 2 }
    }

    @Test func aKilledAgentHasAReason() {
        func words(_ status: AgentExit.Status, _ reason: AgentExit.Reason, _ tail: String) -> String {
            AgentExit(status: status, reason: reason, errorTail: tail, lifetime: .zero).words
        }
        #expect(words(.signal(9), .crash, "").contains("signal 9"))
        #expect(words(.signal(11), .crash, "last line\n") == "last line\nThe agent was ended by signal 11.")
        #expect(words(.code(1), .crash, "") == "The agent ended with status 1, without a reason.")
        #expect(words(.code(1), .crash, "why\n") == "why")
        #expect(words(.signal(9), .startTimedOut, "").contains("did not answer"))
    }

    // MARK: Conversations

    @Test func aClearedConversationIsNotListedAgain() async throws {
        try await prompt()
        text("one")
        result()
        agent.send(.ready(AgentReady(conversationID: "earlier")))
        try await eventually { try await test.record(id).conversation == "earlier" }
        #expect(try await test.sessions.sessions(of: "p").map(\.id) == [id])
        agent.send(.notice(AgentNotice(.cleared)))
        agent.send(.ready(AgentReady(conversationID: "another")))
        try await eventually { try await test.record(id).conversation == "another" }
        #expect(try await test.sessions.sessions(of: "p").map(\.id) == [id])
        #expect(try await test.store.read { try $0.conversations() }.isSuperset(of: ["earlier", "another", "c-\(id)"]))
        #expect(try await test.sessions.allProjects().first?.sessionCount == 1)
    }

    @Test func aConversationThatIsGoneBeginsAnewWithAWord() async throws {
        try await prompt()
        text("one")
        result()
        agent.exit(.betweenTurns)
        try await eventually { await test.isIdle(id) }
        try await test.prompt("again", to: id)
        try await eventually { test.agents.all.count == 2 }
        let second = test.agents.all[1]
        #expect(second.conversation == .resume("c-\(id)"))
        second.exit(.conversationNotFound)
        try await eventually { test.agents.all.count == 3 }
        let third = test.agents.all[2]
        guard case .new = third.conversation else { throw Unexpected() }
        #expect(!test.clock.hasSleeper)
        third.ready("anew")
        try await test.taken(id)
        #expect(third.commands.map(\.text) == ["again"])
        let kinds = try await kinds()
        #expect(kinds.contains("notice forgotten") && !kinds.contains { $0.hasPrefix("crashed") })
    }

    // MARK: Permissions

    private func ask(_ options: [AgentPermissionOption]) async throws -> PromptRequest {
        agent.send(
            .prompt(
                AgentPrompt(
                    id: "a", toolUseID: "u",
                    kind: .permission(
                        AgentPermission(
                            toolName: "Run", input: .object([:]), inputText: "{}", title: "Run ls", offersSession: false,
                            options: options,
                            kind: "execute", content: [.text("$ ls"), .diff(path: "a", old: nil, new: "y")])))))
        return try #require(try await test.prompts(1).first)
    }

    private static let options = [
        AgentPermissionOption(id: "1", name: "Allow always", kind: .allowAlways),
        AgentPermissionOption(id: "2", name: "Allow once", kind: .allowOnce),
        AgentPermissionOption(id: "3", name: "Deny", kind: .rejectOnce),
        AgentPermissionOption(id: "4", name: "Never", kind: .rejectAlways),
    ]

    @Test(arguments: [
        ("Allow", AgentAnswer.allow, true), ("Deny", .deny(reason: nil), false), ("Allow always", .option("1"), true),
        ("Never", .option("4"), false),
    ]) func thePhoneChoosesAmongTheAgentsOptions(_ label: String, answer: AgentAnswer, allows: Bool) async throws {
        let prompt = try await ask(Self.options)
        #expect(
            prompt.question.options == [
                QuestionOption("Allow", name: "Allow once", kind: "allow_once"), QuestionOption("Deny", kind: "reject_once"),
                QuestionOption("Allow always", kind: "allow_always"), QuestionOption("Never", kind: "reject_always"),
            ])
        #expect(prompt.toolKind == "execute" && prompt.toolContent == [.text("$ ls"), .diff(path: "a", old: nil, new: "y")])
        try await test.sessions.answer(
            PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: [label]), from: "1", named: nil)
        #expect(try await agent.commands(1).last == .answer("a", answer))
        let resolved = try await test.log(id).compactMap { if case .promptResolved(let resolved) = $0 { resolved } else { nil } }
        #expect(resolved.map(\.allows) == [allows])
    }

    @Test func noLabelThatAllowsOnceGrantsMore() async throws {
        // An agent that calls its grant for good as phones call the smaller one, and takes no refusal.
        let prompt = try await ask([
            AgentPermissionOption(id: "1", name: "Allow", kind: .allowAlways),
            AgentPermissionOption(id: "2", name: "Allow", kind: .allowAlways),
        ])
        let options = prompt.question.options
        #expect(options.map(\.label) == ["Deny", "Allow (1)", "Allow (2)"] && options.map(\.name) == [nil, "Allow", "Allow"])
        for label in ["Allow", "Allow for this session"] {
            let refused = try await refusal {
                try await test.sessions.answer(
                    PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: [label]), from: "1", named: nil)
            }
            #expect(refused == .invalidMessage)
        }
        try await test.sessions.answer(
            PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: ["Allow (2)"]), from: "1", named: nil)
        #expect(try await agent.commands(1).last == .answer("a", .option("2")))
    }
}
