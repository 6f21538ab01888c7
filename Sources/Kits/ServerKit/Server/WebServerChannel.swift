import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket
import WireKit

/// An accepted connection: HTTP/1.1 by Hummingbird's own handling, or a WebSocket.
///
/// TLS wraps it unchanged (`HummingbirdTLS`).
struct WebServerChannel: ServerChildChannel {
    /// Answers one request. The slot is non-nil for an upgrade; a route that accepts it fills the slot.
    typealias Respond = @Sendable (Request, any Channel, WebSocketSlot?) async -> Response

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let negotiated: EventLoopFuture<Negotiated>
    }

    fileprivate enum Negotiated: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>, refusal: Response?)
        case webSocket(OpenWebSocket)
    }

    /// A route's reply to an upgrade request.
    fileprivate struct Decision: Sendable {
        var response: Response
        var upgrade: WebSocketUpgrade?
    }

    let respond: Respond
    /// The time limit for the first request, and for silence between and within requests.
    let idleTimeout: TimeAmount
    /// True when the connection uses TLS: the scheme of its requests is `https`.
    let isSecure: Bool
    let quota: ConnectionQuota
    let isShared: @Sendable (String) -> Bool
    let sockets: OpenWebSockets
    let budget: MessageBudget

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // Each connection keeps its last read buffer. Start small; the buffer grows with the traffic.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 65_536))
            let pipeline = channel.pipeline.syncOperations
            let negotiated = channel.eventLoop.makePromise(of: Negotiated.self)
            guard acquireQuota(channel) else {
                negotiated.fail(ChannelError.eof)
                channel.close(promise: nil)
                return Value(channel: channel, negotiated: negotiated.futureResult)
            }
            let encoder = HTTPResponseEncoder()
            // Bounded: the parser stops after a request to leave HTTP, and the bytes after it would accumulate.
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: Self.headLimits),
                maximumBufferSize: 131_072)
            let policy = RequestPolicy(requestTimeout: idleTimeout * 2, stallTimeout: idleTimeout)
            let respond = self.respond
            let (idleTimeout, isSecure, budget) = (self.idleTimeout, self.isSecure, self.budget)
            let gate = UpgradeGate<Decision>(
                timeout: idleTimeout,
                decide: { head in await Self.decide(head, channel: channel, isSecure: isSecure, respond: respond) },
                becomeHTTP: { decision in
                    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
                    try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: .init(idleTimeout), logger: logger))
                    let http = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                    negotiated.succeed(.http(http, refusal: decision?.response))
                },
                becomeWebSocket: { decision in
                    policy.stop()
                    let handler = Self.upgradeHandler(decision, budget, encoder: encoder, removing: [decoder, policy])
                    try pipeline.addHandler(handler)
                    handler.upgradeResultFuture.cascade(to: negotiated)
                },
                abandon: { negotiated.fail(ChannelError.eof) })
            try pipeline.addHandlers([encoder, decoder, policy, gate])
            return Value(channel: channel, negotiated: negotiated.futureResult)
        }
    }

    /// Counts the connection against its network's quota until it closes. Returns false when the quota is used up.
    private func acquireQuota(_ channel: any Channel) -> Bool {
        guard let address = channel.remoteAddress?.ipAddress, !isShared(address) else { return true }
        let network = IPLiteral.network(of: address)
        guard quota.acquire(network) else { return false }
        channel.closeFuture.whenComplete { [quota] _ in quota.release(network) }
        return true
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.negotiated.get() {
            case .http(let channel, refusal: nil):
                let respond = self.respond
                let http = HTTP1Channel(responder: { request, writer, channel in
                    // The client sends the body after this (RFC 9110, section 10.1.1).
                    if request.headers[.expect]?.lowercased() == "100-continue" {
                        try await writer.writeInformationalHead(HTTPResponse(status: .continue))
                    }
                    let response = await respond(request, channel, nil)
                    try await writer.write(response: response.head, body: response.body)
                })
                await http.handle(value: channel, logger: logger)
            case .http(let channel, refusal: .some(let refusal)):
                let http = HTTP1Channel(responder: { _, writer, _ in
                    var head = refusal.head
                    head.headerFields[.connection] = "close"
                    try await writer.write(response: head, body: refusal.body)
                })
                await http.handle(value: channel, logger: logger)
            case .webSocket(let socket):
                sockets.start(socket, logger: logger)
            }
        } catch {
            // The peer disconnected before it sent a request.
            logger.trace("Connection ended before its first request", metadata: ["error": "\(error)"])
            try? await value.channel.close().get()
        }
    }

    private static var headLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16_384
        limits.maxHeaderListSize = 32_768
        limits.maxHeaderFieldCount = 100
        return limits
    }

    // MARK: Upgrades

    private static func decide(
        _ head: HTTPRequestHead, channel: any Channel, isSecure: Bool, respond: Respond
    ) async -> UpgradeGate<Decision>.Verdict {
        guard let request = try? HTTPRequest(head, secure: isSecure, splitCookie: false) else {
            return .refused(Decision(response: .text("Malformed request\n", status: .badRequest)))
        }
        // An invalid handshake gets no slot: the route then replies 426 in its service's own form.
        let slot = head.isWebSocketHandshake ? WebSocketSlot() : nil
        let response = await respond(Request(head: request, body: .init(buffer: ByteBuffer())), channel, slot)
        guard let upgrade = slot?.upgrade, response.status == .switchingProtocols else {
            return .refused(Decision(response: response))
        }
        return .webSocket(Decision(response: response, upgrade: upgrade))
    }

    private static func upgradeHandler(
        _ decision: Decision, _ budget: MessageBudget, encoder: HTTPResponseEncoder,
        removing handlers: [any RemovableChannelHandler]
    ) -> NIOTypedHTTPServerUpgradeHandler<Negotiated> {
        let upgrade = decision.upgrade!
        let headers = HTTPHeaders(decision.response.headers.map { ($0.name.canonicalName, $0.value) })
        let upgrader = NIOTypedWebSocketServerUpgrader<Negotiated>(
            maxFrameSize: upgrade.maximumMessageSize,
            // `FrameGuard` closes with the error's code: it knows if a close frame was sent before.
            enableAutomaticErrorHandling: false,
            shouldUpgrade: { channel, _ in
                var headers = headers
                if let name = upgrade.subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: name) }
                return channel.eventLoop.makeSucceededFuture(headers)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    .webSocket(try OpenWebSocket(channel: channel, upgrade: upgrade, budget: budget))
                }
            })
        return NIOTypedHTTPServerUpgradeHandler(
            httpEncoder: encoder, extraHTTPHandlers: handlers,
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrader],
                // Unreachable: everything that the upgrader could refuse has been checked above.
                notUpgradingCompletionHandler: { channel in channel.close().flatMapThrowing { throw ChannelError.eof } }))
    }
}

extension HTTPRequestHead {
    /// True for version 13 and a key of 16 bytes (RFC 6455, section 4.2.1).
    fileprivate var isWebSocketHandshake: Bool {
        let keys = headers["sec-websocket-key"]
        return headers["sec-websocket-version"] == ["13"] && keys.count == 1 && Data(base64Encoded: keys[0])?.count == 16
    }
}
