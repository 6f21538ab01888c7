import PushKit
import ServerKit
package import SimBridgeWire
package import StorageKit
import WireKit

/// The devices of an account, and the pairs of hosts and clients.
///
/// ```
///   host ── requests a code ──▶ relay        valid for 10 minutes, once, until the host requests another
///   host shows it ······▶ client ── confirms ──▶ paired
/// ```
/// The last ended codes of a host are stored, so that a refusal can state if the code was used or has expired.
struct Pairings: Sendable {
    static let codeLifetime: Duration = .seconds(600)
    /// Maximum ended codes stored for each host.
    static let maximumEndedCodes = 5
    /// Maximum codes drawn for one request, which fails if all of them are taken. There are a million codes.
    private static let maximumDraws = 100
    /// Maximum devices of one account.
    static let maximumDevices = 1000
    /// Maximum clients of one host. Each receives everything that the host reports.
    static let maximumClients = 100

    let store: Database
    let lines: Lines
    let now: @Sendable () -> Timestamp
    /// Draws six digits.
    let drawCode: @Sendable () -> String
    /// Limits confirmations for each client device.
    let attempts = RateLimiter(limit: 5, per: .seconds(60))

    static func randomCode() -> String {
        let digits = String(Int.random(in: 0..<1_000_000))
        return String(repeating: "0", count: PairingCode.length - digits.count) + digits
    }

    // MARK: Devices

