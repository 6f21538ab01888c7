import EndlessCodeAgents
import Foundation
import TestKit
import WireKit

/// A recording of `claude`: see Tests/EndlessCode/AgentRecordings/README.md.
struct Recording {
    struct Line {
        var isProgram: Bool
        var message: JSONValue
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "AgentRecordings")
    static var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix("history") }.map { String($0.dropLast(6)) }.sorted()
    }

    var lines: [Line]

    init(_ name: String) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "\(name).jsonl"))
        lines = try data.split(separator: 0x0a).map { line in
            let value = try WireJSON.decode(JSONValue.self, from: Data(line))
            return Line(isProgram: value["from"]?.string == "program", message: value["message"] ?? .null)
        }
    }
}

/// A driver and what it did.
struct Played {
    var events: [AgentEvent] = []
    var written: [JSONValue] = []

    var contents: [AgentEvent.Content] { events.map(\.content).filter { $0 != .activity } }
    var prompts: [AgentPrompt] { contents.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } } }
    var receipts: [AgentReceipt] { contents.compactMap { if case .promptTaken(let receipt) = $0 { receipt } else { nil } } }
    var results: [AgentResult] { contents.compactMap { if case .result(let result) = $0 { result } else { nil } } }
    var texts: [AgentText] { contents.compactMap { if case .text(let text) = $0 { text } else { nil } } }
    var partials: [AgentPartialText] { contents.compactMap { if case .partialText(let text) = $0 { text } else { nil } } }
    var toolUses: [AgentToolUse] { contents.compactMap { if case .toolUse(let use) = $0 { use } else { nil } } }
    var toolResults: [AgentToolResult] { contents.compactMap { if case .toolResult(let result) = $0 { result } else { nil } } }
    var ready: [AgentReady] { contents.compactMap { if case .ready(let ready) = $0 { ready } else { nil } } }
    var unknown: [String] { contents.compactMap { if case .unknown(let text) = $0 { text } else { nil } } }
    var withdrawn: [String] { contents.compactMap { if case .promptWithdrawn(let id) = $0 { id } else { nil } } }
    var notices: [AgentNotice] { contents.compactMap { if case .notice(let notice) = $0 { notice } else { nil } } }
    var dropped: [AgentDroppedLine] { contents.compactMap { if case .dropped(let line) = $0 { line } else { nil } } }

    mutating func add(_ actions: [AgentAction]) throws {
        for action in actions {
            switch action {
            case .event(let event): events.append(event)
            case .write(let line): written.append(try WireJSON.decode(JSONValue.self, from: Data(line.utf8)))
            case .fail(let reason): events.append(AgentEvent(.unknown("failed: \(reason)")))
            }
        }
    }
}

extension AgentDriver {
    mutating func receive(_ text: String, into played: inout Played, at time: Duration = .zero) throws {
        try played.add(receive(.text(text, isLarge: false), at: time))
    }
}

extension AgentLaunch {
    /// A launch of a program that is not started.
    static func test(_ conversation: Conversation = .new(UUID()), mode: String? = nil) -> AgentLaunch {
        AgentLaunch(
            program: "/bin/true", folder: "/home/dev/project", conversation: conversation, permissionMode: mode, environment: [:])
    }
}

/// Ids in order: `id-1`, `id-2`.
func countingIDs() -> @Sendable () -> String {
    let count = Locked(0)
    return {
        count.withLock { count in
            count += 1
            return "id-\(count)"
        }
    }
}
