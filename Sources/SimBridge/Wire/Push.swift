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

/// The body of `PUT /devices/{id}/push`: how notifications of texts and calls reach a client device while its app is closed.
public struct PushSettings: Codable, Hashable, Sendable {
    public var address: PushAddress
    public var content: PushContent
    /// The language of the words in notifications, as in RFC 5646. Unknown ones are English.
    public var language: String

    /// The allowed length of a language, in characters.
    public static let languageLength = 2...35

    public init(address: PushAddress, content: PushContent, language: String) {
        self.address = address
        self.content = content
        self.language = language
    }
}

/// The reply to `PUT` and `DELETE /devices/{id}/push`.
public struct PushReply: Codable, Hashable, Sendable {
    /// `on` or `off`.
    public var status: String

    public init(isOn: Bool) {
        status = isOn ? "on" : "off"
    }
}

/// The reply of `GET /push`: the push services that the relay can use.
public struct PushOffer: Codable, Hashable, Sendable {
    /// The public key that browsers subscribe with, in base64url; null: no Web Push.
    @Nullable public var webPushKey: String?
    /// A topic of the ntfy server; null: no ntfy.
    @Nullable public var ntfy: NtfyOffer?

    public init(webPushKey: String?, ntfy: NtfyOffer? = nil) {
        self.webPushKey = webPushKey
        self.ntfy = ntfy
    }

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
    public static func text(from sender: String) -> String {
        prefix + String(String.UnicodeScalarView(sender.unicodeScalars.prefix(maximumLength)))
    }

    /// The sender of a text; nil for any other id.
    public static func sender(of id: String) -> String? { id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : nil }
}
