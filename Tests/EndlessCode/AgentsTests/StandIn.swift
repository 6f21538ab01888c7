import EndlessCodeAgents
import Foundation
import TestKit
import WireKit

/// A shell script in the place of an agent's program, in a folder of its own.
struct StandIn {
    /// The functions that scripts of the `stream-json` kind need.
    private static let prelude = #"""
        #!/bin/sh
        member() { printf '%s' "$line" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }
        start() {
            IFS= read -r line
            printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "$(member request_id)"
        }
        prompt() { IFS= read -r line; }
        text() { printf '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"%s"}]}}\n' "$1"; }
        result() { printf '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"result":"ok"}\n'; }
        permission() {
            printf '{"type":"control_request","request_id":"%s","request":{"subtype":"can_use_tool","tool_name":"Bash",' "$1"
            printf '"input":{"command":"%s","number":1.0,"big":12345678901234567890},"tool_use_id":"%s"}}\n' "$2" "$2"
        }

        """#

    let folder: TemporaryFolder

    init(_ script: String) throws {
        folder = try TemporaryFolder()
        try Data((Self.prelude + script).utf8).write(to: folder.url.appending(path: "agent"))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.file("agent"))
    }

    func launch(_ conversation: AgentLaunch.Conversation = .new(UUID()), environment: [String: String] = [:]) -> AgentLaunch {
        var variables = ProcessInfo.processInfo.environment
        variables.merge(environment) { $1 }
        return AgentLaunch(
            program: folder.file("agent"), folder: folder.url.resolvingSymlinksInPath().path, conversation: conversation,
            environment: variables)
    }

    /// Runs the script. The folder stays as long as the agent.
    func run(
        driver: any AgentDriver = ClaudeDriver(), environment: [String: String] = [:], records: AgentRecords? = nil,
        clock: any Clock<Duration> = ContinuousClock(), handle: @escaping @Sendable (AgentEvent) async -> Void = { _ in }
    ) -> RunningAgent {
        RunningAgent(
            launch(environment: environment), driver: driver, records: records, clock: clock, keeping: [folder], handle: handle)
    }

    func contents(_ name: String) -> String? { try? String(contentsOfFile: folder.file(name), encoding: .utf8) }
}

/// An agent that runs in a task, and its events.
final class RunningAgent: Sendable {
    let agent: Agent
    private let played = Locked(Played())
    private let hasEnded = Locked(false)
    private let folders: [TemporaryFolder]
    private let run: Task<AgentExit, any Error>

    init(
        _ launch: AgentLaunch, driver: any AgentDriver = ClaudeDriver(), records: AgentRecords? = nil,
        clock: any Clock<Duration> = ContinuousClock(), keeping folders: [TemporaryFolder] = [],
        handle: @escaping @Sendable (AgentEvent) async -> Void = { _ in }
    ) {
        let hasEnded = hasEnded
        self.folders = folders
        let agent = Agent(driver, launch, records: records, clock: clock)
        let played = played
        self.agent = agent
        run = Task {
            defer { hasEnded.withLock { $0 = true } }
            return try await agent.run { event in
                played.withLock { $0.events.append(event) }
                await handle(event)
            }
        }
    }

    var events: Played { played.withLock { $0 } }

    func cancel() { run.cancel() }

    /// The end of the agent. An agent that hangs fails the test.
    func exit() async throws -> AgentExit { try await within { [run] in try await run.value } }

    func prompt(_ text: String) async throws { try await agent.send(.prompt(text, id: UUID())) }

    /// Waits for events. An agent that ends without them fails the test.
    func wait(_ isTrue: @escaping @Sendable (Played) -> Bool) async throws {
        try await eventually { [self] in hasEnded.withLock { $0 } || isTrue(events) }
        if !isTrue(events) { throw EndedEarly(exit: try await run.value) }
    }

    struct EndedEarly: Error {
        var exit: AgentExit
    }

    /// Waits until the agent has answered its start, and prompts it.
    func start(_ text: String) async throws {
        try await wait { !$0.ready.isEmpty }
        try await prompt(text)
    }
}

/// True while a process exists that is not a zombie.
func isRunning(_ process: pid_t) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return !stat.contains(") Z ")
}
