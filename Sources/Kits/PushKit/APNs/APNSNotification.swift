package import Foundation
package import WireKit

/// A device token with the message for it.
package struct APNSRoute: Hashable, Sendable {
    /// The device token, in hexadecimal digits.
    package var token: String
    /// The environment that issued the token; nil for the configured environment.
    package var environment: APNSEnvironment?
    package var notification: APNSNotification

    package init(token: String, environment: APNSEnvironment? = nil, notification: APNSNotification) {
        self.token = token
        self.environment = environment
        self.notification = notification
    }

    /// Maximum length of a token, in characters. Apple's tokens have 64 or more, and may become longer.
    package static let maximumTokenLength = 512

    /// True for a text that can be a token: hexadecimal digits.
    package static func isToken(_ text: String) -> Bool {
        (1...maximumTokenLength).contains(text.utf8.count) && text.utf8.allSatisfy(\.isHexadecimalDigit)
    }
}

/// A message for Apple's push service.
package struct APNSNotification: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// The system shows the notification.
        case alert
        /// Wakes the app in the background, as often as the system allows.
        case background
        /// Starts, changes or ends a Live Activity.
        case liveActivity = "liveactivity"
    }

    package enum Priority: Int, Hashable, Sendable {
        case immediate = 10
        /// Delivered at a time that saves the device's battery.
        case considerate = 5
        /// Never wakes the device.
        case low = 1
    }

    /// Maximum size of a payload, in bytes.
    package static let maximumSize = 4096
    /// Maximum length of a collapse identifier, in bytes.
    package static let maximumCollapseIDLength = 64

    package var kind: Kind
    package var payload: APNSPayload
    /// Ignored for ``Kind/background``, which may only be sent with ``Priority/considerate``.
    package var priority: Priority
    /// A later notification with the same identifier replaces the earlier on the device; nil for the entry's identifier, so that an
    /// attempt that is repeated after an unknown result is shown once.
    package var collapseID: String?
    /// The time after which the notification is no longer delivered; nil for the entry's expiry.
    package var expiresAt: Timestamp?

    package init(
        _ kind: Kind, _ payload: APNSPayload, priority: Priority = .immediate, collapseID: String? = nil,
        expiresAt: Timestamp? = nil
    ) {
        self.kind = kind
        self.payload = payload
        self.priority = kind == .background ? .considerate : priority
        self.collapseID = collapseID
        self.expiresAt = expiresAt
    }

    /// Returns the topic: the bundle identifier, with the suffix of the kind.
    func topic(of bundleID: String) -> String {
        kind == .liveActivity ? bundleID + ".push-type.liveactivity" : bundleID
    }
}

/// The JSON of a notification.
///
/// Contract: `Docs/Protocols/Push.md`.
package struct APNSPayload: Hashable, Sendable {
    /// The members that the system reads.
    package var aps: [String: JSONValue]
    /// The members for the app, outside `aps`.
    package var custom: [String: JSONValue]

    package init(aps: [String: JSONValue], custom: [String: JSONValue] = [:]) {
        self.aps = aps
        self.custom = custom
    }

    /// Returns a notification that is shown.
    ///
    /// - Parameters:
    ///   - thread: Groups notifications on the device.
    ///   - category: Selects the buttons that the app has declared.
    ///   - isMutable: True to let the app's extension change the notification before it is shown.
    package static func alert(
        title: String, body: String, sound: String? = "default", badge: Int? = nil, thread: String? = nil, category: String? = nil,
        isMutable: Bool = false, custom: [String: JSONValue] = [:]
    ) -> APNSPayload {
        var aps: [String: JSONValue] = ["alert": .object(["title": .string(title), "body": .string(body)])]
        aps["sound"] = sound.map { .string($0) }
        aps["badge"] = badge.map { .integer(Int64($0)) }
        aps["thread-id"] = thread.map { .string($0) }
        aps["category"] = category.map { .string($0) }
        if isMutable { aps["mutable-content"] = .integer(1) }
        return APNSPayload(aps: aps, custom: custom)
    }

    /// Returns a notification that only wakes the app.
    package static func background(custom: [String: JSONValue]) -> APNSPayload {
        APNSPayload(aps: ["content-available": .integer(1)], custom: custom)
    }

    /// Returns the start of a Live Activity, sent to a push-to-start token.
    ///
    /// - Parameters:
    ///   - time: The time of the event. The system discards an event that is older than the last one.
    ///   - attributesType: The name of the Swift type of the attributes.
    ///   - state: The system decodes it with a default `JSONDecoder`, and ignores a start with a missing or mistyped member.
    package static func liveActivityStart(
        at time: Timestamp, attributesType: String, attributes: [String: JSONValue], state: [String: JSONValue], title: String,
        body: String, sound: String? = "default", staleAt: Timestamp? = nil
    ) -> APNSPayload {
        var aps: [String: JSONValue] = [
            "timestamp": .integer(time.seconds), "event": .string("start"), "content-state": .object(state),
        ]
        aps["attributes-type"] = .string(attributesType)
        aps["attributes"] = .object(attributes)
        aps["alert"] = .object(["title": .string(title), "body": .string(body)])
        aps["sound"] = sound.map { .string($0) }
        aps["stale-date"] = staleAt.map { .integer($0.seconds) }
        return APNSPayload(aps: aps)
    }

    /// Returns the bytes to send, with the body of the alert shortened to at most ``APNSNotification/maximumSize`` in all.
    ///
    /// - Returns: The bytes; nil if the payload is too large even without a body.
    package func encoded() throws -> Data? {
        let data = try encoded(body: nil)
        if data.count <= APNSNotification.maximumSize { return data }
        guard case .object(let alert) = aps["alert"], case .string(let body) = alert["body"] else { return nil }
        // Drops one character for each 24 excess bytes, at least one: a character that is escaped or composed takes many bytes.
        var kept = Substring(body)
        while !kept.isEmpty {
            let data = try encoded(body: kept + "…")
            if data.count <= APNSNotification.maximumSize { return data }
            kept = kept.dropLast(max((data.count - APNSNotification.maximumSize) / 24, 1))
        }
        return nil
    }

    private func encoded(body: Substring?) throws -> Data {
        var members = custom
        var aps = aps
        if let body, case .object(var alert) = aps["alert"] {
            alert["body"] = .string(String(body))
            aps["alert"] = .object(alert)
        }
        members["aps"] = .object(aps)
        return try WireJSON.encode(JSONValue.object(members))
    }
}

extension Timestamp {
    /// Whole seconds since 1970.
    var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }
}
