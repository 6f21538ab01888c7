import SimBridgeWire
import StorageKit
import WireKit

/// A message to be stored.
struct NewMessage: Sendable {
    var account: Account.ID
    var from: Device.ID
    /// The devices that receive it. The history names the first one.
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

    /// True if the message still has to be written or acknowledged.
    var isOpen: Bool { state == .accepted || state == .sent && receivers.contains(where: \.isNumbered) }
}

/// A device that receives a message.
struct Receiver: Sendable {
    var device: Device.ID
    /// True if the device numbers the messages that it receives, and acknowledges them.
    var isNumbered: Bool
}

/// A message to be written to one device.
struct StoredMessage: Sendable {
    var id: HistoryItem.ID
    /// The receiver's sequence number for it.
    var seq: Int64?
    /// Nil when the receiver does not learn the sender.
    var from: Device.ID?
    var payload: String
    var state: DeliveryState
    /// From then on it is not written any more.
    var deadline: Timestamp?

    func isOverdue(at time: Timestamp) -> Bool { deadline.map { $0 <= time } ?? false }
}

extension StoredMessage: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.get("id"), seq: try row.get("seq"), from: try row.get("is_by_rest") ? nil : try row.get("from_device"),
            payload: try row.get("payload"), state: try row.get("state"), deadline: try row.get("deadline"))
    }
}

/// The bytes that a message counts in its account's quota, and in a page of the history.
enum MessageWeight {
    /// The row and its indexes.
    static let row = 400
    /// Each receiver beside the first one.
    static let furtherReceiver = 100
}

// MARK: Storing

extension WriteTransaction {
    /// - Returns: The message for each of its receivers that exists, in their order.
    func insert(_ message: NewMessage, at time: Timestamp) throws -> [(receiver: Device.ID, message: StoredMessage)] {
        var deliveries: [(device: Device.ID, seq: Int64?)] = []
        for receiver in message.receivers {
            let seq = receiver.isNumbered ? try nextNumber(of: receiver.device) : nil
            // A device that was removed in the same moment has no numbers any more.
            if seq != nil || !receiver.isNumbered { deliveries.append((receiver.device, seq)) }
        }
        // An event is complete once all devices that would acknowledge it were removed.
        let isOpen = message.isOpen && (message.type != .event || deliveries.contains { $0.seq != nil })
        let to = message.receivers[0].device
        let rows = deliveries.filter { $0.seq != nil || $0.device != to }
        let weight =
            message.payload.utf8.count + (message.reason?.utf8.count ?? 0) + MessageWeight.row
            + MessageWeight.furtherReceiver * rows.count { $0.device != to }
        let id = try one(
            """
            INSERT INTO messages (account, from_device, to_device, type, payload, is_by_rest, req_id, state, reason, is_open,
                deadline, created_at, sent_at, ended_at, weight) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            RETURNING id
            """, message.account, message.from, to, message.type, message.payload, message.isByREST, message.reqId,
            message.state, message.reason, isOpen, message.deadline, time, message.state == .sent ? time : nil,
            message.state == .failed ? time : nil, weight, as: HistoryItem.ID.self)
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
        try first("UPDATE devices SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq", device)
    }

    private func insertDelivery(of message: HistoryItem.ID, to device: Device.ID, seq: Int64?) throws {
        try execute(
            """
            INSERT INTO deliveries (message, device, seq) VALUES (?, ?, ?)
            ON CONFLICT (message, device) DO UPDATE SET seq = excluded.seq
            """, message, device, seq)
    }
}

// MARK: The queue

extension ReadTransaction {
    /// The number of messages that wait for a host, or for its acknowledgement.
    func openCount(for device: Device.ID) throws -> Int {
        try one("SELECT COUNT(*) FROM messages WHERE to_device = ? AND is_open = 1", device)
    }

    /// The commands that wait for a device that does not number, in order.
    func queue(for device: Device.ID, at time: Timestamp, limit: Int) throws -> [StoredMessage] {
        var page = PageSize()
        return try all(
            """
            SELECT id, NULL AS seq, is_by_rest, from_device, payload, state, deadline FROM messages
            WHERE to_device = ? AND is_open = 1 AND type = 'command' AND state = 'accepted'
                AND (deadline IS NULL OR deadline > ?) ORDER BY id LIMIT ?
            """, device, time, limit, as: StoredMessage.self, while: { page.takes($0) })
    }

