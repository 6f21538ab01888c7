import Foundation
package import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import NIOWebSocket
package import NetworkingKit
import WireKit

/// A WebSocket transport by NIO, for Linux. Supports back-pressure and custom trust roots.
package struct NIOSocket: SocketTransport {
    private static let connectTimeout: TimeAmount = .seconds(10)
    /// Maximum size of a refusal's body, in bytes.
    private static let maximumRefusal = 65_536
    let tls: TLSConfiguration
    private let pin: PinnedCertificate?
    private let handshakeTimeout: TimeAmount

    /// - Parameters:
    ///   - pin: The only certificate to accept. Connections are to `https` addresses then.
    ///   - handshakeTimeout: Maximum duration of the TLS handshake.
    package init(
        pinning pin: PinnedCertificate? = nil, handshakeTimeout: Duration = .seconds(10),
        tls: TLSConfiguration = .makeClientConfiguration()
    ) {
        var tls = tls.withoutBrokenVersions
        // The pinned certificate alone decides, whatever host it names.
        if pin != nil { tls.certificateVerification = .noHostnameVerification }
        self.tls = tls
        self.pin = pin
        self.handshakeTimeout = TimeAmount(handshakeTimeout)
    }

    private enum Upgraded: Sendable {
        case open(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>)
        case refused(NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>)
    }

    package func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        guard let address = request.address, let host = address.host(), let path = request.path else {
            throw TransportError(.address, "the request has no address")
        }
        let isSecure = request.scheme == "https"
        guard isSecure || pin == nil else { throw TransportError.pinWithoutTLS }
        let context = isSecure ? try NIOSSLContext(configuration: tls) : nil
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
        // Cancellation closes the channel, so a peer that never answers does not block it.
        let attempt = Attempt()
        do {
            return try await withTaskCancellationHandler {
                let upgraded = try await bootstrap.connect(host: host, port: address.port ?? (isSecure ? 443 : 80)) { channel in
                    attempt.didOpen(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        if let context {
                            let handler = try NIOSSLClientHandler.to(host, context, check: pin.map(attempt.check))
                            try channel.pipeline.syncOperations.addHandlers(
                                handler, HandshakeTimeout(handshakeTimeout) { attempt.didFail($0) })
                        }
                        return try Self.upgrade(channel, request, path, maximumMessageSize)
                    }
                }
                switch try await upgraded.get() {
                case .open(let channel):
                    let connection = await NIOSocketConnection.open(channel)
                    // The connection closes when it is released.
                    try Task.checkCancellation()
                    return connection
                case .refused(let channel):
                    let reply = try await Self.refusal(channel)
                    throw TransportError(.refused, "answered \(reply.head.status.code)", reply: reply)
                }
            } onCancel: {
                attempt.cancel()
            }
        } catch {
            try Task.checkCancellation()
            throw attempt.failure ?? TransportError.from(error)
        }
    }

    private static func upgrade(
        _ channel: any Channel, _ request: HTTPRequest, _ path: String, _ maximumMessageSize: Int
    ) throws -> EventLoopFuture<Upgraded> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgraded>(
            maxFrameSize: maximumMessageSize,
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024,
                            maxAccumulatedFrameSize: maximumMessageSize))
                    return .open(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
                }
            })
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
        head.headers.add(name: "host", value: request.authority ?? "")
        for field in request.headerFields { head.headers.add(name: field.name.canonicalName, value: field.value) }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<Upgraded>(
            upgradeRequestHead: head, upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture { .refused(try NIOAsyncChannel(wrappingChannelSynchronously: channel)) }
            })
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        // Bytes that arrive together with the reply's head are the first frames.
        pipeline.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
    }

    private static func refusal(
        _ channel: NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>
    ) async throws -> HTTPReply {
        try await channel.executeThenClose { inbound, _ in
            var reply = HTTPReply(head: HTTPResponse(status: .init(code: 0)), body: Data())
            for try await part in inbound {
                switch part {
                case .head(let head):
                    reply.head = HTTPResponse(status: .init(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase))
                    for (name, value) in head.headers {
                        if let name = HTTPField.Name(name) { reply.head.headerFields.append(HTTPField(name: name, value: value)) }
                    }
                case .body(let bytes):
                    reply.body += Data(bytes.readableBytesView)
                    if reply.body.count > maximumRefusal { return reply }
                case .end: return reply
                }
            }
            return reply
        }
    }
}

/// The channels of one connection attempt; a host with several addresses can have several.
private final class Attempt: Sendable {
    private let state = Locked((channels: [any Channel](), isCancelled: false, failure: nil as TransportError?))

    /// The cause of the failure, if NIO's error does not tell it; otherwise nil.
    var failure: TransportError? { state.withLock { $0.failure } }

    /// Returns a check of the server's certificate that keeps its error: NIOSSL reports only that a check failed.
    func check(_ pin: PinnedCertificate) -> ([UInt8]) throws -> Void {
        { certificate in
            do throws(TransportError) {
                try pin.check(certificate)
            } catch {
                self.didFail(error)
                throw error
            }
        }
    }

    func didFail(_ error: TransportError) { state.withLock { $0.failure = $0.failure ?? error } }

    func didOpen(_ channel: any Channel) {
        let isCancelled = state.withLock { state in
            state.channels.append(channel)
            return state.isCancelled
        }
        if isCancelled { channel.close(promise: nil) }
    }

    func cancel() {
        let channels = state.withLock { state in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
