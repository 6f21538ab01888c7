import GRDB
import Pager2077Wire
import WireKit

/// A row says something that no version of this program has written.
struct CorruptRow: Error {
    var column: String
}

extension Row {
    func decode<Value: RawRepresentable>(_ column: String) throws -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: self[column]) else { throw CorruptRow(column: column) }
        return value
    }
}

extension UserRecord {
    init(_ row: Row) throws {
        self.init(
            id: User.ID(row["id"]), hexCode: try row.decode("hex_code"), deviceToken: row["device_token"],
            displayName: row["display_name"], status: try row.decode("status"), lastSeen: Timestamp(milliseconds: row["last_seen"]),
            createdAt: Timestamp(milliseconds: row["created_at"]), updatedAt: Timestamp(milliseconds: row["updated_at"]),
            liveActivityToken: row["live_activity_token"], isWatchedLive: row["is_watched_live"])
    }

    /// Everything, the id last.
    var columns: StatementArguments {
        [
            hexCode.rawValue, deviceToken, displayName, status.rawValue, lastSeen.milliseconds, createdAt.milliseconds,
            updatedAt.milliseconds, liveActivityToken, isWatchedLive, id.rawValue,
        ]
    }
}

extension FriendRequest {
    init(_ row: Row) throws {
        self.init(
            id: FriendRequest.ID(row["id"]), fromUserId: User.ID(row["from_user"]), toUserId: User.ID(row["to_user"]),
            status: try row.decode("status"), createdAt: Timestamp(milliseconds: row["created_at"]),
            updatedAt: Timestamp(milliseconds: row["updated_at"]))
    }
}