    /// The messages that a device that numbers has not seen, in order: all after `floor`, and before it those without acknowledgement.
    func replay(for device: Device.ID, after seq: Int64, floor: Int64, at time: Timestamp, limit: Int) throws -> [StoredMessage] {
        var page = PageSize()
        return try all(
            """
            SELECT id, seq, is_by_rest, from_device, payload, state, deadline FROM deliveries JOIN messages ON id = message
            WHERE device = ? AND seq > ? AND (seq > ? OR is_open = 1)
                AND state IN ('accepted', 'sent', 'confirmed')
                AND (deadline IS NULL OR deadline > ?)
            ORDER BY seq LIMIT ?
            """, device, seq, floor, time, limit, as: StoredMessage.self, while: { page.takes($0) })
    }

    func isAnyOverdue(at time: Timestamp) throws -> Bool {
        try exists("SELECT 1 FROM messages WHERE is_open = 1 AND deadline IS NOT NULL AND deadline <= ?", time)
    }
}

/// Ends a page after about 1 MiB: it is held in memory while its receiver reads.
private struct PageSize {
    private var bytes = 0

    mutating func takes(_ message: StoredMessage) -> Bool {
        defer { bytes += message.payload.utf8.count }
        return bytes < 1_048_576
    }
}

// MARK: Progress

extension WriteTransaction {
    /// Stores that a message has been written to a receiver.
    ///
    /// - Parameter isOpen: True if the receiver still has to acknowledge the message.
    func markSent(_ id: HistoryItem.ID, isOpen: Bool, at time: Timestamp) throws {
        try execute(
            """
            UPDATE messages SET state = 'sent', sent_at = ?, is_open = CASE WHEN ? = 1 THEN is_open ELSE 0 END
            WHERE id = ? AND state = 'accepted'
            """, time, isOpen, id)
    }

    /// True if a connection that is open now has written a message, by the number that the message has for its device.
    func isWritten(_ id: HistoryItem.ID, on lines: Lines) throws -> Bool {
        try all("SELECT device, seq FROM deliveries WHERE message = ? AND seq IS NOT NULL", id, as: NumberedDelivery.self)
            .contains { lines[$0.device]?.hasWritten($0.seq) == true }
    }

    /// Returns a message to its queue whose receivers went away while it was written.
    func markWaiting(_ id: HistoryItem.ID) throws {
        try execute("UPDATE messages SET state = 'accepted', sent_at = NULL, is_open = 1 WHERE id = ? AND state = 'sent'", id)
    }

    /// Returns a command that was not written to its host's queue, numbered as the host now needs it.
    ///
    /// - Returns: nil when it has ended meanwhile.
    func requeue(_ message: StoredMessage, for host: Receiver) throws -> StoredMessage? {
        let count = try execute(
            """
            UPDATE messages SET state = 'accepted', sent_at = NULL, ended_at = NULL, reason = NULL, is_open = 1
            WHERE id = ? AND state IN ('sent', 'unknown')
            """, message.id)
        guard count > 0 else { return nil }
        // Not the message's own number: a line without numbers may have cleared it since.
        let seq =
            try first("SELECT seq FROM deliveries WHERE message = ? AND device = ?", message.id, host.device, as: Int64?.self)
            ?? nil
        var waiting = message
        waiting.state = .accepted
        waiting.seq = host.isNumbered ? try seq ?? nextNumber(of: host.device) : nil
        if waiting.seq != seq { try insertDelivery(of: message.id, to: host.device, seq: waiting.seq) }
        return waiting
    }

    func markFailed(_ id: HistoryItem.ID, reason: String, at time: Timestamp) throws {
        try execute(
            """
            UPDATE messages SET state = 'failed', sent_at = NULL, reason = ?, ended_at = ?, is_open = 0
            WHERE id = ? AND state = 'sent'
            """, reason, time, id)
    }

    /// Ends the messages whose deadline has passed.
    func expire(at time: Timestamp) throws {
        try execute(
            """
            UPDATE messages SET state = CASE state WHEN 'accepted' THEN 'expired' ELSE 'unknown' END, is_open = 0, ended_at = ?,
                reason = CASE state WHEN 'accepted' THEN 'the host did not come in time' ELSE 'the host never acknowledged it' END
            WHERE is_open = 1 AND deadline IS NOT NULL AND deadline <= ?
            """, time, time)
    }
}

// MARK: Acknowledgements

/// The messages that device `?1` has not acknowledged.
private let unacknowledged = """
    SELECT message FROM deliveries WHERE device = ?1 AND seq > (SELECT acked_seq FROM devices WHERE id = ?1)
    """

