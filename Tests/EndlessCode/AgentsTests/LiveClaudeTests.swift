import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

/// Claude Code, seen with version 2.1.332, against a stand-in for the model's API on loopback.
@Suite(.enabled(if: RealProgram.claude.path != nil, Comment(rawValue: RealProgram.claude.reason)), .serialized)
struct LiveClaudeTests {
    private let hello = "MODEL: say Hello from the model."

    private func write(_ name: String, in live: LiveClaude) -> String {
        #"MODEL: tool Write {"file_path":"\#(live.path)/\#(name)","content":"hi"}"#
    }

    /// A prompt that starts a sub-agent with a script of its own.
    private func delegate(_ script: String) -> String {
        #"MODEL: tool Agent {"description":"help","prompt":\#(script.quotedJSON),"subagent_type":"general-purpose"} ;; say Started."#
    }
    @Test func turnsAreStreamedAndTheConversationIsResumed() async throws {
        try await LiveClaude.run { live in
            let id = UUID()
            let first = live.start(.new(id))
            try await first.start(hello)
            try await first.wait { $0.results.count == 1 }
            #expect(first.events.texts.map(\.text) == ["Hello from the model."])
            #expect(!first.events.partials.isEmpty)
            #expect(Set(first.events.partials.map(\.id)) == Set(first.events.texts.map(\.id)))
            try await first.prompt("say it again")
            try await first.wait { $0.results.count == 2 }
            #expect(first.events.unknown == [])
            #expect(first.events.dropped == [])
            #expect(first.events.ready.last?.conversationID == id.uuidString.lowercased())
            #expect(first.events.ready.last?.permissionMode == "default")
            await first.agent.end()
            let exit = try await first.exit()
            #expect(exit.reason == .asked, "\(exit)")

            let second = live.start(.resume(id.uuidString))
            try await second.start(hello)
            try await second.wait { $0.results.count == 1 }
            #expect(second.events.ready.last?.conversationID == id.uuidString.lowercased())
            #expect(live.requests.last?.contains("say it again") == true, "the model gets the earlier turns")
            await second.agent.end()
            _ = try await second.exit()
        }
    }

    @Test func promptsAreConfirmedAndOneThatIsKnownIsNotAnsweredAgain() async throws {
        try await LiveClaude.run { live in
            let (conversation, known, steered) = (UUID(), UUID(), UUID())
            let first = live.start(.new(conversation))
            try await first.wait { !$0.ready.isEmpty }
            try await first.agent.send(.prompt(hello, id: known))
            try await first.wait { $0.results.count == 1 }
            #expect(first.events.receipts == [AgentReceipt(id: known)])
            // In the agent's queue until the turn before has ended.
            try await first.prompt("MODEL: slow x")
            try await first.wait { $0.partials.contains { $0.piece.contains("slow") } }
            try await first.agent.send(.prompt("say more", id: steered))
            try await first.wait { $0.partials.count > 50 }
            #expect(!first.events.receipts.contains { $0.id == steered })
            try await first.agent.send(.interrupt)
            try await first.wait { $0.results.count == 3 }
            #expect(first.events.receipts.last == AgentReceipt(id: steered))
            await first.agent.end()
            _ = try await first.exit()

            let second = live.start(.resume(conversation.uuidString))
            try await second.wait { !$0.ready.isEmpty }
            let count = live.requests.count
            try await second.agent.send(.prompt(hello, id: known, isRepeat: true))
            try await second.wait { $0.receipts == [AgentReceipt(id: known, startsTurn: false)] }
            #expect(await !second.agent.isInTurn)
            try await second.prompt("say it again")
            try await second.wait { $0.results.count == 1 }
            #expect(live.requests.count == count + 1)
            await second.agent.end()
            _ = try await second.exit()
        }
    }

