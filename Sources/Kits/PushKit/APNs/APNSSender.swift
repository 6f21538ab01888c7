import Foundation
import HTTPTypes
package import Logging
package import NetworkingKit
package import WireKit

/// The sender of notifications to Apple's push service.
///
/// All requests share one HTTP/2 connection, which ``HTTPTransport`` keeps open. A connection on which a request failed is
/// replaced.
package final class APNSSender: PushSender {
    package var channel: PushChannel { .apns }

    private let configuration: APNSConfiguration
    private let token: APNSProviderToken
    private let makeTransport: @Sendable () -> any HTTPTransport
    private let transport: Locked<(number: Int, transport: any HTTPTransport)>
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    /// Maximum size of a reply, in bytes.
    private static let maximumReply = 4096

    /// - Parameter makeTransport: Returns a transport that connects with its first request; nil for the configured default.
    package init(
        _ configuration: APNSConfiguration, logger: Logger, now: @escaping @Sendable () -> Timestamp = { .now },
        makeTransport: (@Sendable () -> any HTTPTransport)? = nil
    ) throws {
        let makeTransport = makeTransport ?? { APNSSender.makeConnection(trusting: configuration.authorities) }
        self.configuration = configuration
        self.logger = logger
        self.now = now
        self.makeTransport = makeTransport
        token = try APNSProviderToken(configuration, now: now)
        transport = Locked((0, makeTransport()))
    }

    package func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        guard case .apns(let apns) = route else { return .refused(.notConfigured) }
        // Tokens are text from an app: anything but hexadecimal digits could change the path.
        guard APNSRoute.isToken(apns.token) else { return .dead("BadDeviceToken") }
        let environment = apns.environment ?? configuration.environment
        let result = await send(entry, apns, environment)
        guard case .wrongEnvironment = result else { return result.pushResult(route, environment: nil) }
        // A build from Xcode may have registered with the environment of the store, and the other way round.
        guard configuration.addresses[.production] != configuration.addresses[.sandbox] else { return .dead("BadDeviceToken") }
        switch await send(entry, apns, environment.other) {
        case .wrongEnvironment: return .dead("BadDeviceToken")
        // The token is unknown in its own environment, and the other environment does not accept it either.
        case .result(.refused), .result(.misconfigured): return .dead("BadDeviceToken")
        case let result: return result.pushResult(route, environment: environment.other)
        }
    }

    private enum Outcome {
        case accepted(id: String?)
        case wrongEnvironment
        case result(PushResult)

        func pushResult(_ route: PushRoute, environment: APNSEnvironment?) -> PushResult {
            switch self {
            case .accepted(let id): .accepted(PushReceipt(route: route, id: id, environment: environment))
            case .wrongEnvironment: .dead("BadDeviceToken")
            case .result(let result): result
            }
        }
    }

    private func send(_ entry: PushEntry, _ route: APNSRoute, _ environment: APNSEnvironment) async -> Outcome {
        do {
            guard let body = try route.notification.payload.encoded() else { return .result(.refused(.payloadTooLarge)) }
            let token = try await token.text()
            let request = try request(entry, route, environment)
            var reply = try await call(request, body: body, token: token)
            if reply.action == .renewToken, let renewed = try await self.token.renewed(insteadOf: token) {
                reply = try await call(request, body: body, token: renewed)
            }
            return outcome(of: reply, entry)
        } catch {
            return .result(PushResult(error, of: entry, logger: logger))
        }
    }

    private func outcome(of reply: APNSReply, _ entry: PushEntry) -> Outcome {
        switch reply.action {
        case .accept: .accepted(id: APNSSender.uuid(of: entry))
        case .tryOtherEnvironment: .wrongEnvironment
        case .dead(let since): .result(.dead(reply.pushReason, since: since))
        case .retry, .retryOnNewConnection: .result(.retry(reply.pushReason, after: reply.pause))
        case .refuse: .result(.refused(reply.pushReason))
        case .misconfigured, .renewToken: .result(.misconfigured(reply.pushReason))
        }
    }

    private func request(_ entry: PushEntry, _ route: APNSRoute, _ environment: APNSEnvironment) throws -> HTTPRequest {
        guard let base = configuration.addresses[environment] else { throw TransportError(.address, "no address") }
        let notification = route.notification
        var headers = HTTPFields()
        headers[.apnsPushType] = notification.kind.rawValue
        headers[.apnsTopic] = notification.topic(of: configuration.bundleID)
        headers[.apnsPriority] = "\(notification.priority.rawValue)"
        headers[.apnsExpiration] = "\(min(notification.expiresAt ?? entry.expiresAt, entry.expiresAt).seconds)"
        headers[.apnsID] = APNSSender.uuid(of: entry)
        if notification.kind != .background {
            let collapseID = notification.collapseID ?? entry.identifier.rawValue
            guard collapseID.utf8.count <= APNSNotification.maximumCollapseIDLength else { throw UnusableCollapseID() }
            headers[.apnsCollapseID] = collapseID
        }
        headers[.contentType] = "application/json"
        return try HTTPRequest(.post, "/3/device/\(route.token.lowercased())", below: base, headers: headers)
    }

    private struct UnusableCollapseID: Error {}

    private func call(_ request: HTTPRequest, body: Data, token: String) async throws -> APNSReply {
        var request = request
        request.headerFields[.authorization] = "bearer \(token)"
        let (number, transport) = transport.withLock { $0 }
        do {
            let reply = try await transport.send(request, body: .data(body), limit: Self.maximumReply)
            let pause = RetryAfter.pause(reply.head.headerFields[.retryAfter], now: now())
            let answer = APNSReply(status: reply.head.status.code, body: reply.body, pause: pause)
            if answer.action == .retryOnNewConnection { replaceConnection(number) }
            return answer
        } catch {
            // A closed connection may take requests for a moment, and a connection that the network has dropped loses all of them.
            replaceConnection(number)
            throw error
        }
    }

    /// Replaces the connection, unless another request has replaced it already. The new one opens with the next request.
    private func replaceConnection(_ number: Int) {
        transport.withLock { state in
            if state.number == number { state = (number + 1, makeTransport()) }
        }
    }

    /// Returns the entry's identifier as a UUID, by which Apple traces a notification.
    static func uuid(of entry: PushEntry) -> String {
        let digits = Array(entry.identifier.rawValue)
        guard digits.count == 32 else { return entry.identifier.rawValue }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

extension HTTPField.Name {
    static let apnsPushType = Self("apns-push-type")!
    static let apnsTopic = Self("apns-topic")!
    static let apnsPriority = Self("apns-priority")!
    static let apnsExpiration = Self("apns-expiration")!
    static let apnsCollapseID = Self("apns-collapse-id")!
    static let apnsID = Self("apns-id")!
}
