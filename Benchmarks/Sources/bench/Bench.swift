import EndlessCodeBenchmarks
import Foundation
import LineBenchmarks
import WebUIBenchmarks

/// The program of `make bench`, which measures kits, services and the program as ratios within one run, because absolute figures
/// say little on shared machines. `bench storage pages relay sockets swarm llm agents talk start views dom` selects subjects.
@main
struct Bench {
    static func main() async throws {
        if ProcessInfo.processInfo.environment[StampingAgent.variable] != nil { return try await StampingAgent.run() }
        let subjects = CommandLine.arguments.dropFirst()
        if subjects == ["echo"] { return try await EchoServer.run() }
        if subjects.first == "transcript", let rows = subjects.last.flatMap({ Int($0) }) {
            return try await TranscriptServer.run(rows: rows)
        }
        func wants(_ subject: String) -> Bool { subjects.isEmpty || subjects.contains(subject) }

        let folder = FileManager.default.temporaryDirectory.appending(path: "switchboard-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let table = Table()
        if wants("storage") { try await Storage.measure(table, folder) }
        if wants("pages") { try await Pages.measure(table, folder) }
        if wants("relay") { try await Relay.measure(table, folder) }
        if wants("sockets") { try await Sockets.measure(table, folder) }
        if wants("swarm") { try await Swarm.measure(table) }
        if wants("llm") { try await Chat.measure(table, folder) }
        if wants("agents") { try await Agents.measure(table, folder) }
        if wants("talk") { try await Talks.measure(table, folder) }
        if wants("start") { try await ColdStart.measure(table, folder) }
        if wants("views") { await Views.measure(table) }
        if wants("dom") { try TokenToDOM.measure(table) }
    }
}
