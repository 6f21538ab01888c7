import Foundation
import SimBridgeWire
import WireKit

/// What the relay has to know of a message that a device wrote. The rest is opaque to it.
struct Envelope {
    let object: [String: JSONValue]
    /// Nil when it is missing or no text.
    let type: String?
    /// What stands in place of a type, for the error.
    let shownType: String
    let to: JSONValue?
    let reqId: JSONValue?
    let messageId: JSONValue?
    /// Of an acknowledgement.
    let seq: JSONValue?
    let command: String?
    /// Whether the sender has written keys that the relay sets.
    let hasRelayKeys: Bool

    /// The levels of a page of the history around a payload: the page, its items, the item.
    private static let levelsOfHistory = 3

    /// - Throws: As `JSONObjectText`.
    init(_ text: String) throws(WireJSONError) {
        let text = try JSONObjectText(text, below: Self.levelsOfHistory)
        object = text.object
        type = object["type"]?.text
        shownType = String((type ?? text.text(of: "type") ?? "null").unicodeScalars.prefix(100))
        to = object["to_device_id"]
        reqId = object["req_id"]
        messageId = object["msg_id"] == .null ? nil : object["msg_id"]
        seq = object["seq"]
        command = object["cmd"]?.text
        hasRelayKeys = seq != nil || object["from_device_id"] != nil
    }

    /// The id of the command that it is or is about, where it is a text of at most ``RequestID/maximumLength`` characters.
    var request: RequestID? {
        reqId?.text.flatMap { $0.unicodeScalars.count <= RequestID.maximumLength ? RequestID($0) : nil }
    }
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
