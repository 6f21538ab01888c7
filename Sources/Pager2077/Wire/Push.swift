public import WireKit

/// A phone or browser of a user that notifications are sent to. Its id is chosen by the app, at random, once per phone.
public enum PushDevice {
    public typealias ID = Identifier<PushDevice>
}

/// The body of `PUT /api/users/devices/{deviceId}`: the address of one phone's notifications, their language and their content.
public struct PushDeviceUpdate: Codable, Hashable, Sendable {
    /// The push address; null without permission or push service. Live Activities may still reach the phone.
    @Nullable public var address: PushAddress?
    /// The language of notification texts (RFC 5646). An unknown language counts as English.
    public var language: String
    /// True if notifications may contain the text of messages.
    public var showsPreviews: Bool

    public init(address: PushAddress?, language: String, showsPreviews: Bool) {
        self.address = address
        self.language = language
        self.showsPreviews = showsPreviews
    }
}

/// The known delivery state of a message, for its sender. A later case replaces an earlier one, never the other way round.
public enum MessageDelivery: String, Codable, Hashable, Sendable, CaseIterable {
    /// The service has no way to reach the recipient now. The message waits there.
    case unreachable
    /// No push service took the notification. The message waits at the service.
    case failed
    /// A push service accepted the notification. It may still never be shown.
    case accepted
    /// The recipient's phone has shown the notification or the message.
    case shown
    /// The recipient has tapped the notification.
    case opened
}

/// The phone's report on a notification.
public enum PushReport: String, Codable, Hashable, Sendable {
    case shown, opened
}
