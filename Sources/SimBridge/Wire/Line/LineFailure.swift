/// Why the relay did not do what a device wrote: `{"error":"target_offline","target_device_id":3,"req_id":"…"}`.
public struct LineFailure: Hashable, Sendable {
    /// The kinds of failure. Compare these; what else is said is for developers.
    public enum Code: Hashable, Sendable {
        /// The sender has no partner, and named none.
        case noPairedHost, noPairedClient
        /// The receiver is not connected. Nothing is kept for it.
        case targetOffline
        /// The receiver is not paired with the sender.
        case notPaired
        /// Nothing can be kept for the account now.
        case noRoom
        /// The command came after its own ``Command/deadline``. Nothing was kept of it.
        case deadlinePassed
        case invalidJSON
        case invalidType
        case other
    }

    /// As on the wire.
    public var text: String
    public var targetDeviceId: Device.ID?
    /// The ``DeviceMessage/messageId`` of the message that it is about. Version 2 only.
    public var messageId: String?

    public init(_ text: String, targetDeviceId: Device.ID? = nil, messageId: String? = nil) {
        self.text = text
        self.targetDeviceId = targetDeviceId
        self.messageId = messageId
    }

    public static let noPairedHost = LineFailure("no paired host")
    public static let noPairedClient = LineFailure("no paired client")
    public static let invalidJSON = LineFailure("invalid JSON")
    /// All that the relay may keep for the account is still to be delivered. Nothing was kept of this message.
    public static let noRoom = LineFailure("no room")
    public static func deadlinePassed(_ target: Device.ID) -> LineFailure {
        LineFailure(deadlinePassedText, targetDeviceId: target)
    }
    /// Also the failure of `POST /call`.
    public static let deadlinePassedText = "Call deadline has passed"
    public static func targetOffline(_ id: Device.ID) -> LineFailure { LineFailure("target_offline", targetDeviceId: id) }
    public static func notPaired(_ id: Device.ID) -> LineFailure { LineFailure("not_paired", targetDeviceId: id) }
    /// - Parameter type: What was written instead of a type.
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
