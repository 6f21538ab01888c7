import EndlessCodeAgents
import EndlessCodeProjects
import EndlessCodeService
import EndlessCodeWire
import Foundation
import Logging
import ServerKit
import ServiceLifecycle
import UnixSignals

/// EndlessCode as a server of its own, from start to end: `endlesscode host`, and `serve endlesscode`.
///
/// ```
///  SIGTERM ─▶ sockets and port close, at most 3 s ─▶ announcement is withdrawn ─▶ agents end, at most 5 s ─▶ the store closes
/// ```
struct EndlessCodeHost {
    /// Maximum time from the signal to the end of the last connection.
    private static let shutdownTime: Duration = .seconds(3)

    private let configuration: EndlessCodeConfiguration
    private let server: WebServer.Configuration
    private let agents: HostAgents
    private let projects: ProjectCatalog
    private let notes: [String]
    private let logLevel: Logger.Level

    /// - Parameters:
    ///   - server: The settings of the server. If other machines can reach it, the server gets a certificate, unless it has one.
    ///   - notes: Lines for the user, after the address.
    init(
        _ configuration: EndlessCodeConfiguration, server: WebServer.Configuration, agents: HostAgents, projects: ProjectCatalog,
        notes: [String], logLevel: Logger.Level = .notice
    ) {
        (self.configuration, self.server, self.agents, self.projects) = (configuration, server, agents, projects)
        (self.notes, self.logLevel) = (notes, logLevel)
    }

    /// The names by which others on the local network may call this machine.
    static var ownNames: [String] {
        let name = ProcessInfo.processInfo.hostName
        let first = name.prefix { $0 != "." }
        return [name, "\(first)", "\(first).local"].filter { !$0.isEmpty }
    }

    /// Serves until a signal.
    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var logger = Logger(label: "switchboard")
        logger.logLevel = logLevel
        let folder = configuration.dataFolder
        try PrivateFiles.ensureFolder(folder)
        var listening = server
        // `localhost` is two addresses, each with connections of its own.
        listening.maximumConnections = OpenFiles.maximumConnections / (listening.host == "localhost" ? 2 : 1)
        if !listening.isLoopback, listening.tls == nil { listening.tls = try EndlessCodeBox.certificate(in: folder).tls }
        let fingerprint = try listening.tls.map { try ServerCertificate.fingerprint(ofPEM: $0.certificate) }
        let tokens = try AccessTokens(folder: folder)
        let board = HostBoard(host: listening.host, fingerprint: fingerprint, notes: notes, tokens: tokens)
        let metrics = MetricsRegistry()
        try await ServiceParts.opening([
            { [logger] in
                try await EndlessCodeBox.build(
                    configuration, tokens: tokens, agents: agents, projects: projects, metrics: metrics, logger: logger,
                    didRenewToken: { board.showNewToken() })
            }
        ]) { [logger, listening] parts in
            try await serve(parts, listening, board, metrics, logger)
        }
        HostBoard.write("Stopped.")
    }

    private func serve(
        _ parts: [ServiceParts], _ listening: WebServer.Configuration, _ board: HostBoard, _ metrics: MetricsRegistry,
        _ logger: Logger
    ) async throws {
        let announcement =
            listening.isLoopback
            ? nil : HostAnnouncement(name: try HostAnnouncement.name(in: configuration.dataFolder), usesTLS: listening.tls != nil)
        let server = WebServer(
            configuration: listening, services: parts, isAlone: true, metrics: metrics, logger: logger,
            onReady: { port in
                board.show(port: port)
                announcement?.start(port: port)
            })
        // The services stop in reverse order.
        var group = ServiceGroupConfiguration(
            services: parts.flatMap(\.background).map { .named($0) }
                + (announcement.map { [.named($0)] } ?? [])
                + [.named(server, endsGroup: true)],
            gracefulShutdownSignals: EndingSignals.all, logger: Self.quiet(logger))
        group.maximumGracefulShutdownDuration = Self.shutdownTime
        try await ServiceGroup(configuration: group).run()
    }

    private static func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }
}

/// EndlessCode's service on this computer, alone or in a box.
enum EndlessCodeBox {
    /// The allowed time until an open question is refused, in seconds: up to a week.
    static let promptTimeouts = 1...604_800

    /// Returns the certificate for other machines, which is stored in the data folder.
    static func certificate(in folder: URL) throws(StartupError) -> ServerCertificate {
        try .stored(in: folder.appending(path: "endlesscode-certificate.secret"), name: "EndlessCode")
    }

    /// Opens the service. Agents that an earlier process left are killed.
    ///
    /// - Throws: `StartupError`.
    static func build(
        _ configuration: EndlessCodeConfiguration, tokens: AccessTokens? = nil, agents: HostAgents, projects: ProjectCatalog,
        metrics: MetricsRegistry, logger: Logger, didRenewToken: @escaping @Sendable () -> Void = {}
    ) async throws -> ServiceParts {
        let folder = configuration.dataFolder.appending(path: "endlesscode-agents")
        let records: AgentRecords
        do {
            records = try AgentRecords(in: folder)
        } catch {
            throw StartupError("Cannot write to \(folder.path): \(error.localizedDescription)")
        }
        return try await EndlessCodeService.build(
            configuration, tokens: tokens, launcher: agents.launcher(records), projects: CatalogProjects(projects),
            metrics: metrics,
            logger: logger, didRenewToken: didRenewToken)
    }
}
