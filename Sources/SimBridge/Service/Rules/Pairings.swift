import GRDB
import ServerKit
import SimBridgeWire
import StorageKit
import WireKit

/// Devices, and which client may use which host.
///
/// ```
///   host ── asks for a code ──▶ relay        valid for 10 minutes, once, until the host asks for another
///   host shows it ······▶ client ── confirms ──▶ paired
/// ```
struct Pairings: Sendable {
    static let codeLifetime: Duration = .seconds(600)
    /// How often a code is drawn again when a host has it: there are a million, and nobody else writes meanwhile.
    private static let draws = 100
    /// Devices of one account.
    static let maximumDevices = 1000
    /// Clients of one host: each gets everything that it reports.
    static let maximumClients = 100

    let store: SQLiteStore
    let lines: Lines
    let now: @Sendable () -> Timestamp
    /// Draws six digits.
    let drawCode: @Sendable () -> String
    /// For each client device.
    let attempts = RateLimiter(limit: 5, per: .seconds(60))

    static func randomCode() -> String {
        let digits = String(Int.random(in: 0..<1_000_000))
        return String(repeating: "0", count: PairingCode.length - digits.count) + digits
    }

    // MARK: Devices

    func add(_ registration: DeviceRegistration, for account: Account.ID) async throws -> RegisteredDevice {
        let id = try await store.write { transaction in
            let database = transaction.database
            let count =
                try Int.fetchOne(
                    database, sql: "SELECT COUNT(*) FROM devices WHERE account = ?", arguments: [account.rawValue]) ?? 0
            guard count < Self.maximumDevices else { throw RelayError(.badRequest, "Too many devices") }
            try database.execute(
                sql: "INSERT INTO devices (account, name, kind) VALUES (?, ?, ?)",
                arguments: [account.rawValue, registration.name, registration.type.rawValue])
            return Device.ID(database.lastInsertedRowID)
        }
        return RegisteredDevice(id: id, name: registration.name, type: registration.type)
    }

    func devices(of account: Account.ID) async throws -> [Device] {
        let records = try await store.read { try $0.devices(of: account) }
        let online = lines.online(records.map(\.id))
        return records.map {
            Device(
                id: $0.id, name: $0.name, type: $0.kind, isOnline: online.contains($0.id), lastSeen: $0.lastSeen.map(RelayTime.init)
            )
        }
    }

    /// Ends the device's pairings and its line, and what still waits for it. The history stays.
    func remove(_ device: Device.ID, of account: Account.ID) async throws {
        let time = now()
        try await store.write { [lines] transaction in
            let database = transaction.database
            guard let record = try database.device(device), record.account == account else {
                throw RelayError(.notFound, "Device not found")
            }
            let peers = try database.peers(of: device, record.kind).map(\.device)
            try database.endDeliveries(to: device, reason: "the device was removed", at: time)
            try database.endQueue(of: device, reason: "the device was removed", at: time)
            for table in ["pairings WHERE host = :id OR client = :id", "pairing_codes WHERE host = :id", "devices WHERE id = :id"] {
                try database.execute(sql: "DELETE FROM \(table)", arguments: ["id": device.rawValue])
            }
            transaction.onCommit { lines.remove(device, pairedWith: peers) }
        }
    }

    // MARK: Pairs

    /// By ascending id.
    func all(of account: Account.ID) async throws -> [Pairing] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT pairings.id, host, client FROM pairings JOIN devices ON devices.id = host WHERE account = ? ORDER BY 1",
                arguments: [account.rawValue]
            ).map {
                Pairing(id: Pairing.ID($0["id"]), hostDeviceId: Device.ID($0["host"]), clientDeviceId: Device.ID($0["client"]))
            }
        }
    }

    // MARK: Codes

    func code(for host: Device.ID, of account: Account.ID) async throws -> PairingCode {
        let time = now()
        let code = try await store.write { [drawCode] transaction in
            let database = transaction.database
            guard try database.device(host, of: account, .host) != nil else { throw RelayError(.notFound, "Host device not found") }
            try database.execute(
                sql: "DELETE FROM pairing_codes WHERE host = ? OR expires_at <= ?", arguments: [host.rawValue, time.milliseconds])
            let free = try (0..<Self.draws).lazy.map { _ in drawCode() }.first { code in
                try Bool.fetchOne(
                    database, sql: "SELECT EXISTS (SELECT 1 FROM pairing_codes WHERE code = ?)", arguments: [code]) != true
            }
            guard let code = free else {
                throw RelayError(.unavailable, "There is no free pairing code", retryAfter: .seconds(60))
            }
            try database.execute(
                sql: "INSERT INTO pairing_codes (host, code, expires_at) VALUES (?, ?, ?)",
                arguments: [host.rawValue, code, (time + Self.codeLifetime).milliseconds])
            return code
        }
        return PairingCode(code: code, expiresInSeconds: Int(Self.codeLifetime.components.seconds))
    }

    func confirm(_ confirmation: PairConfirmation, by account: Account.ID) async throws -> Paired {
        let client = confirmation.clientDeviceId
        guard try await store.read({ try $0.device(client, of: account, .client) }) != nil else {
            throw RelayError(.notFound, "Client device not found")
        }
        if let wait = await attempts.attempt("\(client)") { throw RelayError.tooManyAttempts(retryAfter: wait) }
        let time = now()
        return try await store.write { [lines] transaction in
            let database = transaction.database
            let found = try Row.fetchOne(
                database,
                sql: """
                    SELECT host, account FROM pairing_codes JOIN devices ON devices.id = host WHERE code = ? AND expires_at > ?
                    """, arguments: [confirmation.code, time.milliseconds])
            guard let found else { throw RelayError(.badRequest, "Invalid or expired pairing code") }
            let host = Device.ID(found["host"])
            guard found["account"] == account.rawValue else {
                throw RelayError(.forbidden, "Pairing code does not belong to your account")
            }
            try database.execute(sql: "DELETE FROM pairing_codes WHERE host = ?", arguments: [host.rawValue])
            let known = try Int64.fetchOne(
                database, sql: "SELECT id FROM pairings WHERE host = ? AND client = ?", arguments: [host.rawValue, client.rawValue])
            if let known { return Paired(status: .alreadyPaired, pairingId: Pairing.ID(known), hostDeviceId: nil) }
            let clients =
                try Int.fetchOne(
                    database, sql: "SELECT COUNT(*) FROM pairings WHERE host = ?", arguments: [host.rawValue]) ?? 0
            guard clients < Self.maximumClients else {
                throw RelayError(.badRequest, "Too many clients are paired with this host")
            }
            try database.execute(
                sql: "INSERT INTO pairings (host, client, created_at) VALUES (?, ?, ?)",
                arguments: [host.rawValue, client.rawValue, time.milliseconds])
            let id = Pairing.ID(database.lastInsertedRowID)
            transaction.onCommit { lines.paired(id, host: host, client: client) }
            return Paired(status: .paired, pairingId: id, hostDeviceId: host)
        }
    }
}
