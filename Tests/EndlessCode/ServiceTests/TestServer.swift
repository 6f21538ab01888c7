import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import Logging
import PushKit
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// A whole server on a real database, whose agents follow the test.
final class TestServer: Sendable {
    let folder: TemporaryFolder
    let server: Server
    let agents = ScriptedAgents()
    /// Delays between restarts.
    let clock = TestClock()
    private let time = Locked(Timestamp("2026-11-20T12:00:00.000Z")!)
    private let elapsed = Locked(ContinuousClock.now)

    /// - Parameter folder: The data folder of an earlier server.
    init(
        folder: TemporaryFolder? = nil, promptTimeout: Duration = .seconds(1800), projects: any ProjectSource = TestProjects(),
        launcher: AgentLauncher? = nil, push: PushServices = PushServices(), senders: [any PushSender]? = nil
    ) async throws {
        self.folder = try folder ?? TemporaryFolder()
        var configuration = EndlessCodeConfiguration(dataFolder: self.folder.url)
        configuration.promptTimeout = promptTimeout
        configuration.push = push
        server = try await Server(
            configuration, launcher: launcher ?? agents.launcher, projects: projects, senders: senders, clock: clock,
            now: { [time] in time.withLock { $0 } }, uptime: { [elapsed] in elapsed.withLock { $0 } },
            metrics: MetricsRegistry(), logger: .quiet)
    }

    var sessions: Sessions { server.sessions }
    var store: Database { server.store }
    var token: String { server.tokens.current.text }
    var now: Timestamp { time.withLock { $0 } }
    var uptime: ContinuousClock.Instant { elapsed.withLock { $0 } }
    func advance(_ duration: Duration) {
        elapsed.withLock { $0 += duration }
        setClock(by: duration)
    }
    /// Changes the computer's clock, while no time passes.
    func setClock(by duration: Duration) { time.withLock { $0 = $0 + duration } }

    /// A session whose agent has answered its start.
    func session(_ request: String? = nil) async throws -> (Session.ID, ScriptedAgent) {
        let count = agents.all.count
        let session = try await sessions.create(SessionCreation(projectId: "p", requestId: request.map { RequestID($0) }))
        try await eventually { self.agents.all.count > count }
        let agent = try #require(agents.all.last)
        agent.ready("c-\(session.id)")
        try await eventually { try await self.record(session.id).conversation == "c-\(session.id)" }
        return (session.id, agent)
    }

    func record(_ id: Session.ID) async throws -> SessionRecord { try #require(try await store.read { try $0.session(id) }) }

    /// All frames of a session's log.
    func log(_ id: Session.ID) async throws -> [ServerFrame] {
        let events = try await store.read { try $0.events(of: id.log, after: 0, count: .max) }
        return try events.map { try ServerFrame(text: String(decoding: $0.payload, as: UTF8.self)) }
    }

    /// Waits until the agent has all prompts.
    func taken(_ id: Session.ID) async throws {
        try await eventually { try await self.store.read { try $0.queuedPrompts(of: id).isEmpty } }
    }

    func openPrompts() async throws -> [PromptRequest] { try await store.read { try $0.openPrompts().map(\.request) } }

    /// Waits for `count` open prompts.
    func prompts(_ count: Int) async throws -> [PromptRequest] {
        try await eventually { try await self.openPrompts().count == count }
        return try await openPrompts()
    }

    /// The lines of the audit file.
    func audit() throws -> [AuditFile.Entry] {
        try String(contentsOf: folder.url.appending(path: "endlesscode-audit.jsonl"), encoding: .utf8).split(separator: "\n").map {
            try WireJSON.decode(from: Data($0.utf8))
        }
    }

    /// The data folder as a kill would leave it now: the lock of the database goes with the process, and nothing else ends.
    func killed() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !file.hasSuffix(".lock") {
            try FileManager.default.copyItem(at: folder.url.appending(path: file), to: copy.url.appending(path: file))
        }
        return copy
    }

    func prompt(_ text: String, to id: Session.ID, messageId: UUID? = UUID()) async throws {
        try await sessions.accept(
            UserMessage(
                sessionId: id, content: text, timestamp: now,
                messageId: messageId.map { UserMessage.ID($0.uuidString.lowercased()) }))
    }

    func call<Reply>(
        _ endpoint: Endpoint<NoBody, Reply>, _ parameters: [String: String] = [:], query: String = ""
    ) async throws -> ServiceReply {
        try await server.parts.call(endpoint, parameters, query: query, token: token)
    }

    // MARK: Phones

    /// Runs the server on a port.
    func run<Value: Sendable>(_ body: @escaping @Sendable (ServerUnderTest) async throws -> Value) async throws -> Value {
        try await ServerUnderTest.run([server.parts]) { try await body($0) }
    }

    func phone<Value: Sendable>(
        _ server: ServerUnderTest, query: String = "", _ body: @escaping @Sendable (TestPhone) async throws -> Value
    ) async throws -> Value {
        try await WebSocketProbe.open(port: server.port, "/ws\(query)", headers: ["Authorization": "Bearer \(token)"]) {
            try await body(TestPhone(probe: $0))
        }
    }
}

/// A phone's socket.
struct TestPhone: Sendable {
    let probe: WebSocketProbe

    func next() async throws -> ServerFrame { try ServerFrame(text: try await probe.receive().text) }
    func send(_ frame: ClientFrame) async throws { try await probe.send(.text(frame.text)) }

    func sync() async throws -> Sync {
        guard case .sync(let sync) = try await next() else { throw Unexpected() }
        return sync
    }

    func error() async throws -> ErrorCode {
        while true { if case .error(let error) = try await next() { return error.code } }
    }
}

