import Foundation
public import WireKit

/// A frame from a phone on the socket: one JSON object with its kind in `type`.
public enum ClientFrame: Hashable, Sendable {
    /// `user_message`.
    case userMessage(UserMessage)
    /// `prompt_response`.
    case promptResponse(PromptAnswer)
    /// `session_control`.
    case sessionControl(SessionControl)
    /// `presence`: true while the app is in the foreground. Expires after ``Limits/presenceLifetime``.
    case presence(isActive: Bool)
}

/// A prompt for an agent.
public struct UserMessage: Codable, Hashable, Sendable {
    public typealias ID = Identifier<UserMessage>

    public var sessionId: Session.ID
    /// See ``Limits/accepts(prompt:)``.
    public var content: String
    /// The time at which the user sent the prompt, by the phone's clock.
    public var timestamp: Timestamp
    /// The idempotency key, a UUID: a repeated message with the same key is the same prompt, and has no further effect.
    public var messageId: ID?

    public init(sessionId: Session.ID, content: String, timestamp: Timestamp, messageId: ID? = nil) {
        (self.sessionId, self.content, self.timestamp, self.messageId) = (sessionId, content, timestamp, messageId)
    }
}

/// A command for a session.
public struct SessionControl: Codable, Hashable, Sendable {
    public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// Starts a session in a project.
        case start
        case pause
        case resume
        case terminate
        /// Ends the running turn, not the session.
        case interrupt
    }

    public var action: Action
    /// Required for all actions but ``Action/start``.
    public var sessionId: Session.ID?
    /// Required for ``Action/start``.
    public var projectId: Project.ID?
    /// The idempotency key, as in ``SessionCreation/requestId``.
    public var requestId: RequestID?

    public init(_ action: Action, sessionId: Session.ID? = nil, projectId: Project.ID? = nil, requestId: RequestID? = nil) {
        (self.action, self.sessionId, self.projectId, self.requestId) = (action, sessionId, projectId, requestId)
    }
}

extension ClientFrame {
    /// Decodes and checks the text of a frame.
    ///
    /// - Throws: ``FieldError`` for a frame that every server refuses, in any state of its sessions.
    public init(text: String) throws(FieldError) {
        self = try EndlessCodeJSON.decode(from: Data(text.utf8))
        try check()
    }

    public var text: String { frameText(of: self) }

    private func check() throws(FieldError) {
        switch self {
        case .userMessage(let message):
            guard Limits.promptSizes.contains(message.content.utf8.count) else {
                throw FieldError(
                    "content", "has \(message.content.utf8.count) bytes, and 1 to \(Limits.promptSizes.upperBound) are allowed")
            }
            guard Limits.accepts(prompt: message.content) else { throw FieldError("content", "is only white space") }
            if let id = message.messageId, UUID(uuidString: id.rawValue) == nil { throw FieldError("messageId", "is not a UUID") }
        case .promptResponse(let answer):
            guard (answer.customInput ?? "").utf8.count <= Limits.customInputSize else {
                throw FieldError("customInput", "exceeds \(Limits.customInputSize) bytes")
            }
        case .sessionControl(let control):
            if control.action == .start, control.projectId == nil { throw FieldError("projectId", "is missing") }
            if control.action != .start, control.sessionId == nil { throw FieldError("sessionId", "is missing") }
            if let id = control.requestId, !id.isWireIdentifier { throw FieldError("requestId", "is not an identifier") }
        case .presence: break
        }
    }
}

extension ClientFrame: Codable {
    private enum CodingKeys: String, CodingKey { case type, active }

    private enum Kind: String, Codable {
        case userMessage = "user_message"
        case promptResponse = "prompt_response"
        case sessionControl = "session_control"
        case presence
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let type = try container.decode(String.self, forKey: .type)
        guard let kind = Kind(rawValue: type) else {
            throw FieldError("type", "is unknown: \(type.prefix(40).debugDescription)")
        }
        switch kind {
        case .userMessage: self = .userMessage(try UserMessage(from: decoder))
        case .promptResponse: self = .promptResponse(try PromptAnswer(from: decoder))
        case .sessionControl: self = .sessionControl(try SessionControl(from: decoder))
        case .presence: self = .presence(isActive: try container.decode(Bool.self, forKey: .active))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .userMessage(let message):
            try container.encode(Kind.userMessage, forKey: .type)
            try message.encode(to: encoder)
        case .promptResponse(let answer):
            try container.encode(Kind.promptResponse, forKey: .type)
            try answer.encode(to: encoder)
        case .sessionControl(let control):
            try container.encode(Kind.sessionControl, forKey: .type)
            try control.encode(to: encoder)
        case .presence(let isActive):
            try container.encode(Kind.presence, forKey: .type)
            try container.encode(isActive, forKey: .active)
        }
    }
}

/// Returns the JSON text of a frame; `{}` if the frame has a number that is not finite, which drivers reject.
func frameText(of frame: some Encodable) -> String {
    (try? WireJSON.encode(frame)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
}
