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

/// The form of a message on the device. A message that was accepted in two forms is shown twice; accepted again in the same form,
/// the message replaces itself.
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
    /// The push service's id of the message; nil if there is none.
    package var id: String?
    /// The other environment, if an APNs token turned out not to belong to the environment of its route; otherwise nil.
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
    /// The address no longer exists, since the given time if the push service tells it.
    case dead(PushReason, since: Timestamp? = nil)
    /// The message was refused for now, or the result is unknown: retry, but not before the push service's own pause.
    case retry(PushReason, after: Duration? = nil)
    /// This message will never be accepted at this address.
    case refused(PushReason)
    /// The push service refuses the credentials or the app: retry. The operator may have to change the configuration.
    case misconfigured(PushReason)

    /// The reason; nil for `accepted`.
    package var reason: PushReason? {
        switch self {
        case .accepted: nil
        case .dead(let reason, _), .retry(let reason, _), .refused(let reason), .misconfigured(let reason): reason
        }
    }
}

/// A sender of messages to one kind of push service.
package protocol PushSender: Sendable {
    /// The channel of the routes that the sender takes. Other routes are refused.
    var channel: PushChannel { get }
    /// True for a stand-in that accepts each entry and sends nothing. Its entries end with their claim, before it is called.
    var isPretended: Bool { get }

    /// Makes one attempt. Every failure is a result.
    func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult
}

extension PushSender {
    package var isPretended: Bool { false }
}
