import GRDB
import SimBridgeWire
import WireKit

/// A message to be stored.
struct NewMessage: Sendable {
    var account: Account.ID
    var from: Device.ID
    var to: Device.ID
    var type: MessageType
    /// A JSON object, as received.
    var payload: String
    var isByREST = false
    var reqId: RequestID?
    /// ``DeliveryState/accepted``, ``DeliveryState/sent`` or ``DeliveryState/failed``.
    var state: DeliveryState
    var reason: String?
    /// Whether the receiver numbers what it gets, and acknowledges it.
    var isNumbered: Bool
    var deadline: Timestamp?

    /// Whether something is still to happen to it.
    var isOpen: Bool { state == .accepted || state == .sent && isNumbered }
}

/// A message to be written.
struct StoredMessage: Sendable {
    var id: HistoryItem.ID
    var seq: Int64?
    /// Nil when the receiver is not told.
    var from: Device.ID?
    var payload: String
    var state: DeliveryState
    /// From then on it is not written any more.
    var deadline: Timestamp?

    init(id: HistoryItem.ID, seq: Int64?, from: Device.ID?, payload: String, state: DeliveryState, deadline: Timestamp?) {
        self.id = id
        self.seq = seq
        self.from = from
        self.payload = payload
        self.state = state
        self.deadline = deadline
    }

    fileprivate init(_ row: Row) {
        id = HistoryItem.ID(row["id"])
        seq = row["seq"]
        from = row["is_by_rest"] ? nil : Device.ID(row["from_device"])
        payload = row["payload"]
        state = DeliveryState(rawValue: row["state"]) ?? .unknown
        deadline = (row["deadline"] as Int64?).map(Timestamp.init(milliseconds:))
    }

    func isOverdue(at time: Timestamp) -> Bool { deadline.map { $0 <= time } ?? false }
}

extension Database {
    private static let messageColumns = "id, seq, is_by_rest, from_device, payload, state, deadline"

