import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

/// The demo agent as a real process, driven like `claude`.
@Suite struct DemoAgentTests {
    /// A project, and the folder of the demo's conversations.
    private struct Scratch {
        let project: TemporaryFolder
        let configuration: TemporaryFolder
        var folder: String { project.url.resolvingSymlinksInPath().path }

        init() throws {
            (project, configuration) = (try TemporaryFolder(), try TemporaryFolder())
            try Data("# Scratch\n".utf8).write(to: project.url.appending(path: "README.md"))
        }

        var notes: String? { try? String(contentsOfFile: project.file("NOTES.md"), encoding: .utf8) }

        func start(
            _ conversation: AgentLaunch.Conversation = .new(UUID()), mode: String? = nil, pace: Int = 0
        ) -> RunningAgent {
            var environment = ProcessInfo.processInfo.environment
            environment["CLAUDE_CONFIG_DIR"] = configuration.path
            environment["DEMO_AGENT_PACE"] = "\(pace)"
            return RunningAgent(
                AgentLaunch(
                    program: Program.products.appending(path: "demo-agent").path, folder: folder, conversation: conversation,
                    permissionMode: mode, environment: environment),
                keeping: [project, configuration])
        }

        /// The records of the only conversation.
        func records() throws -> [JSONValue] {
            let key = String(folder.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
            let parent = configuration.url.appending(path: "projects").appending(path: key)
            let file = try #require(try FileManager.default.contentsOfDirectory(atPath: parent.path).first)
            let data = try Data(contentsOf: parent.appending(path: file))
            return try data.split(separator: 0x0a).map { try WireJSON.decode(JSONValue.self, from: Data($0)) }
        }
    }

    private func answers(_ running: RunningAgent, _ number: Int, _ answer: @escaping (AgentPrompt) -> AgentAnswer) async throws {
        try await running.wait { $0.prompts.count == number }
        let prompt = try #require(running.events.prompts.last)
        try await running.agent.send(.answer(prompt.id, answer(prompt)))
    }

    @Test func tourAsksAndEditsAfterPermission() async throws {
        let scratch = try Scratch()
        let running = scratch.start()
        try await running.start("hello")
        try await answers(running, 1) { prompt in
            guard case .questions(let questions) = prompt.kind else { return .allow }
            return .answers(questions.map { AgentQuestionAnswer(labels: [$0.options[0].label]) })
        }
        try await answers(running, 2) { _ in .allow }
        try await running.wait { $0.results.count == 1 }
        let events = running.events
        #expect(events.unknown.isEmpty && events.dropped.isEmpty)
        #expect(events.toolUses.map(\.name) == ["LS", "AskUserQuestion", "Write"])
        #expect(events.toolResults.map(\.isError) == [false, false, false])
        #expect(events.toolResults.first?.output == "README.md")
        #expect(events.results.first?.isError == false)
        #expect(events.results.first?.costUSD == 0)
        #expect(events.partials.count > 5)
        for text in events.texts { #expect(events.partials.filter { $0.id == text.id }.map(\.piece).joined() == text.text) }
        #expect(scratch.notes == "# Notes\n\n- Demo: A greeting, A number\n")
        await running.agent.end()
        let exit = try await running.exit()
        #expect(exit.status == .code(0))
        #expect(exit.reason == .asked)
    }

    @Test func refusedEditChangesNothing() async throws {
        let scratch = try Scratch()
        let running = scratch.start()
        try await running.start("edit a file")
        try await answers(running, 1) { _ in .deny(reason: "not today") }
        try await running.wait { $0.results.count == 1 }
        #expect(scratch.notes == nil)
        #expect(
            running.events.toolResults.last
                == AgentToolResult(toolUseID: running.events.toolUses[0].id, output: "not today", isError: true))
        #expect(running.events.texts.last?.text.contains("not today") == true)
        await running.agent.end()
        _ = try await running.exit()
    }

    @Test func promptIsRepeatedAndPlayedOnceAlsoAfterAResume() async throws {
        let scratch = try Scratch()
        let (conversation, id) = (UUID(), UUID())
        let first = scratch.start(.new(conversation))
        try await first.wait { !$0.ready.isEmpty }
        try await first.agent.send(.prompt("list", id: id))
        try await first.wait { $0.results.count == 1 }
        #expect(first.events.receipts == [AgentReceipt(id: id)])
        await first.agent.end()
        _ = try await first.exit()
        let second = scratch.start(.resume(conversation.uuidString))
        try await second.wait { !$0.ready.isEmpty }
        try await second.agent.send(.prompt("list", id: id, isRepeat: true))
        try await second.wait { $0.receipts == [AgentReceipt(id: id, startsTurn: false)] }
        try await second.prompt("list")
        try await second.wait { $0.results.count == 1 }
        #expect(second.events.receipts.count == 2)
        await second.agent.end()
        _ = try await second.exit()
    }

