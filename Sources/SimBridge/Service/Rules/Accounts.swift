import Foundation
import Logging
import ServerKit
import SimBridgeWire
import StorageKit
import WireKit

/// An account whose owner has just proved their identity.
struct Authenticated: Sendable {
    var account: Account.ID
    /// Count of the account's password changes at the time of the proof. A token of this generation is void after the next change.
    var generation: Int
}

/// Registration, login, sign-in with Google, changes of the password, and deletion.
struct Accounts: Sendable {
    let store: Database
    let now: @Sendable () -> Timestamp
    let passwordCost: PasswordHash.Cost
    /// Nil when sign-in with Google is not configured.
    let google: IdentityTokens?
    /// Limits password checks for each user name, as sent.
    let logins = RateLimiter(limit: 5, per: .seconds(60))
    /// Maximum password hashes under way or waiting. Each takes about 0.1 s of processor time.
    private let maximumHashes: Int
    private let hashes = Locked(0)
    let logger: Logger
    let lines: Lines
    let passwordRule: PasswordRule
    /// True if anyone may register. The first account can always be created.
    let isRegistrationOpen: Bool
    /// The state of each account that was looked up or deleted.
    private let states = Locked<[Account.ID: State]>([:])
    /// A hash that no password matches. Compared if an account has no hash, so that the reply takes as long as with one.
    private let standIn: PasswordHash

    init(
        store: Database, now: @escaping @Sendable () -> Timestamp, passwordCost: PasswordHash.Cost, maximumHashes: Int,
        google: IdentityTokens?, lines: Lines, passwordRule: PasswordRule, isRegistrationOpen: Bool, logger: Logger
    ) {
        self.lines = lines
        self.passwordRule = passwordRule
        self.isRegistrationOpen = isRegistrationOpen
        self.maximumHashes = maximumHashes
        self.store = store
        self.now = now
        self.passwordCost = passwordCost
        self.google = google
        self.logger = logger
        standIn = .unmatchable(cost: passwordCost)
    }

    enum State: Equatable, Sendable {
        /// The account exists. `generation` is the count of its password changes; tokens of an earlier generation are void.
        case open(generation: Int)
        case deleted
        /// The relay has never created this account.
        case unknown
    }

    func state(of id: Account.ID) async throws -> State {
        if let known = states.withLock({ $0[id] }) { return known }
        let found = try await store.read { try $0.state(of: id) }
        guard found != .unknown else { return .unknown }
        return states.withLock { states in
            // A change may have been committed since the read. An id is never used again.
            switch (found, states[id]) {
            case (_, .deleted?), (.deleted, _): states[id] = .deleted
            case (.open(let generation), .open(let known)?): states[id] = .open(generation: max(generation, known))
            default: states[id] = found
            }
            return states[id] ?? found
        }
    }

    /// - Throws: `FieldErrors` for a new password that ``passwordRule`` refuses.
    func check(_ password: String, of username: String, field: String) throws {
        guard let problem = passwordRule.problem(with: password, of: username) else { return }
        var fields = FieldReader([:])
        switch problem {
        case .tooShort(let minimum): fields.report(field, .invalid, "\(field) must have at least \(minimum) characters")
        case .tooLong: fields.report(field, .invalid, "\(field) must have at most \(Account.maximumPasswordLength) bytes")
        case .common: fields.report(field, .invalid, "\(field) is one of the first that others would try; choose another")
        }
        try fields.finish()
    }

    func register(_ credentials: Credentials) async throws -> Registered {
        let taken = RelayError(.badRequest, "Username already taken")
        // Checked before the expensive hash, and again with the insertion.
        let name = credentials.username
        let isOpen = isRegistrationOpen
        try await store.read {
            try $0.checkRegistration(isOpen: isOpen)
            if try $0.isTaken(name) { throw taken }
        }
        let hash = try await hashing { try await PasswordHash(credentials.password, cost: passwordCost).text }
        let time = now()
        let id = try await store.write { transaction in
            try transaction.checkRegistration(isOpen: isOpen)
            if try transaction.isTaken(name) { throw taken }
            return try transaction.insertAccount(name, passwordHash: hash, at: time)
        }
        return Registered(id: id, username: name)
    }

    func login(_ credentials: Credentials) async throws -> Authenticated {
        if let wait = await logins.attempt(credentials.username) { throw RelayError.tooManyAttempts(retryAfter: wait) }
        let name = credentials.username
        // The generation is read together with the hash, because the password may change during the comparison.
        let found = try await store.read {
            try $0.first(
                "SELECT id, username, password_hash, generation FROM accounts WHERE username = ?", name, as: AccountRecord.self)
        }
        let stored = found?.hash.map(PasswordHash.init(stored:))
        let matches = try await hashing { await (stored ?? standIn).matches(credentials.password) }
        guard let found, stored != nil, matches else { throw RelayError(.unauthorized, "Invalid credentials") }
        return Authenticated(account: found.id, generation: found.generation)
    }

