/// A message between client and host: one JSON object in one line. See `Docs/Protocols/LocalLLM.md`.
public enum Message: Hashable, Sendable {
    case serverInfo(ServerInfo)
    case chatStart(RequestID, ChatStart)
    case chatChunk(RequestID, ChatChunk)
    case chatProgress(RequestID, ChatProgress)
    /// The end of an answer. The host left out the `omitted` oldest turns, if the model cannot read all turns at once.
    case chatEnd(RequestID, FinishReason, omitted: Int = 0)
    /// Stops a request of the sender.
    case abort(RequestID)
    /// The invitation of a new phone, sent only to a host that has proved its Server ID.
    case invitation(Invitation)
    case approval(ApprovalDecision)
    /// An error, which concerns one request or the connection. It is never answered.
    case error(RequestID?, ErrorReport)

    /// The only version of the protocol.
    public static let version: Int64 = 1

    public var requestID: RequestID? {
        switch self {
        case .serverInfo, .invitation, .approval: nil
        case .chatStart(let id, _), .chatChunk(let id, _), .chatProgress(let id, _), .chatEnd(let id, _, _), .abort(let id): id
        case .error(let id, _): id
        }
    }
}

/// Failure to read a line as a message.
public struct MessageError: Error, Hashable, Sendable {
    /// ``ErrorCode/badMessage``, or ``ErrorCode/unsupportedVersion``, after which the receiver closes the connection.
    public var code: ErrorCode
    /// A sentence for developers.
    public var detail: String
    /// The request that the line names; nil if it names none, or an invalid one.
    public var requestID: RequestID?
    /// True if the line is an error message itself, which must not be answered.
    public var isError: Bool

    public init(_ code: ErrorCode, _ detail: String, requestID: RequestID? = nil, isError: Bool = false) {
        (self.code, self.detail, self.requestID, self.isError) = (code, detail, requestID, isError)
    }

    /// The message to reply with; nil if the line must not be answered.
    public var reply: Message? { isError ? nil : .error(requestID, ErrorReport(code, detail)) }
}
