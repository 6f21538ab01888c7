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
