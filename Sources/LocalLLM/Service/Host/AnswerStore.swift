import Foundation
import LocalLLMWire
package import NetworkingKit
package import StorageKit
import WireKit

/// The answers that phones can resume, and the known phones. One SQLite file that only its owner can read.
///
/// ```
///   begin ─▶ append … ─▶ finish ─▶ removed after 24 hours, or earlier when space is needed
///                 └─ end of the process ─▶ finished as failed at the next start
/// ```
package struct AnswerStore: Sendable {
    /// Size that every answer counts beside its text, in bytes.
    private static let baseSize = 256

    private let database: Database
    private let capacity: Int
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - capacity: Maximum size of all answers, in bytes; nil for ``Limits/storedSize``.
    ///   - now: Returns the time in milliseconds since 1970.
    /// - Throws: `StorageError`.
    package init(
        path: String, capacity: Int? = nil, now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    ) throws {
        database = try Database(path: path, migrations: AnswerTables.migrations)
        (self.capacity, self.now) = (capacity ?? Limits.storedSize, now)
    }

    package func close() { database.close() }

    /// Returns the known phones in the store of a running host, the most recent one first.
    ///
    /// - Throws: `StorageError`.
    package static func phones(readingFrom path: String) async throws -> [KnownPhone] {
        let database = try Database(reading: path)
        defer { database.close() }
        return try await phones(in: database)
    }

    // MARK: Answers

    /// Ends the answers that an earlier process has left unfinished. Called once, before anything else.
    package func recover() async throws {
        let (now, capacity) = (now(), capacity)
        try await database.write { (transaction) -> Void in
            try transaction.execute(
                "UPDATE answers SET code = ?, message = ?, ended_at = ? WHERE ended_at IS NULL",
                ErrorCode.generationFailed.rawValue,
                "The host restarted in the middle of the answer.", now)
            try transaction.purge(now: now, capacity: capacity)
        }
    }

    func find(_ key: AnswerKey) async throws -> StoredAnswer? {
        try await database.read {
            try $0.first(
                "SELECT * FROM answers WHERE phone = ? AND request = ?", key.phone, key.request.text, as: StoredAnswer.self)
        }
    }

    /// Creates an answer without pieces, and makes room for it.
    func begin(_ key: AnswerKey) async throws -> Int64 {
        let (now, capacity) = (now(), capacity)
        return try await database.write { transaction in
            try transaction.purge(now: now, capacity: capacity - Limits.answerSize - Self.baseSize)
            return try transaction.one(
                "INSERT INTO answers (phone, request, size) VALUES (?, ?, ?) RETURNING id", key.phone, key.request.text,
                Self.baseSize)
        }
    }

    /// Appends pieces, which are in order and follow the stored ones, to the answer's log.
    func append(_ pieces: [Piece], to id: Int64) async throws {
        let time = Timestamp(milliseconds: now())
        try await database.write { transaction in
            for piece in pieces { try transaction.append(Data(piece.text.utf8), to: .answer(id), at: time) }
            try transaction.execute(
                "UPDATE answers SET size = size + ? WHERE id = ?", pieces.reduce(0) { $0 + $1.text.utf8.count }, id)
        }
    }

    func finish(_ id: Int64, _ ending: Ending) async throws {
        let now = now()
        try await database.write { (transaction) -> Void in
            switch ending {
            case .finished(let reason, let omitted):
                try transaction.execute(
                    "UPDATE answers SET finish_reason = ?, omitted = ?, ended_at = ? WHERE id = ?", reason.rawValue, omitted, now,
                    id)
            case .failed(let report):
                try transaction.execute(
                    "UPDATE answers SET code = ?, message = ?, ended_at = ? WHERE id = ?", report.code.rawValue, report.message,
                    now, id)
            }
        }
    }

    /// Removes an answer, so that its request can be sent again.
    func forget(_ id: Int64) async throws {
        try await database.write { try $0.removeAnswer(id) }
    }

    /// Returns the text after a piece, as much as fits into one chunk, as one piece with the last number.
    ///
    /// - Returns: A piece with the number `seq` and without text at the end of the stored text; nil when the answer was removed.
    func piece(of id: Int64, after seq: Int64) async throws -> Piece? {
        try await database.read { transaction in
            guard try transaction.exists("SELECT id FROM answers WHERE id = ?", id) else { return nil }
            var size = ChunkSize()
            let pieces = try transaction.events(of: .answer(id), after: seq, count: 1000, size: Limits.lineSize)
                .map { Piece(seq: $0.seq, text: String(decoding: $0.payload, as: UTF8.self)) }.prefix { size.add($0.text) }
            return Piece(seq: pieces.last?.seq ?? seq, text: pieces.map(\.text).joined())
        }
    }

    /// Removes answers beyond the retention time or the capacity.
    func purge() async throws {
        let (now, capacity) = (now(), capacity)
        try await database.write { try $0.purge(now: now, capacity: capacity) }
    }

    // MARK: Phones

    /// Records that a phone has connected.
    ///
    /// - Parameter admitsFirst: True to admit the phone if it is the first one ever. Of two phones at once only one is the first.
    func meet(_ phone: PeerKey, admitsFirst: Bool) async throws -> Standing {
        let now = now()
        return try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO phones (key, is_approved, first_seen, last_seen) VALUES (?1, 0, ?2, ?2)
                ON CONFLICT (key) DO UPDATE SET last_seen = excluded.last_seen
                """, phone, now)
            try transaction.limitPhones(approved: false, to: Self.maximumStrangers)
            if try transaction.exists("SELECT key FROM phones WHERE key = ? AND is_approved = 1", phone) { return .known }
            guard admitsFirst, try transaction.exists("SELECT 1 WHERE NOT EXISTS (SELECT id FROM first_phone)") else {
                return .stranger
            }
            try transaction.approve(phone, now: now)
            return .first
        }
    }

    /// The relation of a phone to the host.
    enum Standing: Hashable, Sendable {
        /// The phone was admitted before, by the user, a known phone or an invitation.
        case known
        /// The phone is the first one of the host, and was admitted now.
        case first
        case stranger
    }

    /// Maximum phones without approval; the longest absent ones are removed. A stranger can connect with any number of keys.
    private static let maximumStrangers = 1_000
    /// Maximum known phones; the longest absent ones are removed.
    private static let maximumKnown = 1_000

    /// Approves a phone, which is then a known one.
    package func approve(_ phone: PeerKey) async throws {
        let now = now()
        try await database.write { (transaction) -> Void in
            try transaction.approve(phone, now: now)
            try transaction.limitPhones(approved: true, to: Self.maximumKnown)
        }
    }

    /// True until the first phone is admitted. Its removal changes nothing, so that a removed phone is not the first one again.
    package var isFresh: Bool {
        get async throws { try await database.read { try $0.exists("SELECT 1 WHERE NOT EXISTS (SELECT id FROM first_phone)") } }
    }

    /// Returns the known phones, the most recent one first.
    package func phones() async throws -> [KnownPhone] { try await Self.phones(in: database) }

    private static func phones(in database: Database) async throws -> [KnownPhone] {
        try await database.read { try $0.all("SELECT * FROM phones ORDER BY last_seen DESC, key") }
    }

    /// Removes a phone with its answers. The phone then needs a new approval.
    ///
    /// - Returns: False when the phone is not known.
    @discardableResult
    package func remove(_ phone: PeerKey) async throws -> Bool {
        try await database.write { transaction in
            for id in try transaction.all("SELECT id FROM answers WHERE phone = ?", phone, as: Int64.self) {
                try transaction.removeAnswer(id)
            }
            return try transaction.execute("DELETE FROM phones WHERE key = ?", phone) > 0
        }
    }
}

/// The identity of a request at the host. Two phones can choose the same request id.
struct AnswerKey: Hashable, Sendable {
    var phone: PeerKey
    var request: RequestID
}

/// The end of an answer.
enum Ending: Hashable, Sendable {
    /// The answer ended; the model did not get `omitted` earlier turns.
    case finished(FinishReason, omitted: Int = 0)
    case failed(ErrorReport)

    func message(_ id: RequestID) -> Message {
        switch self {
        case .finished(let reason, let omitted): .chatEnd(id, reason, omitted: omitted)
        case .failed(let report): .error(id, report)
        }
    }

    /// True for a refusal after which the request is not remembered.
    var isRefusal: Bool {
        guard case .failed(let report) = self else { return false }
        return report.code == .ollamaNotFound || report.code == .ollamaModelNotAvailable
    }
}

/// An answer in the store.
struct StoredAnswer: Hashable, Sendable {
    var id: Int64
    /// Nil while the answer is generated.
    var ending: Ending?
}

/// A phone that has connected to the host.
package struct KnownPhone: Hashable, Sendable {
    package var key: PeerKey
    package var isApproved: Bool
    /// Time of the latest connection, in milliseconds since 1970.
    package var lastSeen: Int64
}

extension WriteTransaction {
    fileprivate func approve(_ phone: PeerKey, now: Int64) throws {
        // The row of a stranger may have been removed meanwhile.
        try execute(
            """
            INSERT INTO phones (key, is_approved, first_seen, last_seen) VALUES (?1, 1, ?2, ?2)
            ON CONFLICT (key) DO UPDATE SET is_approved = 1
            """, phone, now)
        try execute("INSERT OR IGNORE INTO first_phone (id, key, admitted_at) VALUES (1, ?, ?)", phone, now)
    }

    /// Removes the longest absent phones of a kind beyond `count`.
    fileprivate func limitPhones(approved isApproved: Bool, to count: Int) throws {
        try execute(
            """
            DELETE FROM phones WHERE is_approved = ?1
            AND key NOT IN (SELECT key FROM phones WHERE is_approved = ?1 ORDER BY last_seen DESC, key LIMIT ?2)
            """, isApproved ? 1 : 0, count)
    }

    /// Removes the answers that ended too long ago, and then the oldest finished ones until all have at most `capacity` bytes.
    fileprivate func purge(now: Int64, capacity: Int) throws {
        let oldest = now - Limits.retention.components.seconds * 1000
        var removed = try all("SELECT id FROM answers WHERE ended_at < ?", oldest, as: Int64.self)
        var excess = try one(
            "SELECT COALESCE(SUM(size), 0) FROM answers WHERE ended_at IS NULL OR ended_at >= ?", oldest, as: Int.self)
        excess -= capacity
        if excess > 0 {
            let largest = try all(
                "SELECT id, size FROM answers WHERE ended_at >= ? ORDER BY ended_at, id", oldest, as: SizedAnswer.self,
                while: { answer in
                    defer { excess -= answer.size }
                    return excess > 0
                })
            removed += largest.map(\.id)
        }
        for id in removed { try removeAnswer(id) }
    }

    fileprivate func removeAnswer(_ id: Int64) throws {
        try remove(.answer(id))
        try execute("DELETE FROM answers WHERE id = ?", id)
    }
}

private struct SizedAnswer: RowDecodable {
    var id: Int64
    var size: Int

    init(row: Row) throws { (id, size) = (try row.get("id"), try row.get("size")) }
}

extension Log {
    /// The log of an answer's pieces. It lives as long as the answer.
    fileprivate static func answer(_ id: Int64) -> Log { Log("answer/\(id)", capacity: nil) }
}

extension StoredAnswer: RowDecodable {
    init(row: Row) throws {
        id = try row.get("id")
        if let reason = try row.get("finish_reason", as: String?.self).flatMap(FinishReason.init) {
            ending = .finished(reason, omitted: try row.get("omitted"))
        } else if let code = try row.get("code", as: String?.self) {
            ending = .failed(ErrorReport(ErrorCode(rawValue: code), try row.get("message", as: String?.self) ?? ""))
        }
    }
}

extension KnownPhone: RowDecodable {
    package init(row: Row) throws {
        self.init(
            key: try row.get("key"), isApproved: try row.get("is_approved"), lastSeen: try row.get("last_seen"))
    }
}

extension PeerKey: SQLValue {
    package var columnValue: ColumnValue { .blob(bytes) }
    package init?(_ columnValue: ColumnValue) {
        guard case .blob(let bytes) = columnValue else { return nil }
        self.init(bytes)
    }
}
