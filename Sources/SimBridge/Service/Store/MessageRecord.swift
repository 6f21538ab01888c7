import GRDB
import SimBridgeWire
import WireKit

/// A message to be stored.
struct NewMessage: Sendable {
    var account: Account.ID
    var from: Device.ID
    /// The devices that get it. The first one is the receiver that the history names.
    var receivers: [Receiver]
    var type: MessageType
    /// A JSON object, as received.
    var payload: String
    var isByREST = false
    var reqId: RequestID?
    /// ``DeliveryState/accepted``, ``DeliveryState/sent`` or ``DeliveryState/failed``.
    var state: DeliveryState
    var reason: String?
    var deadline: Timestamp?

    /// Whether it still has to be written or acknowledged.
    var isOpen: Bool { state == .accepted || state == .sent && receivers.contains(where: \.isNumbered) }
}

/// A device that gets a message.
struct Receiver: Sendable {
    var device: Device.ID
    /// Whether the device numbers what it gets, and acknowledges it.
    var isNumbered: Bool
}

/// A message to be written to one device.
struct StoredMessage: Sendable {
    var id: HistoryItem.ID
    /// The receiver's number for it.
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

/// The bytes that a message counts in its account's quota, and in a page of the history.
enum MessageWeight {
    /// The row and its indexes.
    static let row = 400
    /// Each receiver beside the first one.
    static let furtherReceiver = 100
}

extension Database {
    private static let messageColumns = "is_by_rest, from_device, payload, state, deadline"

    // MARK: Storing

    /// - Returns: The message for each of its receivers that exists, in their order.
    func insert(_ message: NewMessage, at time: Timestamp) throws -> [(receiver: Device.ID, message: StoredMessage)] {
        var deliveries: [(device: Device.ID, seq: Int64?)] = []
        for receiver in message.receivers {
            let seq = receiver.isNumbered ? try nextNumber(of: receiver.device) : nil
            // A device that was removed in the same moment has no numbers any more.
            if seq != nil || !receiver.isNumbered { deliveries.append((receiver.device, seq)) }
        }
        // An event waits for nobody when those that would acknowledge it were removed.
        let isOpen = message.isOpen && (message.type != .event || deliveries.contains { $0.seq != nil })
        let to = message.receivers[0].device
        let rows = deliveries.filter { $0.seq != nil || $0.device != to }
        try cachedStatement(
            sql: """
                INSERT INTO messages (account, from_device, to_device, type, payload, is_by_rest, req_id, state, reason, is_open,
                    deadline, created_at, sent_at, ended_at, weight) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                message.account.rawValue, message.from.rawValue, to.rawValue, message.type.rawValue, message.payload,
                message.isByREST, message.reqId?.rawValue, message.state.rawValue, message.reason, isOpen,
                message.deadline?.milliseconds, time.milliseconds,
                message.state == .sent ? time.milliseconds : nil, message.state == .failed ? time.milliseconds : nil,
                message.payload.utf8.count + (message.reason?.utf8.count ?? 0) + MessageWeight.row
                    + MessageWeight.furtherReceiver * rows.count { $0.device != to },
            ])
        let id = HistoryItem.ID(lastInsertedRowID)
        for row in rows { try insertDelivery(of: id, to: row.device, seq: row.seq) }
        return deliveries.map { device, seq in
            let stored = StoredMessage(
                id: id, seq: seq, from: message.isByREST ? nil : message.from, payload: message.payload, state: message.state,
                deadline: message.deadline)
            return (device, stored)
        }
    }

    /// - Returns: nil when there is no such device.
    private func nextNumber(of device: Device.ID) throws -> Int64? {
        try Int64.fetchOne(
            cachedStatement(sql: "UPDATE devices SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq"),
            arguments: [device.rawValue])
    }

    private func insertDelivery(of message: HistoryItem.ID, to device: Device.ID, seq: Int64?) throws {
        try cachedStatement(sql: "INSERT OR REPLACE INTO deliveries (message, device, seq) VALUES (?, ?, ?)").execute(
            arguments: [message.rawValue, device.rawValue, seq])
    }

    // MARK: The queue

    /// How many messages wait for a host, or for its acknowledgement.
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
                    SELECT id, NULL AS seq, \(Self.messageColumns) FROM messages
                    WHERE to_device = ? AND is_open = 1 AND type = 'command' AND state = 'accepted'
                        AND (deadline IS NULL OR deadline > ?) ORDER BY id LIMIT ?
                    """), [device.rawValue, time.milliseconds, limit])
    }