    func insert(_ message: NewMessage, at time: Timestamp) throws -> StoredMessage {
        let seq: Int64? =
            if message.isNumbered {
                try Int64.fetchOne(
                    cachedStatement(sql: "UPDATE devices SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq"),
                    arguments: [message.to.rawValue])
            } else { nil }
        try cachedStatement(
            sql: """
                INSERT INTO messages (account, from_device, to_device, type, payload, is_by_rest, req_id, seq, state, reason, is_open,
                    deadline, created_at, sent_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                message.account.rawValue, message.from.rawValue, message.to.rawValue, message.type.rawValue, message.payload,
                message.isByREST, message.reqId?.rawValue, seq, message.state.rawValue, message.reason, message.isOpen,
                message.deadline?.milliseconds, time.milliseconds,
                message.state == .sent ? time.milliseconds : nil, message.state == .failed ? time.milliseconds : nil,
            ])
        return StoredMessage(
            id: HistoryItem.ID(lastInsertedRowID), seq: seq, from: message.isByREST ? nil : message.from, payload: message.payload,
            state: message.state, deadline: message.deadline)
    }

    // MARK: The queue

    /// How many messages wait for a device, or for its acknowledgement.
    func openCount(for device: Device.ID) throws -> Int {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT COUNT(*) FROM messages WHERE to_device = ? AND is_open = 1"), arguments: [device.rawValue])
            ?? 0
    }

    /// What waits to be written to a device that does not number, in order.
    func queue(for device: Device.ID, at time: Timestamp, limit: Int) throws -> [StoredMessage] {
        try messages(
            cachedStatement(
                sql: """
                    SELECT \(Self.messageColumns) FROM messages WHERE to_device = ? AND is_open = 1 AND state = 'accepted'
                        AND (deadline IS NULL OR deadline > ?) ORDER BY id LIMIT ?
                    """), [device.rawValue, time.milliseconds, limit])
    }

    /// What a device that numbers has not seen, in order: everything after `floor`, and before it what is not acknowledged.
    func replay(for device: Device.ID, after seq: Int64, floor: Int64, at time: Timestamp, limit: Int) throws -> [StoredMessage] {
        try messages(
            cachedStatement(
                sql: """
                    SELECT \(Self.messageColumns) FROM messages WHERE to_device = ? AND seq > ? AND (seq > ? OR is_open = 1)
                        AND state IN ('accepted', 'sent', 'confirmed')
                        AND (deadline IS NULL OR deadline > ?)
                    ORDER BY seq LIMIT ?
                    """), [device.rawValue, seq, floor, time.milliseconds, limit])
    }

    /// The first ones, up to about 1 MiB: a page is held in memory while its receiver reads.
    private func messages(_ statement: Statement, _ arguments: StatementArguments) throws -> [StoredMessage] {
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var messages: [StoredMessage] = []
        var size = 0
        while size < 1_048_576, let row = try rows.next() {
            messages.append(StoredMessage(row))
            size += messages[messages.count - 1].payload.utf8.count
        }
        return messages
    }

    /// Notes that a message has been written.
    ///
    /// - Parameter isOpen: Whether it is still to be acknowledged.
    func markSent(_ id: HistoryItem.ID, isOpen: Bool, at time: Timestamp) throws {
        try cachedStatement(
            sql: """
                UPDATE messages SET state = 'sent', sent_at = ?, is_open = ? WHERE id = ? AND state = 'accepted'
                """
        ).execute(arguments: [time.milliseconds, isOpen, id.rawValue])
    }

    /// Takes back that a message was written: its receiver had gone.
    func markWaiting(_ id: HistoryItem.ID) throws {
        try cachedStatement(
            sql: "UPDATE messages SET state = 'accepted', sent_at = NULL, is_open = 1 WHERE id = ? AND state = 'sent'"
        ).execute(arguments: [id.rawValue])
    }

    func markFailed(_ id: HistoryItem.ID, reason: String, at time: Timestamp) throws {
        try cachedStatement(
            sql:
                "UPDATE messages SET state = 'failed', sent_at = NULL, reason = ?, ended_at = ?, is_open = 0 WHERE id = ? AND state = 'sent'"
        ).execute(arguments: [reason, time.milliseconds, id.rawValue])
    }

    /// Notes what a device says to have.
    func confirm(upTo seq: Int64, by device: Device.ID, at time: Timestamp) throws {
        try cachedStatement(
            sql: """
                UPDATE messages SET state = 'confirmed', confirmed_at = ?, sent_at = COALESCE(sent_at, ?), is_open = 0
                WHERE to_device = ? AND seq <= ? AND is_open = 1
                """
        ).execute(arguments: [time.milliseconds, time.milliseconds, device.rawValue, seq])
    }

    /// Ends what has waited too long.
    func expire(at time: Timestamp) throws {
        try cachedStatement(
            sql: """
                UPDATE messages SET state = CASE state WHEN 'accepted' THEN 'expired' ELSE 'unknown' END, is_open = 0, ended_at = ?,
                    reason = CASE state WHEN 'accepted' THEN 'the host did not come in time' ELSE 'the host never acknowledged it' END
                WHERE is_open = 1 AND deadline IS NOT NULL AND deadline <= ?
                """
        ).execute(arguments: [time.milliseconds, time.milliseconds])
    }

    func isAnyOverdue(at time: Timestamp) throws -> Bool {
        try Bool.fetchOne(
            cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM messages WHERE is_open = 1 AND deadline IS NOT NULL AND deadline <= ?)"),
            arguments: [time.milliseconds]) ?? false
    }

    // MARK: What a host reports

    /// Notes how a command to `host` went: the latest with that id.
    func report(_ state: DeliveryState, reason: String?, about id: RequestID, by host: Device.ID, at time: Timestamp) throws {
        let time = time.milliseconds
        let (confirmed, ended) = state == .confirmed ? (time, nil as Int64?) : (nil, time)
        try cachedStatement(
            sql: """
                UPDATE messages SET state = ?, reason = ?, is_open = 0, confirmed_at = COALESCE(confirmed_at, ?), ended_at = ?
                WHERE id = (SELECT MAX(id) FROM messages WHERE to_device = ? AND req_id = ? AND type = 'command')
                    AND state IN ('sent', 'confirmed', 'unknown')
                """
        ).execute(arguments: [state.rawValue, reason, confirmed, ended, host.rawValue, id.rawValue])
    }
}