    @Test func sessionGrantStopsFurtherQuestions() async throws {
        let scratch = try Scratch()
        let running = scratch.start()
        try await running.start("edit")
        try await answers(running, 1) { _ in .allowForSession }
        try await running.wait { $0.results.count == 1 }
        try await running.prompt("edit")
        try await running.wait { $0.results.count == 2 }
        #expect(running.events.prompts.count == 1)
        #expect(running.events.ready.last?.permissionMode == "acceptEdits")
        #expect(scratch.notes == "# Notes\n\n- Demo: a greeting\n- Demo: a greeting\n")
        #expect(running.events.toolUses.map(\.name) == ["Write", "Read", "Edit"])
        await running.agent.end()
        _ = try await running.exit()
    }

    @Test func interruptEndsTurnAndOpenPrompt() async throws {
        let scratch = try Scratch()
        let running = scratch.start(pace: 5)
        try await running.start("slow")
        try await running.wait { $0.partials.count > 3 }
        try await running.agent.send(.interrupt)
        try await running.wait { $0.results.count == 1 }
        #expect(running.events.results.last?.reason == AgentResult.interrupted)
        #expect(running.events.texts.count == 1, "what was streamed is kept")
        try await running.prompt("question")
        try await running.wait { $0.prompts.count == 1 }
        try await running.agent.send(.interrupt)
        try await running.wait { $0.results.count == 2 }
        #expect(running.events.withdrawn == running.events.prompts.map(\.id))
        #expect(running.events.results.last?.isError == false)
        await running.agent.end()
        _ = try await running.exit()
    }

    @Test(arguments: ["plan", "subagent", "code", "table", "error", "list", "read", "help", "도움", "목록", "anything with plan"])
    func scriptsEndWithAResult(_ prompt: String) async throws {
        let scratch = try Scratch()
        let running = scratch.start(mode: "acceptEdits")
        try await running.start(prompt)
        if prompt.contains("plan") { try await answers(running, 1) { _ in .allow } }
        try await running.wait { $0.results.count == 1 }
        let events = running.events
        #expect(events.results.first?.isError == (prompt == "error"))
        #expect(events.unknown.isEmpty && events.dropped.isEmpty)
        if prompt == "subagent" {
            let task = try #require(events.toolUses.first)
            #expect(events.events.contains { $0.parentToolUseID == task.id })
            #expect(events.texts.count == 2)
        }
        if prompt == "도움" { #expect(events.texts.first?.text.contains("데모 에이전트") == true) }
        await running.agent.end()
        _ = try await running.exit()
    }

    @Test func conversationIsRecordedAndResumed() async throws {
        let scratch = try Scratch()
        let id = UUID()
        let first = scratch.start(.new(id))
        try await first.start("list the files")
        try await first.wait { $0.results.count == 1 }
        await first.agent.end()
        _ = try await first.exit()
        let records = try scratch.records()
        #expect(records.map { $0["type"]?.string } == ["user", "assistant", "assistant", "user", "assistant"])
        #expect(records.allSatisfy { $0["cwd"]?.string == scratch.folder && $0["sessionId"]?.string == id.uuidString.lowercased() })
        #expect(zip(records, records.dropFirst()).allSatisfy { $0["uuid"] == $1["parentUuid"] })
        #expect(records.first?["message"]?["content"] == .string("list the files"))

        let second = scratch.start(.resume(id.uuidString))
        try await second.start("earlier")
        try await second.wait { $0.results.count == 1 }
        #expect(second.events.texts.last?.text.contains("list the files") == true)
        #expect(second.events.ready.last?.conversationID == id.uuidString.lowercased())
        await second.agent.end()
        _ = try await second.exit()
        #expect(try scratch.records().count == 7)
    }

    @Test func unknownConversationEndsWithWords() async throws {
        let running = try Scratch().start(.resume(UUID().uuidString))
        let exit = try await running.exit()
        #expect(exit.reason == .conversationNotFound)
        #expect(exit.errorTail.contains("No conversation found"))
    }

    @Test func linkOutOfTheProjectIsNotFollowed() async throws {
        let scratch = try Scratch()
        let outside = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: scratch.project.file("NOTES.md"), withDestinationPath: outside.file("notes.md"))
        let running = scratch.start(mode: "acceptEdits")
        try await running.start("edit")
        try await running.wait { $0.results.count == 1 }
        #expect(running.events.results.last?.isError == true)
        #expect(!FileManager.default.fileExists(atPath: outside.file("notes.md")))
        await running.agent.end()
        _ = try await running.exit()
    }

    @Test func promptsThatWaitArePlayedInOrder() async throws {
        let scratch = try Scratch()
        let running = scratch.start()
        try await running.start("help")
        try await running.prompt("table")
        try await running.wait { $0.results.count == 2 }
        #expect(running.events.texts.count == 2)
        #expect(running.events.texts.last?.text.hasPrefix("| word") == true)
        #expect(await !running.agent.isInTurn)
        await running.agent.end()
        _ = try await running.exit()
    }
}