    /// Sets a new password. Voids earlier tokens, and closes the connections that were opened with them.
    func change(_ change: PasswordChange, of account: Account.ID) async throws -> Authenticated {
        let found = try await owner(of: account, password: change.password)
        try check(change.newPassword, of: found.name, field: "new_password")
        let new = try await hashing { try await PasswordHash(change.newPassword, cost: passwordCost).text }
        return try await store.write { transaction in
            let generation = try transaction.first(
                """
                UPDATE accounts SET password_hash = ?, generation = generation + 1 WHERE id = ? AND password_hash = ?
                RETURNING generation
                """, new, account, found.hash, as: Int.self)
            // Another call changed the password meanwhile.
            guard let generation else { throw Self.wrongPassword }
            // The other devices are logged out. A lost device must not receive further notifications.
            try transaction.removePush(of: account)
            return generation
        } onCommit: { [states, lines] (generation: Int) in
            states.withLock { $0[account] = .open(generation: generation) }
            lines.end(of: account, before: generation)
            return Authenticated(account: account, generation: generation)
        }
    }

    private static let wrongPassword = RelayError(.forbidden, "Wrong password")

    /// - Throws: ``RelayError`` for a wrong password, and for an account without a password.
    private func owner(of account: Account.ID, password: String) async throws -> AccountRecord {
        let found = try await store.read {
            try $0.first(
                "SELECT id, username, password_hash, generation FROM accounts WHERE id = ?", account, as: AccountRecord.self)
        }
        guard let found else { throw Self.wrongPassword }
        if let wait = await logins.attempt(found.name) { throw RelayError.tooManyAttempts(retryAfter: wait) }
        let stored = found.hash.map(PasswordHash.init(stored:))
        let matches = try await hashing { await (stored ?? standIn).matches(password) }
        guard stored != nil, matches else { throw Self.wrongPassword }
        return found
    }

