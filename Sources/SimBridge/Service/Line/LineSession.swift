import Logging
import NIOCore
import ServerKit
import SimBridgeWire
import StorageKit
import WireKit

/// One device's socket, from its opening to its end.
///
/// ```
///   device                      relay
///     │ ────────── upgrade ──────▶ │   an older socket of the device is closed with 1008
///     │ ◀──── waiting messages ─── │   the queue, or with version 2 the messages after the cursor
///     │ ◀──────────── connected ── │   from now on live
///     │ ◀─────────── messages ───▶ │
/// ```
final class LineSession: WebSocketSession {
    /// The number of messages read from the store at once.
    private static let pageSize = 100
    /// The number of messages that a replay may have. A cursor further behind is reset.
    static let maximumReplay: Int64 = 10_000

    private let device: DeviceRecord
    private let acknowledges: Bool
    /// The expiry of the token.
    private let expiry: Timestamp
    /// The token's ``RelayClaims/generation``.
    private let generation: Int
    /// The last sequence number that the device has.
    private let after: Int64?
    private let store: Database
    private let lines: Lines
    private let routing: Routing
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let socket = Locked<DeviceSocket?>(nil)

    init(
        device: DeviceRecord, acknowledges: Bool, after: Int64?, until expiry: Timestamp, generation: Int, store: Database,
        lines: Lines, routing: Routing, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.device = device
        self.acknowledges = acknowledges
        self.after = after
        self.expiry = expiry
        self.generation = generation
        self.store = store
        self.lines = lines
        self.routing = routing
        self.now = now
        self.logger = logger
    }

    func opened(_ connection: WebSocketConnection) async throws {
        let socket = DeviceSocket(device, acknowledges: acknowledges, until: expiry, generation: generation, connection: connection)
        self.socket.withLock { $0 = socket }
        if let older = lines.open(socket) {
            older.replace()
            // Both would write the same queue otherwise.
            await older.ended()
        }
        try Task.checkCancellation()
        let start: Start
        do {
            start = try await begin(socket)
        } catch let refusal as OpeningRefused {
            return socket.refuse(.policyViolation, reason: refusal.reason)
        }
        // Concurrent with reading: a device may answer the first waiting message before it reads the next.
        connection.start { [self] in
            if acknowledges { try await replay(start, on: socket) } else { try await flush(on: socket) }
        }
    }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async throws {
        guard let socket = socket.withLock({ $0 }) else { return }
        switch message {
        case .text(let text): try await routing.received(text, from: socket)
        case .binary(let bytes):
            guard let text = bytes.getString(at: bytes.readerIndex, length: bytes.readableBytes) else {
                return socket.refuse(.unsupportedData, reason: "Text only")
            }
            try await routing.received(text, from: socket)
        }
    }

    func closed() async {
        guard let socket = socket.withLock({ $0 }) else { return }
        socket.end()
        if lines.close(socket) { await leave(socket) }
    }

    // MARK: Opening

    /// The beginning of a replay.
    private struct Start: Sendable {
        /// Messages above it are written: up to `floor` only those without acknowledgement.
        var cursor: Int64
        var floor: Int64
        var reset: Int64?
    }

    private func begin(_ socket: DeviceSocket) async throws -> Start {
        let (device, acknowledges, after, generation, time) = (device, acknowledges, after, generation, now())
        return try await store.write { transaction -> ([Peer], Start) in
            let acknowledgedBefore = try transaction.begin(
                device.id, of: device.account, acknowledges: acknowledges, generation: generation, at: time)
            let peers = try transaction.peers(of: device.id, device.kind)
            guard acknowledges else {
                try transaction.endDeliveries(to: device.id, reason: "the device does not acknowledge any more", at: time)
                return (peers, Start(cursor: 0, floor: 0))
            }
            // Also for a device that numbered before: an opening of version 1 that was cut before its transaction left commands without a number.
            try transaction.numberWaitingMessages(for: device.id, keepsNumbers: acknowledgedBefore)
            let numbers = try transaction.numbers(of: device.id)
            guard let after else { return (peers, Start(cursor: numbers.acknowledged, floor: numbers.last)) }
            if after <= numbers.last, after >= numbers.forgotten, numbers.last - after <= Self.maximumReplay {
                try transaction.confirm(upTo: after, by: device.id, at: time)
                return (peers, Start(cursor: after, floor: after))
            }
            // Messages that were never acknowledged come after the reset.
            let begin = try transaction.firstOpenNumber(of: device.id, after: numbers.acknowledged).map { $0 - 1 } ?? numbers.last
            return (peers, Start(cursor: begin, floor: numbers.last, reset: begin))
        } onCommit: { (peers: [Peer], start: Start) in
            // In the order of the commits: a removal that follows finds the peers in place.
            socket.add(peers)
            return start
        }
    }

