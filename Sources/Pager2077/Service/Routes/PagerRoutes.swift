import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Pager2077Wire
import PushKit
import ServerKit
import StorageKit
import WireKit

/// The pager's endpoints, each with its status and the rule that it calls.
struct PagerRoutes: Sendable {
    let store: Database
    let now: @Sendable () -> Timestamp
    let tokens: PagerTokens
    let accounts: Accounts
    let devices: Devices
    let friendships: Friendships
    let messaging: Messaging
    let scores: Scores
    let blocks: Blocks
    let reports: Reports
    let presence: Presence
    /// The rate limit per client address, which bounds the users that one client can create.
    let registrations: RateLimiter
    let unknownHexCodes: UnknownHexCodes
    /// The rate limit of reports on notifications, per client address.
    let pushReports: RateLimiter
    /// The rate limit of reports of other users, per user.
    let userReports: RateLimiter
    /// The operator's address for users; nil if none is set.
    let contact: String?
    /// The clock of the rate limits.
    let uptime: @Sendable () -> ContinuousClock.Instant

    /// Maximum reports on notifications per client address and minute. All clients behind one address share them.
    static let reportsPerMinute = 600
    /// Maximum reports of other users per user and hour.
    static let userReportsPerHour = 20

    func responder() -> some HTTPResponder<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(
            middleware: OpenCORS(methods: [.get, .post, .put, .delete, .options], headers: [.contentType, .authorization]))
        router.add(middleware: PagerErrors())
        addOpenRoutes(router)
        addUserRoutes(router)
        addFriendRoutes(router)
        addMessageRoutes(router)
        addScoreRoutes(router)
        addSafetyRoutes(router)
        addLiveRoute(router)
        return router.buildResponder()
    }

    // MARK: Without a token

    private func addOpenRoutes(_ router: Router<ServerContext>) {
        router.on(PagerEndpoints.health) { _, _ in try .json(Health(status: "ok")) }
        router.on(PagerEndpoints.serviceOperator) { _, _ in try .json(Success(data: ServiceOperator(contact: contact))) }
        router.on(PagerEndpoints.queueMetrics) { _, _ in
            let counts = try await messaging.pushes.outbox.counts()
            return try .json(
                Success(
                    data: QueueMetrics(
                        waiting: counts[.waiting] ?? 0, active: counts[.active] ?? 0,
                        completed: (counts[.completed] ?? 0) + (counts[.withdrawn] ?? 0),
                        failed: (counts[.failed] ?? 0) + (counts[.expired] ?? 0))))
        }
        router.on(PagerEndpoints.register) { request, context in
            let registration = try await Registration(bodyOf: request)
            if let wait = await registrations.attempt(context.remoteNetwork, now: uptime()) {
                throw PagerError.tooManyAttempts(retryAfter: wait)
            }
            let user = try await accounts.register(registration)
            let registered = Registered(userId: user.id, hexCode: user.hexCode, token: try await tokens.token(for: user))
            return try .json(Success(data: registered), status: .created)
        }
        router.on(PagerEndpoints.reportPush) { _, context in
            guard let report = context.parameters.get("report").flatMap(PushReport.init) else { throw HTTPError(.notFound) }
            if let wait = await pushReports.attempt(context.remoteNetwork, now: uptime()) {
                throw PagerError.tooManyAttempts(retryAfter: wait)
            }
            // The reply confirms that the report was received; it does not reveal if the notification exists.
            try await messaging.report(report, on: context.id("pushId"))
            return try .json(Success(data: Done()))
        }
    }

    // MARK: With a token

    private func addUserRoutes(_ router: Router<ServerContext>) {
        on(router, PagerEndpoints.me) { user, _, _ in try await accounts.me(user) }
        on(router, PagerEndpoints.deleteAccount) { user, deletion in
            try await accounts.delete(deletion, of: user)
            presence.end(user)
            return Done()
        }
        on(router, PagerEndpoints.setStatus) { user, update in
            try await accounts.setStatus(update.status, of: user)
            return Done()
        }
        on(router, PagerEndpoints.setDisplayName) { user, update in try await accounts.setDisplayName(update, of: user) }
        on(router, PagerEndpoints.setLiveActivityToken) { user, update in
            try await devices.setStartToken(update, of: user)
            return Done()
        }
        on(router, PagerEndpoints.pushOffer) { user, _, _ in try await devices.offer(to: user) }
        router.on(PagerEndpoints.setPushDevice) { request, context in
            let user = try await caller(of: request)
            let update = try await PushDeviceUpdate(bodyOf: request)
            try await devices.set(PushDevice.ID(context.parameters.get("deviceId") ?? ""), to: update, of: user)
            return try response(Done(), status: .ok)
        }
        on(router, PagerEndpoints.removePushDevice) { user, _, context in
            try await devices.remove(PushDevice.ID(context.parameters.get("deviceId") ?? ""), of: user)
            return Done()
        }
    }

    private func addFriendRoutes(_ router: Router<ServerContext>) {
        router.on(PagerEndpoints.requestFriend) { request, context in
            let user = try await caller(of: request)
            let creation = try await FriendRequestCreation(bodyOf: request)
            let reply = try await unknownHexCodes.attempt(by: accounts.me(user), from: context.remoteNetwork) {
                try await friendships.request(creation, from: user)
            }
            return try response(reply, status: .created)
        }
        on(router, PagerEndpoints.pendingRequests) { user, _, _ in try await friendships.pendingRequests(to: user) }
        on(router, PagerEndpoints.acceptRequest) { user, _, context in
            try await friendships.accept(context.id("requestId"), by: user)
        }
        on(router, PagerEndpoints.rejectRequest) { user, _, context in
            try await friendships.reject(context.id("requestId"), by: user)
            return Done()
        }
        on(router, PagerEndpoints.friends) { user, _, _ in try await friendships.friends(of: user) }
        on(router, PagerEndpoints.removeFriend) { user, _, context in
            try await friendships.remove(context.id("friendId"), from: user)
            return Done()
        }
    }

    private func addMessageRoutes(_ router: Router<ServerContext>) {
        on(router, PagerEndpoints.sendMessage, status: .created) { user, creation in
            try await messaging.send(creation, from: user)
        }
        on(router, PagerEndpoints.history) { user, request, context in
            let text = request.query("limit")
            guard let limit = text.map({ Int($0) }) ?? MessageHistory.defaultLimit, MessageHistory.limits.contains(limit) else {
                throw PagerError.invalidInput(
                    "Limit must be between \(MessageHistory.limits.lowerBound) and \(MessageHistory.limits.upperBound)")
            }
            return try await messaging.history(with: context.id("friendId"), limit: limit, for: user)
        }
        on(router, PagerEndpoints.conversations) { user, _, _ in try await messaging.conversations(of: user) }
    }

    private func addScoreRoutes(_ router: Router<ServerContext>) {
        on(router, PagerEndpoints.submitScore) { user, submission in try await scores.submit(submission, by: user) }
        on(router, PagerEndpoints.leaderboard) { user, _, context in
            guard let game = context.parameters.get("game").flatMap(Game.init) else { throw PagerError.invalidGame }
            return try await scores.leaderboard(game, for: user)
        }
    }

    private func addSafetyRoutes(_ router: Router<ServerContext>) {
        on(router, PagerEndpoints.blocks) { user, _, _ in try await blocks.list(of: user) }
        on(router, PagerEndpoints.block) { user, _, context in
            try await blocks.block(context.id("userId"), by: user)
            return Done()
        }
        on(router, PagerEndpoints.unblock) { user, _, context in
            try await blocks.unblock(context.id("userId"), by: user)
            return Done()
        }
        on(router, PagerEndpoints.report) { user, creation in
            if let wait = await userReports.attempt(user.rawValue, now: uptime()) {
                throw PagerError.tooManyAttempts(retryAfter: wait)
            }
            try await reports.report(creation, by: user)
            return Done()
        }
    }

    private func addLiveRoute(_ router: Router<ServerContext>) {
        router.webSocket(RouterPath(PagerEndpoints.livePath)) { request, context in
            let claims = try await tokens.claims(ofUpgrade: request)
            let after = try request.query("after").map { text in
                guard let after = Int64(text), after >= 0 else {
                    throw PagerError.invalidInput("after must be the number of an event, zero or more")
                }
                return after
            }
            _ = try await accounts.me(claims.userId)
            let socket = LiveSocket(
                user: claims.userId, after: after, expiry: Timestamp(Date(timeIntervalSince1970: TimeInterval(claims.exp))),
                store: store, messaging: messaging, presence: presence)
            let offersOurs = request.offeredSubprotocols.contains { $0 == LiveSocket.subprotocol }
            return WebSocketUpgrade(
                subprotocol: offersOurs ? LiveSocket.subprotocol : nil, maximumMessageSize: LiveSocket.maximumMessageSize,
                session: socket)
        }
    }
}

extension PagerRoutes: AuthorizedRoutes {
    func caller(of request: Request) async throws -> User.ID { try await tokens.claims(of: request).userId }

    func response(_ reply: some Encodable & Sendable, status: HTTPResponse.Status) throws -> Response {
        try .json(Success(data: reply), status: status)
    }
}

extension ServerContext {
    /// Returns a path parameter that is an id. A malformed id becomes one that does not exist.
    fileprivate func id<Subject>(_ name: String) -> Identifier<Subject> {
        let id = Identifier<Subject>(parameters.get(name) ?? "")
        return id.isWellFormed ? id : Identifier("")
    }
}
