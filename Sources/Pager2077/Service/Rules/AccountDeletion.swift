import Foundation
import Pager2077Wire
import StorageKit
import WireKit

/// Traces of accounts: the rows that make a deletion complete, and the two that remain after it.
///
/// A deletion removes every row of the account from every table, and the events about it from the logs of others. Two traces
/// remain, not linked to each other: the hex code, so that no other user ever gets it, and for some days the id, so that the
/// account's other phones learn of the deletion instead of registering anew.
enum AccountTraces {
    /// Maximum retired codes, and maximum ids of deleted accounts. The oldest are removed first.
    static let maximumCount = 1_000_000
    /// The retention of a deleted account's id: longer than a token is valid.
    static let idAge: Duration = .seconds(8 * 86_400)
    /// The retention of mentions: longer than that of events and notifications.
    fileprivate static let mentionAge: Duration = LineLimits.eventAge + .seconds(2 * 86_400)
    /// Minimum time between two updates of a mention.
    fileprivate static let mentionPrecision: Duration = .seconds(86_400)

    static let migration = Migration(
        "pager-6-account-deletion",
        script: """
            -- The logs of other users that have events about a user, or had: what a deletion looks through.
            CREATE TABLE mentions (
                "user" TEXT NOT NULL,
                log TEXT NOT NULL,
                at INTEGER NOT NULL,
                PRIMARY KEY ("user", log)
            ) WITHOUT ROWID;
            CREATE INDEX mentions_log ON mentions (log);
            INSERT INTO mentions ("user", log, at)
                SELECT subject, log, MAX(at) FROM (
                    SELECT log, at, COALESCE(event ->> '$.friendId', event ->> '$.message.senderId', event ->> '$.request.fromUserId',
                        event ->> '$.friend.id') AS subject
                    FROM (SELECT log, at, CAST(payload AS TEXT) AS event FROM events) AS texts WHERE json_valid(event)) AS subjects
                WHERE subject IS NOT NULL GROUP BY subject, log;

            -- Codes of former accounts, which nobody gets again.
            CREATE TABLE retired_codes (position INTEGER PRIMARY KEY AUTOINCREMENT, hex_code TEXT NOT NULL UNIQUE);
            CREATE TABLE deleted_accounts (position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL);

            -- Before a user's row goes, SQLite looks for rows that refer to it. Of messages, the index of the unread ones finds them.
            CREATE INDEX friendships_friend ON friendships (friend);
            CREATE INDEX friend_requests_to ON friend_requests (to_user);
            """)
}

extension Accounts {
    /// Deletes an account, at once and for all of its phones. Friends get an event.
    ///
    /// - Throws: ``PagerError`` `INVALID_HEX_CODE` unless the confirmation is the account's own code.
    func delete(_ deletion: AccountDeletion, of id: User.ID) async throws {
        try await store.write { [now] transaction in
            let user = try transaction.caller(id)
            guard let code = HexCode(rawValue: deletion.hexCode) else {
                throw PagerError(.invalidHexCode, "Invalid hex code format")
            }
            guard code == user.hexCode else { throw PagerError(.invalidHexCode, "This is not the hex code of the account") }
            try transaction.delete(user, at: now())
        }
    }
}

extension ReadTransaction {
    /// True for the code of a former account.
    func isRetired(_ code: HexCode) throws -> Bool { try exists("SELECT 1 FROM retired_codes WHERE hex_code = ?", code) }

    /// True for an account that was deleted less than ``AccountTraces/idAge`` ago.
    func isDeleted(_ id: User.ID) throws -> Bool { try exists("SELECT 1 FROM deleted_accounts WHERE id = ?", id) }
}

