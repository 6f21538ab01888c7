import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

/// Agents over the Agent Client Protocol, against a stand-in for the model's API on loopback. Seen: hermes-agent 0.19.0, agentao 0.5.17 and
/// claude-code-acp 0.5.1.
@Suite(.serialized) struct LiveACPTests {
    private static func enabled(_ programs: RealProgram...) -> ConditionTrait {
        let missing = programs.filter { $0.path == nil }
        return .enabled(if: missing.isEmpty, Comment(rawValue: missing.map(\.reason).joined(separator: "; ")))
    }

    private func run(
        _ program: RealProgram, _ body: @escaping @Sendable (LiveACP) async throws -> Void
    ) async throws {
        let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
        try await ScriptedModel.run { try await body(LiveACP(program: program, folder: folder, home: home, model: $0)) }
    }

    @Test(enabled(.hermes)) func hermesAsksWithIDsOfItsOwnAndItsCardsEnd() async throws {
        try await run(.hermes) { live in
            let running = live.start()
            try await running.start(#"MODEL: tool terminal {"command":"rm -rf \#(live.path)/x"} ;; say ok"#)
            try await running.wait { $0.prompts.count == 1 }
            let prompt = try #require(running.events.prompts.first)
            guard case .permission(let permission) = prompt.kind else { return }
            #expect(permission.options.map(\.kind) == [.allowOnce, .allowAlways, .allowAlways, .rejectOnce, .rejectAlways])
            #expect(running.events.toolUses.map(\.id) == [prompt.toolUseID])
            try await running.agent.send(.answer(prompt.id, .allow))
            try await running.wait { $0.results.count == 1 }
            #expect(Set(running.events.toolUses.map(\.id)) == Set(running.events.toolResults.map(\.toolUseID)))

            // The change of a file comes with the question, and the agent tells no end of it.
            try await running.prompt(#"MODEL: tool write_file {"path":"\#(live.path)/a.txt","content":"hello"} ;; say ok"#)
            try await running.wait { $0.prompts.count == 2 }
            guard case .permission(let edit)? = running.events.prompts.last?.kind else { return }
            #expect(edit.content == [.diff(path: "\(live.path)/a.txt", old: nil, new: "hello")])
            try await running.agent.send(.answer(try #require(running.events.prompts.last).id, .allow))
            try await running.wait { $0.results.count == 2 }
            #expect(Set(running.events.toolUses.map(\.id)) == Set(running.events.toolResults.map(\.toolUseID)))

            try await running.prompt(
                #"MODEL: tool todo {"todos":[{"id":"1","content":"first","status":"in_progress"}]} ;; say ok"#)
            try await running.wait { $0.results.count == 3 }
            #expect(running.events.toolUses.contains { $0.kind == AgentToolUse.plan })

            // Stopped while it asks, it ends the turn with an error.
            try await running.prompt(#"MODEL: tool terminal {"command":"rm -rf \#(live.path)/y"} ;; say ok"#)
            try await running.wait { $0.prompts.count == 3 }
            try await running.agent.send(.interrupt)
            try await running.wait { $0.results.count == 4 }
            #expect(running.events.results.map(\.isError) == [false, false, false, false])
            #expect(running.events.results.last?.reason == AgentResult.interrupted)
            #expect(running.events.unknown == [] && running.events.dropped == [])
            let id = try #require(running.events.ready.last?.conversationID)
            await running.agent.end()
            _ = try await running.exit()

            let second = live.start(.resume(id))
            try await second.start("MODEL: say again")
            try await second.wait { $0.results.count == 1 }
            #expect(second.events.ready.last?.conversationID == id && second.events.notices == [])
            #expect(live.requests.last?.contains("first") == true, "the model gets the earlier turns")
            await second.agent.end()
            _ = try await second.exit()
        }
    }

    @Test(enabled(.agentao)) func agentaoTellsItsTasksAsAPlan() async throws {
        try await run(.agentao) { live in
            let running = live.start()
            try await running.start(
                #"MODEL: tool todo_write {"todos":[{"content":"first","status":"in_progress"},{"content":"second","status":"pending"}]} ;; say ok"#
            )
            try await running.wait { $0.results.count == 1 }
            let plan = try #require(running.events.toolUses.first { $0.kind == AgentToolUse.plan })
            #expect(plan.input["todos"]?.array?.count == 2)
            try await running.prompt(
                #"MODEL: tool write_file {"file_path":"\#(live.path)/a.txt","content":"hello"} ;; say ok"#)
            try await running.wait { $0.results.count == 2 }
            #expect(running.events.toolUses.contains { $0.name == "write_file" && $0.kind == "edit" })
            try await running.prompt("MODEL: slow x")
            try await running.wait { $0.partials.count > 10 }
            try await running.agent.send(.interrupt)
            try await running.wait { $0.results.count == 3 }
            #expect(running.events.results.last?.reason == AgentResult.interrupted)
            #expect(running.events.unknown == [] && running.events.dropped == [])
            await running.agent.end()
            _ = try await running.exit()

            let gone = live.start(.resume("11111111-2222-4333-8444-555555555555"))
            try await gone.wait { !$0.ready.isEmpty && $0.notices == [AgentNotice(.forgotten)] }
            await gone.agent.end()
            _ = try await gone.exit()
        }
    }

    @Test(enabled(.claudeCodeACP, .claude)) func claudeOverTheProtocolAsksForItsSubagents() async throws {
        try await run(.claudeCodeACP) { live in
            let running = live.start()
            let script = #"MODEL: tool Write {"file_path":"\#(live.path)/sub.txt","content":"x"}"#
            try await running.start(
                #"MODEL: tool Agent {"description":"write","prompt":\#(script.quotedJSON),"subagent_type":"general-purpose"} ;; say Started."#
            )
            try await running.wait { $0.prompts.count == 1 && $0.results.count == 1 }
            let prompt = try #require(running.events.prompts.first)
            guard case .permission(let permission) = prompt.kind else { return }
            #expect(permission.options.map(\.name) == ["Always Allow", "Allow", "Reject"])
            #expect(running.events.withdrawn == [])
            try await running.agent.send(.answer(prompt.id, .allow))
            try await eventually { FileManager.default.fileExists(atPath: "\(live.path)/sub.txt") }
            // It tells the rest of the sub-agent's work with the next turn.
            try await running.prompt("MODEL: say on")
            try await running.wait { $0.results.count == 2 && $0.contents.last == .workChanged(false) }
            #expect(!running.events.toolUses.contains { $0.name == "tool" })
            #expect(running.events.unknown == [])
            let id = try #require(running.events.ready.last?.conversationID)
            await running.agent.end()
            _ = try await running.exit()

            // It offers to resume sessions, and knows those of its own run only.
            let second = live.start(.resume(id))
            try await second.wait { !$0.ready.isEmpty && $0.notices == [AgentNotice(.forgotten)] }
            await second.agent.end()
            _ = try await second.exit()
        }
    }
}

/// A project folder, a home folder and a model for an agent.
struct LiveACP: Sendable {
    let program: RealProgram
    private let folder: TemporaryFolder
    private let home: TemporaryFolder
    private let model: ScriptedModel

    init(program: RealProgram, folder: TemporaryFolder, home: TemporaryFolder, model: ScriptedModel) {
        (self.program, self.folder, self.home, self.model) = (program, folder, home, model)
    }

    var path: String { folder.url.resolvingSymlinksInPath().path }
    var requests: [String] { model.requests }

    func start(_ conversation: AgentLaunch.Conversation = .new(UUID())) -> RunningAgent {
        let address = "http://127.0.0.1:\(model.port)/v1"
        let found = URL(filePath: program.path ?? "/")
        var launch = AgentLaunch(
            program: found.path, folder: path, conversation: conversation,
            environment: ["PATH": "/usr/bin:/bin", "HOME": home.path])
        switch program {
        case .hermes:
            let configuration =
                "model: {default: scripted-1, provider: custom, base_url: \(address), api_key: test}\n"
            try? Data(configuration.utf8).write(to: home.url.appending(path: "config.yaml"))
            launch.environment["HERMES_HOME"] = home.path
        case .agentao:
            // The program of that name is for terminals; the protocol is a module beside it.
            launch.program = found.deletingLastPathComponent().appending(path: "python").path
            launch.verb = ["-m", "agentao.acp"]
            launch.environment.merge([
                "LLM_PROVIDER": "OPENAI", "OPENAI_API_KEY": "test", "OPENAI_BASE_URL": address, "OPENAI_MODEL": "scripted-1",
            ]) { $1 }
        default:
            launch.environment = LiveClaude.environment(home: home.path, model: model)
            let claude = URL(filePath: RealProgram.claude.path ?? "/").deletingLastPathComponent().path
            launch.environment["PATH"] = "\(claude):/usr/bin:/bin"
        }
        return RunningAgent(launch, driver: ACPDriver())
    }
}
