import Crypto
package import Foundation
import GRDB

/// Copies the database of a service from a file of SQLite into PostgreSQL, in one transaction.
package enum DatabaseCopy {
    /// The rows of a table, and a sum of their digests, which does not depend on their order.
    package struct TableContent: Hashable, Sendable {
        package var table: String
        package var rowCount = 0
        private var sum: UInt64 = 0

        fileprivate init(table: String) { self.table = table }

        fileprivate mutating func add(_ values: [ColumnValue]) {
            rowCount += 1
            var hash = SHA256()
            for value in values {
                switch value {
                case .null: hash.update(data: [0])
                case .integer(let value): hash.update(data: Data("i\(value);".utf8))
                case .real(let value): hash.update(data: Data("r\(value.bitPattern);".utf8))
                case .text(let value): hash.update(data: Data("t\(value.utf8.count);\(value)".utf8))
                case .blob(let value): hash.update(data: Data("b\(value.count);".utf8) + value)
                }
            }
            sum &+= hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// - Parameters:
    ///   - file: Brought up to date first. No box may have it open.
    ///   - address: Its schema must not exist.
    /// - Returns: What was copied, read again from PostgreSQL, by the tables' names.
    /// - Throws: ``StorageError``, `inUse` while a box uses the file. Nothing was copied then.
    package static func copy(_ file: URL, to address: PostgreSQLAddress, migrations: [Migration]) throws(StorageError)
        -> [TableContent]
    {
        let migrations = LineTables.migrations + migrations
        let source = try SQLiteEngine.service(file.path, migrations: migrations, publisher: EventPublisher())
        defer { source.close() }
        var copied: [TableContent] = []
        try PostgreSQLSchema(address).migrate(migrations, mustBeNew: true) { target in
            copied = try source.connections.read { source in
                let tables = try Self.tables(of: source)
                for table in tables {
                    try target.plain("ALTER TABLE \(table.name) DISABLE TRIGGER USER; DELETE FROM \(table.name)")
                }
                let sent = try tables.map { try send($0, from: source, to: target) }
                let found = try tables.map { try content(of: $0, in: target) }
                for (sent, found) in zip(sent, found) where sent != found {
                    throw StorageError(code: .unusable, description: "The table \(sent.table) is another one in PostgreSQL")
                }
                for table in tables { try target.plain("ALTER TABLE \(table.name) ENABLE TRIGGER USER") }
                return found
            }
        }
        return copied.sorted { $0.table < $1.table }
    }

    private struct Table {
        var name: String
        var columns: [String]

        var list: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }
    }

    /// Returns the tables in an order in which each comes after those that its rows refer to.
    private static func tables(of source: GRDB.Database) throws -> [Table] {
        let transaction = ReadTransaction(source)
        var waiting = try transaction.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'",
            as: String.self)
        var tables: [Table] = []
        while !waiting.isEmpty {
            let ready = try waiting.filter { name in
                let parents = try transaction.all("SELECT \"table\" FROM pragma_foreign_key_list(?)", name, as: String.self)
                return !parents.contains { $0 != name && waiting.contains($0) }
            }
            guard !ready.isEmpty else { throw StorageError(code: .unusable, description: "Tables refer to each other: \(waiting)") }
            for name in ready {
                tables.append(
                    Table(name: name, columns: try transaction.all("SELECT name FROM pragma_table_info(?)", name, as: String.self)))
            }
            waiting.removeAll(where: ready.contains)
        }
        return tables
    }

    private static func send(_ table: Table, from source: GRDB.Database, to target: PostgreSQLConnection) throws -> TableContent {
        var content = TableContent(table: table.name)
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        try source.query("SELECT \(table.list) FROM \(table.name)", [], isLong: true) { rows in
            while let row = try rows.next() {
                let values = row.values
                content.add(values)
                _ = try target.execute("INSERT INTO \(table.name) (\(table.list)) VALUES (\(marks))", values.map(Stored.init))
            }
        }
        for column in table.columns {
            let sequence = try target.query("SELECT pg_get_serial_sequence(?, ?)", [table.name, column]) { rows in
                try rows.next().map { try $0.value(at: 0, as: String?.self) } ?? nil
            }
            guard let sequence else { continue }
            try target.plain("SELECT setval('\(sequence)', (SELECT COALESCE(MAX(\"\(column)\"), 0) + 1 FROM \(table.name)), false)")
        }
        return content
    }

    private static func content(of table: Table, in target: PostgreSQLConnection) throws -> TableContent {
        var content = TableContent(table: table.name)
        try target.query("SELECT \(table.list) FROM \(table.name)", [], isLong: true) { rows in
            while let row = try rows.next() { content.add(row.values) }
        }
        return content
    }

    /// A value of any type.
    private struct Stored: SQLValue {
        let columnValue: ColumnValue
        init(_ columnValue: ColumnValue) { self.columnValue = columnValue }
    }
}
