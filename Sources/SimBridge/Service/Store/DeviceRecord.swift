import GRDB
import SimBridgeWire
import WireKit

/// A device as it is stored.
struct DeviceRecord: Hashable, Sendable {
    var id: Device.ID
    var account: Account.ID
    var name: String
    var kind: Device.Kind
    var lastSeen: Timestamp?

    init(_ row: Row) {
        id = Device.ID(row["id"])
        account = Account.ID(row["account"])
        name = row["name"]
        kind = row["kind"] == "host" ? .host : .client
        lastSeen = (row["last_seen"] as Int64?).map(Timestamp.init(milliseconds:))
    }
}

/// A device that another is paired with.
struct Peer: Hashable, Sendable {
    var pairing: Pairing.ID
    var device: Device.ID
}

extension Database {
    func device(_ id: Device.ID) throws -> DeviceRecord? {
        try Row.fetchOne(
            cachedStatement(sql: "SELECT id, account, name, kind, last_seen FROM devices WHERE id = ?"), arguments: [id.rawValue]
        ).map(DeviceRecord.init)
    }

    /// A device that is `account`'s and of that kind.
    func device(_ id: Device.ID, of account: Account.ID, _ kind: Device.Kind) throws -> DeviceRecord? {
        try device(id).flatMap { $0.account == account && $0.kind == kind ? $0 : nil }
    }

    /// By ascending id.
    func devices(of account: Account.ID) throws -> [DeviceRecord] {
        try Row.fetchAll(
            self, sql: "SELECT id, account, name, kind, last_seen FROM devices WHERE account = ? ORDER BY id",
            arguments: [account.rawValue]
        ).map(DeviceRecord.init)
    }

    /// The first one paired first.
    func peers(of device: Device.ID, _ kind: Device.Kind) throws -> [Peer] {
        let (own, other) = kind == .host ? ("host", "client") : ("client", "host")
        return try Row.fetchAll(
            cachedStatement(sql: "SELECT id, \(other) AS device FROM pairings WHERE \(own) = ? ORDER BY id"),
            arguments: [device.rawValue]
        ).map { Peer(pairing: Pairing.ID($0["id"]), device: Device.ID($0["device"])) }
    }

    func setLastSeen(_ device: Device.ID, at time: Timestamp) throws {
        try cachedStatement(sql: "UPDATE devices SET last_seen = ? WHERE id = ?").execute(
            arguments: [time.milliseconds, device.rawValue])
    }
}
