public import WireKit

/// The maximum content of a device's notifications.
public enum PushContent: String, Codable, Hashable, Sendable, CaseIterable {
    /// Only the arrival of a text or call.
    case nothing = "none"
    /// The arrival and the sender's number.
    case sender
    /// The arrival, the number and the body of a text.
    case full
}

/// A ``PushOffer`` with the relay's spelling of its keys.
public struct RelayPushOffer: Codable, Hashable, Sendable {
    @Nullable private var webPushKey: String?
    @Nullable private var ntfy: NtfyOffer?

    public init(_ offer: PushOffer) { (webPushKey, ntfy) = (offer.webPushKey, offer.ntfy) }

    public var offer: PushOffer { PushOffer(webPushKey: webPushKey, ntfy: ntfy) }

    private enum CodingKeys: String, CodingKey {
        case ntfy
        case webPushKey = "web_push_key"
    }
}

/// The ids of notifications, equal for a notification of the app itself and the same notification from a push service.
///
/// A phone shows one notification for each id. An id without a number says nothing about the other end.
public enum NoticeID {
    /// The id for texts whose sender is not shown.
    public static let text = "text"
    /// The id for calls.
    public static let call = "call"
    private static let prefix = "text-"
    /// Maximum length of a sender's key in an id, in Unicode scalar values.
    private static let maximumLength = 50

    /// Returns the id for texts from a sender that is shown.
    ///
    /// - Parameter sender: The key of the sender (``PhoneNumberMatcher/key(_:sim:)``), or the number as it was shown.
    public static func text(from sender: String) -> String {
        prefix + PhoneNumberMatcher().key(sender).prefix(scalars: maximumLength)
    }

    /// Returns the sender's key in an id for texts; nil for any other id.
    public static func sender(of id: String) -> String? { id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : nil }
}
