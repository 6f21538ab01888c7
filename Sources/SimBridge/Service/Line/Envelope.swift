import Foundation
import SimBridgeWire
import WireKit

/// What the relay has to know of a message that a device wrote. The rest is opaque to it.
struct Envelope {
    /// Nil when it is missing or no text.
    var type: String?
    /// What stands in place of a type, for the error.
    var shownType = "null"
    var to: JSONValue?
    var reqId: JSONValue?
    var messageId: JSONValue?
    /// Of an acknowledgement.
    var seq: JSONValue?
    var command: String?
    /// Whether the sender has written keys that the relay sets.
    var hasRelayKeys = false

    /// - Throws: As `JSONObjectText`.
    init(_ text: String) throws(WireJSONError) {
        let object = try JSONObjectText(text)
        for member in object.counting {
            switch member.key {
            case "type":
                type = member.value.text
                shownType = type ?? String(object.text(of: member).prefix(100))
            case "to_device_id": to = member.value
            case "req_id": reqId = member.value
            case "msg_id": messageId = member.value
            case "cmd": command = member.value.text
            case "seq":
                seq = member.value
                hasRelayKeys = true
            case "from_device_id": hasRelayKeys = true
            default: break
            }
        }
        if messageId == .null { messageId = nil }
    }

    /// The id of the command that it is or is about, where it is a text.
    var request: RequestID? { reqId?.text.map { RequestID($0) } }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}

/// How a stored message is written to its receiver: the sender's object with every key, and the relay's own.
enum ForwardedText {
    /// - Parameters:
    ///   - payload: A JSON object with at least one key.
    ///   - from: The sender; nil: not said.
    ///   - seq: The receiver's number; nil: not said.
    ///   - hasRelayKeys: Whether `payload` may have one of the relay's keys itself. They are overwritten then.
    static func make(_ payload: String, from: Device.ID?, seq: Int64?, hasRelayKeys: Bool) -> String {
        if from == nil, seq == nil { return payload }
        var further: [String] = []
        if let from { further.append("\"from_device_id\":\(from)") }
        if let seq { further.append("\"seq\":\(seq)") }
        if hasRelayKeys, let object = try? JSONObjectText(payload) {
            return object.replacing(seq == nil ? ["from_device_id"] : ["from_device_id", "seq"], with: further)
        }
        // White space before the object is none of it.
        guard let brace = payload.utf8.firstIndex(of: UInt8(ascii: "{")) else { return payload }
        return "{" + further.joined(separator: ",") + "," + payload[payload.utf8.index(after: brace)...]
    }

    /// For messages read from the store, where it is not known: a cheap look that errs on the safe side.
    static func mayHaveRelayKeys(_ payload: String) -> Bool {
        payload.contains("\"from_device_id\"") || payload.contains("\"seq\"") || payload.contains("\\u")
    }
}
