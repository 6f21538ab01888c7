import NIOCore
import NIOHTTP1

/// Keeps every request of an HTTP connection within what the handlers behind it can rely on, and ends connections that get stuck.
///
/// - A head that asks to leave HTTP (a later `Upgrade`, `CONNECT`) closes the connection with its reply: the parser has stopped
///   behind it. So do `Connection: close` in any spelling and HTTP/1.0 without `keep-alive`.
/// - Two `Host` headers are refused (RFC 9112, section 3.2), a request target in absolute form that names another server than `Host`
///   (section 3.2.2), and any `Transfer-Encoding` but `chunked`, or of HTTP/1.0 (section 6.1): a proxy in front may take the request
///   for another host's, or see another request where this one ends.
/// - A request must arrive within ``requestTimeout``, and a peer must take replies at least once within ``stallTimeout``:
///   Hummingbird's idle timeout begins anew with every byte, and rests while a reply waits.
/// - A parse error that nobody behind can answer ends the connection.
final class RequestPolicy: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let requestTimeout: TimeAmount
    private let stallTimeout: TimeAmount
    private var isFirst = true
    private var isOver = false
    private var request: Scheduled<Void>?
    private var stall: Scheduled<Void>?

    init(requestTimeout: TimeAmount, stallTimeout: TimeAmount) {
        self.requestTimeout = requestTimeout
        self.stallTimeout = stallTimeout
    }

    /// The connection leaves HTTP: what comes from now on is passed untouched.
    func end() {
        isOver = true
        request?.cancel()
        stall?.cancel()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return context.fireChannelRead(data) }
        switch Self.unwrapInboundIn(data) {
        case .head(var head):
            if head.headers["host"].count > 1 || head.isFramedAmbiguously || !head.makeOriginForm() { return refuse(context) }
            schedule(&request, in: requestTimeout, context)
            // The first request's upgrade is for the gate to decide.
            let leavesHTTP = head.method == .CONNECT || (!isFirst && head.headers.contains(name: "upgrade"))
            if leavesHTTP { head.headers.remove(name: "upgrade") }
            if leavesHTTP || head.wantsClose { head.headers.replaceOrAdd(name: "connection", value: "close") }
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
        if !isOver, !context.channel.isWritable { schedule(&stall, in: stallTimeout, context) }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Hummingbird answers what is not HTTP; bytes behind the last request of a connection reach nobody.
        context.fireErrorCaught(error)
        if !isOver, !(error is HTTPParserError) { context.close(promise: nil) }
    }

    private func schedule(_ task: inout Scheduled<Void>?, in time: TimeAmount, _ context: ChannelHandlerContext) {
        task?.cancel()
        let channel = context.channel
        task = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        end()
        context.refuseRequest()
    }
}

extension ChannelHandlerContext {
    /// A bare 400, and the end.
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

    /// Leaves of a request target in absolute form the path and the query.
    ///
    /// - Returns: Whether the target names the server that `Host` names. Targets in other forms name none.
    fileprivate mutating func makeOriginForm() -> Bool {
        guard let scheme = uri.firstRange(of: "://"), !uri[..<scheme.lowerBound].contains("/") else { return true }
        let end = uri[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? uri.endIndex
        guard WebOrigin(String(uri[..<end]))?.names(headers.first(name: "host")) == true else { return false }
        uri = uri[end...].hasPrefix("/") ? String(uri[end...]) : "/" + uri[end...]
        return true
    }

    /// RFC 9112, section 9.3.
    fileprivate var wantsClose: Bool {
        let tokens = headers[canonicalForm: "connection"].map { $0.lowercased() }
        return tokens.contains("close") || ((version.major, version.minor) < (1, 1) && !tokens.contains("keep-alive"))
    }
}