    /// What a device that numbers has not seen, in order: everything after `floor`, and before it what is not acknowledged.
    func replay(for device: Device.ID, after seq: Int64, floor: Int64, at time: Timestamp, limit: Int) throws -> [StoredMessage] {
        try messages(
            cachedStatement(
                sql: """
                    SELECT id, seq, \(Self.messageColumns) FROM deliveries CROSS JOIN messages ON id = message
                    WHERE device = ? AND seq > ? AND (seq > ? OR is_open = 1)
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

    // MARK: What becomes of it

    /// Notes that a message has been written to a receiver.
    ///
    /// - Parameter isOpen: Whether the receiver still has to acknowledge it.
    func markSent(_ id: HistoryItem.ID, isOpen: Bool, at time: Timestamp) throws {
        try cachedStatement(
            sql: """
                UPDATE messages SET state = 'sent', sent_at = ?, is_open = is_open AND ? WHERE id = ? AND state = 'accepted'
                """
        ).execute(arguments: [time.milliseconds, isOpen, id.rawValue])
    }

    /// Whether a line that is open now has written a message, by the number that the message has for its device.
    func isWritten(_ id: HistoryItem.ID, on lines: Lines) throws -> Bool {
        try Row.fetchAll(
            cachedStatement(sql: "SELECT device, seq FROM deliveries WHERE message = ? AND seq IS NOT NULL"),
            arguments: [id.rawValue]
        ).contains { lines[Device.ID($0["device"])]?.hasWritten($0["seq"]) == true }
    }

    /// Takes back that a message was written: its receivers had gone.
    func markWaiting(_ id: HistoryItem.ID) throws {
        try cachedStatement(
            sql: "UPDATE messages SET state = 'accepted', sent_at = NULL, is_open = 1 WHERE id = ? AND state = 'sent'"
        ).execute(arguments: [id.rawValue])
    }

    /// Puts a command that was not written back into its host's queue, in the form that the host now takes.
    ///
    /// - Returns: nil when it has ended meanwhile.
    func requeue(_ message: StoredMessage, for host: Receiver) throws -> StoredMessage? {
        try cachedStatement(
            sql: """
                UPDATE messages SET state = 'accepted', sent_at = NULL, ended_at = NULL, reason = NULL, is_open = 1
                WHERE id = ? AND state IN ('sent', 'unknown')
                """
        ).execute(arguments: [message.id.rawValue])
        guard changesCount > 0 else { return nil }
        // Not the message's own number: a line without numbers may have cleared it since.
        let seq = try Int64.fetchOne(
            cachedStatement(sql: "SELECT seq FROM deliveries WHERE message = ? AND device = ?"),
            arguments: [message.id.rawValue, host.device.rawValue])
        var waiting = message
        waiting.state = .accepted
        waiting.seq = host.isNumbered ? try seq ?? nextNumber(of: host.device) : nil
        if waiting.seq != seq { try insertDelivery(of: message.id, to: host.device, seq: waiting.seq) }
        return waiting
    }

    func markFailed(_ id: HistoryItem.ID, reason: String, at time: Timestamp) throws {
        try cachedStatement(
            sql:
                "UPDATE messages SET state = 'failed', sent_at = NULL, reason = ?, ended_at = ?, is_open = 0 WHERE id = ? AND state = 'sent'"
        ).execute(arguments: [reason, time.milliseconds, id.rawValue])
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

    // MARK: What receivers say

    /// The deliveries that a device has not acknowledged: message ids.
    private static let openDeliveries =
        "SELECT message FROM deliveries WHERE device = :device AND seq > (SELECT acked_seq FROM devices WHERE id = :device)"

    /// Whether another device than `:device` still has to acknowledge a message.
    private static let isOpenElsewhere = """
        EXISTS (SELECT 1 FROM deliveries JOIN devices ON devices.id = device
            WHERE message = messages.id AND device <> :device AND seq > acked_seq)
        """

    /// Notes that a device has everything up to a number.
    func confirm(upTo seq: Int64, by device: Device.ID, at time: Timestamp) throws {
        try cachedStatement(
            sql: """
                UPDATE messages SET state = 'confirmed', confirmed_at = COALESCE(confirmed_at, :time), sent_at = COALESCE(sent_at, :time),
                    is_open = \(Self.isOpenElsewhere)
                WHERE is_open = 1 AND id IN (\(Self.openDeliveries) AND seq <= :seq)
                """
        ).execute(arguments: ["device": device.rawValue, "seq": seq, "time": time.milliseconds])
        try cachedStatement(sql: "UPDATE devices SET acked_seq = MAX(acked_seq, ?) WHERE id = ?").execute(
            arguments: [seq, device.rawValue])
    }

    /// Gives up the acknowledgements of a device. A command that was written may have been carried out; one that was not still waits.
    func endDeliveries(to device: Device.ID, reason: String, at time: Timestamp) throws {
        try cachedStatement(
            sql: """
                UPDATE messages SET is_open = 0, ended_at = CASE state WHEN 'confirmed' THEN NULL ELSE :time END,
                    reason = CASE state WHEN 'confirmed' THEN NULL ELSE :reason END,
                    state = CASE state WHEN 'confirmed' THEN 'confirmed' ELSE 'unknown' END
                WHERE is_open = 1 AND (type = 'event' OR state <> 'accepted') AND id IN (\(Self.openDeliveries))
                    AND NOT \(Self.isOpenElsewhere)
                """
        ).execute(arguments: ["device": device.rawValue, "reason": reason, "time": time.milliseconds])
        try clearOpenNumbers(of: device)
    }

    /// Fails the commands that wait for a device that never comes back.
    func endQueue(of device: Device.ID, reason: String, at time: Timestamp) throws {
        try execute(
            sql: """
                UPDATE messages SET state = 'failed', reason = ?, ended_at = ?, is_open = 0
                WHERE to_device = ? AND is_open = 1 AND type = 'command'
                """, arguments: [reason, time.milliseconds, device.rawValue])
    }

    private func clearOpenNumbers(of device: Device.ID) throws {
        try cachedStatement(
            sql: """
                UPDATE deliveries SET seq = NULL WHERE device = :device AND seq > (SELECT acked_seq FROM devices WHERE id = :device)
                """
        ).execute(arguments: ["device": device.rawValue])
    }

    /// Numbers what waits for a device that numbers, in the order in which it came.
    ///
    /// - Parameter keepsNumbers: Messages that have a number keep it: the device may have seen them.
    func numberWhatWaits(for device: Device.ID, keepsNumbers: Bool) throws {
        // Of a device that has just begun some may have a number already: the line was known before this transaction. It has written none of them.
        let numbered = "UNION \(Self.openDeliveries)"
        let withoutNumber = "AND NOT EXISTS (SELECT 1 FROM deliveries WHERE message = id AND device = :device AND seq IS NOT NULL)"
        let waiting = try Int64.fetchAll(
            cachedStatement(
                sql: """
                    SELECT id FROM messages WHERE to_device = :device AND is_open = 1 AND type = 'command'
                    \(keepsNumbers ? withoutNumber : numbered) ORDER BY 1
                    """), arguments: ["device": device.rawValue])
        if !keepsNumbers { try clearOpenNumbers(of: device) }
        for id in waiting {
            try insertDelivery(of: HistoryItem.ID(id), to: device, seq: try nextNumber(of: device))
        }
    }

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
        ).execute(
            arguments: [state.rawValue, reason, confirmed, ended, host.rawValue, id.rawValue])
    }
}
