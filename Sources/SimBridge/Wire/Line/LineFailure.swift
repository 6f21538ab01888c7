/// The relay's refusal of a device's message: `{"error":"target_offline","target_device_id":3,"req_id":"…"}`.
public struct LineFailure: Hashable, Sendable {
    /// The kind of a failure. Programs compare codes; texts are for developers.
    public enum Code: Hashable, Sendable {
        /// The sender is not paired and named no receiver.
        case noPairedHost, noPairedClient
        /// The receiver is not connected, and the message is not stored.
        case targetOffline
        /// The receiver is not paired with the sender.
        case notPaired
        /// The account's storage quota is used up.
        case noRoom
        /// The command arrived after its own ``Command/deadline`` and is not stored.
        case deadlinePassed
        case invalidJSON
        case invalidType
        case other
    }

    /// The error text on the wire.
    public var text: String
    public var targetDeviceId: Device.ID?
    /// The ``DeviceMessage/messageId`` of the refused message. Version 2 only.
    public var messageId: String?

    public init(_ text: String, targetDeviceId: Device.ID? = nil, messageId: String? = nil) {
        self.text = text
        self.targetDeviceId = targetDeviceId
        self.messageId = messageId
    }

    public static let noPairedHost = LineFailure("no paired host")
    public static let noPairedClient = LineFailure("no paired client")
    public static let invalidJSON = LineFailure("invalid JSON")
    /// The account's quota of undelivered messages is used up; the message is not stored.
    public static let noRoom = LineFailure("no room")
    public static func deadlinePassed(_ target: Device.ID) -> LineFailure {
        LineFailure(deadlinePassedText, targetDeviceId: target)
    }
    /// The error text on the line and in replies to `POST /call`.
    public static let deadlinePassedText = "Call deadline has passed"
    public static func targetOffline(_ id: Device.ID) -> LineFailure { LineFailure("target_offline", targetDeviceId: id) }
    public static func notPaired(_ id: Device.ID) -> LineFailure { LineFailure("not_paired", targetDeviceId: id) }
    public static func invalidType(_ type: String) -> LineFailure { LineFailure("invalid message type: \(type)") }

    public var code: Code {
        switch text {
        case "no paired host": .noPairedHost
        case "no paired client": .noPairedClient
        case "target_offline": .targetOffline
        case "not_paired": .notPaired
        case "no room": .noRoom
        case Self.deadlinePassedText: .deadlinePassed
        case "invalid JSON": .invalidJSON
        default: text.hasPrefix("invalid message type") ? .invalidType : .other
        }
    }
}
