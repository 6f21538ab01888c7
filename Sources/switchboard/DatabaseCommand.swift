import ArgumentParser
import Foundation
import Pager2077Service
import ServerKit
import SimBridgeService
import StorageKit
import TalkCoService

#if os(Linux)

    /// `switchboard database`.
    struct DatabaseCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "database", abstract: "Move what a box stores from SQLite to PostgreSQL.",
            subcommands: [DatabaseCopyCommand.self])
    }

    /// `switchboard database copy`.
    struct DatabaseCopyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy", abstract: "Copy the databases of Pager2077, SimBridge and TalkCo into PostgreSQL.",
            discussion: """
                Stop the box first: a database that is in use is refused. Each system becomes a
                schema, which must not exist yet, in one transaction. The copy is read again
                and compared with the file, by the number of rows and a checksum of each table.
                The files stay as they are.

                Start the box with the same --database afterwards.
                """)

        @Option(
            help: ArgumentHelp(
                "The data folder of the box. [default: \(ServeConfiguration.standardDataFolder.path)]", valueName: "folder"))
        var data: String?

        @Option(
            help: ArgumentHelp(
                "The PostgreSQL database, such as postgresql://user@host/name. [env: SWITCHBOARD_DATABASE]", valueName: "URL"))
        var database: String?

        func run() async throws {
            guard let url = database ?? ProcessInfo.processInfo.environment["SWITCHBOARD_DATABASE"], !url.isEmpty else {
                throw ValidationError("Missing the database: --database or SWITCHBOARD_DATABASE")
            }
            guard DatabaseLocation.isPostgreSQL(url) else {
                throw ValidationError(
                    "--database is not a database of PostgreSQL; expected an address such as postgresql://user@host/name")
            }
            let folder = data.map { URL(filePath: $0) } ?? ServeConfiguration.standardDataFolder
            let services = [
                (PagerService.name, "pager.db", PagerService.migrations),
                (SimBridgeService.name, "simbridge.db", SimBridgeService.migrations),
                (TalkCoService.name, "talkco.db", TalkCoService.migrations),
            ]
            let found = services.filter { FileManager.default.fileExists(atPath: folder.appending(path: $0.1).path) }
            if found.isEmpty { throw StartupError("There are no databases in \(folder.path)") }
            for (name, file, migrations) in found {
                do throws(StorageError) {
                    let tables = try DatabaseCopy.copy(
                        folder.appending(path: file), to: PostgreSQLAddress(url: url, schema: name), migrations: migrations)
                    let rows = tables.reduce(0) { $0 + $1.rowCount }
                    print("\(name): \(tables.count) tables, \(rows) rows, checksums equal")
                } catch {
                    throw StartupError("\(name) was not copied: \(error.description)")
                }
            }
        }
    }

#endif