    func add(_ registration: DeviceRegistration, for account: Account.ID) async throws -> RegisteredDevice {
        let id = try await store.write { transaction in
            guard try transaction.exists("SELECT 1 FROM accounts WHERE id = ?", account) else {
                throw RelayError(.unauthorized, Account.deletedDetail)
            }
            let count = try transaction.one("SELECT COUNT(*) FROM devices WHERE account = ?", account, as: Int.self)
            guard count < Self.maximumDevices else { throw RelayError(.badRequest, "Too many devices") }
            return try transaction.one(
                "INSERT INTO devices (account, name, kind) VALUES (?, ?, ?) RETURNING id", account, registration.name,
                registration.type, as: Device.ID.self)
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

    /// Removes a device with its pairings, closes its connection, and fails the commands that wait for it. The history stays.
    func remove(_ device: Device.ID, of account: Account.ID) async throws {
        let time = now()
        try await store.write { transaction in
            guard let record = try transaction.device(device), record.account == account else {
                throw RelayError(.notFound, "Device not found")
            }
            let peers = try transaction.peers(of: device, record.kind).map(\.device)
            try transaction.endDeliveries(to: device, reason: "the device was removed", at: time)
            try transaction.endQueue(of: device, reason: "the device was removed", at: time)
            try transaction.execute("DELETE FROM pairings WHERE host = ?1 OR client = ?1", device)
            try transaction.execute("DELETE FROM pairing_codes WHERE host = ?", device)
            try PushDevices.remove(device, in: transaction)
            if record.kind == .host { try transaction.removePushOfUnpaired(peers) }
            try transaction.execute("DELETE FROM devices WHERE id = ?", device)
            return peers
        } onCommit: { [lines] (peers: [Device.ID]) in
            lines.remove(device, pairedWith: peers)
        }
    }

    // MARK: Pairs

    /// Returns the pairings of an account, by ascending id.
    func all(of account: Account.ID) async throws -> [Pairing] {
        try await store.read { transaction in
            try transaction.all(
                """
                SELECT pairings.id, host, client FROM pairings JOIN devices ON devices.id = host WHERE account = ?
                ORDER BY pairings.id
                """, account)
        }
    }

    // MARK: Codes

    func code(for host: Device.ID, of account: Account.ID) async throws -> PairingCode {
        let time = now()
        let code = try await store.write { [drawCode] transaction in
            guard try transaction.device(host, of: account, .host) != nil else {
                throw RelayError(.notFound, "Host device not found")
            }
            try transaction.endCodes(of: host, isUsed: false, at: time)
            // Expired codes of other hosts become free, too.
            for other in try transaction.hostsOfExpiredCodes(at: time) {
                try transaction.endCodes(of: other, isUsed: false, at: time)
            }
            let free = try (0..<Self.maximumDraws).lazy.map { _ in drawCode() }.first { code in
                try !transaction.exists("SELECT 1 FROM pairing_codes WHERE code = ?", code)
            }
            guard let code = free else {
                throw RelayError(.unavailable, "There is no free pairing code", retryAfter: .seconds(60))
            }
            try transaction.execute(
                "INSERT INTO pairing_codes (host, code, expires_at) VALUES (?, ?, ?)", host, code, time + Self.codeLifetime)
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
        return try await store.write { transaction in
            let host = try transaction.first(
                """
                SELECT devices.id, account, name, kind, last_seen FROM pairing_codes JOIN devices ON devices.id = host
                WHERE code = ? AND expires_at > ?
                """, confirmation.code, time, as: DeviceRecord.self)
            guard let host else {
                throw RelayError.code(try transaction.reason(against: confirmation.code, of: account, at: time))
            }
            guard host.account == account else {
                throw RelayError(.forbidden, "Pairing code does not belong to your account")
            }
            try transaction.endCodes(of: host.id, isUsed: true, at: time)
            let earlier = try transaction.first(
                "SELECT id FROM pairings WHERE host = ? AND client = ?", host.id, client, as: Pairing.ID.self)
            if let earlier { return Paired(status: .alreadyPaired, pairingId: earlier, hostDeviceId: nil) }
            let clients = try transaction.one("SELECT COUNT(*) FROM pairings WHERE host = ?", host.id, as: Int.self)
            guard clients < Self.maximumClients else {
                throw RelayError(.badRequest, "Too many clients are paired with this host")
            }
            let id = try transaction.one(
                "INSERT INTO pairings (host, client, created_at) VALUES (?, ?, ?) RETURNING id", host.id, client, time,
                as: Pairing.ID.self)
            return Paired(status: .paired, pairingId: id, hostDeviceId: host.id)
        } onCommit: { [lines] (paired: Paired) in
            if let host = paired.hostDeviceId { lines.paired(paired.pairingId, host: host, client: client) }
            return paired
        }
    }
}

extension ReadTransaction {
    fileprivate func hostsOfExpiredCodes(at time: Timestamp) throws -> [Device.ID] {
        try all("SELECT host FROM pairing_codes WHERE expires_at <= ? LIMIT 100", time, as: Device.ID.self)
    }

    /// Returns the reason for the refusal of a code: `wrong` for every code of another account, live or ended.
    fileprivate func reason(
        against code: String, of account: Account.ID, at time: Timestamp
    ) throws -> PairingRefusal.Reason {
        let isUsed = try first(
            """
            SELECT is_used FROM (
                SELECT host, 0 AS is_used, expires_at AS ended_at FROM pairing_codes WHERE code = ?1 AND expires_at <= ?2
                UNION ALL SELECT host, is_used, ended_at FROM ended_pairing_codes WHERE code = ?1
            ) AS codes JOIN devices ON devices.id = host WHERE account = ?3 ORDER BY ended_at DESC
            """, code, time, account, as: Bool.self)
        return switch isUsed {
        case nil: .wrong
        case true?: .used
        case false?: .expired
        }
    }
}

extension WriteTransaction {
    /// Ends the code of a host, and removes its ended codes beyond ``Pairings/maximumEndedCodes``.
    fileprivate func endCodes(of host: Device.ID, isUsed: Bool, at time: Timestamp) throws {
        try execute(
            """
            INSERT INTO ended_pairing_codes (host, code, is_used, ended_at)
            SELECT host, code, ?2, CASE WHEN expires_at < ?3 THEN expires_at ELSE ?3 END FROM pairing_codes WHERE host = ?1
            ON CONFLICT (host, code) DO UPDATE SET is_used = excluded.is_used, ended_at = excluded.ended_at
            """, host, isUsed, time)
        try execute("DELETE FROM pairing_codes WHERE host = ?", host)
        try execute(
            """
            DELETE FROM ended_pairing_codes WHERE host = ?1 AND code NOT IN
                (SELECT code FROM ended_pairing_codes WHERE host = ?1 ORDER BY ended_at DESC, code LIMIT ?2)
            """, host, Pairings.maximumEndedCodes)
    }
}

extension Pairing: RowDecodable {
    package init(row: Row) throws {
        self.init(id: try row.get("id"), hostDeviceId: try row.get("host"), clientDeviceId: try row.get("client"))
    }
}
