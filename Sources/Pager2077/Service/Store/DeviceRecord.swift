import Foundation
import Pager2077Wire
import PushKit
import StorageKit
import WireKit

/// A phone or browser of a user, as stored.
struct DeviceRecord: Hashable, Sendable {
    var user: User.ID
    var id: PushDevice.ID
    var address: PushAddress?
    /// The time when the app last sent the address.
    var addressAt: Timestamp?
    /// The time when the push service declared the address dead; nil for a live one. The app revives it by sending it again.
    var addressDiedAt: Timestamp?
    /// The APNs environment confirmed by Apple; nil until the first reply, when the one declared by the app is used.
    var environment: APNSEnvironment?
    /// The token that starts a Live Activity.
    var startToken: String?
    var startTokenAt: Timestamp?
    var language = "en"
    /// True if notifications may contain the text of messages; false until the app allows it.
    var showsPreviews = false
    var updatedAt: Timestamp
}

extension DeviceRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            user: try row.get("user"), id: try row.get("id"), address: try row.get("address"),
            addressAt: try row.get("address_at"), addressDiedAt: try row.get("address_died_at"),
            environment: try row.get("environment"), startToken: try row.get("start_token"),
            startTokenAt: try row.get("start_token_at"), language: try row.get("language"),
            showsPreviews: try row.get("shows_previews"), updatedAt: try row.get("updated_at"))
    }
}

extension ReadTransaction {
    /// Returns the devices of a user, the latest changed first.
    func devices(of user: User.ID) throws -> [DeviceRecord] {
        try all(#"SELECT * FROM devices WHERE "user" = ? ORDER BY updated_at DESC, id"#, user)
    }

    func device(_ id: PushDevice.ID, of user: User.ID) throws -> DeviceRecord? {
        try first(#"SELECT * FROM devices WHERE "user" = ? AND id = ?"#, user, id)
    }

    func device(addressKey: String) throws -> DeviceRecord? { try first("SELECT * FROM devices WHERE address_key = ?", addressKey) }
    func device(startToken: String) throws -> DeviceRecord? { try first("SELECT * FROM devices WHERE start_token = ?", startToken) }

    /// Returns the users who stored a start token without naming a device.
    func users(startToken: String) throws -> [UserRecord] {
        try all("SELECT * FROM users WHERE live_activity_token = ?", startToken)
    }

    /// Returns the users who registered with a token, in lower case, upper case or as given.
    func users(token: String) throws -> [UserRecord] {
        try all("SELECT * FROM users WHERE device_token IN (?, ?, ?)", token, token.lowercased(), token.uppercased())
    }
}

extension WriteTransaction {
    /// Inserts or replaces a device.
    ///
    /// - Precondition: No other device has its address or its start token.
    func store(_ device: DeviceRecord) throws {
        try execute(
            """
            INSERT INTO devices ("user", id, address, address_key, address_at, address_died_at, environment, start_token,
                start_token_at, language, shows_previews, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT ("user", id) DO UPDATE SET address = excluded.address, address_key = excluded.address_key,
                address_at = excluded.address_at, address_died_at = excluded.address_died_at, environment = excluded.environment,
                start_token = excluded.start_token, start_token_at = excluded.start_token_at, language = excluded.language,
                shows_previews = excluded.shows_previews, updated_at = excluded.updated_at
            """, device.user, device.id, device.address, device.address?.key, device.addressAt, device.addressDiedAt,
            device.environment,
            device.startToken, device.startTokenAt, device.language, device.showsPreviews, device.updatedAt)
    }

    /// - Returns: True if the device existed.
    func removeDevice(_ id: PushDevice.ID, of user: User.ID) throws -> Bool {
        try execute(#"DELETE FROM devices WHERE "user" = ? AND id = ?"#, user, id) > 0
    }

    /// Removes the devices of `user` that have not been changed for the longest time, beyond `limit`.
    func removeDevices(of user: User.ID, beyond limit: Int) throws {
        try execute(
            """
            DELETE FROM devices WHERE "user" = ?1 AND id NOT IN
                (SELECT id FROM devices WHERE "user" = ?1 ORDER BY updated_at DESC, position DESC LIMIT ?2)
            """, user, limit)
    }
}
