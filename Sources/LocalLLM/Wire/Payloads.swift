import WireKit

// The JSON of the payloads. An initializer returns nil for a payload of the wrong shape.

extension ServerInfo {
    init?(_ fields: MessageFields) {
        guard let hostName = fields.string("host_name"), let model = fields.string("model"),
            let status = fields.string("status").flatMap(Status.init),
            let features = fields.optional("features", absent: [], { $0.elements(Feature.init(json:)) }),
            let models = fields.optional("models", absent: [], { $0.elements(\.text) }),
            let waiting = fields.optional("waiting", absent: [], { $0.elements(\.text) })
        else { return nil }
        self.init(hostName: hostName, model: model, status: status, features: features, models: models, waiting: waiting)
    }

    var payload: [String: JSONValue] {
        var payload: [String: JSONValue] = [
            "host_name": .string(hostName), "model": .string(model), "status": .string(status.rawValue),
        ]
        if !features.isEmpty { payload["features"] = .array(features.map { .string($0.rawValue) }) }
        if !models.isEmpty { payload["models"] = .array(models.map(JSONValue.string)) }
        if !waiting.isEmpty { payload["waiting"] = .array(waiting.map(JSONValue.string)) }
        return payload
    }
}

extension Invitation {
    init?(_ fields: MessageFields) {
        guard let secret = fields.string("invite") else { return nil }
        self.init(secret)
    }

    var payload: [String: JSONValue] { ["invite": .string(secret)] }
}

extension ApprovalDecision {
    init?(_ fields: MessageFields) {
        guard let phone = fields.string("phone"), case .bool(let isApproved)? = fields["approved"] else { return nil }
        self.init(phone: phone, isApproved: isApproved)
    }

    var payload: [String: JSONValue] { ["phone": .string(phone), "approved": .bool(isApproved)] }
}

extension ChatStart {
    init?(_ fields: MessageFields) {
        guard let prompt = fields.string("prompt"),
            let messages = fields.optional("messages", absent: [], { $0.elements(ChatTurn.init(json:)) }),
            let model = fields.optional("model", absent: String?.none, { $0.text.map(Optional.some) }),
            let accept = fields.optional("accept", absent: [], { $0.elements(Feature.init(json:)) }),
            let after = fields.optional("after", absent: Int64(0), { if case .integer(let after) = $0 { after } else { nil } }),
            after >= 0
        else { return nil }
        self.init(prompt: prompt, messages: messages, model: model, accept: accept, after: after)
    }

    var payload: [String: JSONValue] {
        var payload: [String: JSONValue] = ["prompt": .string(prompt)]
        if !messages.isEmpty { payload["messages"] = .array(messages.map(\.json)) }
        if let model { payload["model"] = .string(model) }
        if !accept.isEmpty { payload["accept"] = .array(accept.map { .string($0.rawValue) }) }
        if after > 0 { payload["after"] = .integer(after) }
        return payload
    }
}

extension ChatTurn {
    init?(json: JSONValue) {
        guard let turn = json.members.map(MessageFields.init), let role = turn.string("role").flatMap(Role.init),
            let content = turn.string("content")
        else { return nil }
        self.init(role, content)
    }

    var json: JSONValue { .object(["role": .string(role.rawValue), "content": .string(content)]) }
}

extension Feature {
    init?(json: JSONValue) {
        guard let text = json.text else { return nil }
        self.init(rawValue: text)
    }
}

extension ChatChunk {
    init?(_ fields: MessageFields) {
        guard let text = fields.string("text"), !text.isEmpty,
            let seq = fields.optional(
                "seq", absent: Int64?.none, { if case .integer(let seq) = $0, seq > 0 { .some(seq) } else { nil } })
        else { return nil }
        self.init(text, seq: seq)
    }

    var payload: [String: JSONValue] {
        var payload: [String: JSONValue] = ["text": .string(text)]
        if let seq { payload["seq"] = .integer(seq) }
        return payload
    }
}

extension ChatProgress {
    init?(_ fields: MessageFields) {
        guard let stage = fields.string("stage").flatMap(Stage.init),
            let fraction = fields.optional("fraction", absent: Double?.none, { $0.fraction.map(Optional.some) })
        else { return nil }
        self.init(stage, fraction: fraction)
    }

    var payload: [String: JSONValue] {
        var payload: [String: JSONValue] = ["stage": .string(stage.rawValue)]
        // 0 and 1 are written as integers, as they are read.
        if let fraction { payload["fraction"] = Int64(exactly: fraction).map(JSONValue.integer) ?? .number(fraction) }
        return payload
    }
}

extension JSONValue {
    /// The number, if it is in 0…1; nil otherwise.
    fileprivate var fraction: Double? {
        let value: Double? =
            switch self {
            case .integer(let value): Double(value)
            case .number(let value): value
            default: nil
            }
        return value.flatMap { (0...1).contains($0) ? $0 : nil }
    }
}

extension ErrorReport {
    init?(_ fields: MessageFields) {
        guard let code = fields.string("code"), let message = fields.string("message") else { return nil }
        self.init(ErrorCode(rawValue: code), message)
    }
}
