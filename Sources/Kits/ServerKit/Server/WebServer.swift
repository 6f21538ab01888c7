import Foundation
import HTTPTypes
package import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// An HTTP and WebSocket server for one or several services, with metrics and graceful shutdown.
///
/// ```
///  request ──▶ Host, Origin ─▶ /health, /metrics, /privacy, /<name>/privacy
///                        ├──▶ /<name>/… ──▶ the service of that name      (or every path, for a single service)
///                        └──▶ all else  ──▶ the front, if there is one
/// ```
package struct WebServer: Service {
    package struct Configuration: Sendable {
        /// The address to listen on. `localhost` means 127.0.0.1 and ::1, both with the same port.
        package var host: String = "localhost"
        /// The port; 0 chooses a free one.
        package var port: Int = 0
        /// Additional host names that the server answers to.
        package var names: [String] = []
        /// The foreign origins whose pages may call a server of several services. A single service decides for itself.
        package var allowedOrigins: Set<WebOrigin> = []
        /// PEM files of a certificate chain and its key.
        package var tls: (certificate: String, key: String)?
        /// Maximum open connections per address. Further connections wait until one ends.
        package var maximumConnections = 10_000
        /// Returns true for addresses that many peers share, such as a proxy's. Any other network gets at most half of the connections.
        package var isShared: @Sendable (_ address: String) -> Bool = { IPLiteral.isLoopback($0) }
        /// Maximum memory for large WebSocket messages that are incomplete or wait for their service, over all connections, in
        /// bytes. A connection that would exceed it is closed with 1013; a connection with no more than 16 KiB never is.
        package var maximumMessageBytes = 268_435_456
        /// Maximum silence of a connection before, between and within requests.
        package var idleTimeout: Duration = .seconds(60)

        package init() {}

        /// True when only this machine can reach the server.
        package var isLoopback: Bool { IPLiteral.isLoopback(host) }
    }

    private let configuration: Configuration
    private let responder: BoxResponder
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int) async -> Void
    private let sockets = OpenWebSockets()

    /// - Parameters:
    ///   - services: The services, mounted below their names; a single one at the root when `isAlone`.
    ///   - front: Answers, from the root, every path that no service has.
    ///   - privacy: The privacy policy of the server, at its root and below each service; nil: there is none.
    ///   - onReady: Called once, when the server listens on every address.
    package init(
        configuration: Configuration, services: [ServiceParts], isAlone: Bool = false, front: ServiceParts? = nil,
        privacy: (@Sendable (Request) -> Response)? = nil, metrics: MetricsRegistry = MetricsRegistry(),
        logger: Logger, onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.onReady = onReady
        responder = BoxResponder(
            services: services, isAlone: isAlone, front: front, privacy: privacy,
            hostCheck: HostCheck(names: configuration.names + [configuration.host]),
            allowedOrigins: isAlone ? nil : configuration.allowedOrigins, metrics: metrics, logger: logger)
    }

    /// Listens until the server is shut down gracefully or its task is cancelled.
    ///
    /// - Throws: ``StartupError`` when an address cannot be listened on or the certificate cannot be used.
    package func run() async throws {
        let builder = try serverBuilder()
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                // The WebSockets do not belong to the server's tasks, so end them whatever the result.
                let result: Result<Void, any Error>
                do { result = .success(try await listen(builder)) } catch { result = .failure(error) }
                sockets.end()
                await sockets.waitUntilEmpty()
                try result.get()
            } onGracefulShutdown: {
                sockets.end()
            }
        } onCancel: {
            sockets.abandon()
        }
    }

    private func listen(_ builder: HTTPServerBuilder) async throws {
        // The first address chooses the port and the others follow. A free port may be in use on the second address; then try again.
        for attempt in 1... {
            do {
                return try await listen(on: addresses, builder: builder)
            } catch let error as IOError where error.errnoCode == EADDRINUSE && configuration.port == 0 && attempt < 10 {
                continue
            } catch let error as IOError {
                throw StartupError("Cannot listen on \(configuration.host) port \(configuration.port): \(Self.reason(error))")
            } catch is SocketAddressError.UnknownHost {
                throw StartupError(
                    "Cannot listen on \(configuration.host): no such address on this machine; choose another with --host")
            }
        }
    }

    private var addresses: [String] {
        guard configuration.host == "localhost" else { return [configuration.host] }
        return ["127.0.0.1"] + (Self.hasIPv6Loopback ? ["::1"] : [])
    }

    private static var hasIPv6Loopback: Bool {
        (try? System.enumerateDevices().contains { $0.address?.ipAddress == "::1" }) ?? false
    }

    private static func reason(_ error: IOError) -> String {
        switch error.errnoCode {
        case EADDRINUSE: "the port is in use; choose another with --port"
        case EACCES: "permission denied; choose a port from 1024 with --port"
        default: String(cString: strerror(error.errnoCode))
        }
    }

    private func listen(on addresses: [String], builder: HTTPServerBuilder) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var port = configuration.port
            for address in addresses {
                let (ports, bound) = AsyncStream.makeStream(of: Int.self)
                let server = try builder.buildServer(
                    configuration: ServerConfiguration(
                        address: .hostname(address, port: port), backlog: 1024,
                        availableConnectionsDelegate: .maximum(configuration.maximumConnections, logger: Self.quiet(logger))),
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Self.quiet(logger),
                    responder: { _, _, _ in },
                    onServerRunning: { channel in
                        bound.yield(channel.localAddress?.port ?? 0)
                        bound.finish()
                    })
                group.addTask {
                    defer { bound.finish() }
                    try await server.run()
                }
                guard let taken = await ports.first(where: { _ in true }) else {
                    // The server failed to start: rethrowing its error from the group ends the earlier listeners.
                    return try await Self.firstFailure(of: &group)
                }
                port = taken
            }
            await onReady(port)
            try await Self.firstFailure(of: &group)
        }
    }

    /// Waits for all tasks. Unlike `waitForAll`, throws while others still run, so that leaving the group cancels them.
    private static func firstFailure(of group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        while try await group.next() != nil {}
    }

    /// Returns a logger without Hummingbird's own startup messages, which ``onReady`` replaces.
    private static func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    private func serverBuilder() throws -> HTTPServerBuilder {
        let responder = self.responder
        let timeout = TimeAmount(configuration.idleTimeout)
        let isSecure = configuration.tls != nil
        let quota = ConnectionQuota(limit: max(1, configuration.maximumConnections / 2))
        let isShared = configuration.isShared
        let sockets = self.sockets
        let budget = MessageBudget(limit: configuration.maximumMessageBytes)
        let base = HTTPServerBuilder { _ in
            WebServerChannel(
                respond: { request, channel, slot in
                    let network = channel.remoteAddress?.ipAddress.map(IPLiteral.network) ?? "local"
                    return await responder.respond(to: request, from: network, slot: slot)
                },
                idleTimeout: timeout, isSecure: isSecure, quota: quota, isShared: isShared, sockets: sockets,
                budget: budget)
        }
        guard let tls = configuration.tls else { return base }
        // NIOSSL gets the contents that were checked: it would open the path again, and report only that reading failed.
        let certificate = try PrivateFiles.text(of: tls.certificate)
        let privateKey = try PrivateFiles.text(of: tls.key, isSecret: true)
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map(NIOSSLCertificateSource.certificate)
            let key = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
            var tlsConfiguration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            // Older versions are insecure (RFC 8996); NIOSSL allows them by default.
            tlsConfiguration.minimumTLSVersion = .tlsv12
            // Bounds the shutdown for peers that have stopped reading.
            tlsConfiguration.shutdownTimeout = .milliseconds(500)
            return try .tls(base, tlsConfiguration: tlsConfiguration)
        } catch {
            throw StartupError("Cannot use the certificate \(tls.certificate) with the key \(tls.key): \(error)")
        }
    }
}
