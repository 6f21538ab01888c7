import Foundation
package import StorageKit
package import Testing

/// The databases of tests that are for both engines: files of SQLite, or with `SWITCHBOARD_TEST_POSTGRESQL=1` schemas of a PostgreSQL cluster that
/// lives as long as the tests.
package enum TestDatabase {
    /// Tests of what only one engine has are enabled by this.
    package static let isPostgreSQL = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_POSTGRESQL"] == "1"

    /// - Parameter path: The file. In PostgreSQL, the same path is the same schema.
    package static func open(_ path: String, migrations: [Migration]) throws -> Database {
        try Database(at: location(path), migrations: migrations)
    }

    package static func location(_ path: String) throws -> DatabaseLocation {
        guard isPostgreSQL else { return .file(URL(filePath: path)) }
        let name = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return .postgreSQL(PostgreSQLAddress(url: try cluster.get().url, schema: "t\(String(name, radix: 16))"))
    }

    private static let cluster = Result { try Cluster() }

    /// `Scripts/postgresql-for-tests`, which ends when this process does.
    private final class Cluster: Sendable {
        let url: String
        private let input: FileHandle

        init(script: String = #filePath) throws {
            let root = (0..<4).reduce(URL(filePath: script)) { url, _ in url.deletingLastPathComponent() }
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = root.appending(path: "Scripts/postgresql-for-tests")
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            var text = Data()
            while text.last != UInt8(ascii: "\n") {
                let more = output.fileHandleForReading.availableData
                // The script has said why.
                if more.isEmpty { throw CocoaError(.executableNotLoadable) }
                text += more
            }
            url = String(decoding: text.dropLast(), as: UTF8.self)
            self.input = input.fileHandleForWriting
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// For what only SQLite has.
    package static var onSQLite: Self { .disabled(if: TestDatabase.isPostgreSQL) }
    /// For what only PostgreSQL has.
    package static var onPostgreSQL: Self { .enabled(if: TestDatabase.isPostgreSQL) }
}

extension TestDatabase {
    /// The database of a service that was killed, for another process. In PostgreSQL it is the same database.
    ///
    /// - Parameter name: The file in `folder`.
    /// - Returns: The folder that the other process opens.
    package static func leftBehind(_ name: String, in folder: TemporaryFolder) throws -> TemporaryFolder {
        if isPostgreSQL { return folder }
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
        return copy
    }

    /// An expression of the size of a text in bytes.
    package static func size(of column: String) -> String {
        isPostgreSQL ? "OCTET_LENGTH(\(column))" : "LENGTH(CAST(\(column) AS BLOB))"
    }
}

private struct Column: RowDecodable {
    var name: String
    /// An expression of a value as a text.
    var text: String

    init(row: Row) throws {
        name = try row.get("name")
        text = try row.get("type") == "bytea" ? #"encode("\#(name)", 'escape')"# : #"CAST("\#(name)" AS TEXT)"#
    }
}

extension ReadTransaction {
    /// Every value of every column as a text, by the table and the column. NULL is `nil`.
    package func values() throws -> [String: [String: [String?]]] {
        let tables: [String] = try all(
            TestDatabase.isPostgreSQL
                ? "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()"
                : "SELECT name FROM sqlite_master WHERE type = 'table'")
        var values: [String: [String: [String?]]] = [:]
        for table in tables where !["sqlite_", "grdb_", "migrations", "transaction_marks"].contains(where: table.hasPrefix) {
            let columns = try all(
                TestDatabase.isPostgreSQL
                    ? """
                    SELECT CAST(column_name AS TEXT) AS name, CAST(data_type AS TEXT) AS type FROM information_schema.columns
                    WHERE table_schema = current_schema() AND table_name = ?
                    """ : "SELECT name, type FROM pragma_table_info(?)", table, as: Column.self)
            for column in columns {
                values[table, default: [:]][column.name] = try all(
                    #"SELECT \#(column.text) FROM "\#(table)" ORDER BY 1"#, as: String?.self)
            }
        }
        return values
    }
}
