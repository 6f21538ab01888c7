package import Foundation
package import StorageKit
package import WireKit

/// The progress of an entry of the outbox.
package enum PushState: String, Hashable, Sendable, CaseIterable, SQLValue {
    case waiting
    /// The entry is being sent, under a lease.
    case active
    /// A push service accepted the entry, which may still never be shown.
    case completed
    /// The entry was given up; the reason is kept.
    case failed
    /// No push service accepted the entry before its expiry.
    case expired
    /// The recipient received the content by another way before the entry was sent, or a newer entry replaced it.
    case withdrawn
    /// The recipient had no route when the entry was due.
    case unreachable
}

/// The urgency of an entry, which decides the order of sending, and which entries are kept when too many wait.
package enum PushUrgency: Int, Hashable, Sendable, SQLValue {
    /// The entry is shown to the recipient.
    case alert = 0
    /// The entry is not shown.
    case silent = 1
}

/// The reason for which a push was not sent or not accepted, for the log, the metrics and dead letters. One of a small fixed set.
package struct PushReason: RawRepresentable, Hashable, Sendable, SQLValue, ExpressibleByStringLiteral, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }

    package var description: String { rawValue }

    /// The outbox held too many entries of the recipient.
    package static let tooManyWaiting: PushReason = "too many were waiting"
    /// A newer entry on the same topic replaced the entry.
    package static let replaced: PushReason = "replaced"
    /// The service could not read its own content.
    package static let unreadable: PushReason = "unreadable"
    /// No sender is configured for the route.
    package static let notConfigured: PushReason = "not configured"
    /// A completed entry that was only logged, because its push service is not configured.
    package static let pretended: PushReason = "pretended"
    package static let timedOut: PushReason = "timed out"
    package static let unreachableService: PushReason = "no connection"
    package static let payloadTooLarge: PushReason = "payload too large"
    /// An address may have accepted the entry before it died: another route could show it twice.
    package static let unknownResult: PushReason = "unknown result"
    /// The lease left no time for another request.
    static let shortLease: PushReason = "no time left"
    /// The push service replied with something undocumented.
    package static let unexpectedReply: PushReason = "unexpected reply"
}

extension PushReason {
    /// True if there was no reply, so that the push service may have accepted the message.
    var leavesResultUnknown: Bool { self == .timedOut || self == .unreachableService }

    /// True for an address that has never been valid, so that no earlier request to it was accepted.
    var meansNeverValid: Bool { self == "BadDeviceToken" || self == "DeviceTokenNotForTopic" }
}

/// A notification to be sent.
package struct PushDraft: Hashable, Sendable {
    package var recipient: String
    package var urgency: PushUrgency
    /// The topic, on which a newer entry replaces those that wait; nil for none.
    package var topic: String?
    /// Minimum time between two sent entries on ``topic``. A later entry waits, so that only the latest is sent.
    package var spacing: Duration
    /// The sequence number of the event with the same content in the recipient's log; nil for none.
    package var cause: Int64?
    /// The content in the service's own form, which its directory turns into a message for each route.
    package var content: Data
    /// The delay before the entry is sent, so that a client in the foreground can acknowledge the event first.
    package var delay: Duration
    /// The time after which the entry expires.
    package var lifetime: Duration

    package init(
        recipient: String, urgency: PushUrgency = .alert, topic: String? = nil, spacing: Duration = .zero, cause: Int64? = nil,
        content: Data, delay: Duration = .zero, lifetime: Duration = .seconds(86_400)
    ) {
        self.recipient = recipient
        self.urgency = urgency
        self.topic = topic
        self.spacing = spacing
        self.cause = cause
        self.content = content
        self.delay = delay
        self.lifetime = lifetime
    }
}

/// An entry of the outbox: one notification for one device of a recipient, once the devices are known.
package struct PushEntry: Hashable, Sendable, Identifiable {
    package var id: Int64
    /// The identifier for push services, the same in every attempt: 32 lowercase hexadecimal digits.
    package var identifier: Identifier<PushEntry>
    /// The id of the entry as it was enqueued; the same for all devices.
    package var origin: Int64
    package var recipient: String
    /// The device; nil until the first attempt.
    package var target: String?
    package var urgency: PushUrgency
    package var cause: Int64?
    package var content: Data
    package var state: PushState
    package var reason: PushReason?
    package var route: PushChannel?
    /// Count of attempts that a push service, or the network, refused for now.
    package var attempts: Int
    /// The form in which a push service may have accepted the entry: stored before each request, and removed by a reply that refuses it.
    var attempted: PushForm?
    /// The time before the first request in that form.
    var attemptedAt: Timestamp?
    package var enqueuedAt: Timestamp
    package var dueAt: Timestamp
    package var expiresAt: Timestamp
}

extension PushEntry {
    /// True if a push service may have accepted the entry although it did not end as completed.
    package var isResultUnknown: Bool {
        switch state {
        case .failed, .expired: reason == .unknownResult || reason?.leavesResultUnknown == true
        case .waiting, .active, .completed, .withdrawn, .unreachable: attempted != nil
        }
    }
}

extension PushEntry: RowDecodable {
    package init(row: Row) throws {
        self.init(
            id: try row.get("id"), identifier: try row.get("identifier"), origin: try row.get("origin"),
            recipient: try row.get("recipient"), target: try row.get("target"), urgency: try row.get("urgency"),
            cause: try row.get("cause"), content: try row.get("content"), state: try row.get("state"),
            reason: try row.get("reason"), route: try row.get("route"), attempts: try row.get("attempts"),
            attempted: try row.get("attempted"), attemptedAt: try row.get("attempted_at"), enqueuedAt: try row.get("enqueued_at"),
            dueAt: try row.get("due_at"), expiresAt: try row.get("expires_at"))
    }
}
