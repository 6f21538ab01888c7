import WireKit

extension Message: Codable {
    private enum CodingKeys: String, CodingKey {
        case messageType, chat, toolUse, toolResult, askUser, result, notice, rawJSON, parentToolUseId, large
    }

    /// A message of an unknown `messageType` is read as ``Content/unknown(rawJSON:)`` with the JSON of the whole object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let content: Content =
            switch try container.decode(String.self, forKey: .messageType) {
            case "chat": .chat(try container.decode(Chat.self, forKey: .chat))
            case "tool_use": .toolUse(try container.decode(ToolUse.self, forKey: .toolUse))
            case "tool_result": .toolResult(try container.decode(ToolResult.self, forKey: .toolResult))
            case "ask_user": .askUser(try container.decode(AskUser.self, forKey: .askUser))
            case "result": .result(try container.decode(TurnResult.self, forKey: .result))
            case "notice": .notice(try container.decode(Notice.self, forKey: .notice))
            case "unknown": .unknown(rawJSON: try container.decodeIfPresent(String.self, forKey: .rawJSON))
            default: .unknown(rawJSON: try Self.text(of: JSONValue(from: decoder)))
            }
        self.init(
            content, parentToolUseId: try container.decodeIfPresent(String.self, forKey: .parentToolUseId),
            isLarge: try container.decodeIfPresent(Bool.self, forKey: .large) ?? false)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch content {
        case .chat(let chat):
            try container.encode("chat", forKey: .messageType)
            try container.encode(chat, forKey: .chat)
        case .toolUse(let use):
            try container.encode("tool_use", forKey: .messageType)
            try container.encode(use, forKey: .toolUse)
        case .toolResult(let result):
            try container.encode("tool_result", forKey: .messageType)
            try container.encode(result, forKey: .toolResult)
        case .askUser(let question):
            try container.encode("ask_user", forKey: .messageType)
            try container.encode(question, forKey: .askUser)
        case .result(let result):
            try container.encode("result", forKey: .messageType)
            try container.encode(result, forKey: .result)
        case .notice(let notice):
            try container.encode("notice", forKey: .messageType)
            try container.encode(notice, forKey: .notice)
        case .unknown(let rawJSON):
            try container.encode("unknown", forKey: .messageType)
            try container.encodeIfPresent(rawJSON, forKey: .rawJSON)
        }
        try container.encodeIfPresent(parentToolUseId, forKey: .parentToolUseId)
        if isLarge { try container.encode(true, forKey: .large) }
    }

    private static func text(of value: JSONValue) throws -> String { String(decoding: try WireJSON.encode(value), as: UTF8.self) }
}

extension Chat: Codable {
    private enum CodingKeys: String, CodingKey { case id, role, content, timestamp, partial, offset, delivery }

    /// An unknown delivery is read as nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isPartial = try container.decodeIfPresent(Bool.self, forKey: .partial) ?? false
        let offset = isPartial ? try container.decode(Int.self, forKey: .offset) : nil
        if let offset, offset < 0 {
            throw DecodingError.dataCorruptedError(forKey: .offset, in: container, debugDescription: "is negative")
        }
        self.init(
            id: try container.decode(String.self, forKey: .id), role: try container.decode(Role.self, forKey: .role),
            content: try container.decode(String.self, forKey: .content),
            timestamp: try container.decode(Timestamp.self, forKey: .timestamp), offset: offset,
            delivery: try container.decodeIfPresent(String.self, forKey: .delivery).flatMap(Delivery.init))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(role, forKey: .role)
        try container.encode(content, forKey: .content)
        try container.encode(timestamp, forKey: .timestamp)
        if let offset {
            try container.encode(true, forKey: .partial)
            try container.encode(offset, forKey: .offset)
        }
        try container.encodeIfPresent(delivery, forKey: .delivery)
    }
}

extension ToolContent: Codable {
    private enum CodingKeys: String, CodingKey { case type, text, path, oldText, newText }

    /// An unknown type is read as a text with its name in square brackets.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "text": self = .text(try container.decode(String.self, forKey: .text))
        case "diff":
            self = .diff(
                path: try container.decode(String.self, forKey: .path),
                old: try container.decodeIfPresent(String.self, forKey: .oldText),
                new: try container.decode(String.self, forKey: .newText))
        case let type: self = .text("[\(type.prefix(40))]")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text):
            try container.encode("text", forKey: .type)
            try container.encode(text, forKey: .text)
        case .diff(let path, let old, let new):
            try container.encode("diff", forKey: .type)
            try container.encode(path, forKey: .path)
            try container.encodeIfPresent(old, forKey: .oldText)
            try container.encode(new, forKey: .newText)
        }
    }
}

extension AskUser: Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case toolUseId = "tool_use_id"
        case timestamp
    }

    /// The members of the question are in the same object as those of the entry.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(String.self, forKey: .id), toolUseId: try container.decode(String.self, forKey: .toolUseId),
            question: try Question(from: decoder), timestamp: try container.decode(Timestamp.self, forKey: .timestamp))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(toolUseId, forKey: .toolUseId)
        try container.encode(timestamp, forKey: .timestamp)
        try question.encode(to: encoder)
    }
}
