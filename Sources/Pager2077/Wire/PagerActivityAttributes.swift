public import Foundation

/// A message on the lock screen and in the Dynamic Island.
///
/// A push starts the Live Activity, and the system itself decodes the push with a default `JSONDecoder`: the names are those on the
/// wire, a `Date` is the seconds since 2001, and a value that cannot be decoded prevents the start although Apple has accepted the
/// push. So new properties are optional. The type's name is on the wire too. Contract: `Docs/Protocols/Pager2077.md`, section 3.
public struct PagerActivityAttributes: Codable, Hashable, Sendable {
    /// The part that an update can replace.
    public struct ContentState: Codable, Hashable, Sendable {
        /// The sender's name, or the hex code of a sender without a name.
        public var sender: String
        /// The beginning of the message.
        public var message: String
        public var timestamp: Date
        public var isDemo: Bool
        /// The position of the message among ``totalMessages``, from 1.
        public var messageIndex: Int
        public var totalMessages: Int

        public init(
            sender: String, message: String, timestamp: Date, isDemo: Bool = false, messageIndex: Int = 1, totalMessages: Int = 1
        ) {
            self.sender = sender
            self.message = message
            self.timestamp = timestamp
            self.isDemo = isDemo
            self.messageIndex = messageIndex
            self.totalMessages = totalMessages
        }
    }

    /// The kind of activity: `message`.
    public var activityType: String
    /// The sender's user id, for the tap; nil from a service that does not send it. Text: a malformed id must not make the start vanish.
    public var senderId: String?

    public init(activityType: String = "message", senderId: String? = nil) {
        self.activityType = activityType
        self.senderId = senderId
    }
}

extension PagerActivityAttributes {
    /// The scheme of the app's own links. `CFBundleURLTypes` of the iPhone app names it.
    public static let scheme = "pager2077"

    /// The link that a tap on the activity opens: to the chat with the sender, or to the app alone.
    public var link: URL? {
        URL(string: "\(Self.scheme)://chat/\(senderId?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")")
    }

    /// The id of the notification that means the same as a tap on the activity; nil without a sender.
    public var notificationID: String? { link.flatMap(Self.notificationID) }

    /// Returns the id of the notification that means the same as a tap on this link: see ``link``.
    ///
    /// - Returns: Nil for a link to no chat.
    public static func notificationID(of link: URL) -> String? {
        guard link.scheme == scheme, link.host() == "chat" else { return nil }
        let user = link.lastPathComponent
        return user.isEmpty || user == "/" ? nil : "chat-\(user)"
    }
}
