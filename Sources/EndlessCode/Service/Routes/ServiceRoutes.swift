package import EndlessCodeWire
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import PushKit
package import ServerKit
import StorageKit
import WireKit

/// The calls of a server, each with the rule behind it.
struct ServiceRoutes: Sendable {
    let store: Database
    let tokens: AccessTokens
    let sessions: Sessions
    let projects: any ProjectSource
    let phones: Phones
    let pushes: SessionPushes
    let logger: Logger

    func responder() -> some HTTPResponder<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: ServiceErrors())
        router.on(EndlessCodeEndpoints.health) { _, _ in try .json(Health()) }
        on(router, EndlessCodeEndpoints.stats) { _, _, _ in try await sessions.stats(connections: phones.count) }
        addProjects(router)
        addFiles(router)
        addSessions(router)
        addPush(router)
        addSocket(router)
        return router.buildResponder()
    }

    private func addProjects(_ router: Router<ServerContext>) {
        on(router, EndlessCodeEndpoints.projects) { _, _, _ in try await sessions.allProjects() }
        on(router, EndlessCodeEndpoints.project) { _, _, context in
            try await sessions.project(try Self.project(context))
        }
        on(router, EndlessCodeEndpoints.projectSessions) { _, _, context in
            try await sessions.sessions(of: try Self.project(context))
        }
    }

    private func addFiles(_ router: Router<ServerContext>) {
        on(router, EndlessCodeEndpoints.files) { _, request, context in
            let offset = try request.number("offset", in: 0...Int64(Int32.max))
            return try await projects.folder(
                request.query("path") ?? "", of: try Self.project(context), offset: offset.map { Int($0) } ?? 0)
        }
        on(router, EndlessCodeEndpoints.file) { _, request, context in
            guard let path = request.query("path"), !path.isEmpty else { throw FieldError("path", "is missing") }
            return try await projects.file(path, of: try Self.project(context), full: request.query("full") == "1")
        }
        on(router, EndlessCodeEndpoints.diff) { _, _, context in try await projects.diff(of: try Self.project(context)) }
    }

    private func addSessions(_ router: Router<ServerContext>) {
        on(router, EndlessCodeEndpoints.sessions) { _, _, _ in try await sessions.all() }
        on(router, EndlessCodeEndpoints.createSession, status: .created) { _, creation in try await sessions.create(creation) }
        on(router, EndlessCodeEndpoints.session) { _, _, context in try await sessions.session(try Self.session(context)) }
        on(router, EndlessCodeEndpoints.resumeSession) { _, _, context in try await sessions.resume(try Self.session(context)) }
        on(router, EndlessCodeEndpoints.pauseSession) { _, _, context in try await sessions.pause(try Self.session(context)) }
        router.on(EndlessCodeEndpoints.terminateSession) { request, context in
            try await caller(of: request)
            try await sessions.terminate(try Self.session(context))
            return Response(status: .noContent)
        }
        on(router, EndlessCodeEndpoints.history) { _, request, context in
            let sizes = Limits.historyPageSizes
            let limit = try request.number("limit", in: Int64(sizes.lowerBound)...Int64(sizes.upperBound))
            let offset = try request.number("offset", in: 0...Int64(Int32.max))
            let before = try request.number("before", in: 1...Int64.max)
            return try await sessions.history(
                of: try Self.session(context), limit: limit.map { Int($0) } ?? Limits.historyPageSize,
                offset: offset.map { Int($0) } ?? 0, before: before)
        }
        on(router, EndlessCodeEndpoints.message) { _, _, context in
            guard let seq = context.parameters.get("seq").flatMap({ Int64($0) }) else {
                throw ServiceFailure(.notFound, "seq must be a whole number.")
            }
            return try await sessions.message(seq, of: try Self.session(context))
        }
    }

    private func addPush(_ router: Router<ServerContext>) {
        on(router, EndlessCodeEndpoints.push) { _, _, _ in pushes.services.offer(EndlessCodeService.name) }
        router.on(EndlessCodeEndpoints.setPush) { request, context in
            try await caller(of: request)
            let settings = try await PushSettings<PushContent>(bodyOf: request)
            try await pushes.set(settings, for: try Self.phone(context))
            return try .json(PushReply(isOn: true))
        }
        on(router, EndlessCodeEndpoints.removePush) { _, _, context in
            try await pushes.remove(try Self.phone(context))
            return PushReply(isOn: false)
        }
    }

    private func addSocket(_ router: Router<ServerContext>) {
        router.webSocket(RouterPath(EndlessCodeSocket.path)) { request, context in
            try await caller(of: request)
            let token = request.bearerToken
            guard phones.count < Limits.socketCount else { throw TooManyPhones() }
            let query = try SocketQuery { request.query($0) }
            return WebSocketUpgrade(
                maximumMessageSize: Limits.frameSize,
                heartbeat: .init(interval: Limits.pingInterval, pingTimeout: Limits.pongTimeout),
                session: PhoneSession(
                    query, isAuthorized: { token.map(tokens.accepts) ?? false }, store: store, phones: phones, sessions: sessions,
                    pushes: pushes, logger: logger))
        }
    }

    private static func project(_ context: ServerContext) throws -> Project.ID {
        guard let id = context.parameters.get("id").map({ Project.ID($0) }), id.isWireIdentifier else {
            throw ServiceFailure.noProject
        }
        return id
    }

    private static func phone(_ context: ServerContext) throws -> PushPhone.ID {
        guard let id = context.parameters.get("id").map({ PushPhone.ID($0) }), id.isWireIdentifier else {
            throw ServiceFailure(.invalidMessage, "The phone's id is not an identifier.")
        }
        return id
    }

    private static func session(_ context: ServerContext) throws -> Session.ID {
        guard let id = context.parameters.get("id").map({ Session.ID($0) }), id.isWireIdentifier else {
            throw ServiceFailure.noSession
        }
        return id
    }
}

extension ServiceRoutes: AuthorizedRoutes {
    /// - Throws: ``ServiceFailure`` `AUTH_FAILED`.
    @discardableResult
    func caller(of request: Request) async throws -> NoBody {
        guard let token = request.bearerToken, tokens.accepts(token) else {
            throw ServiceFailure(.authFailed, "The token is missing or wrong.")
        }
        return NoBody()
    }

    func response(_ reply: some Encodable & Sendable, status: HTTPResponse.Status) throws -> Response {
        try .json(reply, status: status)
    }
}

extension SessionCreation: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let project = fields.string("projectId")
        self.init(projectId: Project.ID(project), requestId: fields.optionalString("requestId").map { RequestID($0) })
    }
}

extension Request {
    /// A query item that is a whole number; nil when it is absent.
    ///
    /// - Throws: ``FieldError``.
    fileprivate func number(_ name: String, in range: ClosedRange<Int64>) throws(FieldError) -> Int64? {
        guard let text = query(name) else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            throw FieldError(name, "is not an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
