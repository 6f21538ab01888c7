import SimBridgeWire
import StorageKit
import WireKit

/// A device as stored.
struct DeviceRecord: Hashable, Sendable {
    var id: Device.ID
    var account: Account.ID
    var name: String
    var kind: Device.Kind
    var lastSeen: Timestamp?
}

extension DeviceRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.get("id"), account: try row.get("account"), name: try row.get("name"), kind: try row.get("kind"),
            lastSeen: try row.get("last_seen"))
    }
}

/// A device that another one is paired with.
struct Peer: Hashable, Sendable {
    var pairing: Pairing.ID
    var device: Device.ID
}

extension Peer: RowDecodable {
    init(row: Row) throws { self.init(pairing: try row.get("pairing"), device: try row.get("device")) }
}

extension ReadTransaction {
    func device(_ id: Device.ID) throws -> DeviceRecord? {
        try first("SELECT id, account, name, kind, last_seen FROM devices WHERE id = ?", id)
    }

    /// A device of that kind, if it belongs to `account`.
    func device(_ id: Device.ID, of account: Account.ID, _ kind: Device.Kind) throws -> DeviceRecord? {
        try device(id).flatMap { $0.account == account && $0.kind == kind ? $0 : nil }
    }

    /// The devices of an account, by ascending id.
    func devices(of account: Account.ID) throws -> [DeviceRecord] {
        try all("SELECT id, account, name, kind, last_seen FROM devices WHERE account = ? ORDER BY id", account)
    }

    /// In the order of pairing.
    func peers(of device: Device.ID, _ kind: Device.Kind) throws -> [Peer] {
        switch kind {
        case .host: try all("SELECT id AS pairing, client AS device FROM pairings WHERE host = ? ORDER BY id", device)
        case .client: try all("SELECT id AS pairing, host AS device FROM pairings WHERE client = ? ORDER BY id", device)
        }
    }
}

extension WriteTransaction {
    func setLastSeen(_ device: Device.ID, at time: Timestamp) throws {
        try execute("UPDATE devices SET last_seen = ? WHERE id = ?", time, device)
    }
}