extension ReadTransaction {
    /// The device has acknowledged everything up to this sequence number.
    func acknowledgedNumber(of device: Device.ID) throws -> Int64 {
        try first("SELECT acked_seq FROM devices WHERE id = ?", device) ?? 0
    }
}

/// An SQL condition: another device than `?1` still has to acknowledge the message.
private let isOpenElsewhere = """
    EXISTS (SELECT 1 FROM deliveries JOIN devices ON devices.id = device
        WHERE message = messages.id AND device <> ?1 AND seq > acked_seq)
    """

extension WriteTransaction {
    /// Stores that a device has everything up to a sequence number.
    func confirm(upTo seq: Int64, by device: Device.ID, at time: Timestamp) throws {
        try execute(
            """
            UPDATE messages SET state = 'confirmed', confirmed_at = COALESCE(confirmed_at, ?2), sent_at = COALESCE(sent_at, ?2),
                is_open = CASE WHEN \(isOpenElsewhere) THEN 1 ELSE 0 END
            WHERE is_open = 1 AND id IN (\(unacknowledged) AND seq <= ?3)
            """, device, time, seq)
        try execute("UPDATE devices SET acked_seq = ?1 WHERE id = ?2 AND acked_seq < ?1", seq, device)
    }

    /// Gives up the acknowledgements of a device. A command that was written may have been carried out; one that was not still waits.
    func endDeliveries(to device: Device.ID, reason: String, at time: Timestamp) throws {
        try execute(
            """
            UPDATE messages SET is_open = 0, ended_at = CASE state WHEN 'confirmed' THEN NULL ELSE CAST(?2 AS BIGINT) END,
                reason = CASE state WHEN 'confirmed' THEN NULL ELSE ?3 END,
                state = CASE state WHEN 'confirmed' THEN 'confirmed' ELSE 'unknown' END
            WHERE is_open = 1 AND (type = 'event' OR state <> 'accepted') AND id IN (\(unacknowledged)) AND NOT \(isOpenElsewhere)
            """, device, time, reason)
        try clearOpenNumbers(of: device)
    }

    /// Fails the commands that wait for a device that never comes back.
    func endQueue(of device: Device.ID, reason: String, at time: Timestamp) throws {
        try execute(
            """
            UPDATE messages SET state = 'failed', reason = ?, ended_at = ?, is_open = 0
            WHERE to_device = ? AND is_open = 1 AND type = 'command'
            """, reason, time, device)
    }

    private func clearOpenNumbers(of device: Device.ID) throws {
        try execute(
            """
            UPDATE deliveries SET seq = NULL WHERE device = ?1 AND seq > (SELECT acked_seq FROM devices WHERE id = ?1)
            """, device)
    }

    /// Numbers the messages that wait for a device that numbers, in the order in which they came.
    ///
    /// - Parameter keepsNumbers: Messages that have a number keep it: the device may have seen them.
    func numberWaitingMessages(for device: Device.ID, keepsNumbers: Bool) throws {
        // A device that has just begun to number may have numbered messages already: the line was known before this transaction. It has written none.
        let numbered = "UNION \(unacknowledged)"
        let withoutNumber = "AND NOT EXISTS (SELECT 1 FROM deliveries WHERE message = id AND device = ?1 AND seq IS NOT NULL)"
        let waiting = try all(
            """
            SELECT id FROM messages WHERE to_device = ?1 AND is_open = 1 AND type = 'command'
            \(keepsNumbers ? withoutNumber : numbered) ORDER BY 1
            """, device, as: HistoryItem.ID.self)
        if !keepsNumbers { try clearOpenNumbers(of: device) }
        for id in waiting { try insertDelivery(of: id, to: device, seq: try nextNumber(of: device)) }
    }

    /// Stores the outcome of the latest command to `host` with that id.
    func report(_ state: DeliveryState, reason: String?, about id: RequestID, by host: Device.ID, at time: Timestamp) throws {
        let (confirmed, ended): (Timestamp?, Timestamp?) = state == .confirmed ? (time, nil) : (nil, time)
        try execute(
            """
            UPDATE messages SET state = ?, reason = ?, is_open = 0, confirmed_at = COALESCE(confirmed_at, ?), ended_at = ?
            WHERE id = (SELECT MAX(id) FROM messages WHERE to_device = ? AND req_id = ? AND type = 'command')
                AND state IN ('sent', 'confirmed', 'unknown')
            """, state, reason, confirmed, ended, host, id)
    }
}

private struct NumberedDelivery: RowDecodable {
    var device: Device.ID
    var seq: Int64

    init(row: Row) throws {
        device = try row.get("device")
        seq = try row.get("seq")
    }
}
