import PushKit
import SimBridgeWire
import StorageKit
import WireKit

/// The table of the client devices that receive notifications of their paired hosts.
enum PushDevices: PhoneTable {
    typealias Content = PushContent

    static let (name, key) = ("push_devices", "device")

    static func phone(of entry: PushEntry) -> Device.ID? { Int64(entry.recipient).map { Device.ID($0) } }

    static func alert(
        for entry: PushEntry, to record: PushRecord<PushDevices>, in transaction: ReadTransaction
    ) throws -> PushAlert? {
        let notification: RelayNotification = try WireJSON.decode(from: entry.content)
        let isPaired = try transaction.exists(
            "SELECT 1 FROM pairings WHERE host = ? AND client = ?", notification.host, record.phone)
        return isPaired ? PushAlert(notification, showing: record.settings.content, in: record.settings.language) : nil
    }
}

extension WriteTransaction {
    func store(_ settings: PushSettings<PushContent>, of device: Device.ID, at time: Timestamp) throws {
        let address = settings.address
        try execute("DELETE FROM push_devices WHERE address_key = ? AND device <> ?", address.key, device)
        try execute(
            """
            INSERT INTO push_devices (device, address, address_key, content, language, environment, set_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (device) DO UPDATE SET address = excluded.address, address_key = excluded.address_key,
                content = excluded.content, language = excluded.language, environment = excluded.environment, set_at = excluded.set_at
            """, device, address, address.key, settings.content, settings.language, address.environment, time)
    }

    /// Removes the push settings of clients that have no pairing.
    func removePushOfUnpaired(_ clients: [Device.ID]) throws {
        for client in clients {
            try execute(
                "DELETE FROM push_devices WHERE device = ?1 AND NOT EXISTS (SELECT 1 FROM pairings WHERE client = ?1)", client)
        }
    }

    /// Removes the push settings of all devices of an account.
    func removePush(of account: Account.ID) throws {
        try execute("DELETE FROM push_devices WHERE device IN (SELECT id FROM devices WHERE account = ?)", account)
    }
}
