import Foundation
import SimBridgeWire
import WireKit

/// What the relay has to know of a message that a device wrote. The rest is opaque to it.
struct Envelope: Decodable {
    /// Why a text is no message.
    enum Malformed: Error {
        case notJSON
        case notAnObject
    }

    /// Nil when it is missing or no text.
    var type: String?
    /// What stands in place of a type, for the error.
    var shownType: String
    var to: JSONValue?
    var reqId: JSONValue?
    var messageId: JSONValue?
    /// Of an acknowledgement.
    var seq: JSONValue?
    var command: String?
    var event: String?
    /// Whether the sender has written keys that the relay sets.
    var hasRelayKeys: Bool

    private enum CodingKeys: String, CodingKey {
        case type, seq, cmd, event
        case to = "to_device_id"
        case from = "from_device_id"
        case reqId = "req_id"
        case messageId = "msg_id"
    }

    init(_ text: String) throws(Malformed) {
        do {
            self = try WireJSON.decode(Envelope.self, from: Data(text.utf8))
        } catch DecodingError.typeMismatch {
            throw .notAnObject
        } catch {
            // A number or text alone is JSON all the same.
            throw (try? WireJSON.decode(JSONValue.self, from: Data(text.utf8))) == nil ? .notJSON : .notAnObject
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try? container.decode(String.self, forKey: .type)
        let raw = type == nil ? try container.decodeIfPresent(JSONValue.self, forKey: .type) : nil
        shownType = type ?? raw.map(\.shown) ?? "null"
        to = try container.decodeIfPresent(JSONValue.self, forKey: .to)
        reqId = try container.decodeIfPresent(JSONValue.self, forKey: .reqId)
        messageId = try container.decodeIfPresent(JSONValue.self, forKey: .messageId)
        seq = try container.decodeIfPresent(JSONValue.self, forKey: .seq)
        command = try? container.decode(String.self, forKey: .cmd)
        event = try? container.decode(String.self, forKey: .event)
        hasRelayKeys = container.contains(.from) || container.contains(.seq)
    }

    /// The id of the command that it is or is about, where it is a text.
    var request: RequestID? { if case .string(let text) = reqId { RequestID(text) } else { nil } }
}

extension JSONValue {
    fileprivate var shown: String {
        (try? WireJSON.encode(self)).map { String(String(decoding: $0, as: UTF8.self).prefix(100)) } ?? ""
    }
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
        if hasRelayKeys, case .object(var object) = try? WireJSON.decode(JSONValue.self, from: Data(payload.utf8)) {
            object["from_device_id"] = from.map { .integer($0.rawValue) }
            if let seq { object["seq"] = .integer(seq) }
            return (try? WireJSON.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? payload
        }
        var text = "{"
        if let from { text += "\"from_device_id\":\(from)," }
        if let seq { text += "\"seq\":\(seq)," }
        // White space before the object is none of it.
        guard let brace = payload.utf8.firstIndex(of: UInt8(ascii: "{")) else { return payload }
        text += payload[payload.utf8.index(after: brace)...]
        return text
    }

    /// For messages read from the store, where it is not known: a cheap look that errs on the safe side.
    static func mayHaveRelayKeys(_ payload: String) -> Bool {
        payload.contains("\"from_device_id\"") || payload.contains("\"seq\"") || payload.contains("\\u")
    }
}
