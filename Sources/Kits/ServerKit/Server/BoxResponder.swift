import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// The responder of a server: it answers the server's own routes, and passes all other requests to the services.
struct BoxResponder: Sendable {
    private let services: [String: ServiceParts]
    private let onlyService: ServiceParts?
    private let front: ServiceParts?
    private let privacy: (@Sendable (Request) -> Response)?
    private let hostCheck: HostCheck
    private let allowedOrigins: Set<WebOrigin>?
    private let metrics: MetricsRegistry
    private let logger: Logger
    private let date = HTTPDate()

    /// - Parameter allowedOrigins: The foreign origins whose pages may call the server. Nil leaves the decision to each service.
    init(
        services: [ServiceParts], isAlone: Bool, front: ServiceParts?, privacy: (@Sendable (Request) -> Response)? = nil,
        hostCheck: HostCheck, allowedOrigins: Set<WebOrigin>? = nil,
        metrics: MetricsRegistry, logger: Logger
    ) {
        self.services = Dictionary(uniqueKeysWithValues: services.map { ($0.name, $0) })
        onlyService = isAlone ? services.first : nil
        self.front = front
        self.privacy = privacy
        self.hostCheck = hostCheck
        self.allowedOrigins = allowedOrigins
        self.metrics = metrics
        self.logger = logger
    }

    /// Answers one request. An error that a service did not handle becomes a bare 500 and is logged with the request's id.
    ///
    /// - Parameter network: See ``ServerContext/remoteNetwork``.
    func respond(to request: Request, from network: String, slot: WebSocketSlot?) async -> Response {
        let start = ContinuousClock.now
        let id = RequestID().description
        var logger = logger
        logger[metadataKey: "request.id"] = .string(id)
        logger[metadataKey: "hb.request.id"] = .string(id)
        let context = ServerContext(source: ServerContextSource(logger: logger, remoteNetwork: network, webSocket: slot))

        let routed = request.method == .head ? request.asGet : request
        let isForeign = isForeign(routed)
        let (name, answer) = route(routed, isForeign: isForeign, isUpgrade: slot != nil)
        var response: Response
        do {
            response = try await answer(routed, context)
        } catch let error where error is PeerGone || error is CancellationError {
            response = Response(status: .serviceUnavailable)
        } catch is HTTPParserError {
            // The body is malformed; the connection closes with the reply.
            response = Response(status: .badRequest)
        } catch {
            logger.error("Unexpected failure", metadata: ["service": "\(name)", "error": "\(error)"])
            response = .text("Internal server error\n", status: .internalServerError)
        }
        if allowedOrigins != nil { applyCORS(to: &response, for: routed, isForeign: isForeign) }
        response.headers[.date] = date.now
        response.headers[.xRequestID] = id
        response.headers[.xContentTypeOptions] = "nosniff"
        if request.headers[.connection]?.lowercased() == "close" { response.headers[.connection] = "close" }
        if request.method == .head {
            // Like GET with its Content-Length, but without the body (RFC 9110, section 9.3.2).
            let length = response.headers[.contentLength]
            response.body = .init()
            response.headers[.contentLength] = length
        }

        let duration = ContinuousClock.now - start
        record(name, request.method, response.status, duration)
        logger.debug(
            "Answered",
            metadata: [
                "service": "\(name)", "method": "\(request.method)", "path": "\(context.coreContext.endpointPath.value ?? "-")",
                "status": "\(response.status.code)", "duration": "\(duration)",
            ])
        return response
    }

    private typealias Answer = (Request, ServerContext) async throws -> Response

