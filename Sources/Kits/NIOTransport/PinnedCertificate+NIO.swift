import Foundation
import NIOCore
import NIOSSL
import NIOTLS
import NetworkingKit
import WireKit

extension PinnedCertificate {
    /// Checks the certificate of a channel whose TLS handshake is complete, and closes the channel if it is not the pinned one.
    func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            do {
                guard let certificate else { throw TransportError(.tls, "the server has sent no certificate") }
                try check(certificate.toDERBytes())
            } catch {
                channel.close(promise: nil)
                throw error
            }
        }
    }
}

extension NIOSSLClientHandler {
    /// - Parameter check: Replaces the check of the certificate, and receives its DER encoding; nil for the configured check.
    static func to(
        _ host: String, _ context: NIOSSLContext, check: ((_ certificate: [UInt8]) throws -> Void)?
    ) throws -> NIOSSLClientHandler {
        // Certificates are checked by name only; an IP address has none.
        let name = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
        guard let check else { return try NIOSSLClientHandler(context: context, serverHostname: name) }
        return try NIOSSLClientHandler(
            context: context, serverHostname: name,
            customVerificationCallback: { chain, promise in
                promise.completeWith(
                    Result {
                        guard let leaf = chain.first else { throw TransportError(.tls, "the server has sent no certificate") }
                        try check(leaf.toDERBytes())
                        return .certificateVerified
                    })
            })
    }
}

/// A handler that closes the channel if the TLS handshake takes too long. Comes after the TLS handler.
final class HandshakeTimeout: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    private let didTimeOut: (TransportError) -> Void
    private var timer: Scheduled<Void>?

    init(_ limit: TimeAmount, didTimeOut: @escaping (TransportError) -> Void) {
        self.limit = limit
        self.didTimeOut = didTimeOut
    }

    func channelActive(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { [didTimeOut] in
            didTimeOut(TransportError(.tls, "the server did not complete the TLS handshake"))
            context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { timer?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}
