import Foundation
import WireKit

/// The reply of Apple's push service to one notification.
///
/// Source: Apple, "Handling notification responses from APNs".
struct APNSReply {
    /// The sender's next step after a reply.
    enum Action: Hashable, Sendable {
        case accept
        /// The token may belong to the other environment; otherwise it is dead.
        case tryOtherEnvironment
        case dead(since: Timestamp?)
        case retry
        /// The service will close the connection: retry on another.
        case retryOnNewConnection
        /// A newer provider token is needed, if the current one may be renewed.
        case renewToken
        case refuse
        case misconfigured
    }

    private struct Body: Decodable {
        var reason: String?
        /// The time in milliseconds since 1970, with status 410.
        var timestamp: Int64?
    }

    var status: Int
    /// The documented reason; nil for any other text, and without a reason.
    var reason: String?
    var timestamp: Timestamp?
    /// The pause of `Retry-After`; nil without one.
    var pause: Duration?

    init(status: Int, body: Data, pause: Duration? = nil) {
        self.status = status
        self.pause = pause
        guard let body = try? WireJSON.decode(Body.self, from: body) else { return }
        reason = body.reason.flatMap { Self.actions[$0] == nil ? nil : $0 }
        timestamp = body.timestamp.map { Timestamp(milliseconds: $0) }
    }

    var action: Action {
        if status == 200 { return .accept }
        // The status decides, because the service may add new reasons for a token that is no longer valid.
        if status == 410 { return .dead(since: timestamp) }
        if let reason, let action = Self.actions[reason] { return action }
        switch status {
        case 403: return .misconfigured
        case 413, 400, 404, 405: return .refuse
        case 429, 500...: return .retry
        default: return .refuse
        }
    }

    var pushReason: PushReason {
        if let reason { return PushReason(rawValue: reason) }
        switch status {
        case 410: return "Unregistered"
        case 413: return .payloadTooLarge
        default: return .unexpectedReply
        }
    }

    private static let actions: [String: Action] = [
        // 400
        "BadCollapseId": .refuse,
        "BadDeviceToken": .tryOtherEnvironment,
        "BadExpirationDate": .refuse,
        "BadMessageId": .refuse,
        "BadPriority": .refuse,
        "BadTopic": .misconfigured,
        "DeviceTokenNotForTopic": .dead(since: nil),
        "DuplicateHeaders": .refuse,
        "IdleTimeout": .retryOnNewConnection,
        "InvalidPushType": .refuse,
        "MissingDeviceToken": .refuse,
        "MissingTopic": .misconfigured,
        "PayloadEmpty": .refuse,
        "TopicDisallowed": .misconfigured,
        // 403
        "BadCertificate": .misconfigured,
        "BadCertificateEnvironment": .misconfigured,
        "BadEnvironmentKeyIdInToken": .misconfigured,
        "ExpiredProviderToken": .renewToken,
        "Forbidden": .misconfigured,
        "InvalidProviderToken": .renewToken,
        "MissingProviderToken": .renewToken,
        "UnrelatedKeyIdInToken": .misconfigured,
        // 404, 405
        "BadPath": .refuse,
        "MethodNotAllowed": .refuse,
        // 410
        "ExpiredToken": .dead(since: nil),
        "Unregistered": .dead(since: nil),
        // 413
        "PayloadTooLarge": .refuse,
        // 429
        "TooManyProviderTokenUpdates": .retry,
        "TooManyRequests": .retry,
        // 500, 503
        "InternalServerError": .retry,
        "ServiceUnavailable": .retry,
        "Shutdown": .retryOnNewConnection,
    ]

    /// All documented reasons.
    static var reasons: [String] { actions.keys.sorted() }
}
