import StorageKit
package import WireKit

/// A kind of push service.
package enum PushChannel: String, Hashable, Sendable, CaseIterable, SQLValue {
    case apns, webPush, ntfy
}

/// An address at a push service, with the message in the form that this service takes.
package enum PushRoute: Hashable, Sendable {
    case apns(APNSRoute)
    case webPush(WebPushRoute)
    case ntfy(NtfyRoute)

    package var channel: PushChannel {
        switch self {
        case .apns: .apns
        case .webPush: .webPush
        case .ntfy: .ntfy
        }
    }
}

/// The look of a message on the device. A message that was accepted in two forms is seen twice; one that was accepted again in the same form
/// replaces itself.
package enum PushForm: String, Hashable, Sendable, SQLValue {
    case alert, background, liveActivity, webPush, ntfy
}

extension PushRoute {
    package var form: PushForm {
        switch self {
        case .apns(let apns):
            switch apns.notification.kind {
            case .alert: .alert
            case .background: .background
            case .liveActivity: .liveActivity
            }
        case .webPush: .webPush
        case .ntfy: .ntfy
        }
    }
}

/// The confirmation of a push service that it has accepted a message. The message may still never be shown.
package struct PushReceipt: Hashable, Sendable {
    package var route: PushRoute
    /// The push service's name for the message.
    package var id: String?
    /// Non-nil when an APNs token turned out to belong to the other environment than its route says.
    package var environment: APNSEnvironment?
    /// True when no push service is configured and nothing was sent.
    package var isPretended: Bool

    package init(route: PushRoute, id: String? = nil, environment: APNSEnvironment? = nil, isPretended: Bool = false) {
        self.route = route
        self.id = id
        self.environment = environment
        self.isPretended = isPretended
    }
}

/// The result of one request to a push service.
package enum PushResult: Hashable, Sendable {
    case accepted(PushReceipt)
    /// The address does not exist any more.
    case dead(PushReason, since: Timestamp? = nil)
    /// Refused for now, or with an unknown result: worth another attempt, not before the push service's own pause.
    case retry(PushReason, after: Duration? = nil)
    /// This message will never be accepted at this address.
    case refused(PushReason)
    /// The push service refuses the credentials or the app: the operator may have to change the configuration. Worth another attempt.
    case misconfigured(PushReason)

    /// The reason of any result but `accepted`.
    package var reason: PushReason? {
        switch self {
        case .accepted: nil
        case .dead(let reason, _), .retry(let reason, _), .refused(let reason), .misconfigured(let reason): reason
        }
    }
}

/// Sends messages to one kind of push service.
package protocol PushSender: Sendable {
    /// The kind of routes that it takes. It refuses others.
    var channel: PushChannel { get }

    /// Makes one attempt. Throws nothing: whatever goes wrong is a result.
    func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult
}
