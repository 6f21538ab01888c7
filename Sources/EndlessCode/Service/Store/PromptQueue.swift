package import EndlessCodeWire
import StorageKit
import WireKit

extension Chat.Delivery: SQLValue {}

/// A prompt of a phone, as the session keeps it.
struct PromptEntry: RowDecodable, Sendable {
    /// The phone's id of it, in lower case.
    var id: String
    /// The number of its latest event.
    var seq: Int64?
    /// Nil once the agent has taken it up.
    var delivery: Chat.Delivery?
    /// The number of agents that were told it.
    var toldCount: Int

    init(row: Row) throws {
        id = try row.get("id")
        seq = try row.get("seq")
        delivery = try row.get("delivery")
        toldCount = try row.get("told_count")
    }
}

/// A prompt on its way to the agent.
struct PromptTelling: Sendable {
    var id: String
    var seq: Int64
    var text: String
    /// An earlier agent was told it.
    var isRepeat: Bool
}

// The queue of a session: prompts that the agent has not taken up, in the order of their numbers. It survives agents and servers.
extension ReadTransaction {
    func prompt(_ id: String, from session: Session.ID) throws -> PromptEntry? {
        try first("SELECT * FROM user_messages WHERE session = ? AND id = ?", session, id)
    }

    /// The first prompt of the queue after a number.
    func queuedPrompt(of session: Session.ID, after seq: Int64 = 0) throws -> PromptEntry? {
        try first(
            "SELECT * FROM user_messages WHERE session = ? AND delivery = 'queued' AND seq > ? ORDER BY seq LIMIT 1", session, seq)
    }

    /// True if an agent has taken up a prompt.
    func hasTakenPrompt(_ session: Session.ID) throws -> Bool {
        try exists(
            "SELECT 1 FROM user_messages WHERE session = ? AND seq IS NOT NULL AND delivery IS NULL", session)
    }

    func queueLength(of session: Session.ID) throws -> Int {
        try one("SELECT COUNT(*) FROM user_messages WHERE session = ? AND delivery = 'queued'", session)
    }

    func queuedPrompts(of session: Session.ID) throws -> [PromptEntry] {
        try all("SELECT * FROM user_messages WHERE session = ? AND delivery = 'queued' ORDER BY seq", session)
    }
}

extension WriteTransaction {
    /// The number of agents that are told a prompt.
    private static var maximumTellings: Int { 2 }

    /// Logs a new prompt as queued.
    func queue(_ chat: Chat, as id: String, in session: Session.ID, at time: Timestamp) throws -> LoggedEvent {
        var chat = chat
        chat.delivery = .queued
        let frame = try append(Message(.chat(chat)), to: session, at: time)
        try execute(
            "INSERT INTO user_messages (session, id, seq, delivery) VALUES (?, ?, ?, ?)", session, id, frame.seq,
            Chat.Delivery.queued)
        return frame
    }

    /// Logs a new delivery of a prompt, whose message stands at the new event from then on.
    ///
    /// - Parameter known: The prompt, if the caller has it; nil to read it from the log.
    /// - Returns: Nil if the delivery is as before, or the prompt is unknown.
    func setDelivery(
        _ delivery: Chat.Delivery?, of id: String, _ known: Chat? = nil, in session: Session.ID, at time: Timestamp
    ) throws -> LoggedEvent? {
        guard let entry = try prompt(id, from: session), let seq = entry.seq, entry.delivery != delivery,
            var chat = try known ?? chat(seq, of: session)
        else { return nil }
        chat.delivery = delivery
        try removeMessage(seq, of: session)
        let frame = try append(Message(.chat(chat)), to: session, at: time, as: ServerFrame.promptUpdate)
        let toldCount = delivery == .queued ? 0 : entry.toldCount
        try execute(
            "UPDATE user_messages SET seq = ?, delivery = ?, told_count = ? WHERE session = ? AND id = ?", frame.seq, delivery,
            toldCount, session, id)
        return frame
    }

    /// Gives up all prompts of the queue.
    func giveUpQueue(of session: Session.ID, at time: Timestamp) throws -> [LoggedEvent] {
        try queuedPrompts(of: session).compactMap { try setDelivery(.undelivered, of: $0.id, in: session, at: time) }
    }

    /// Counts the telling of the next prompt after a number. Prompts that enough agents were told are given up.
    ///
    /// - Parameter known: Prompts that need not be read from the log, by their ids.
    /// - Returns: Nil at the end of the queue.
    func tellNext(
        of session: Session.ID, after seq: Int64, knowing known: [String: Chat], at time: Timestamp, _ events: inout [LoggedEvent]
    ) throws -> PromptTelling? {
        while let entry = try queuedPrompt(of: session, after: seq), let place = entry.seq {
            guard let chat = try known[entry.id] ?? chat(place, of: session) else {
                // Its event cannot be read. Nobody can tell it any more.
                try execute("UPDATE user_messages SET delivery = NULL WHERE session = ? AND id = ?", session, entry.id)
                continue
            }
            guard entry.toldCount < Self.maximumTellings else {
                events += try [setDelivery(.undelivered, of: entry.id, in: session, at: time)].compactMap { $0 }
                continue
            }
            try execute("UPDATE user_messages SET told_count = told_count + 1 WHERE session = ? AND id = ?", session, entry.id)
            return PromptTelling(id: entry.id, seq: place, text: chat.content, isRepeat: entry.toldCount > 0)
        }
        return nil
    }

    /// Takes a message out of the history. Its event stays in the log.
    private func removeMessage(_ seq: Int64, of session: Session.ID) throws {
        try execute(
            """
            UPDATE sessions SET message_count = message_count - 1, size = size - COALESCE(
                (SELECT LENGTH(CAST(whole AS BLOB)) FROM session_messages WHERE session = ?1 AND seq = ?2), 0) WHERE id = ?1
            """, session, seq)
        try execute("DELETE FROM session_messages WHERE session = ? AND seq = ?", session, seq)
    }

    /// The whole text of a prompt.
    private func chat(_ seq: Int64, of session: Session.ID) throws -> Chat? {
        if case .chat(let chat) = try message(seq, of: session)?.message.content { chat } else { nil }
    }
}
