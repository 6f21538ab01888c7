import EndlessCodeBenchmarks
import EndlessCodeWire
import Foundation

/// EndlessCode: a host as a process, whose agents are this program as ``StampingAgent``, and phones in this process.
enum Agents {
    private static let phoneCount = 100
    private static let lines = 500
    /// Lines a second: fast enough for an agent that prints a file, slow enough that no line waits for the line before.
    private static let rate = 50
    private static let firehose = 20_000
    private static let longFile = 10_000

    static func measure(_ table: Table, _ folder: URL) async throws {
        let (host, token) = try Programs.agentHost(folder.appending(path: "agents"))
        let client = AgentPhone(host.address, token: token)
        guard let project = try await client.projects().first?.id else { throw ServerProcess.Unexpected(output: "no project") }
        let session = try await client.startSession(in: project)

        let one = try await delays(client, session, phones: 1)
        let many = try await delays(client, session, phones: phoneCount)
        for (name, fraction) in [("p50", 0.5), ("p99", 0.99)] {
            let (base, figure) = (one.percentile(fraction), many.percentile(fraction))
            table.row("an agent's line to the phone, \(rate) a second, \(name)", base.shown, "1", "50 ms")
            table.row("an agent's line to \(phoneCount) phones, \(rate) a second, \(name)", figure.shown, figure.of(base), "50 ms")
        }

        let phone = try await client.open()
        let (start, cpuTime) = (ContinuousClock.now, host.cpuTime)
        try await phone.prompt("\(firehose) 0", to: session)
        _ = try await phone.delays(firehose)
        let time = ContinuousClock.now - start
        table.row("lines a second to a phone, from an agent without pauses", Int(Double(firehose) / (time / .seconds(1))).shown)
        table.row("CPU of the host for a line, from an agent without pauses", ((host.cpuTime - cpuTime) / firehose).shown)

        let before = try await settled(host)
        let more = 4
        for _ in 0..<more {
            let session = try await client.startSession(in: project)
            try await phone.prompt("100 0", to: session)
            _ = try await phone.delays(100)
        }
        table.row("memory of the host for a session, without its agent", ((try await settled(host) - before) / more).asKiB)

        let code = HighlightBenchmarks.code(lineCount: longFile)
        let (split, tokens) = (HighlightBenchmarks.lines(of: code), HighlightBenchmarks.tokens(of: code))
        table.row("finding the lines of a file of \(longFile.shown)", split.shown, "1")
        table.row("highlighting a file of \(longFile.shown) lines", tokens.shown, tokens.of(split))
    }

    private static func delays(_ client: AgentPhone, _ session: Session.ID, phones: Int) async throws -> [Duration] {
        var sockets: [AgentSocket] = []
        for _ in 0..<phones { sockets.append(try await client.open()) }
        try await sockets[0].prompt("\(lines) \(rate)", to: session)
        return try await withThrowingTaskGroup(of: [Duration].self) { group in
            for socket in sockets { group.addTask { try await socket.delays(lines) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func settled(_ host: ServerProcess) async throws -> Int {
        try await Task.sleep(for: .seconds(2))
        return host.residentBytes
    }
}
