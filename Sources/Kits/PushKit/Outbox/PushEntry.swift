package import Foundation
package import StorageKit
package import WireKit

/// The progress of an entry of the outbox.
package enum PushState: String, Hashable, Sendable, CaseIterable, SQLValue {
    case waiting
    /// Being sent, under a lease.
    case active
    /// Accepted by a push service, which is not yet shown to a person.
    case completed
    /// Given up; the reason is kept.
    case failed
    /// No push service accepted it before its expiry.
    case expired
    /// The recipient received the content by another way before it was sent, or a newer entry took its place.
    case withdrawn
    /// The recipient had no route when it was due.
    case unreachable
}

/// The order in which entries are sent, and in which they are kept when too many wait.
package enum PushUrgency: Int, Hashable, Sendable, SQLValue {
    /// Shown to the recipient.
    case alert = 0
    /// Not shown.
    case silent = 1
}

/// The reason why a push was not sent or not accepted, as it stands in the log, in the metrics and with a dead letter. Of a small fixed set.
package struct PushReason: RawRepresentable, Hashable, Sendable, SQLValue, ExpressibleByStringLiteral, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }

    package var description: String { rawValue }

    /// The outbox held too many entries of the recipient.
    package static let tooManyWaiting: PushReason = "too many were waiting"
    /// A newer entry on the same topic took its place.
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
    /// True if the push service may have accepted the message all the same: there was no reply.
    var leavesResultUnknown: Bool { self == .timedOut || self == .unreachableService }

    /// True for an address that has never been valid, so that no earlier request to it was accepted.
    var meansNeverValid: Bool { self == "BadDeviceToken" || self == "DeviceTokenNotForTopic" }
}

/// A notification to be sent.
package struct PushDraft: Hashable, Sendable {
    package var recipient: String
    package var urgency: PushUrgency
    /// The subject, where a newer entry on it makes earlier ones pointless: it takes the place of those that wait.
    package var topic: String?
    /// The least time between two entries on ``topic`` that are sent to the recipient: a later one waits, so that only the latest is sent.
    package var spacing: Duration
    /// The sequence number of the event with the same content in the recipient's log.
    package var cause: Int64?
    /// The content in the service's own form, of which its directory makes a message for each route.
    package var content: Data
    /// The time before which nothing is sent, so that a client in the foreground can acknowledge the event first.
    package var delay: Duration
    /// The time after which it is not sent any more.
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
    /// The same in every attempt. 32 lower-case hexadecimal digits.
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
    /// The number of attempts that a push service, or the network, refused for now.
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
