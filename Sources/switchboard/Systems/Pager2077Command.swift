import ArgumentParser
import Foundation
import Pager2077Service
import Pager2077Wire
import ServerKit
import StorageKit
import WireKit

/// `switchboard pager2077`.
struct Pager2077Command: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: PagerService.name, abstract: "Look after a pager service: reports, accounts.",
        subcommands: [PagerReportsCommand.self, PagerDeleteCommand.self])
}

/// The options that name the database of an operator's command.
struct PagerDatabase: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The data folder of the box. [default: \(ServeConfiguration.standardDataFolder.path)]", valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The database, if it is elsewhere: a file, or a URL postgresql://… [env: PAGER2077_DB_PATH, SWITCHBOARD_DATABASE]",
            valueName: "database"))
    var database: String?

    func validate() throws {
        for (name, value) in [("data", data), ("database", database)] where value?.isEmpty == true {
            throw ValidationError("--\(name) has no value")
        }
    }

    /// - Throws: `StartupError` if there is no such file.
    func service() throws -> PagerOperator {
        let folder = data.map { URL(filePath: $0) } ?? ServeConfiguration.standardDataFolder
        let path = database ?? (data == nil ? ProcessInfo.processInfo.environment["PAGER2077_DB_PATH"] : nil)
        let server = database ?? ProcessInfo.processInfo.environment["SWITCHBOARD_DATABASE"]
        if let server, DatabaseLocation.isPostgreSQL(server), path == nil || path == server {
            return PagerOperator(database: .postgreSQL(PostgreSQLAddress(url: server, schema: PagerService.name)))
        }
        let file = path.map { URL(filePath: $0) } ?? folder.appending(path: "pager.db")
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw StartupError("There is no pager service with the database \(file.path)")
        }
        return PagerOperator(database: .file(file))
    }

    /// Carries out an order and prints the result.
    func carryOut(_ order: OperatorOrder, done: String, notFound: String) async throws {
        do {
            switch try await service().carryOut(order) {
            case .done: print(done)
            case .left: print("The service is running, and does so within seconds.")
            case .notFound: throw StartupError(notFound)
            }
        } catch let problem as StorageError {
            throw StartupError(problem.description)
        }
    }
}

/// `switchboard pager2077 reports`.
struct PagerReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports", abstract: "List what users have reported, or close a report.",
        discussion: """
            Reports of the same user, or of the same message, are one entry. Nothing says
            who has reported. Reports are kept for 180 days.

            Works while the box runs.
            """)

    @Option(help: ArgumentHelp("Close the report with this number.", valueName: "number"))
    var close: Int64?

    @OptionGroup var database: PagerDatabase

    func run() async throws {
        if let close {
            return try await database.carryOut(
                .closeReport(close), done: "Closed.", notFound: "There is no report \(close)")
        }
        let reports: [ReportSummary]
        do {
            reports = try await database.service().reports()
        } catch let problem as StorageError {
            throw StartupError(problem.description)
        }
        for report in reports { print(report.words) }
        // Not on standard output, which scripts read.
        if reports.isEmpty { try? FileHandle.standardError.write(contentsOf: Data("There are no reports.\n".utf8)) }
    }
}

/// `switchboard pager2077 delete`.
struct PagerDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete the account with a hex code.",
        discussion: """
            Everything of the account goes, as if its user had deleted it, and the reports
            of it are closed. Its phones lose the connection at once. This cannot be undone.

            Works while the box runs.
            """)

    @Argument(help: ArgumentHelp("The hex code of the account.", valueName: "code"))
    var code: String

    @OptionGroup var database: PagerDatabase

    func validate() throws {
        guard HexCode(rawValue: code) != nil else {
            throw ValidationError("\"\(code)\" is not a hex code; expected eight hexadecimal digits")
        }
    }

    func run() async throws {
        guard let code = HexCode(rawValue: code) else { return }
        try await database.carryOut(
            .deleteAccount(code), done: "Deleted \(code).", notFound: "There is no account with the code \(code)")
    }
}

extension ReportSummary {
    /// The row of the report, and a row with the text of a message. Both are without control characters: other users chose name and text.
    var words: String {
        let time = at.date.formatted(.iso8601)
        let counts = Dictionary(grouping: reasons, by: \.rawValue).mapValues(\.count).sorted {
            ($1.value, $0.key) < ($0.value, $1.key)
        }
        let reasons = counts.map { $0.value > 1 ? "\($0.key) (\($0.value))" : $0.key }.joined(separator: ", ")
        let user = hexCode.map { "\($0)\(name.map { " \"\($0.printableInOneRow)\"" } ?? "")" } ?? "account deleted"
        return "\(id)  \(time)  \(user)  \(reasons)" + (text.map { "\n    \($0.printableInOneRow)" } ?? "")
    }
}
