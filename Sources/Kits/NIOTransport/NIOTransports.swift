package import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
package import NetworkingKit
package import WireKit

/// The transports of clients on Linux and on the command line: ``AsyncHTTP`` and ``NIOSocket``.
package struct NIOTransports: ServerTransports {
    private let handshakeTimeout: Duration

    /// - Parameter handshakeTimeout: Maximum time until a connection is open, including TLS.
    package init(handshakeTimeout: Duration = .seconds(10)) { self.handshakeTimeout = handshakeTimeout }

    package func http(pinning pin: PinnedCertificate?) -> any HTTPTransport {
        AsyncHTTP(pinning: pin, connectTimeout: handshakeTimeout)
    }

    package func sockets(pinning pin: PinnedCertificate?) -> any SocketTransport {
        NIOSocket(pinning: pin, handshakeTimeout: handshakeTimeout)
    }

    package func fingerprint(of server: URL) async throws -> CertificateFingerprint {
        guard server.scheme?.lowercased() == "https", let host = server.host(), !host.isEmpty else {
            throw TransportError(.address, "only an https address has a certificate")
        }
        var tls = TLSConfiguration.makeClientConfiguration().withoutBrokenVersions
        tls.certificateVerification = .noHostnameVerification
        let context = try NIOSSLContext(configuration: tls)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let reading = Reading(loop)
        let limit = TimeAmount(handshakeTimeout)
        do {
            return try await withTaskCancellationHandler {
                let channel = try await ClientBootstrap(group: loop)
                    .connectTimeout(limit)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let handler = try NIOSSLClientHandler.to(host, context) { reading.didReceive($0) }
                            try channel.pipeline.syncOperations.addHandlers(
                                handler, HandshakeTimeout(limit) { reading.end(.failure($0)) }, HandshakeReader(reading))
                        }
                    }
                    .connect(host: host, port: server.port ?? 443).get()
                defer { channel.close(promise: nil) }
                return try await reading.result()
            } onCancel: {
                reading.end(.failure(CancellationError()))
            }
        } catch {
            try Task.checkCancellation()
            throw TransportError.from(error)
        }
    }
}

/// The fingerprint that a handshake reads.
private final class Reading: Sendable {
    private let promise: EventLoopPromise<CertificateFingerprint>
    private let state = Locked((received: nil as CertificateFingerprint?, hasEnded: false))

    init(_ loop: any EventLoop) { promise = loop.makePromise() }

    // A promise has to be completed.
    deinit { end(.failure(CancellationError())) }

    func didReceive(_ certificate: [UInt8]) {
        let fingerprint = CertificateFingerprint(ofDER: certificate)
        state.withLock { $0.received = fingerprint }
    }

    /// Ends the reading with success: the server has proved that it has the certificate's key.
    func didComplete() {
        guard let received = state.withLock({ $0.received }) else { return }
        end(.success(received))
    }

    /// Completes the reading with the first result; later results are ignored.
    func end(_ result: Result<CertificateFingerprint, any Error>) {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        if isFirst { promise.completeWith(result) }
    }

    func result() async throws -> CertificateFingerprint { try await promise.futureResult.get() }
}

/// A handler that reports the end of a handshake. Comes after the TLS handler.
private final class HandshakeReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let reading: Reading

    init(_ reading: Reading) { self.reading = reading }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { reading.didComplete() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reading.end(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        reading.end(.failure(TransportError(.tls, "the server closed the connection during the TLS handshake")))
        context.fireChannelInactive()
    }
}
