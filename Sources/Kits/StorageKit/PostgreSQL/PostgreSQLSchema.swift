/// The tables of a service in PostgreSQL.
struct PostgreSQLSchema {
    private let address: PostgreSQLAddress

    init(_ address: PostgreSQLAddress) { self.address = address }

    /// Makes the schema where it is missing, and brings it up to date, in one transaction, while no other box writes.
    ///
    /// - Parameters:
    ///   - mustBeNew: Throws for a schema that was used before.
    ///   - fill: Runs at the end of the transaction.
    /// - Throws: ``StorageError``, `newerSchema` when a newer version has changed it.
    func migrate(
        _ migrations: [Migration], mustBeNew: Bool = false, fill: (PostgreSQLConnection) throws -> Void = { _ in }
    ) throws(StorageError) {
        let connection = try PostgreSQLConnection(address)
        do {
            let lock = AdvisoryLock.statements(schema: address.schema, subjects: nil)
            // A box that is serving ends its transactions soon; a migration may take long.
            try connection.begin("BEGIN; SET LOCAL lock_timeout = '60s'; SET LOCAL statement_timeout = 0; \(lock)")
            let names = try names(on: connection)
            if mustBeNew, !names.isEmpty {
                throw StorageError(
                    code: .unusable, description: "The schema \(address.schema) exists; drop it first to copy into it again")
            }
            let known = Set(migrations.map(\.name))
            if let newer = names.first(where: { !known.contains($0) }) {
                throw StorageError(
                    code: .newerSchema,
                    description:
                        "The schema \(address.schema) was written by a newer version of switchboard (\(newer)); update this box too"
                )
            }
            let transaction = WriteTransaction(connection)
            for migration in migrations where !names.contains(migration.name) {
                if let script = migration.postgreSQL {
                    try connection.plain(script)
                } else {
                    try migration.migrate(transaction)
                }
                try transaction.execute("INSERT INTO migrations (name) VALUES (?)", migration.name)
            }
            try fill(connection)
            guard try connection.commit() == true else {
                throw StorageError(code: .unavailable, description: "The connection to PostgreSQL was lost")
            }
        } catch {
            connection.rollback()
            let error = connection.failure?.error ?? error as? StorageError
            throw error ?? StorageError(code: .unusable, description: "Cannot use the schema \(address.schema): \(error!)")
        }
    }

    private func names(on connection: PostgreSQLConnection) throws -> Set<String> {
        // Without the right to make a schema, one that exists is enough.
        let exists = try connection.query("SELECT 1 FROM pg_namespace WHERE nspname = ?", [address.schema]) { try $0.next() != nil }
        if !exists { try connection.plain("CREATE SCHEMA \(address.schema)") }
        try connection.plain("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY); \(TransactionMark.table)")
        return try connection.query("SELECT name FROM migrations", []) { rows in
            var names: Set<String> = []
            while let row = try rows.next() { names.insert(try row.value(at: 0)) }
            return names
        }
    }
}
