import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOPosix
import NIOSSL
public import ServiceLifecycle

/// A server for one or several services: listens, routes, measures, and ends gracefully.
///
/// ```
///  request ──▶ Host, Origin ─▶ /health, /metrics
///                        ├──▶ /<name>/… ──▶ the service of that name      (or every path, when it is alone)
///                        └──▶ all else  ──▶ the front, if there is one
/// ```
public struct WebServer: Service {
    public struct Configuration: Sendable {
        /// Addresses to listen on, all with the same port. `localhost` means 127.0.0.1 and ::1.
        public var host: String = "localhost"
        /// 0 takes a free one.
        public var port: Int = 0
        /// Further names that requests may address this server by.
        public var names: [String] = []
        /// The origins, beside the server's own, whose pages may call a server of several services. One service alone decides for itself.
        public var allowedOrigins: Set<WebOrigin> = []
        /// PEM files of a certificate chain and its key.
        public var tls: (certificate: String, key: String)?
        /// Connections that may be open on each address. Further ones wait to be accepted until one ends.
        public var maximumConnections = 10_000
        /// Addresses behind which there may be many peers, such as a proxy. Every other network has at most half of the connections.
        public var isShared: @Sendable (_ address: String) -> Bool = { IPLiteral.isLoopback($0) }
        /// Bytes of large WebSocket messages that are not whole yet or wait for their service, of all connections together. A connection that
        /// would go past it is closed with 1013; one with no more than 16 KiB never is.
        public var maximumMessageBytes = 268_435_456
        /// How long a connection may be silent before, between or within requests.
        public var idleTimeout: Duration = .seconds(60)

        public init() {}

        /// Whether only this machine can reach the server.
        public var isLoopback: Bool { IPLiteral.isLoopback(host) }
    }

    private let configuration: Configuration
    private let responder: BoxResponder
    private let logger: Logger
    private let onReady: @Sendable (_ port: Int) async -> Void
    private let sockets = OpenWebSockets()

    /// - Parameters:
    ///   - services: Mounted below their names. A single one is mounted at the root when `isAlone`.
    ///   - front: Answers every path that is nobody else's, from the root.
    ///   - onReady: Called once, when every address is listened on.
    public init(
        configuration: Configuration, services: [ServiceParts], isAlone: Bool = false, front: ServiceParts? = nil,
        metrics: MetricsRegistry = MetricsRegistry(),
        logger: Logger, onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.onReady = onReady
        responder = BoxResponder(
            services: services, isAlone: isAlone, front: front,
            hostCheck: HostCheck(names: configuration.names + [configuration.host]),
            allowedOrigins: isAlone ? nil : configuration.allowedOrigins, metrics: metrics, logger: logger)
    }

    /// Listens until the server is shut down gracefully or its task is cancelled.
    ///
    /// - Throws: ``StartupError`` when an address cannot be listened on or the certificate cannot be used.
    public func run() async throws {
        let builder = try serverBuilder()
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                // However it ends: the WebSockets are not of its tasks.
                let result: Result<Void, any Error>
                do { result = .success(try await listen(builder)) } catch { result = .failure(error) }
                sockets.end()
                await sockets.ended()
                try result.get()
            } onGracefulShutdown: {
                sockets.end()
            }
        } onCancel: {
            sockets.abandon()
        }
    }

    private func listen(_ builder: HTTPServerBuilder) async throws {
        // The first address takes the port, the others follow it. A free port may be taken on the second address: try again then.
        for attempt in 1... {
            do {
                return try await listen(on: addresses, builder: builder)
            } catch let error as IOError where error.errnoCode == EADDRINUSE && configuration.port == 0 && attempt < 10 {
                continue
            } catch let error as IOError {
                throw StartupError("Cannot listen on \(configuration.host) port \(configuration.port): \(Self.reason(error))")
            } catch is SocketAddressError.UnknownHost {
                throw StartupError("Cannot listen on \(configuration.host): there is no such address")
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
        case EACCES: "this user may not; choose a port from 1024 on with --port"
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
                    // It ended before it ran: its error is the group's, and ends the listeners before it.
                    return try await Self.firstFailure(of: &group)
                }
                port = taken
            }
            await onReady(port)
            try await Self.firstFailure(of: &group)
        }
    }

    /// Returns when all have ended. Unlike `waitForAll`, throws while others still run, so that leaving the group cancels them.
    private static func firstFailure(of group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        while try await group.next() != nil {}
    }

    /// Hummingbird tells at info what ``onReady`` tells better.
    private static func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    private func serverBuilder() throws -> HTTPServerBuilder {
        let responder = self.responder
        let timeout = TimeAmount(configuration.idleTimeout)
        let isSecure = configuration.tls != nil
        let shares = ConnectionShares(limit: max(1, configuration.maximumConnections / 2))
        let isShared = configuration.isShared
        let sockets = self.sockets
        let budget = MessageBudget(limit: configuration.maximumMessageBytes)
        let base = HTTPServerBuilder { _ in
            WebServerChannel(
                respond: { request, channel, slot in
                    let network = channel.remoteAddress?.ipAddress.map(IPLiteral.network) ?? "local"
                    return await responder.respond(to: request, from: network, slot: slot)
                },
                idleTimeout: timeout, isSecure: isSecure, shares: shares, isShared: isShared, sockets: sockets,
                budget: budget)
        }
        guard let tls = configuration.tls else { return base }
        // For a clear word about a file that is not there; NIOSSL says only that it failed.
        for file in [tls.certificate, tls.key] { _ = try PrivateFiles.text(of: file) }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(tls.certificate).map(NIOSSLCertificateSource.certificate)
            let key = try NIOSSLPrivateKey(file: tls.key, format: .pem)
            var tlsConfiguration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            // Older versions are broken (RFC 8996), and NIOSSL would speak them.
            tlsConfiguration.minimumTLSVersion = .tlsv12
            // Nobody who has stopped reading holds up the end for longer.
            tlsConfiguration.shutdownTimeout = .milliseconds(500)
            return try .tls(base, tlsConfiguration: tlsConfiguration)
        } catch {
            throw StartupError("Cannot use the certificate \(tls.certificate) with the key \(tls.key): \(error)")
        }
    }
}
