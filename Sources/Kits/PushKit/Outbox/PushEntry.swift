public import Foundation
public import StorageKit
public import WireKit

/// The progress of an entry of the outbox.
public enum PushState: String, Hashable, Sendable, CaseIterable, SQLValue {
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
public enum PushUrgency: Int, Hashable, Sendable, SQLValue {
    /// Shown to the recipient.
    case alert = 0
    /// Not shown.
    case silent = 1
}

/// The reason why a push was not sent or not accepted, as it stands in the log, in the metrics and with a dead letter. Of a small fixed set.
public struct PushReason: RawRepresentable, Hashable, Sendable, SQLValue, ExpressibleByStringLiteral, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }

    /// The outbox held too many entries of the recipient.
    public static let tooManyWaiting: PushReason = "too many were waiting"
    /// A newer entry on the same topic took its place.
    public static let replaced: PushReason = "replaced"
    /// The service could not read its own content.
    public static let unreadable: PushReason = "unreadable"
    /// No sender is configured for the route.
    public static let notConfigured: PushReason = "not configured"
    /// A completed entry that was only logged, because its push service is not configured.
    public static let pretended: PushReason = "pretended"
    public static let timedOut: PushReason = "timed out"
    public static let unreachableService: PushReason = "no connection"
    public static let payloadTooLarge: PushReason = "payload too large"
    /// An address may have accepted the entry before it died: another route could show it twice.
    public static let unknownResult: PushReason = "unknown result"
    /// The lease left no time for another request.
    static let shortLease: PushReason = "no time left"
    /// The push service replied with something undocumented.
    public static let unexpectedReply: PushReason = "unexpected reply"
}

extension PushReason {
    /// True if the push service may have accepted the message all the same: there was no reply.
    var leavesResultUnknown: Bool { self == .timedOut || self == .unreachableService }

    /// True for an address that has never been valid, so that no earlier request to it was accepted.
    var meansNeverValid: Bool { self == "BadDeviceToken" || self == "DeviceTokenNotForTopic" }
}

/// A notification to be sent.
public struct PushDraft: Hashable, Sendable {
    public var recipient: String
    public var urgency: PushUrgency
    /// The subject, where a newer entry on it makes earlier ones pointless: it takes the place of those that wait.
    public var topic: String?
    /// The least time between two entries on ``topic`` that are sent to the recipient: a later one waits, so that only the latest is sent.
    public var spacing: Duration
    /// The sequence number of the event with the same content in the recipient's log.
    public var cause: Int64?
    /// The content in the service's own form, of which its directory makes a message for each route.
    public var content: Data
    /// The time before which nothing is sent, so that a client in the foreground can acknowledge the event first.
    public var delay: Duration
    /// The time after which it is not sent any more.
    public var lifetime: Duration

    public init(
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
public struct PushEntry: Hashable, Sendable, Identifiable {
    public var id: Int64
    /// The same in every attempt. 32 lower-case hexadecimal digits.
    public var identifier: Identifier<PushEntry>
    /// The id of the entry as it was enqueued; the same for all devices.
    public var origin: Int64
    public var recipient: String
    /// The device; nil until the first attempt.
    public var target: String?
    public var urgency: PushUrgency
    public var cause: Int64?
    public var content: Data
    public var state: PushState
    public var reason: PushReason?
    public var route: PushChannel?
    /// The number of attempts that a push service, or the network, refused for now.
    public var attempts: Int
    /// The form in which a push service may have accepted the entry: stored before each request, and removed by a reply that refuses it.
    var attempted: PushForm?
    /// The time before the first request in that form.
    var attemptedAt: Timestamp?
    public var enqueuedAt: Timestamp
    public var dueAt: Timestamp
    public var expiresAt: Timestamp
}

extension PushEntry {
    /// True if a push service may have accepted the entry although it did not end as completed.
    public var isResultUnknown: Bool {
        switch state {
        case .failed, .expired: reason == .unknownResult || reason?.leavesResultUnknown == true
        case .waiting, .active, .completed, .withdrawn, .unreachable: attempted != nil
        }
    }
}

extension PushEntry: RowDecodable {
    public init(row: Row) throws {
        self.init(
            id: try row.get("id"), identifier: try row.get("identifier"), origin: try row.get("origin"),
            recipient: try row.get("recipient"), target: try row.get("target"), urgency: try row.get("urgency"),
            cause: try row.get("cause"), content: try row.get("content"), state: try row.get("state"),
            reason: try row.get("reason"), route: try row.get("route"), attempts: try row.get("attempts"),
            attempted: try row.get("attempted"), attemptedAt: try row.get("attempted_at"), enqueuedAt: try row.get("enqueued_at"),
            dueAt: try row.get("due_at"), expiresAt: try row.get("expires_at"))
    }
}