    @Test func permissionsAreAskedBothWays() async throws {
        try await LiveClaude.run { live in
            let running = live.start()
            try await running.start(write("hello.txt", in: live))
            try await running.wait { $0.prompts.count == 1 }
            let refused = try #require(running.events.prompts.first)
            guard case .permission(let permission) = refused.kind else {
                Issue.record("no permission")
                return
            }
            #expect(permission.toolName == "Write")
            try await running.agent.send(.answer(refused.id, .deny(reason: "Not now")))
            try await running.wait { $0.results.count == 1 }
            #expect(running.events.toolResults.map(\.isError) == [true])
            #expect(live.requests.last?.contains("Not now") == true)
            #expect(!FileManager.default.fileExists(atPath: live.folder.file("hello.txt")))

            try await running.prompt(write("hello.txt", in: live))
            try await running.wait { $0.prompts.count == 2 }
            try await running.agent.send(.answer(try #require(running.events.prompts.last).id, .allowForSession))
            try await running.wait { $0.results.count == 2 }
            #expect(FileManager.default.fileExists(atPath: live.folder.file("hello.txt")))
            #expect(running.events.ready.last?.permissionMode == "acceptEdits")
            await running.agent.end()
            _ = try await running.exit()
        }
    }

    @Test func questionInterruptAndErrorAreHandled() async throws {
        try await LiveClaude.run { live in
            let running = live.start()
            let question =
                #"{"questions":[{"question":"Which?","header":"Color","multiSelect":false,"options":[{"label":"Blue","description":"b"},{"label":"Red","description":"r"}]}]}"#
            try await running.start("MODEL: tool AskUserQuestion \(question)")
            try await running.wait { $0.prompts.count == 1 }
            let prompt = try #require(running.events.prompts.first)
            try await running.agent.send(.answer(prompt.id, .answers([AgentQuestionAnswer(labels: ["Blue"])])))
            try await running.wait { $0.results.count == 1 }
            #expect(live.requests.last?.contains("Blue") == true)

            try await running.prompt("MODEL: slow x")
            try await running.wait { $0.partials.contains { $0.piece.contains("slow") } }
            try await running.agent.send(.interrupt)
            try await running.wait { $0.results.count == 2 }
            #expect(running.events.results.last?.reason == AgentResult.interrupted)
            #expect(running.events.results.last?.isError == false)

            try await running.prompt(write("hello.txt", in: live))
            try await running.wait { $0.prompts.count == 2 }
            try await running.agent.send(.interrupt)
            try await running.wait { $0.results.count == 3 && $0.withdrawn.count == 1 }

            try await running.prompt("MODEL: fail 400 9")
            try await running.wait { $0.results.count == 4 }
            #expect(running.events.results.last?.isError == true)
            await running.agent.end()
            let exit = try await running.exit()
            #expect(exit.reason == .asked)
        }
    }

    @Test func aBrokenStreamLeavesNoHalfText() async throws {
        try await LiveClaude.run { live in
            let running = live.start()
            try await running.start("MODEL: break 1 one two three four five six seven eight nine ten")
            try await running.wait { $0.results.count == 1 }
            #expect(running.events.texts.map(\.text) == ["one two three four five six seven eight nine ten"])
            // The whole text may have the id of its half. In the end no text is only half there.
            var half: Set<String> = []
            for content in running.events.contents {
                switch content {
                case .partialText(let text): half.insert(text.id)
                case .text(let text): half.remove(text.id)
                case .textAbandoned(let id): half.remove(id)
                default: break
                }
            }
            #expect(half == [])
            #expect(
                running.events.notices.contains {
                    if case .retry(let retry) = $0.kind { retry.reason == "connection" } else { false }
                })
            await running.agent.end()
            _ = try await running.exit()
        }
    }

    @Test(arguments: [(529, "overloaded"), (429, "rate_limit"), (401, "authentication_failed"), (500, "server_error")])
    func aRepeatedRequestIsTold(_ status: Int, _ reason: String) async throws {
        try await LiveClaude.run { live in
            let running = live.start()
            try await running.start("MODEL: fail \(status) 2 Recovered.")
            try await running.wait { $0.results.count == 1 }
            let retries = running.events.notices.compactMap { if case .retry(let retry) = $0.kind { retry } else { nil } }
            #expect(retries.map(\.attempt) == [1, 2] && retries.allSatisfy { $0.reason == reason && $0.status == status })
            #expect(running.events.texts.map(\.text) == ["Recovered."] && running.events.unknown == [])
            await running.agent.end()
            _ = try await running.exit()
        }
    }

    @Test func aSubagentInTheBackgroundWorksAsksAndIsStopped() async throws {
        try await LiveClaude.run { live in
            let running = live.start()
            try await running.start(delegate(write("sub.txt", in: live)))
            try await running.wait { $0.prompts.count == 1 && $0.results.count == 1 }
            #expect(await running.agent.isInTurn)
            try await running.agent.send(.answer(try #require(running.events.prompts.first).id, .allow))
            // Its report is a turn that the agent begins by itself.
            try await running.wait { $0.results.count == 2 && $0.contents.last == .workChanged(false) }
            #expect(FileManager.default.fileExists(atPath: live.folder.file("sub.txt")))

            try await running.prompt(delegate("MODEL: slow sub"))
            try await running.wait { $0.results.count == 3 }
            #expect(await running.agent.isInTurn)
            try await running.agent.send(.interrupt)
            try await running.wait { $0.results.count == 4 && $0.contents.last == .workChanged(false) }
            #expect(running.events.results.last?.reason == AgentResult.interrupted)
            #expect(running.events.unknown == [])
            await running.agent.end()
            _ = try await running.exit()
        }
    }

    @Test func theUsersModeIsKeptAndAConversationThatIsGoneIsTold() async throws {
        try await LiveClaude.run { live in
            try live.setMode("acceptEdits")
            let running = live.start()
            try await running.start(write("hello.txt", in: live))
            try await running.wait { $0.results.count == 1 }
            #expect(running.events.prompts == [] && running.events.ready.last?.permissionMode == "acceptEdits")
            try await running.prompt("/clear")
            try await running.wait { $0.notices.contains(AgentNotice(.cleared)) && $0.results.count == 2 }
            #expect(Set(running.events.ready.compactMap(\.conversationID)).count > 1)
            await running.agent.end()
            _ = try await running.exit()

            let gone = live.start(.resume(UUID().uuidString))
            #expect(try await gone.exit().reason == .conversationNotFound)
        }
    }
}

/// A project folder, a home folder and a model for the real program.
struct LiveClaude: Sendable {
    let folder: TemporaryFolder
    private let home: TemporaryFolder
    private let model: ScriptedModel

    /// The path of the project's folder.
    var path: String { folder.url.resolvingSymlinksInPath().path }
    /// The messages of each request to the model.
    var requests: [String] { model.requests }

    static func environment(home: String, model: ScriptedModel) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": home, "ANTHROPIC_BASE_URL": "http://127.0.0.1:\(model.port)",
            "ANTHROPIC_API_KEY": "any", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_BUG_COMMAND": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        ]
    }

    func start(_ conversation: AgentLaunch.Conversation = .new(UUID())) -> RunningAgent {
        RunningAgent(
            AgentLaunch(
                program: RealProgram.claude.path ?? "", folder: path, conversation: conversation,
                environment: Self.environment(home: home.path, model: model)))
    }

    /// Sets the user's default mode.
    func setMode(_ mode: String) throws {
        let folder = home.url.appending(path: ".claude")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"permissions":{"defaultMode":"\#(mode)"}}"#.utf8).write(to: folder.appending(path: "settings.json"))
    }

    static func run(_ body: @escaping @Sendable (LiveClaude) async throws -> Void) async throws {
        let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
        try await ScriptedModel.run { try await body(LiveClaude(folder: folder, home: home, model: $0)) }
    }
}
