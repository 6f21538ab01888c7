import EndlessCodeAgents
import EndlessCodeProjects
import EndlessCodeWire
import Foundation
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// The demo agent as a real process below the real service, which a phone steers over a port.
@Suite struct ServedDemoAgentTests {
    @Test func aTurnWithAQuestionAndAPermissionThenAResume() async throws {
        let (project, configuration) = (try TemporaryFolder(), try TemporaryFolder())
        try Data("# Scratch\n".utf8).write(to: project.url.appending(path: "README.md"))
        let catalog = ProjectCatalog(history: configuration.path, salt: Data(repeating: 1, count: 32))
        let id = EndlessCodeWire.Project.ID(try await catalog.add(project.path).rawValue)
        var environment = ProcessInfo.processInfo.environment
        environment["CLAUDE_CONFIG_DIR"] = configuration.path
        environment["DEMO_AGENT_PACE"] = "0"
        let launcher = AgentLauncher { [environment] folder, conversation in
            Agent(
                ClaudeDriver(),
                AgentLaunch(
                    program: Program.products.appending(path: "demo-agent").path, folder: folder, conversation: conversation,
                    environment: environment))
        }
        let test = try await TestServer(projects: CatalogProjects(catalog), launcher: launcher)
        try await test.run { server async throws in
            try await test.phone(server, query: "?name=Ada&connectionId=a") { phone async throws in
                _ = try await phone.sync()
                try await phone.send(.sessionControl(SessionControl(.start, projectId: id)))
                guard let session = try await phone.next().position?.sessionId else { throw Unexpected() }
                try await phone.send(
                    .userMessage(
                        UserMessage(
                            sessionId: session, content: "hello", timestamp: test.now, messageId: UserMessage.ID(UUID().uuidString))
                    ))
                let first = try await Self.turn(of: phone)
                #expect(first.contains("chat user hello") && first.contains("toolUse Write") && first.contains("result success"))
                #expect(first.filter { $0 == "answered" }.count >= 2)
                // The same conversation in another process.
                let before = try await test.record(session).conversation
                #expect(try await test.sessions.pause(session).state == .paused)
                #expect(try await test.sessions.resume(session).state == .active)
                try await phone.send(.userMessage(UserMessage(sessionId: session, content: "hello", timestamp: test.now)))
                #expect(try await Self.turn(of: phone).contains("result success"))
                #expect(try await test.record(session).conversation == before)
                let log = try await test.log(session)
                #expect(log.compactMap(\.position?.seq) == Array(1...Int64(log.count)))
            }
        }
        #expect(try String(contentsOfFile: project.file("NOTES.md"), encoding: .utf8).hasPrefix("# Notes\n"))
        #expect(try test.audit().contains { $0.toolName == "Write" && $0.selectedOptions == ["Allow"] && $0.by == "Ada" })
        // Our own session is not listed twice.
        #expect(try await test.sessions.sessions(of: id).count == 1)
        await test.sessions.end(timeout: .seconds(8))
        #expect(try await test.sessions.all().map(\.state) == [.paused])
    }

    /// Answers every question with its first option, up to the end of the turn.
    private static func turn(of phone: TestPhone) async throws -> [String] {
        var kinds: [String] = []
        while true {
            let frame = try await phone.next()
            kinds.append(frame.kind)
            if case .promptRequest(let request) = frame {
                let label = try #require(request.question.options.first?.label)
                try await phone.send(
                    .promptResponse(
                        PromptAnswer(sessionId: request.sessionId, promptId: request.promptId, selectedOptions: [label])))
            }
            if case .output(let output) = frame, case .result = output.message.content { return kinds }
        }
    }
}
