import EndlessCodeProjects
import Foundation
import TestKit
import Testing
import WireKit

/// An agent's folder and a project that its history names.
final class HistoryScratch: Sendable {
    static let session = EarlierSession.ID("8468dee3-f91e-4112-b1f3-c891bf145148")

    let scratch: ScratchFolder
    /// The agent's folder.
    let history: URL
    /// The folder of the project's sessions.
    let sessions: URL

    init() throws {
        scratch = try ScratchFolder()
        history = scratch.outside.appending(path: "agent")
        let key = scratch.inside.path.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        sessions = history.appending(path: "projects/\(String(key))")
        try FileManager.default.createDirectory(at: sessions, withIntermediateDirectories: true)
    }

    /// - Parameter confirmed: Nil: the project.
    func catalog(added: [String] = [], confirmed: [String]? = nil) -> ProjectCatalog {
        let confirmed = confirmed ?? [scratch.inside.path]
        return ProjectCatalog(history: history.path, added: added, confirmed: { confirmed }, salt: Data("salt".utf8))
    }

    /// Writes a session whose records name the project as their working directory.
    func write(_ lines: [String], to session: EarlierSession.ID = session) throws {
        let text = lines.map { $0.replacing("/home/dev/project", with: scratch.inside.path) + "\n" }.joined()
        try Data(text.utf8).write(to: sessions.appending(path: "\(session).jsonl"))
    }

    /// The lines of a recorded history.
    static func recording(_ name: String) throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "AgentRecordings")
        let text = try String(contentsOf: folder.appending(path: "history-\(name).jsonl"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    func messages(limit: Int = 1_000, before: Int? = nil, offset: Int = 0, _ catalog: ProjectCatalog? = nil) async throws
        -> HistoryPage
    {
        let catalog = catalog ?? self.catalog()
        let project = try #require(await catalog.projects().first)
        return try await catalog.messages(of: Self.session, in: project.id, limit: limit, before: before, offset: offset)
    }

    /// The messages in a short form.
    func texts() async throws -> [String] { try await messages().messages.map(\.content.short) }

    // MARK: Records

    /// A record with an identifier and a parent.
    static func record(
        _ id: String, after parent: String?, _ type: String = "user", content: String, seconds: Int? = nil, further: String = ""
    ) -> String {
        let time = seconds.map { #""timestamp":"\#(Timestamp(milliseconds: 1_795_000_000_000 + Int64($0) * 1000))","# } ?? ""
        return
            #"{"parentUuid":\#(parent.map { "\"\($0)\"" } ?? "null"),"type":"\#(type)",\#(time)\#(further)"cwd":"/home/dev/project","#
            + #""message":{"role":"\#(type)","id":"msg-\#(id)","content":\#(content)},"uuid":"\#(id)"}"#
    }

    static func text(_ id: String, after parent: String?, _ type: String = "user", seconds: Int? = nil, further: String = "")
        -> String
    {
        record(id, after: parent, type, content: "\"\(id)\"", seconds: seconds, further: further)
    }
}

extension HistoryMessage.Content {
    var short: String {
        switch self {
        case .text(let role, let text): "\(role == .user ? "user" : "agent"): \(text)"
        case .toolUse(let id, let name, _): "use \(id): \(name)"
        case .toolResult(let id, let output, let isError): "\(isError ? "error" : "result") \(id): \(output)"
        case .question(_, let text, let options, let allowsSeveral):
            "question: \(text) \(options.map(\.label))\(allowsSeveral ? "*" : "")"
        case .unknown(let json): "unknown: \(json)"
        }
    }
}
