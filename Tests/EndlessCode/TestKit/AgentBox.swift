import EndlessCodeAgents
package import EndlessCodeClient
import EndlessCodeProjects
import EndlessCodeService
package import EndlessCodeWire
package import Foundation
import Logging
import NIOTransport
package import NetworkingKit
package import PhoneTestKit
import PlatformKit
import PushKit
package import ServerKit
import ServiceLifecycle
package import TestKit
package import Testing
package import WireKit

/// A real server on a real database, whose agents are real processes of the demo agent, and phones that reach it in process.
package final class AgentBox: Sendable {
    package enum Agent: Sendable {
        /// The demo agent, with this pause between two pieces of a text.
        case demo(pace: Duration)
        /// No program is installed.
        case missing
    }

    /// The server's data folder.
    package let folder: TemporaryFolder
    /// The folder of the only project.
    package let project: TemporaryFolder
    package let projectID: EndlessCodeWire.Project.ID
    /// The network of the phones.
    package let network: TestNetwork
    package let token: AccessToken
    private let configuration: TemporaryFolder
    private let agent: Agent
    private let running: Locked<Running?>

    /// A server from its start to its end.
    private struct Running {
        var parts: ServiceParts
        var background: Task<Void, Never>
    }

    package init(_ agent: Agent = .demo(pace: .zero)) async throws {
        (folder, project, configuration) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        self.agent = agent
        try Data("# Scratch\n\nA project for tests.\n".utf8).write(to: project.url.appending(path: "README.md"))
        projectID = try await Self.catalog(configuration, project).1
        let parts = try await Self.build(folder, configuration, project, agent)
        token = try AccessTokens(folder: folder.url).current
        network = TestNetwork(InProcessTransport(services: [parts], logger: .quiet), keeping: folder)
        running = Locked(Running(parts: parts, background: Self.run(parts)))
    }

    deinit {
        guard let left = running.withLock({ $0 }) else { return }
        left.background.cancel()
        Task { await left.parts.close() }
    }

    // MARK: The server

    /// The address of the server on the network of ``network``.
    package static let address = (try? ServerAddress("http://localhost:80/\(EndlessCodeService.name)"))!

    package var parts: ServiceParts {
        get throws {
            guard let running = running.withLock({ $0 }) else { throw NotThere() }
            return running.parts
        }
    }

    /// Ends the server like SIGTERM, while the network is down.
    package func stop() async {
        network.cut()
        guard
            let left = running.withLock({ running in
                defer { running = nil }
                return running
            })
        else { return }
        left.background.cancel()
        await left.background.value
        await left.parts.close()
        network.lead(to: TestNetwork(InProcessTransport(services: [], logger: .quiet)))
    }

    /// Starts the server again on the same data.
    package func start() async throws {
        let parts = try await rebuilt()
        network.lead(to: TestNetwork(InProcessTransport(services: [parts], logger: .quiet)))
        let background = Self.run(parts)
        running.withLock { $0 = Running(parts: parts, background: background) }
        network.mend()
    }

    private func rebuilt() async throws -> ServiceParts {
        let built = Locked<ServiceParts?>(nil)
        // The last task of the server before may hold its database a moment longer.
        try await eventually { [self] in
            do {
                let parts = try await Self.build(folder, configuration, project, agent)
                built.withLock { $0 = parts }
                return true
            } catch let error as StartupError where error.description.contains("in use") {
                return false
            }
        }
        guard let parts = built.withLock({ $0 }) else { throw NotThere() }
        return parts
    }

    package func restart() async throws {
        await stop()
        try await start()
    }

    /// Draws a new token, which ends that of every phone.
    package func renewToken() throws -> AccessToken { try AccessTokens.renew(folder: folder.url) }

    /// Runs the server on a port with TLS as well, beside `body`.
    package func serve<Value: Sendable>(
        tls certificate: ServerCertificate?, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> Value {
        var configuration = WebServer.Configuration()
        configuration.tls = certificate?.tls
        let parts = try parts
        // A server runs the background work too, and it runs once at a time.
        if let background = running.withLock({ $0?.background }) {
            background.cancel()
            await background.value
        }
        defer { running.withLock { $0?.background = Self.run(parts) } }
        return try await ServerUnderTest.run([parts], configuration: configuration) { try await body($0.port) }
    }

    private static func run(_ parts: ServiceParts) -> Task<Void, Never> {
        Task {
            await withTaskGroup { group in
                for service in parts.background { group.addTask { try? await service.run() } }
            }
        }
    }

    private static func catalog(
        _ configuration: TemporaryFolder, _ project: TemporaryFolder
    ) async throws -> (ProjectCatalog, EndlessCodeWire.Project.ID) {
        let catalog = ProjectCatalog(history: configuration.path, salt: Data(repeating: 1, count: 32))
        return (catalog, .init(try await catalog.add(project.path).rawValue))
    }

    private static func build(
        _ folder: TemporaryFolder, _ configuration: TemporaryFolder, _ project: TemporaryFolder, _ agent: Agent
    ) async throws -> ServiceParts {
        let (catalog, _) = try await catalog(configuration, project)
        var environment = ProcessInfo.processInfo.environment
        environment["CLAUDE_CONFIG_DIR"] = configuration.path
        if case .demo(let pace) = agent { environment["DEMO_AGENT_PACE"] = "\(Int(pace / .milliseconds(1)))" }
        let isMissing = if case .missing = agent { true } else { false }
        let launcher = AgentLauncher(
            check: { if isMissing { throw AgentError.programNotFound("claude") } },
            make: { [environment] folder, conversation in
                EndlessCodeAgents.Agent(
                    ClaudeDriver(),
                    AgentLaunch(
                        program: Program.products.appending(path: "demo-agent").path, folder: folder, conversation: conversation,
                        environment: environment))
            })
        var server = EndlessCodeConfiguration(dataFolder: folder.url)
        // Nothing listens there: notifications wait.
        server.push.ntfy = URL(string: "http://127.0.0.1:1").map { NtfyConfiguration(address: $0) }
        return try await EndlessCodeService.build(
            server, launcher: launcher, projects: CatalogProjects(catalog),
            metrics: MetricsRegistry(), logger: .quiet)
    }

    // MARK: Phones

    /// The network of a phone.
    ///
    /// - Parameter own: A network of this phone only, in front of ``network``.
    package func phoneNetwork(
        _ name: String? = "Test phone", own: TestNetwork? = nil,
        isAllowed: @escaping @Sendable (ServerAddress) -> Bool = { _ in true }
    ) -> ServerNetwork {
        ServerNetwork(phoneName: name, transports: TestTransports(own ?? network), decide: { isAllowed($0) ? .allowed : .refused })
    }

    /// A phone with the app, without a server.
    @MainActor
    package func phone(
        _ name: String = "Test phone", _ phone: TestPhone = TestPhone(), own: TestNetwork? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> AgentPhone {
        AgentPhone(phone, AgentClient(phone: phone.phone(clock: clock), network: phoneNetwork(name, own: own), random: { 0.5 }))
    }

    /// A phone that is connected and in front.
    @MainActor
    package func connected(
        _ name: String = "Test phone", _ phone: TestPhone = TestPhone(), own: TestNetwork? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> AgentPhone {
        let hand = self.phone(name, phone, own: own, clock: clock)
        try await hand.until { $0.isReady }
        try await hand.client.addServer(address: Self.address.text, token: token.text)
        hand.client.setInFront(true, screen: hand)
        try await hand.until { $0.status == .connected && !$0.projects.isEmpty }
        return hand
    }
}

/// Something that a test needs is not there.
package struct NotThere: Error {
    package init() {}
}

/// The transports of a phone on a ``TestNetwork``.
package struct TestTransports: ServerTransports {
    private let network: TestNetwork

    package init(_ network: TestNetwork) { self.network = network }

    package func http(pinning pin: PinnedCertificate?) -> any HTTPTransport { network }
    package func sockets(pinning pin: PinnedCertificate?) -> any SocketTransport { network }
    package func fingerprint(of server: URL) async throws -> CertificateFingerprint {
        throw TransportError(.tls, "the test network has no TLS")
    }
}

/// A user with a phone. The app runs for the lifetime of the value.
@MainActor
package final class AgentPhone {
    package let phone: TestPhone
    package let client: AgentClient
    private let running: Task<Void, Never>

    package init(_ phone: TestPhone, _ client: AgentClient) {
        (self.phone, self.client) = (phone, client)
        running = Task { await client.run() }
    }

    deinit { running.cancel() }

    /// Closes the app.
    package func quit() async {
        running.cancel()
        await running.value
    }

    package func until(
        sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: @escaping @MainActor (AgentClient) -> Bool
    ) async throws {
        let client = client
        do {
            try await eventually { await MainActor.run { isTrue(client) } }
        } catch let error as TimedOut {
            let state =
                "\(client.status), hold \(client.hold.map { "\($0)" } ?? "none"), problem \(client.problem.map { "\($0)" } ?? "none")"
            Issue.record(
                "still waiting: \(state), next attempt \(String(describing: client.nextAttempt))", sourceLocation: sourceLocation)
            throw error
        }
    }

    /// Advances the clock step by step until the condition holds.
    package func until(
        advancing clock: TestClock, by step: Duration, _ isTrue: @escaping @MainActor (AgentClient) -> Bool
    ) async throws {
        let client = client
        try await clock.advance(by: step, pause: .milliseconds(50)) { await isTrue(client) }
    }

    // MARK: Sessions

    /// Starts a session in the only project, and opens its conversation.
    package func startSession() async throws -> Conversation {
        let project = try await first { $0.projects.first }
        let conversation = client.conversation(try await client.startSession(in: project.id))
        await client.open(conversation)
        return conversation
    }

    /// Sends a prompt and waits for the end of its turn. Answers questions by `answer`.
    package func turn(
        _ text: String, in conversation: Conversation,
        answer: @MainActor (OpenPrompt) -> String? = { $0.request.question.options.first?.label }
    ) async throws {
        let before = conversation.resultCount
        try await client.send(text, in: conversation)
        while conversation.resultCount == before {
            try await until { _ in conversation.resultCount > before || self.unanswered(conversation) != nil }
            if let prompt = unanswered(conversation) {
                try client.answer(
                    prompt.id, options: answer(prompt).map { [$0] } ?? [], text: answer(prompt) == nil ? "as you like" : nil)
            }
        }
    }

    private func unanswered(_ conversation: Conversation) -> OpenPrompt? {
        client.prompts(of: conversation.id).first { $0.answer == nil }
    }

    /// Waits for a value.
    package func first<Value: Sendable>(_ value: @escaping @MainActor (AgentClient) -> Value?) async throws -> Value {
        try await until { value($0) != nil }
        guard let value = value(client) else { throw NotThere() }
        return value
    }
}

extension Conversation {
    /// The number of turns that have ended.
    package var resultCount: Int { entries.count { if case .result = $0.content { true } else { false } } }
    /// The texts of the user and of the agent, and words for the others, for comparison.
    package var outline: [String] {
        entries.map { entry in
            switch entry.content {
            case .user(let text): "user: \(text)"
            case .queued(let text): "queued: \(text)"
            case .undelivered(let text): "undelivered: \(text)"
            case .outgoing(let prompt): "outgoing: \(prompt.text)"
            case .agent(let text, let isWriting): (isWriting ? "writing: " : "agent: ") + text
            case .tool(let call): "tool: \(call.name ?? "?")\(call.isRunning ? " running" : "")"
            case .question(let question): "question: \(question.question.question)"
            case .result(let result): "result: \(result.reason)"
            case .notice(let notice): "notice: \(notice.kind)"
            case .unknown: "unknown"
            }
        }
    }
}
