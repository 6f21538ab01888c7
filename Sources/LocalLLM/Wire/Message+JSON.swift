public import Foundation
import WireKit

extension Message {
    /// The message as a line of JSON, without the newline.
    public var line: Data {
        // Encoding fails only for numbers that are not finite, which no message contains.
        (try? WireJSON.encode(json)) ?? Data("{}".utf8)
    }

    /// Decodes a line.
    ///
    /// - Throws: ``MessageError``, with the reply to send.
    public init(line: Data) throws(MessageError) {
        let value: JSONValue
        do {
            value = try WireJSON.decode(JSONValue.self, from: line)
        } catch {
            throw MessageError(.badMessage, "The line is not JSON: \(error).")
        }
        guard case .object(let envelope) = value else { throw MessageError(.badMessage, "The line is not a JSON object.") }
        self = try EnvelopeReader(MessageFields(envelope)).message()
    }

    /// Returns the size of `turns` as JSON, in bytes, which ``Limits/messagesSize`` limits.
    public static func size(of turns: [ChatTurn]) -> Int {
        (try? WireJSON.encode(JSONValue.array(turns.map(\.json))))?.count ?? 0
    }

    private var json: JSONValue {
        var envelope: [String: JSONValue] = [:]
        if let requestID { envelope["request_id"] = .string(requestID.text) }
        let (type, payload): (String, [String: JSONValue]?) =
            switch self {
            case .serverInfo(let info): ("server_info", info.payload)
            case .chatStart(_, let start): ("chat_start", start.payload)
            case .chatChunk(_, let chunk): ("chat_chunk", chunk.payload)
            case .chatProgress(_, let progress): ("chat_progress", progress.payload)
            case .chatEnd(_, let reason, let omitted):
                (
                    "chat_end",
                    ["finish_reason": .string(reason.rawValue)].merging(omitted > 0 ? ["omitted": .integer(Int64(omitted))] : [:]) {
                        $1
                    }
                )
            case .abort: ("abort", nil)
            case .invitation(let invitation): ("invitation", invitation.payload)
            case .approval(let decision): ("approval", decision.payload)
            case .error(_, let report): ("error", ["code": .string(report.code.rawValue), "message": .string(report.message)])
            }
        envelope["type"] = .string(type)
        envelope["payload"] = payload.map(JSONValue.object)
        return .object(envelope)
    }
}

/// A decoder of one envelope, which keeps the fields that a reply needs.
private struct EnvelopeReader {
    let envelope: MessageFields
    let type: String?
    let requestID: RequestID?

    init(_ envelope: MessageFields) {
        self.envelope = envelope
        type = envelope.string("type")
        requestID = envelope.string("request_id").flatMap(RequestID.init)
    }

    func message() throws(MessageError) -> Message {
        switch envelope["version"] {
        case nil, .null, .integer(Message.version): break
        case .integer(let other): throw failure("Version \(other) is not supported; only version 1 is.", .unsupportedVersion)
        default: throw failure("version is not an integer.")
        }
        switch type {
        case "server_info": return .serverInfo(try read(ServerInfo.init))
        case "chat_start": return .chatStart(try id(), try read(ChatStart.init))
        case "chat_chunk": return .chatChunk(try id(), try read(ChatChunk.init))
        case "chat_progress": return .chatProgress(try id(), try read(ChatProgress.init))
        case "chat_end":
            let (reason, omitted) = try read { fields in
                fields.string("finish_reason").flatMap(FinishReason.init).map { ($0, fields.count("omitted")) }
            }
            return .chatEnd(try id(), reason, omitted: omitted)
        case "abort":
            guard envelope.optional("payload", absent: [:], \.members) != nil else { throw failure("payload is not an object.") }
            return .abort(try id())
        case "invitation": return .invitation(try read(Invitation.init))
        case "approval": return .approval(try read(ApprovalDecision.init))
        case "error": return .error(requestID, try read(ErrorReport.init))
        case .some(let type): throw failure("The type \(type.prefix(40)) is unknown.")
        case nil: throw failure("The message has no type.")
        }
    }

    private func id() throws(MessageError) -> RequestID {
        guard let requestID else { throw failure("request_id is missing, or is not a text of 1 to 128 characters.") }
        return requestID
    }

    private func read<Value>(_ make: (MessageFields) -> Value?) throws(MessageError) -> Value {
        guard let payload = envelope["payload"]?.members else { throw failure("payload is missing, or is not an object.") }
        guard let value = make(MessageFields(payload)) else {
            throw failure("payload lacks a field, or a field has a wrong value.")
        }
        return value
    }

    private func failure(_ detail: String, _ code: ErrorCode = .badMessage) -> MessageError {
        MessageError(code, detail, requestID: requestID, isError: type == "error")
    }
}

/// The members of an object. Reading a member of an unexpected type gives nil, as reading a missing one does.
struct MessageFields {
    private let object: [String: JSONValue]

    init(_ object: [String: JSONValue]) { self.object = object }

    subscript(key: String) -> JSONValue? { object[key] }
    func string(_ key: String) -> String? { object[key]?.text }

    /// Returns a number that only informs; 0 if the member is missing, negative or not an integer.
    func count(_ key: String) -> Int {
        if case .integer(let count) = object[key], count > 0 { Int(clamping: count) } else { 0 }
    }

    /// Returns true if a member is present and not null.
    func has(_ key: String) -> Bool { object[key].map { $0 != .null } ?? false }

    /// Returns the value that `read` makes of an optional member; `absent` when the member is missing or null.
    ///
    /// - Returns: nil when the member has another type.
    func optional<Value>(_ key: String, absent: Value, _ read: (JSONValue) -> Value?) -> Value? {
        has(key) ? object[key].flatMap(read) : absent
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// Returns the elements of an array, each read with `read`; nil when one of them is not readable.
    func elements<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        guard case .array(let elements) = self else { return nil }
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
    }
}