    private func route(_ request: Request, isForeign: Bool, isUpgrade: Bool) -> (name: String, answer: Answer) {
        let host = request.head.authority
        guard hostCheck.allows(host) else {
            let shown = host.map { "\"\($0.prefix(100).filter { $0.isASCII && !$0.isNewline })\"" } ?? "none"
            return (
                "server",
                { _, _ in
                    .text(
                        "This server does not answer to the host name \(shown). Its operator can allow a name with --allow-host.\n",
                        status: .misdirectedRequest)
                }
            )
        }
        // GET is harmless: without CORS headers the browser withholds the reply from the page. WebSockets have no such headers.
        if isForeign, request.method != .get || isUpgrade {
            return (
                "server",
                { _, _ in
                    .text(
                        "This server does not answer pages of other origins. Its operator can allow one with --allow-origin.\n",
                        status: .forbidden)
                }
            )
        }
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil, allowedOrigin(of: request) != nil {
            return ("server", { _, _ in Response(status: .noContent, headers: Self.preflightHeaders) })
        }
        let path = request.head.path ?? "/"
        let plainPath = path.prefix { $0 != "?" }
        if plainPath == "/metrics", request.method == .get {
            return ("server", { _, _ in .text(metrics.text(), contentType: "text/plain; version=0.0.4; charset=utf-8") })
        }
        if let privacy, request.method == .get, isPrivacy(plainPath) { return ("server", { request, _ in privacy(request) }) }
        if let onlyService { return (onlyService.name, onlyService.responder.respond) }
        if plainPath == "/health", request.method == .get {
            return ("server", { _, _ in try .json(["status": "ok"]) })
        }
        let segment = plainPath.dropFirst().prefix { $0 != "/" }
        guard path.hasPrefix("/"), let service = services[String(segment)] else {
            if let front { return (front.name, front.responder.respond) }
            return ("server", { _, _ in .text("Not found\n", status: .notFound) })
        }
        return (
            service.name,
            { request, context in
                var head = request.head
                let rest = path.dropFirst(1 + segment.count)
                head.path = rest.hasPrefix("/") ? String(rest) : "/" + rest
                return try await service.responder.respond(to: Request(head: head, body: request.body), context: context)
            }
        )
    }

    /// True for `/privacy` at the root or below a service: an app knows the address of its service, not the root of the server.
    private func isPrivacy(_ path: Substring) -> Bool {
        if path == "/privacy" { return true }
        guard onlyService == nil, path.hasSuffix("/privacy") else { return false }
        return services[String(path.dropFirst().dropLast("/privacy".count))] != nil
    }

    // MARK: Origins

    /// True when the request comes from a page that is neither the server's own nor of an allowed origin.
    private func isForeign(_ request: Request) -> Bool {
        guard let allowedOrigins, let origin = request.headers[.origin] else { return false }
        if OriginCheck.allows(request) { return false }
        return WebOrigin(origin).map(allowedOrigins.contains) != true
    }

    /// Returns the request's origin if the operator allows it; nil for other origins and for the server's own.
    private func allowedOrigin(of request: Request) -> String? {
        guard let allowedOrigins, let origin = request.headers[.origin] else { return nil }
        return WebOrigin(origin).map(allowedOrigins.contains) == true ? origin : nil
    }

    /// Removes a service's CORS headers from a reply to a foreign page, and adds those that let an allowed page read the reply.
    private func applyCORS(to response: inout Response, for request: Request, isForeign: Bool) {
        let allowed = allowedOrigin(of: request)
        guard allowed != nil || response.headers[.accessControlAllowOrigin] != nil else { return }
        // A cache must not serve the reply of one origin to another.
        response.headers[.vary] = response.headers[.vary].map { "\($0), Origin" } ?? "Origin"
        if isForeign {
            for name in Self.corsHeaders { response.headers[name] = nil }
        } else if let allowed, response.headers[.accessControlAllowOrigin] == nil {
            response.headers[.accessControlAllowOrigin] = allowed
            response.headers[.accessControlExposeHeaders] = Self.exposedHeaders
        }
    }

    /// The preflight headers for an allowed origin, the same for every path. A path refuses an unsupported method by itself.
    private static let preflightHeaders: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
        .accessControlAllowHeaders: "Authorization, Content-Type", .accessControlMaxAge: "600",
    ]
    /// The headers of the services' contracts that a page may read.
    private static let exposedHeaders = "Date, Retry-After, X-Request-ID"

    private static let corsHeaders: [HTTPField.Name] = [
        .accessControlAllowOrigin, .accessControlAllowMethods, .accessControlAllowHeaders, .accessControlAllowCredentials,
        .accessControlExposeHeaders, .accessControlMaxAge,
    ]

    private func record(_ service: String, _ method: HTTPRequest.Method, _ status: HTTPResponse.Status, _ duration: Duration) {
        let known: [HTTPRequest.Method] = [.get, .post, .put, .delete, .head, .options]
        let labels = [
            ("service", service), ("method", known.contains(method) ? method.rawValue : "other"), ("status", "\(status.code)"),
        ]
        metrics.makeCounter(label: "http_requests_total", dimensions: labels).increment(by: 1)
        metrics.makeTimer(label: "http_request_duration_seconds", dimensions: [("service", service)])
            .recordNanoseconds(Int64(duration / .nanoseconds(1)))
    }
}

extension Request {
    fileprivate var asGet: Request {
        var head = head
        head.method = .get
        return Request(head: head, body: body)
    }
}

extension HTTPField.Name {
    static let xRequestID = Self("X-Request-ID")!
}
