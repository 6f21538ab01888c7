import Foundation
import PushKit
import SimBridgeWire
import StorageKit
import WireKit

/// The push settings of a client device as stored.
struct PushRecord: Sendable {
    var device: Device.ID
    var address: PushAddress
    var content: PushContent
    var language: String
    /// The environment that an APNs token turned out to belong to, or that the app named.
    var environment: APNSEnvironment?
    var setAt: Timestamp
}

extension PushRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            device: try row.get("device"), address: try WireJSON.decode(from: Data(try row.get("address", as: String.self).utf8)),
            content: try row.get("content"), language: try row.get("language"), environment: try row.get("environment"),
            setAt: try row.get("set_at"))
    }
}

extension ReadTransaction {
    func pushRecord(of device: Device.ID) throws -> PushRecord? {
        try first("SELECT device, address, content, language, environment, set_at FROM push_devices WHERE device = ?", device)
    }

    /// True if a client receives what a host reports.
    func isPaired(_ host: Device.ID, with client: Device.ID) throws -> Bool {
        try exists("SELECT 1 FROM pairings WHERE host = ? AND client = ?", host, client)
    }
}

extension WriteTransaction {
    /// Stores the settings of a device. Its address belongs to no other device from then on.
    func store(_ record: PushRecord) throws {
        let (address, key) = (String(decoding: try WireJSON.encode(record.address), as: UTF8.self), record.address.key)
        try execute("DELETE FROM push_devices WHERE address_key = ? AND device <> ?", key, record.device)
        try execute(
            """
            INSERT INTO push_devices (device, address, address_key, content, language, environment, set_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (device) DO UPDATE SET address = excluded.address, address_key = excluded.address_key,
                content = excluded.content, language = excluded.language, environment = excluded.environment,
                set_at = excluded.set_at
            """, record.device, address, key, record.content, record.language, record.environment, record.setAt)
    }

    func removePush(of device: Device.ID) throws { try execute("DELETE FROM push_devices WHERE device = ?", device) }

    /// Removes the settings of the devices that nobody is paired with any more.
    func removePushOfUnpaired(_ clients: [Device.ID]) throws {
        for client in clients {
            try execute(
                "DELETE FROM push_devices WHERE device = ?1 AND NOT EXISTS (SELECT 1 FROM pairings WHERE client = ?1)", client)
        }
    }

    /// Removes the settings of all devices of an account, whose tokens are void.
    func removePush(of account: Account.ID) throws {
        try execute("DELETE FROM push_devices WHERE device IN (SELECT id FROM devices WHERE account = ?)", account)
    }
}