    /// - Throws: The error of `body`; ``RelayError`` `unavailable` if ``maximumHashes`` are under way or waiting.
    private func hashing<Value>(_ body: () async throws -> Value) async throws -> Value {
        let hasRoom = hashes.withLock { count in
            if count < maximumHashes { count += 1 } else { return false }
            return true
        }
        guard hasRoom else { throw RelayError(.unavailable, "Too many log in at once", retryAfter: .seconds(5)) }
        defer { hashes.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Finds the account by Google's id, else links the account with the same e-mail address, else creates one.
    func signIn(_ signIn: GoogleSignIn) async throws -> Authenticated {
        let (time, isOpen) = (now(), isRegistrationOpen)
        let identity = try await identity(signIn.idToken)
        return try await store.write { transaction in
            let account = try transaction.account(of: identity, isRegistrationOpen: isOpen, at: time)
            return Authenticated(account: account, generation: try transaction.generation(of: account) ?? 0)
        }
    }

    /// Verifies Google's ID token and returns the identity in it.
    private func identity(_ token: String) async throws -> Identity {
        guard let google else { throw RelayError(.notImplemented, "Google authentication is not configured") }
        do {
            return try await google.verify(token, now: now().date)
        } catch let error as TokenError {
            throw RelayError(.unauthorized, "Invalid Google token: \(error.sentence)")
        } catch let error where !(error is CancellationError) {
            logger.error("Cannot get the keys of Google's tokens", metadata: ["error": "\(error)"])
            throw RelayError(.unavailable, "Google cannot be reached", retryAfter: .seconds(5))
        }
    }

    // MARK: Deletion

    /// Deletes an account and all its data, and closes the connections of its devices.
    ///
    /// - Throws: ``RelayError`` for a wrong proof.
    func delete(_ deletion: AccountDeletion, of account: Account.ID) async throws {
        // The column and value of the proof, compared again in the deleting transaction.
        let proof: (column: String, value: String)
        if let token = deletion.idToken {
            proof = ("google_id", try await identity(token).subject)
        } else {
            guard let hash = try await owner(of: account, password: deletion.password ?? "").hash else { throw Self.wrongPassword }
            proof = ("password_hash", hash)
        }
        let refusal = deletion.idToken == nil ? Self.wrongPassword : RelayError(.forbidden, "This is another Google account")
        // In a task of its own: the caller may disconnect.
        try await Task {
            try await store.write { transaction in
                guard try transaction.exists("SELECT 1 FROM accounts WHERE id = ? AND \(proof.column) = ?", account, proof.value)
                else { throw refusal }
                return try transaction.deleteAccount(account)
            } onCommit: { [states, lines] (devices: [Device.ID]) in
                states.withLock { $0[account] = .deleted }
                lines.delete(account, devices)
            }
            try await removeMessagesOfDeletedAccounts()
        }.value
    }

    /// Removes the messages of deleted accounts, in batches that let other writes through. After a crash, the next pruning resumes.
    func removeMessagesOfDeletedAccounts() async throws {
        var hasRemoved = false
        while true {
            let messages = try await store.read { try $0.messagesOfDeletedAccounts(limit: History.pruneBatch) }
            if messages.isEmpty { break }
            try await store.write { try $0.forget(messages) }
            hasRemoved = true
        }
        if hasRemoved { try await store.shrink() }
    }
}

extension TokenError {
    var sentence: String {
        switch self {
        case .invalid(let reason): reason
        case .expired: "Token expired"
        }
    }
}

private struct AccountRecord: RowDecodable, Sendable {
    var id: Account.ID
    var name: String
    /// The password hash; nil for an account that only Google signs in to.
    var hash: String?
    var generation: Int

    init(row: Row) throws {
        id = try row.get("id")
        name = try row.get("username")
        hash = try row.get("password_hash")
        generation = try row.get("generation")
    }
}

extension ReadTransaction {
    fileprivate func generation(of account: Account.ID) throws -> Int? {
        try first("SELECT generation FROM accounts WHERE id = ?", account)
    }

    fileprivate func state(of account: Account.ID) throws -> Accounts.State {
        if let generation = try generation(of: account) { return .open(generation: generation) }
        let last = try one(
            "SELECT COALESCE(MAX(id), 0) FROM (SELECT MAX(id) AS id FROM accounts UNION ALL SELECT last FROM deleted_accounts) AS ids",
            as: Int64.self)
        return account.rawValue >= 1 && account.rawValue <= last ? .deleted : .unknown
    }

    /// Returns messages of deleted accounts. Steps over the index from account to account, without reading other messages.
    fileprivate func messagesOfDeletedAccounts(limit: Int) throws -> [HistoryItem.ID] {
        try all(
            """
            WITH RECURSIVE owners (id) AS (
                SELECT MIN(account) FROM messages
                UNION ALL SELECT (SELECT MIN(account) FROM messages WHERE account > owners.id) FROM owners WHERE owners.id IS NOT NULL)
            SELECT messages.id FROM owners JOIN messages ON messages.account = owners.id
            WHERE owners.id NOT IN (SELECT id FROM accounts) LIMIT ?
            """, limit)
    }

    fileprivate func isTaken(_ username: String) throws -> Bool {
        try exists("SELECT 1 FROM accounts WHERE username = ?", username)
    }

    fileprivate func checkRegistration(isOpen: Bool) throws {
        if isOpen { return }
        if try exists("SELECT 1 FROM accounts") { throw RelayError(.forbidden, "Registration is closed") }
    }
}

extension WriteTransaction {
    /// Removes an account and all its data except its messages.
    ///
    /// - Returns: The devices of the account.
    fileprivate func deleteAccount(_ account: Account.ID) throws -> [Device.ID] {
        let devices = "SELECT id FROM devices WHERE account = ?1"
        try execute("DELETE FROM pushes WHERE recipient IN (SELECT CAST(id AS TEXT) FROM devices WHERE account = ?)", account)
        try execute("DELETE FROM push_devices WHERE device IN (\(devices))", account)
        try execute("DELETE FROM pairings WHERE host IN (\(devices)) OR client IN (\(devices))", account)
        try execute("DELETE FROM pairing_codes WHERE host IN (\(devices))", account)
        try execute("DELETE FROM ended_pairing_codes WHERE host IN (\(devices))", account)
        try execute("DELETE FROM commands WHERE sender IN (SELECT 'device:' || id FROM devices WHERE account = ?)", account)
        try execute("DELETE FROM commands WHERE sender = ?", "account:\(account)")
        let removed = try all("DELETE FROM devices WHERE account = ? RETURNING id", account, as: Device.ID.self)
        try execute("DELETE FROM accounts WHERE id = ?", account)
        try execute("UPDATE deleted_accounts SET last = ?1 WHERE last < ?1", account)
        return removed
    }

    fileprivate func insertAccount(
        _ username: String, passwordHash: String? = nil, google: Identity? = nil, at time: Timestamp
    ) throws -> Account.ID {
        try one(
            """
            INSERT INTO accounts (username, password_hash, google_id, email, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id
            """, username, passwordHash, google?.subject, google?.verifiedEmail, time)
    }

    fileprivate func account(of identity: Identity, isRegistrationOpen: Bool, at time: Timestamp) throws -> Account.ID {
        if let id = try first("SELECT id FROM accounts WHERE google_id = ?", identity.subject, as: Account.ID.self) { return id }
        if let email = identity.verifiedEmail,
            let id = try first(
                "SELECT id FROM accounts WHERE email = ? AND google_id IS NULL ORDER BY id", email, as: Account.ID.self)
        {
            try execute("UPDATE accounts SET google_id = ? WHERE id = ?", identity.subject, id)
            return id
        }
        try checkRegistration(isOpen: isRegistrationOpen)
        let name = identity.verifiedEmail?.prefix { $0 != "@" } ?? ""
        // Leaves room for a number within the maximum length.
        let base =
            name.isEmpty
            ? "user" : name.prefix(scalars: Account.usernameLength.upperBound - 8)
        var free = base
        for number in 1... {
            if try !isTaken(free) { break }
            free = "\(base)\(number)"
        }
        return try insertAccount(free, google: identity, at: time)
    }
}