struct Unexpected: Error {}

/// One project, `p`.
struct TestProjects: ProjectSource {
    private static let time = Timestamp("2020-01-01T00:00:00Z")!
    private static let project = Project(id: "p", name: "app", path: "/tmp", sessionCount: 0)

    /// Messages of the one earlier session.
    var earlier = (1...3).map { "old \($0)" }

    func projects(without sessions: Set<String>) async throws -> [Project] {
        var project = Self.project
        project.sessionCount = sessions.contains("earlier") ? 0 : 1
        project.lastUsed = Self.time
        return [project]
    }
    func project(_ id: Project.ID) async throws -> Project? { id == "p" ? Self.project : nil }
    func workTrees(of id: Project.ID) async throws -> [String: String] { [:] }
    func earlierSessions(of id: Project.ID) async throws -> [Session] {
        [
            Session(
                id: "earlier", projectId: id, state: .terminated, createdAt: Self.time, lastActiveAt: Self.time,
                messageCount: earlier.count, lastSeq: Int64(earlier.count))
        ]
    }
    func earlierSession(_ id: Session.ID) async throws -> Session? {
        try await earlierSessions(of: "p").first { $0.id == id }
    }
    func earlierMessages(of id: Session.ID, in project: Project.ID, limit: Int, before: Int64) async throws -> [LoggedMessage] {
        guard id == "earlier", project == "p" else { return [] }
        return earlier.enumerated().map { number, text in
            LoggedMessage(
                seq: Int64(number + 1), Message(.chat(Chat(id: text, role: .user, content: text, timestamp: Self.time))))
        }.filter { $0.seq < before }.suffix(limit)
    }
    func folder(_ path: String, of id: Project.ID, offset: Int) async throws -> FolderPage { throw ServiceFailure.noProject }
    func file(_ path: String, of id: Project.ID, full: Bool) async throws -> FileContent { throw ServiceFailure.noProject }
    func diff(of id: Project.ID) async throws -> WorkTreeDiff { throw ServiceFailure.noProject }
}

/// The agents that a server has made, in order.
final class ScriptedAgents: Sendable {
    private let made = Locked<[ScriptedAgent]>([])
    private let isInstalled = Locked(true)

    var all: [ScriptedAgent] { made.withLock { $0 } }
    func uninstall() { isInstalled.withLock { $0 = false } }

    var launcher: AgentLauncher {
        AgentLauncher(
            check: { [isInstalled] in
                guard isInstalled.withLock({ $0 }) else { throw AgentError.programNotFound("claude") }
            },
            make: { [made] _, conversation in
                let agent = ScriptedAgent(conversation)
                made.withLock { $0.append(agent) }
                return agent
            })
    }
}

/// An agent whose events a test sends.
final class ScriptedAgent: SessionAgent {
    private enum Step { case event(AgentEvent), exit(AgentExit) }

    let conversation: AgentLaunch.Conversation
    private let takesPrompts = Locked(true)
    private let steps: AsyncStream<Step>
    private let next: AsyncStream<Step>.Continuation
    private let received = Locked<[AgentCommand]>([])

    init(_ conversation: AgentLaunch.Conversation) {
        self.conversation = conversation
        (steps, next) = AsyncStream.makeStream()
    }

    var commands: [AgentCommand] { received.withLock { $0 } }
    private let runs = Locked(0)
    var isRunning: Bool { runs.withLock { $0 > 0 } }

    func run(_ handle: @escaping @Sendable (AgentEvent) async -> Void) async throws -> AgentExit {
        runs.withLock { $0 += 1 }
        defer { runs.withLock { $0 -= 1 } }
        for await step in steps {
            switch step {
            case .event(let event): await handle(event)
            case .exit(let exit): return exit
            }
        }
        return AgentExit(status: .code(0), reason: .asked, errorTail: "", lifetime: .seconds(1))
    }

    func send(_ command: AgentCommand) {
        received.withLock { $0.append(command) }
        if case .prompt(_, let id, _) = command, takesPrompts.withLock({ $0 }) { take(id) }
    }
    func end(timeout: Duration) { next.finish() }

    // MARK: The script

    /// Leaves prompts in the agent's queue, until ``take(_:startsTurn:isNamed:)``.
    func holdPrompts() { takesPrompts.withLock { $0 = false } }

    func take(_ prompt: UUID, startsTurn: Bool = true, isNamed: Bool = true) {
        send(.promptTaken(AgentReceipt(id: prompt, startsTurn: startsTurn, isNamed: isNamed)))
    }

    func ready(_ conversation: String) {
        send(.ready(AgentReady(conversationID: conversation, permissionMode: "default")))
    }

    func send(_ content: AgentEvent.Content) { next.yield(.event(AgentEvent(content))) }

    func finishTurn() { send(.result(AgentResult(isError: false, reason: "success", duration: .seconds(2)))) }

    func exit(_ reason: AgentExit.Reason, tail: String = "", lifetime: Duration = .seconds(1)) {
        next.yield(.exit(AgentExit(status: .code(1), reason: reason, errorTail: tail, lifetime: lifetime)))
    }

    /// Waits for `count` commands.
    func commands(_ count: Int) async throws -> [AgentCommand] {
        try await eventually { self.commands.count >= count }
        return commands
    }
}

extension Identifier: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByUnicodeScalarLiteral {
    package init(stringLiteral value: String) { self.init(value) }
}

/// The refusal that `body` throws.
func refusal(_ body: () async throws -> Void) async throws -> ErrorCode? {
    do {
        try await body()
        return nil
    } catch let failure as ServiceFailure {
        return failure.code
    }
}
