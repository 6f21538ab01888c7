import Foundation
import SimBridgeWire
import WireKit

/// The fields of a device's message that the relay reads. The rest is opaque to it.
struct Envelope {
    let object: [String: JSONValue]
    /// Nil when missing or not a text.
    let type: String?
    /// The value in place of a type, for the error.
    let shownType: String
    let to: JSONValue?
    let reqId: JSONValue?
    let messageId: JSONValue?
    /// Of an acknowledgement.
    let seq: JSONValue?
    /// Of a report on the presence of the user.
    let foreground: JSONValue?
    let command: String?
    /// True if the message has keys that the relay sets.
    let hasRelayKeys: Bool

    /// The levels of a page of the history around a payload: the page, its items, the item.
    private static let levelsOfHistory = 3

    /// - Throws: As `JSONObjectText`.
    init(_ text: String) throws(WireJSONError) {
        let text = try JSONObjectText(text, below: Self.levelsOfHistory)
        object = text.object
        type = object["type"]?.text
        shownType = (type ?? text.text(of: "type") ?? "null").prefix(scalars: 100)
        to = object["to_device_id"]
        reqId = object["req_id"]
        messageId = object["msg_id"] == .null ? nil : object["msg_id"]
        seq = object["seq"]
        foreground = object["foreground"]
        command = object["cmd"]?.text
        hasRelayKeys = !ForwardedText.relayKeys.isDisjoint(with: object.keys)
    }

    /// The id of the command that this is or reports on. Nil unless a text of at most ``RequestID/maximumLength`` characters.
    var request: RequestID? {
        reqId?.text.flatMap { $0.unicodeScalars.count <= RequestID.maximumLength ? RequestID($0) : nil }
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}

/// The text of a stored message for its receiver: the sender's object with every key, and the relay's own keys.
enum ForwardedText {
    /// The keys that the relay sets; ``senderKey`` only on a line without sequence numbers.
    static let relayKeys: Set = [senderKey, "seq", "history_id"]
    private static let senderKey = "from_device_id"

    /// - Parameters:
    ///   - message: Its payload is a JSON object with at least one key.
    ///   - isNumbered: True for a line with sequence numbers.
    ///   - hasRelayKeys: True if the payload may have the relay's keys itself. They are overwritten then.
    static func make(_ message: StoredMessage, isNumbered: Bool, hasRelayKeys: Bool) -> String {
        let payload = message.payload
        let seq = isNumbered ? message.seq : nil
        if message.from == nil, seq == nil { return payload }
        var further: [String] = []
        if let from = message.from { further.append("\"from_device_id\":\(from)") }
        if let seq { further.append("\"seq\":\(seq),\"history_id\":\(message.id)") }
        if hasRelayKeys, let object = try? JSONObjectText(payload) {
            return object.replacing(seq == nil ? [senderKey] : relayKeys, with: further)
        }
        // White space before the object is not part of it.
        guard let brace = payload.utf8.firstIndex(of: UInt8(ascii: "{")) else { return payload }
        return "{" + further.joined(separator: ",") + "," + payload[payload.utf8.index(after: brace)...]
    }

    /// A quick check for messages read from the store. May return true for a payload without such keys.
    static func mayHaveRelayKeys(_ payload: String) -> Bool {
        relayKeys.contains { payload.contains("\"\($0)\"") } || payload.contains("\\u")
    }
}
