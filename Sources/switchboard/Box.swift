import EndlessCodeWire
import Foundation
import Logging
import ServerKit
import ServiceLifecycle
import UnixSignals
import WireKit

/// The server process: builds the services, runs them with one web server, and stops them in order.
struct Box {
    /// Maximum time from the signal to the end of the last connection. Connections that are open then are cut.
    private static let shutdownTime: Duration = .seconds(3)

    private let configuration: ServeConfiguration
    private let settings: Settings
    private let alone: System?
    private let swarm = BoxSwarm()
    private let metrics = MetricsRegistry()
    private let logger: Logger

    init(_ configuration: ServeConfiguration, settings: Settings, alone: System?) {
        self.configuration = configuration
        self.settings = settings
        self.alone = alone
        LoggingSystem.bootstrap { label in StreamLogHandler.standardError(label: label) }
        var logger = Logger(label: "switchboard")
        logger.logLevel = configuration.logLevel
        self.logger = logger
    }

    func run() async throws {
        try PrivateFiles.ensureFolder(configuration.dataFolder)
        let systems = alone.map { [$0] } ?? System.all
        let privacy = try PrivacyPage(settings, alone: alone)
        let services = systems.compactMap { system in system.service.map { (system, $0) } }
        try await ServiceParts.opening(services.map { system, service in { try await service.build(context(for: system)) } }) {
            services in
            let front =
                alone == nil
                ? try await BrowserApps.build(configuration, services: services, logger: logger, context: context) : nil
            try await ServiceParts.opening(front.map { front in [{ front }] } ?? []) { _ in
                try await serve(services, front, privacy)
            }
        }
        logger.info("Stopped")
    }

    @Sendable private func context(for system: System) -> BoxContext {
        BoxContext(
            settings: settings.scoped(to: system.name, orPlain: alone != nil), dataFolder: configuration.dataFolder,
            database: configuration.database, isAlone: alone != nil, hasOtherNames: !configuration.server.names.isEmpty,
            swarm: swarm, metrics: metrics,
            logger: logger)
    }

    private func serve(_ services: [ServiceParts], _ front: ServiceParts?, _ privacy: PrivacyPage) async throws {
        var listening = configuration.server
        // `localhost` is two addresses, each with connections of its own.
        let addresses = listening.host == "localhost" ? 2 : 1
        listening.maximumConnections = OpenFiles.maximumConnections / addresses
        let server = WebServer(
            configuration: listening, services: services.map(forNetwork), isAlone: alone != nil, front: front,
            privacy: privacy.response, metrics: metrics, logger: logger,
            onReady: { port in announce(port, services) })
        // Stopped in reverse order: the web server accepts nothing more before the services' own work ends.
        var group = ServiceGroupConfiguration(
            services: (services + (front.map { [$0] } ?? [])).flatMap(\.background).map { .named($0) }
                + [.named(server, endsGroup: true)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        group.maximumGracefulShutdownDuration = Self.shutdownTime
        try await ServiceGroup(configuration: group).run()
    }

    /// Returns the service as the network reaches it: limited to this machine if it requires TLS and the server has none.
    private func forNetwork(_ service: ServiceParts) -> ServiceParts {
        let server = configuration.server
        guard !server.isLoopback, server.tls == nil,
            System.all.contains(where: { $0.name == service.name && $0.service?.requiresTLS == true })
        else { return service }
        var service = service
        service.responder = LoopbackOnly(service.responder)
        return service
    }

    private var quiet: Logger {
        var logger = logger
        logger.logLevel = max(configuration.logLevel, .warning)
        return logger
    }

    private var isEverywhere: Bool { ["0.0.0.0", "::"].contains(configuration.server.host) }

    /// The names and addresses by which other machines reach a box that is open to them, the best one first.
    private var otherHosts: [String] {
        let server = configuration.server
        let own = isEverywhere ? HostInterfaces.addresses(ipv6: server.host == "::") : []
        let addresses = isEverywhere ? own.map { "\(ServerAddress.Host.ip($0))" } : [server.host]
        // Names first with TLS: a certificate is for names.
        return server.tls == nil ? addresses + server.names : server.names + addresses
    }

    private func announce(_ port: Int, _ services: [ServiceParts]) {
        logger.info(
            "Serving",
            metadata: [
                "port": "\(port)", "data": "\(configuration.dataFolder.path)", "version": "\(Switchboard.version)",
                "services": "\(services.map(\.name).joined(separator: " "))",
            ])
        let server = configuration.server
        let scheme = server.tls == nil ? "http" : "https"
        func url(_ host: String) -> String {
            "\(scheme)://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)"
        }
        let address = url(isEverywhere ? "localhost" : server.host)
        let others = server.isLoopback ? [] : otherHosts.map(url)
        var lines = ["Listening on \(address)"]
        lines += others.filter { $0 != address }.map { "  Network: \($0)" }
        let access = alone == nil ? BrowserApps.access(configuration) : nil
        if let access { lines.append("  Access code for browsers: \(access.code)") }
        if alone == nil { lines += services.map { "  \($0.name): \(address)/\($0.name)" } }
        lines += services.compactMap(\.note).map { "  \($0)" }
        if !server.isLoopback, server.tls == nil {
            lines.append(
                "  Warning: other machines connect without TLS. Tokens are sent unencrypted, and browsers refuse microphone, camera, clipboard, notifications and passkeys. See --tls-cert."
            )
        }
        if let access, let first = others.first, isatty(STDOUT_FILENO) == 1 {
            let link = access.link(first)
            lines += ["", "Scan this code with a phone to open the box on it.", "", TerminalCode.block(link) + "\n" + link]
        }
        // A closed pipe or a full disk is no reason to stop serving.
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    }
}
