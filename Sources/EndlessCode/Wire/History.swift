public import WireKit

/// A message with its position in a session's event log.
///
/// In JSON, `sessionId` and `seq` are in the same object as the message's own members. Pages of a history omit `sessionId`.
public struct LoggedMessage: Hashable, Sendable {
    public var sessionId: Session.ID?
    /// The sequence number, from 1.
    public var seq: Int64
    public var message: Message

    public init(sessionId: Session.ID? = nil, seq: Int64, _ message: Message) {
        (self.sessionId, self.seq, self.message) = (sessionId, seq, message)
    }
}

extension LoggedMessage: Codable {
    private enum CodingKeys: String, CodingKey { case sessionId, seq }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            sessionId: try container.decodeIfPresent(Session.ID.self, forKey: .sessionId),
            seq: try container.decode(Int64.self, forKey: .seq), try Message(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(sessionId, forKey: .sessionId)
        try container.encode(seq, forKey: .seq)
        try message.encode(to: encoder)
    }
}

/// A page of a session's history, the newest message last.
public struct HistoryPage: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    public var messages: [LoggedMessage]
    /// Count of messages in the whole history.
    public var totalCount: Int
    /// True if the history has messages older than these.
    public var hasMore: Bool

    public init(sessionId: Session.ID, messages: [LoggedMessage], totalCount: Int, hasMore: Bool) {
        (self.sessionId, self.messages, self.totalCount, self.hasMore) = (sessionId, messages, totalCount, hasMore)
    }
}
