import ArgumentParser
import Foundation
import LocalLLMService
import NetworkingKit
import ServerKit
import StorageKit

/// `switchboard localllm`.
struct LocalLLMCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "localllm", abstract: "Chat with the language model of this computer from a phone.",
        subcommands: [LocalLLMHostCommand.self, LocalLLMPhonesCommand.self, LocalLLMChatCommand.self])

    static var standardFolder: URL { ServeConfiguration.standardDataFolder.appending(path: "localllm-host") }

    /// Returns the path of a host's database.
    static func database(in folder: URL) -> String { folder.appending(path: "host.db").path }

    /// - Throws: `StartupError`, also while another process has the store open.
    static func openStore(_ folder: URL) throws -> AnswerStore {
        do {
            return try AnswerStore(path: database(in: folder))
        } catch let problem as StorageError {
            throw StartupError(problem.description)
        }
    }
}

/// `switchboard localllm phones`.
struct LocalLLMPhonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phones", abstract: "List the phones of a host, approve or remove one.",
        discussion: """
            A phone that has tried to connect is listed, too. A removed phone loses its
            answers, and its approval. Phones are listed while the host runs; to approve or
            remove one then, type 'approve' or 'remove' in the host's terminal.
            """)

    @Option(help: ArgumentHelp("The phone to remove: the beginning of its key.", valueName: "phone"))
    var remove: String?

    @Option(help: ArgumentHelp("The phone to let in: the beginning of its key.", valueName: "phone"))
    var approve: String?

    @Option(
        help: ArgumentHelp("The data folder of the host. [default: \(LocalLLMCommand.standardFolder.path)]", valueName: "folder"))
    var data: String?

    func run() async throws {
        let folder = data.map { URL(filePath: $0) } ?? LocalLLMCommand.standardFolder
        let database = LocalLLMCommand.database(in: folder)
        guard FileManager.default.fileExists(atPath: database) else {
            throw StartupError("There is no host in \(folder.path); start one with 'switchboard localllm host'")
        }
        do {
            if let remove { try await change(remove, in: database, "remove") { _ = try await $0.remove($1) } }
            if let approve { try await change(approve, in: database, "approve") { try await $0.approve($1) } }
            if remove == nil, approve == nil { try await list(in: database) }
        } catch let problem as HostConsole.Misunderstanding {
            throw StartupError(problem.description)
        } catch let problem as StorageError {
            throw StartupError(problem.description)
        }
    }

    private func list(in database: String) async throws {
        let phones = try await AnswerStore.phones(readingFrom: database)
        for phone in phones { print(phone.words) }
        // Not on standard output, which scripts read.
        if phones.isEmpty { try? FileHandle.standardError.write(contentsOf: Data("No phone has connected yet.\n".utf8)) }
    }

    private func change(
        _ text: String, in database: String, _ command: String, _ body: (AnswerStore, PeerKey) async throws -> Void
    ) async throws {
        let phone = try HostConsole.phone(text, of: try await AnswerStore.phones(readingFrom: database).map(\.key))
        do {
            let store = try AnswerStore(path: database)
            defer { store.close() }
            try await body(store, phone)
        } catch let problem as StorageError where problem.code == .inUse {
            // The running host has the phone's connection and answers in memory, too.
            throw StartupError("The host is running; type '\(command) \(phone.short)' in its terminal, or stop it first")
        }
    }
}

extension KnownPhone {
    /// One row of a list.
    var words: String {
        let seen = Date(timeIntervalSince1970: Double(lastSeen) / 1000).formatted(.iso8601)
        return "\(key.short)  last connected \(seen)\(isApproved ? ", approved" : "")"
    }
}
