import GRDB
import Logging
import NIOConcurrencyHelpers
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
///     │ ◀─── what waited for it ── │   the queue, or with version 2 what came after the cursor
///     │ ◀──────────── connected ── │   from now on live
///     │ ◀─────────── messages ───▶ │
/// ```
final class LineSession: WebSocketSession {
    /// Messages read at once.
    private static let pageSize = 100
    /// How far behind a cursor may be.
    static let maximumReplay: Int64 = 10_000

    private let device: DeviceRecord
    private let isKeeper: Bool
    /// When the token ends.
    private let expiry: Timestamp
    /// That of the token (``RelayClaims/generation``).
    private let generation: Int
    /// The last number that the device has.
    private let after: Int64?
    private let store: SQLiteStore
    private let lines: Lines
    private let routing: Routing
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let socket = NIOLockedValueBox<DeviceSocket?>(nil)

    init(
        device: DeviceRecord, isKeeper: Bool, after: Int64?, until expiry: Timestamp, generation: Int, store: SQLiteStore,
        lines: Lines, routing: Routing, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.device = device
        self.isKeeper = isKeeper
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
        let socket = DeviceSocket(device, isKeeper: isKeeper, until: expiry, generation: generation, connection: connection)
        self.socket.withLockedValue { $0 = socket }
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
        // Beside reading: a device may answer the first of what waited before it reads the next.
        connection.start { [self] in
            if isKeeper { try await replay(start, on: socket) } else { try await flush(on: socket) }
        }
    }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async throws {
        guard let socket = socket.withLockedValue({ $0 }) else { return }
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
        guard let socket = socket.withLockedValue({ $0 }) else { return }
        socket.end()
        if lines.close(socket) { await leave(socket) }
    }

    // MARK: Opening

    /// Where a replay begins.
    private struct Start: Sendable {
        /// Everything above it is written, and above `floor` what was acknowledged before too.
        var cursor: Int64
        var floor: Int64
        var reset: Int64?
    }

    private func begin(_ socket: DeviceSocket) async throws -> Start {
        let (device, isKeeper, after, generation, time) = (device, isKeeper, after, generation, now())
        return try await store.write { transaction -> Start in
            let database = transaction.database
            let wasKeeper = try database.begin(device.id, isKeeper: isKeeper, generation: generation, at: time)
            let peers = try database.peers(of: device.id, device.kind)
            // In the order of the commits: a removal that follows finds them there.
            transaction.onCommit { socket.add(peers) }
            guard isKeeper else {
                try database.endDeliveries(to: device.id, reason: "the device does not acknowledge any more", at: time)
                return Start(cursor: 0, floor: 0)
            }
            // Also for a keeper: an opening without version 2 that was cut before its transaction left commands without a number.
            try database.numberWhatWaits(for: device.id, keepsNumbers: wasKeeper)
            let numbers = try database.numbers(of: device.id)
            guard let after else { return Start(cursor: numbers.acknowledged, floor: numbers.last) }
            if after <= numbers.last, after >= numbers.forgotten, numbers.last - after <= Self.maximumReplay {
                try database.confirm(upTo: after, by: device.id, at: time)
                return Start(cursor: after, floor: after)
            }
            // What was never acknowledged comes after the reset.
            let begin = try database.firstOpenNumber(of: device.id, after: numbers.acknowledged).map { $0 - 1 } ?? numbers.last
            return Start(cursor: begin, floor: numbers.last, reset: begin)
        }
    }

    /// Version 1: the queued commands, each noted as it is written.
    private func flush(on socket: DeviceSocket) async throws {
        while true {
            let time = now()
            let page = try await store.read { [device] in try $0.queue(for: device.id, at: time, limit: Self.pageSize) }
            if page.isEmpty, socket.goLive(at: now()) { return }
            // The peer may read slowly: what is overdue by now is left to the deadline.
            for message in page where !message.isOverdue(at: now()) {
                try await socket.replay(message)
                let time = now()
                try await store.write { try $0.database.markSent(message.id, isOpen: false, at: time) }
            }
        }
    }

    /// Version 2: what came after the cursor.
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
                // The peer may read slowly: what is overdue by now is left to the deadline.
                if message.isOverdue(at: now()) { continue }
                try await socket.replay(message)
                // One that was `sent` when it was read may have been taken back since.
                if message.state != .confirmed { written.append(message.id) }
            }
            if !written.isEmpty {
                let time = now()
                try await store.write { [written] transaction in
                    for id in written { try transaction.database.markSent(id, isOpen: true, at: time) }
                }
            }
        }
    }

    // MARK: Ending

    private func leave(_ socket: DeviceSocket) async {
        let news = RelayMessage(.event(.deviceOffline(device.id))).text
        // It may be back by now.
        if lines[device.id] == nil { for peer in socket.peers { lines[peer.device]?.tell(news) } }
        let (id, time) = (device.id, now())
        do {
            try await store.write { try $0.database.setLastSeen(id, at: time) }
        } catch {
            logger.error("Could not note that a device left", metadata: ["simbridge.device.id": "\(id)", "error": "\(error)"])
        }
    }
}

extension Database {
    /// Notes that a device has opened its line.
    ///
    /// - Returns: Whether it numbered what it got before.
    /// - Throws: ``OpeningRefused``.
    fileprivate func begin(_ device: Device.ID, isKeeper: Bool, generation: Int, at time: Timestamp) throws -> Bool {
        let row = try Row.fetchOne(
            cachedStatement(
                sql: "SELECT is_keeper, generation FROM devices JOIN accounts ON accounts.id = account WHERE devices.id = ?"),
            arguments: [device.rawValue])
        guard let row else { throw OpeningRefused(reason: SimBridgeLine.removedReason) }
        guard (row["generation"] as Int) <= generation else { throw OpeningRefused(reason: SimBridgeLine.tokenEndedReason) }
        try cachedStatement(sql: "UPDATE devices SET last_seen = ?, is_keeper = ? WHERE id = ?").execute(
            arguments: [time.milliseconds, isKeeper, device.rawValue])
        return row["is_keeper"]
    }

    fileprivate func numbers(of device: Device.ID) throws -> (last: Int64, forgotten: Int64, acknowledged: Int64) {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT last_seq, forgotten_seq, acked_seq FROM devices WHERE id = ?"),
            arguments: [device.rawValue])
        return (row?["last_seq"] ?? 0, row?["forgotten_seq"] ?? 0, row?["acked_seq"] ?? 0)
    }

    fileprivate func firstOpenNumber(of device: Device.ID, after acknowledged: Int64) throws -> Int64? {
        try Int64.fetchOne(
            cachedStatement(
                sql: """
                    SELECT seq FROM deliveries CROSS JOIN messages ON id = message
                    WHERE device = ? AND seq > ? AND is_open = 1 ORDER BY seq LIMIT 1
                    """), arguments: [device.rawValue, acknowledged])
    }
}

/// The device was removed, or its token voided, while its line was being opened.
private struct OpeningRefused: Error {
    var reason: String
}
