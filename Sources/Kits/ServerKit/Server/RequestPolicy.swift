import NIOCore
import NIOHTTP1

/// The handler that enforces the HTTP rules that later handlers rely on, and closes stalled connections.
///
/// - A head that requests to leave HTTP (a later `Upgrade`, `CONNECT`) closes the connection with its reply, because the parser
///   stops after it. So do `Connection: close` in any spelling and HTTP/1.0 without `keep-alive`.
/// - Refused are two `Host` headers (RFC 9112, section 3.2), a request target in absolute form that names another server than `Host`
///   (section 3.2.2), and any `Transfer-Encoding` but `chunked` or with HTTP/1.0 (section 6.1): a proxy in front may route such a request
///   to another host, or see a second request inside it.
/// - A request must arrive within `requestTimeout`, and a peer must read replies at least once within `stallTimeout`:
///   Hummingbird's idle timeout restarts with every byte and pauses while a reply waits.
/// - A parse error that no later handler can answer closes the connection.
final class RequestPolicy: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let requestTimeout: TimeAmount
    private let stallTimeout: TimeAmount
    private var isFirst = true
    private var isStopped = false
    private var request: Scheduled<Void>?
    private var stall: Scheduled<Void>?

    init(requestTimeout: TimeAmount, stallTimeout: TimeAmount) {
        self.requestTimeout = requestTimeout
        self.stallTimeout = stallTimeout
    }

    /// Stops checking because the connection leaves HTTP: later bytes are forwarded unchanged.
    func stop() {
        isStopped = true
        request?.cancel()
        stall?.cancel()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isStopped else { return context.fireChannelRead(data) }
        switch Self.unwrapInboundIn(data) {
        case .head(var head):
            if head.headers["host"].count > 1 || head.isFramedAmbiguously || !head.makeOriginForm() { return refuse(context) }
            schedule(&request, in: requestTimeout, context)
            // The upgrade gate decides on the first request's upgrade.
            let leavesHTTP = head.method == .CONNECT || (!isFirst && head.headers.contains(name: "upgrade"))
            if leavesHTTP { head.headers.remove(name: "upgrade") }
            if leavesHTTP || head.closesConnection { head.headers.replaceOrAdd(name: "connection", value: "close") }
            isFirst = false
            context.fireChannelRead(Self.wrapInboundOut(.head(head)))
        case .body:
            context.fireChannelRead(data)
        case .end:
            request?.cancel()
            context.fireChannelRead(data)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        if !isStopped, !context.channel.isWritable { schedule(&stall, in: stallTimeout, context) }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Hummingbird answers requests that are not HTTP, but not bytes after the last request of a connection.
        context.fireErrorCaught(error)
        if !isStopped, !(error is HTTPParserError) { context.close(promise: nil) }
    }

    private func schedule(_ task: inout Scheduled<Void>?, in time: TimeAmount, _ context: ChannelHandlerContext) {
        task?.cancel()
        let channel = context.channel
        task = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        stop()
        context.refuseRequest()
    }
}

extension ChannelHandlerContext {
    /// Replies with a bare 400 and closes the connection.
    func refuseRequest() {
        let head = HTTPResponseHead(
            version: .http1_1, status: .badRequest, headers: ["connection": "close", "content-length": "0"])
        write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
        close(promise: nil)
    }
}

extension HTTPRequestHead {
    fileprivate var isFramedAmbiguously: Bool {
        guard headers.contains(name: "transfer-encoding") else { return false }
        return (version.major, version.minor) < (1, 1) || headers["transfer-encoding"].map { $0.lowercased() } != ["chunked"]
    }

    /// Reduces a request target in absolute form to its path and query.
    ///
    /// - Returns: False when the target names another server than `Host`. Targets in other forms name none.
    fileprivate mutating func makeOriginForm() -> Bool {
        guard let scheme = uri.firstRange(of: "://"), !uri[..<scheme.lowerBound].contains("/") else { return true }
        let end = uri[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? uri.endIndex
        guard WebOrigin(String(uri[..<end]))?.names(headers.first(name: "host")) == true else { return false }
        uri = uri[end...].hasPrefix("/") ? String(uri[end...]) : "/" + uri[end...]
        return true
    }

    /// True when the connection must close after the reply (RFC 9112, section 9.3).
    fileprivate var closesConnection: Bool {
        let tokens = headers[canonicalForm: "connection"].map { $0.lowercased() }
        return tokens.contains("close") || ((version.major, version.minor) < (1, 1) && !tokens.contains("keep-alive"))
    }
}
