import Foundation
import Logging
import ServerKit
import ServiceLifecycle
import UnixSignals

/// One process that serves: builds the services, runs them with their server, and ends them in order.
struct Box {
    /// From the signal to the end of the last connection; what is left then is cut.
    private static let shutdownTime: Duration = .seconds(3)

    private let configuration: ServeConfiguration
    private let settings: Settings
    private let alone: System?
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
        let systems = alone.map { [$0] } ?? System.allCases
        try await ServiceParts.opening(systems.map { system in { try await build(system) } }) { services in
            let front = alone == nil ? try await BrowserApps.build(configuration, services: services, logger: logger) : nil
            try await ServiceParts.opening(front.map { front in [{ front }] } ?? []) { _ in try await serve(services, front) }
        }
        logger.info("Ended")
    }

    private func build(_ system: System) async throws -> ServiceParts {
        try await system.build(
            settings.scoped(to: system.rawValue, orPlain: alone == system), dataFolder: configuration.dataFolder,
            isAlone: alone != nil, metrics: metrics,
            logger: logger)
    }

    private func serve(_ services: [ServiceParts], _ front: ServiceParts?) async throws {
        var listening = configuration.server
        // `localhost` is two addresses, each with connections of its own.
        let addresses = listening.host == "localhost" ? 2 : 1
        listening.maximumConnections = OpenFiles.roomForConnections / addresses
        let server = WebServer(
            configuration: listening, services: services, isAlone: alone != nil, front: front, metrics: metrics, logger: logger,
            onReady: { port in announce(port, services) })
        // Ended in reverse order: first nobody new is let in, then the rest comes to rest.
        var group = ServiceGroupConfiguration(
            services: (services + (front.map { [$0] } ?? [])).flatMap(\.background).map { .init(service: $0) }
                + [.init(service: server, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        group.maximumGracefulShutdownDuration = Self.shutdownTime
        try await ServiceGroup(configuration: group).run()
    }

    private var quiet: Logger {
        var logger = logger
        logger.logLevel = max(configuration.logLevel, .warning)
        return logger
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
        let host = ["0.0.0.0", "::"].contains(server.host) ? "localhost" : server.host
        let address = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        var lines = ["Listening on \(address)"]
        if alone == nil, let hint = try? BrowserApps.hint(configuration) { lines.append("  \(hint)") }
        if alone == nil { lines += services.map { "  \($0.name): \(address)/\($0.name)" } }
        if !server.isLoopback, server.tls == nil {
            lines.append(
                "  Reachable from other machines without TLS: tokens travel in the clear, and browsers will refuse microphone, camera, clipboard, notifications and passkeys. See --tls-cert."
            )
        }
        // Nobody reads it, or the disk is full: that is no reason to stop serving.
        try? FileHandle.standardOutput.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    }
}
