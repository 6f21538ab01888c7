import NIOCore
import NIOHTTP1
import NIOPosix

/// The handler that turns a connection into HTTP or a WebSocket by its first request, before anything is upgraded.
///
///     first head ──▶ no upgrade ─────────────────────────▶ becomeHTTP
///                └─▶ websocket ──▶ decide ──▶ accepted ──▶ becomeWebSocket
///                                        └──▶ refused ───▶ becomeHTTP, which sends the decided reply and closes
///
/// NIO's own upgrade handler drops a request that it refuses, and the client never gets a reply. Upgrades to anything but WebSocket (`h2c`)
/// are stripped and answered as plain requests, as RFC 9110, section 7.8 allows.
final class UpgradeGate<Decision: Sendable>: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    enum Verdict: Sendable {
        case webSocket(Decision)
        /// Send the decided reply, then close.
        case refused(Decision)
    }

    /// The time limit for the first request's head.
    private let timeout: TimeAmount
    private let decide: @Sendable (HTTPRequestHead) async -> Verdict
    /// Adds the HTTP handlers after this one, synchronously. The decision is nil for an ordinary connection.
    private let becomeHTTP: (Decision?) throws -> Void
    /// Adds the WebSocket handlers, which expect the request's head next.
    private let becomeWebSocket: (Decision) throws -> Void
    private let abandon: () -> Void

    private var isDeciding = false
    private var isDecided = false
    private var scheduledTimeout: Scheduled<Void>?

    init(
        timeout: TimeAmount, decide: @escaping @Sendable (HTTPRequestHead) async -> Verdict,
        becomeHTTP: @escaping (Decision?) throws -> Void, becomeWebSocket: @escaping (Decision) throws -> Void,
        abandon: @escaping () -> Void
    ) {
        self.timeout = timeout
        self.decide = decide
        self.becomeHTTP = becomeHTTP
        self.becomeWebSocket = becomeWebSocket
        self.abandon = abandon
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        scheduledTimeout = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        scheduledTimeout?.cancel()
        if !isDecided { abandon() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Forwarded unchanged: once NIO has removed the HTTP decoder, the data is bytes.
        if isDecided { return context.fireChannelRead(data) }
        // While deciding, only the end of the request can arrive: an upgrade with a body counts as a plain request.
        guard !isDeciding, case .head(var head) = Self.unwrapInboundIn(data) else { return }
        guard head.isWebSocketUpgrade else {
            if head.headers.contains(name: "upgrade") {
                head.headers.remove(name: "upgrade")
                // The parser stops after a request to leave HTTP.
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            install(context, head) { try becomeHTTP(nil) }
            return
        }
        isDeciding = true
        let loopBound = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
        let promise = context.eventLoop.makePromise(of: Verdict.self)
        let request = head
        promise.completeWithTask { [decide] in await decide(request) }
        promise.futureResult.whenSuccess { verdict in
            let (gate, context) = loopBound.value
            guard context.channel.isActive else { return }
            switch verdict {
            case .webSocket(let decision):
                gate.install(context, request, end: true) { try gate.becomeWebSocket(decision) }
            case .refused(let decision):
                var plain = request
                plain.headers.remove(name: "upgrade")
                plain.headers.replaceOrAdd(name: "connection", value: "close")
                gate.install(context, plain, end: true) { try gate.becomeHTTP(decision) }
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDecided else { return context.fireErrorCaught(error) }
        // The first request is not HTTP; Hummingbird refuses later ones.
        if error is HTTPParserError { context.refuseRequest() } else { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // No request is in progress: a server that shuts down need not wait for one.
        if event is ChannelShouldQuiesceEvent, !isDeciding, !isDecided { context.close(promise: nil) }
        // No later handler exists yet that would see the half-closure; a WebSocket would open without an input.
        if !isDecided, event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func install(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, end: Bool = false, addHandlers: () throws -> Void
    ) {
        isDecided = true
        isDeciding = false
        scheduledTimeout?.cancel()
        do {
            try addHandlers()
        } catch {
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
        if end {
            context.fireChannelRead(Self.wrapInboundOut(.end(nil)))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

extension HTTPRequestHead {
    /// True for `GET` with `Connection: upgrade` and `Upgrade: websocket` (RFC 6455, section 4.2.1) and without a body.
    fileprivate var isWebSocketUpgrade: Bool {
        func has(_ token: String, in name: String) -> Bool {
            headers[canonicalForm: name].contains { $0.lowercased() == token }
        }
        let hasBody =
            headers.contains(name: "transfer-encoding") || headers.first(name: "content-length").map { $0 != "0" } ?? false
        return method == .GET && has("upgrade", in: "connection") && has("websocket", in: "upgrade") && !hasBody
    }
}
