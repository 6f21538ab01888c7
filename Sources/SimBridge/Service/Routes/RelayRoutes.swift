import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PushKit
import ServerKit
import SimBridgeWire
import StorageKit
import WireKit

/// The relay's endpoints, each with the rule that it calls.
struct RelayRoutes: Sendable {
    let store: Database
    let tokens: RelayTokens
    let accounts: Accounts
    let pairings: Pairings
    let commands: Commands
    let history: History
    let lines: Lines
    let routing: Routing
    let pushes: RelayPushes
    /// Limits the registrations from each client address.
    let registrations: RateLimiter
    /// Limits the password checks from each client address, across all accounts: each check is expensive.
    let logins: RateLimiter
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func responder() -> some HTTPResponder<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: RelayErrors(methods: Self.methods))
        addOpenRoutes(router)
        addDeviceRoutes(router)
        addPushRoutes(router)
        addCommandRoutes(router)
        addLine(router)
        return router.buildResponder()
    }

    private static let methods: [String: Set<HTTPRequest.Method>] = [
        "/health": [.get], "/docs": [.get], "/auth/register": [.post], "/auth/login": [.post], "/auth/google": [.post],
        "/auth/password": [.post], "/auth/delete": [.post],
        "/devices": [.get, .post], "/devices/:id": [.delete], "/devices/:id/push": [.put, .delete], "/push": [.get],
        "/pairings": [.get], "/pair": [.post], "/pair/confirm": [.post],
        "/sms": [.post], "/call": [.post], "/sims": [.get],
        "/history": [.get],
    ]

    // MARK: Routes without a token

    private func addOpenRoutes(_ router: Router<ServerContext>) {
        router.get("/health") { _, _ in try Response.json(["status": "ok"]) }
        // Tools request it to check that the relay is running.
        router.get("/docs") { _, _ in
            let page =
                "<!doctype html><title>SimBridge</title><p>SimBridge relay. The protocol is described in the project's documents."
            return Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8", .contentLength: "\(page.utf8.count)"],
                body: .init(byteBuffer: ByteBuffer(string: page)))
        }
        router.on(SimBridgeEndpoints.register) { request, context in
            let credentials = try await Credentials(bodyOf: request)
            try accounts.check(credentials.password, of: credentials.username, field: "password")
            if let wait = await registrations.attempt(context.remoteNetwork) { throw RelayError.tooManyAttempts(retryAfter: wait) }
            return try .json(try await accounts.register(credentials))
        }
        router.on(SimBridgeEndpoints.login) { request, context in
            let credentials = try await Credentials(bodyOf: request)
            if let wait = await logins.attempt(context.remoteNetwork) { throw RelayError.tooManyAttempts(retryAfter: wait) }
            return try await loggedIn(accounts.login(credentials))
        }
        router.on(SimBridgeEndpoints.changePassword) { request, context in
            let account = try await tokens.account(of: request)
            let change = try await PasswordChange(bodyOf: request)
            if let wait = await logins.attempt(context.remoteNetwork) { throw RelayError.tooManyAttempts(retryAfter: wait) }
            return try await loggedIn(accounts.change(change, of: account))
        }
        router.on(SimBridgeEndpoints.deleteAccount) { request, context in
            let account = try await tokens.account(of: request)
            let deletion = try await AccountDeletion(bodyOf: request)
            if let wait = await logins.attempt(context.remoteNetwork) { throw RelayError.tooManyAttempts(retryAfter: wait) }
            try await accounts.delete(deletion, of: account)
            return try .json(DeletedAccount())
        }
        router.on(SimBridgeEndpoints.google) { request, _ in
            try await loggedIn(accounts.signIn(GoogleSignIn(bodyOf: request)))
        }
    }

    private func loggedIn(_ owner: Authenticated) async throws -> Response {
        try .json(LoggedIn(token: try await tokens.token(for: owner), userId: owner.account))
    }

    // MARK: Routes with a token

    private func addDeviceRoutes(_ router: Router<ServerContext>) {
        on(router, SimBridgeEndpoints.addDevice) { account, registration in try await pairings.add(registration, for: account) }
        on(router, SimBridgeEndpoints.devices) { account, _, _ in try await pairings.devices(of: account) }
        on(router, SimBridgeEndpoints.removeDevice) { account, _, context in
            try await pairings.remove(Self.device(context), of: account)
            return RemovedDevice()
        }
        on(router, SimBridgeEndpoints.pairings) { account, _, _ in try await pairings.all(of: account) }
        on(router, SimBridgeEndpoints.pair) { account, request, _ in
            try await pairings.code(for: request.device("host_device_id"), of: account)
        }
        on(router, SimBridgeEndpoints.confirmPairing) { account, confirmation in
            try await pairings.confirm(confirmation, by: account)
        }
    }

    /// - Throws: ``RelayError`` for a path whose device is no number.
    private static func device(_ context: ServerContext) throws -> Device.ID {
        guard let id = context.parameters.get("id").flatMap({ Int64($0) }) else { throw RelayError(.notFound, "Device not found") }
        return Device.ID(id)
    }

    private func addPushRoutes(_ router: Router<ServerContext>) {
        on(router, SimBridgeEndpoints.push) { _, _, _ in
            RelayPushOffer(pushes.services.offer(SimBridgeService.name))
        }
        router.on(SimBridgeEndpoints.setPush) { request, context in
            let account = try await tokens.account(of: request)
            let settings = try await PushSettings<PushContent>(bodyOf: request)
            try await pushes.set(settings, for: Self.device(context), of: account)
            return try .json(PushReply(isOn: true))
        }
        on(router, SimBridgeEndpoints.removePush) { account, _, context in
            try await pushes.remove(Self.device(context), of: account)
            return PushReply(isOn: false)
        }
    }

    private func addCommandRoutes(_ router: Router<ServerContext>) {
        on(router, SimBridgeEndpoints.sendText) { account, text in
            try await commands.give(
                .sendText(sim: text.sim, to: text.to, body: text.body), to: text.toDeviceId, by: account, reqId: text.reqId)
        }
        on(router, SimBridgeEndpoints.call) { account, call in
            try await commands.give(
                .makeCall(sim: call.sim, to: call.to, deadline: call.deadline, isConfirmed: call.isConfirmed ?? false),
                to: call.toDeviceId, by: account, reqId: call.reqId)
        }
        on(router, SimBridgeEndpoints.sims) { account, request, _ in
            try await commands.give(.getSIMs, to: request.device("host_device_id"), by: account, reqId: nil)
        }
        router.on(SimBridgeEndpoints.history) { request, _ in
            let account = try await tokens.account(of: request)
            let limits = HistoryPage.limits
            let limit = try request.number("limit", in: Int64(limits.lowerBound)...Int64(limits.upperBound))
            let offset = try request.number("offset", in: 0...Int64.max)
            let page = try await history.page(
                of: account, device: request.number("device_id").map { Device.ID($0) },
                limit: limit.map { Int($0) } ?? HistoryPage.defaultLimit, offset: offset.map { Int($0) } ?? 0)
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8", .contentLength: "\(page.count)"],
                body: .init(byteBuffer: ByteBuffer(bytes: page)))
        }
    }

    // MARK: Line

    private func addLine(_ router: Router<ServerContext>) {
        router.webSocket("/ws/:kind/:id") { request, context in
            guard context.isWebSocketHandshake else { throw HTTPError(.notFound) }
            guard let token = request.query("token"), !token.isEmpty,
                let kind = context.parameters.get("kind").flatMap(Device.Kind.init),
                let id = context.parameters.get("id").flatMap({ Int64($0) })
            else { throw RelayError(.forbidden, "Forbidden") }
            let claims = try await tokens.claims(of: token)
            guard let device = try await store.read({ try $0.device(Device.ID(id), of: claims.userId, kind) }) else {
                throw RelayError(.forbidden, "Device not found or not yours")
            }
            let acknowledges = request.query("v") == "\(SimBridgeLine.version)"
            let session = LineSession(
                device: device, acknowledges: acknowledges,
                after: acknowledges ? try request.number("after", in: 0...Int64.max) : nil,
                until: Timestamp(Date(timeIntervalSince1970: TimeInterval(claims.exp))), generation: claims.generation ?? 0,
                store: store, lines: lines, routing: routing, now: now, logger: logger)
            return WebSocketUpgrade(maximumMessageSize: SimBridgeLine.maximumMessageSize, session: session)
        }
    }
}

extension RelayRoutes: AuthorizedRoutes {
    func caller(of request: Request) async throws -> Account.ID { try await tokens.account(of: request) }

    func response(_ reply: some Encodable & Sendable, status: HTTPResponse.Status) throws -> Response {
        try .json(reply, status: status)
    }
}
