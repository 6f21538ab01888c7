public import WireKit

/// The most that notifications of a device may show.
public enum PushContent: String, Codable, Hashable, Sendable, CaseIterable {
    /// That there is a text or a call.
    case nothing = "none"
    /// Also the number.
    case sender
    /// Also the words of a text.
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

/// The ids of notifications: of those that the app shows itself, and of the same ones from a push service.
///
/// A phone shows one notification for each id. An id without a number says nothing about the other end.
public enum NoticeID {
    /// A text from an unnamed sender.
    public static let text = "text"
    /// A call.
    public static let call = "call"
    private static let prefix = "text-"
    /// The longest number in an id, in characters.
    private static let maximumLength = 50

    /// A text from a named sender.
    ///
    /// - Parameter sender: The key of the sender (``PhoneNumberMatcher/key(_:sim:)``), or the number as it was shown.
    public static func text(from sender: String) -> String {
        prefix + PhoneNumberMatcher().key(sender).prefix(scalars: maximumLength)
    }

    /// The sender of a text; nil for any other id.
    public static func sender(of id: String) -> String? { id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : nil }
}