extension WriteTransaction {
    /// Records that the log of one user has an event about another user.
    func noteMention(of user: User.ID, in log: User.ID, at time: Timestamp) throws {
        try execute(
            """
            INSERT INTO mentions ("user", log, at) VALUES (?1, ?2, ?3)
            ON CONFLICT ("user", log) DO UPDATE SET at = excluded.at WHERE mentions.at < ?4
            """, user, log, time, time - AccountTraces.mentionPrecision)
    }

    /// Deletes an account, and appends events for friends and for users with a pending request.
    func delete(_ user: UserRecord, at time: Timestamp) throws {
        let friends = try friendIDs(of: user.id)
        let requests = try pendingRequests(from: user.id)
        try erase(user)
        try execute("INSERT INTO deleted_accounts (id, at) VALUES (?, ?)", user.id, time)
        for friend in friends { try append(.friendRemoved(friendId: user.id, isAccountDeleted: true), for: friend, at: time) }
        for request in requests { try append(.requestWithdrawn(requestId: request.id), for: request.toUserId, at: time) }
    }

    /// Removes a user and everything about the user from every table. The code is retired.
    func erase(_ user: UserRecord) throws {
        let id = user.id
        let logs: [User.ID] = try all(#"SELECT log FROM mentions WHERE "user" = ?"#, id)
        if try !logs.isEmpty || range(of: id.log).last > 0 {
            // Notifications to the user, and notifications to others about the user.
            try execute(
                """
                DELETE FROM pushes WHERE recipient = ?1 OR recipient IN (SELECT log FROM mentions WHERE "user" = ?1)
                    AND (instr(content, ?1) > 0 OR instr(content, ?2) > 0)
                """, id, user.hexCode)
        }
        // Sequence numbers have no gaps, so an empty event takes the place of a removed one.
        for log in logs {
            try execute("UPDATE events SET payload = ?1 WHERE log = ?2 AND instr(payload, ?3) > 0", Self.erasedEvent, log, id)
        }
        try execute(#"DELETE FROM mentions WHERE "user" = ?"#, id)
        try execute("DELETE FROM mentions WHERE log = ?", id)
        try remove(id.log)
        try execute("DELETE FROM commands WHERE sender = ?", id)
        try execute(#"DELETE FROM activities WHERE "user" = ?1 OR sender = ?1"#, id)
        try execute(#"DELETE FROM devices WHERE "user" = ?"#, id)
        try execute(#"DELETE FROM scores WHERE "user" = ?"#, id)
        try execute("DELETE FROM messages WHERE sender = ?", id)
        try execute("DELETE FROM messages WHERE recipient = ?", id)
        try execute(#"DELETE FROM friendships WHERE "user" = ?"#, id)
        try execute("DELETE FROM friendships WHERE friend = ?", id)
        try execute("DELETE FROM friend_requests WHERE from_user = ?", id)
        try execute("DELETE FROM friend_requests WHERE to_user = ?", id)
        try execute(#"DELETE FROM blocks WHERE "user" = ?"#, id)
        try execute("DELETE FROM blocks WHERE blocked = ?", id)
        try forgetReports(of: id)
        try execute("DELETE FROM users WHERE id = ?", id)
        try execute("INSERT INTO retired_codes (hex_code) VALUES (?) ON CONFLICT DO NOTHING", user.hexCode)
    }

    /// An event of a type that no client knows: clients use its sequence number only.
    private static var erasedEvent: Data { Data(#"{"type":"erased"}"#.utf8) }

    /// Removes expired mentions, and retired codes and ids of deleted accounts that are too old or too many. Called periodically.
    func removeOldTraces(at time: Timestamp) throws {
        try execute("DELETE FROM mentions WHERE at < ?", time - AccountTraces.mentionAge)
        try execute("DELETE FROM deleted_accounts WHERE at < ?", time - AccountTraces.idAge)
        for table in ["retired_codes", "deleted_accounts"] {
            try execute(
                "DELETE FROM \(table) WHERE position <= (SELECT MAX(position) FROM \(table)) - ?", AccountTraces.maximumCount)
        }
    }
}