    /// Version 1: writes the queued commands, and stores each as sent.
    private func flush(on socket: DeviceSocket) async throws {
        while true {
            let time = now()
            let page = try await store.read { [device] in try $0.queue(for: device.id, at: time, limit: Self.pageSize) }
            if page.isEmpty, socket.goLive(at: now()) { return }
            // The client may read slowly: `Deadlines` ends a message that is overdue by now.
            for message in page where !message.isOverdue(at: now()) {
                try await socket.replay(message)
                let time = now()
                try await store.write { try $0.markSent(message.id, isOpen: false, at: time) }
            }
        }
    }

    /// Version 2: writes the messages after the cursor.
    private func replay(_ start: Start, on socket: DeviceSocket) async throws {
        if let seq = start.reset { try await socket.replay(RelayMessage(.reset(seq: seq))) }
        var cursor = start.cursor
        while true {
            let (seq, time) = (cursor, now())
            let page = try await store.read { [device] in
                try $0.replay(for: device.id, after: seq, floor: start.floor, at: time, limit: Self.pageSize)
            }
            if page.isEmpty, socket.goLive(at: now()) { return }
            var written: [HistoryItem.ID] = []
            for message in page {
                cursor = message.seq ?? cursor
                // The client may read slowly: `Deadlines` ends a message that is overdue by now.
                if message.isOverdue(at: now()) { continue }
                try await socket.replay(message)
                // A message that was `sent` when it was read may have been withdrawn since.
                if message.state != .confirmed { written.append(message.id) }
            }
            if !written.isEmpty {
                let time = now()
                try await store.write { [written] transaction in
                    for id in written { try transaction.markSent(id, isOpen: true, at: time) }
                }
            }
        }
    }

    // MARK: Ending

    private func leave(_ socket: DeviceSocket) async {
        let notice = RelayMessage(.event(.deviceOffline(device.id))).text
        // The device may be back by now.
        if lines[device.id] == nil { for peer in socket.peers { lines[peer.device]?.announce(notice) } }
        let (id, time) = (device.id, now())
        do {
            try await store.write { try $0.setLastSeen(id, at: time) }
        } catch {
            logger.error("Could not store that a device left", metadata: ["simbridge.device.id": "\(id)", "error": "\(error)"])
        }
    }
}

extension ReadTransaction {
    fileprivate func numbers(of device: Device.ID) throws -> DeviceNumbers {
        try one("SELECT last_seq, forgotten_seq, acked_seq FROM devices WHERE id = ?", device)
    }

    fileprivate func firstOpenNumber(of device: Device.ID, after acknowledged: Int64) throws -> Int64? {
        try first(
            """
            SELECT seq FROM deliveries JOIN messages ON id = message
            WHERE device = ? AND seq > ? AND is_open = 1 ORDER BY seq LIMIT 1
            """, device, acknowledged)
    }
}

extension WriteTransaction {
    /// Stores that a device has opened its line.
    ///
    /// - Returns: True if the device numbered received messages on its last line.
    /// - Throws: ``OpeningRefused``.
    fileprivate func begin(
        _ device: Device.ID, of account: Account.ID, acknowledges: Bool, generation: Int, at time: Timestamp
    ) throws -> Bool {
        let last = try first(
            "SELECT is_keeper, generation FROM devices JOIN accounts ON accounts.id = account WHERE devices.id = ?", device,
            as: LastOpening.self)
        guard let last else {
            let isDeleted = try !exists("SELECT 1 FROM accounts WHERE id = ?", account)
            throw OpeningRefused(reason: isDeleted ? SimBridgeLine.deletedReason : SimBridgeLine.removedReason)
        }
        guard last.generation <= generation else { throw OpeningRefused(reason: SimBridgeLine.tokenEndedReason) }
        try execute("UPDATE devices SET last_seen = ?, is_keeper = ? WHERE id = ?", time, acknowledges, device)
        return last.acknowledges
    }
}

/// Sequence numbers of the messages for one device.
private struct DeviceNumbers: RowDecodable {
    /// The sequence number of the latest message.
    var last: Int64
    /// The sequence number of the latest removed message.
    var forgotten: Int64
    /// The sequence number of the latest acknowledged message.
    var acknowledged: Int64

    init(row: Row) throws {
        last = try row.get("last_seq")
        forgotten = try row.get("forgotten_seq")
        acknowledged = try row.get("acked_seq")
    }
}

/// The form of a device's last line, and the account's generation now.
private struct LastOpening: RowDecodable {
    var acknowledges: Bool
    var generation: Int

    init(row: Row) throws {
        acknowledges = try row.get("is_keeper")
        generation = try row.get("generation")
    }
}

/// The device was removed, or its token voided, while its line was being opened.
private struct OpeningRefused: Error {
    var reason: String
}
