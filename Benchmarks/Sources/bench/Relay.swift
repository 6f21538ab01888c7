import Foundation
import LineBenchmarks

/// SimBridge's relay: a command from a client to a host and the report back, two relayed messages, each on disk before delivery. Compared with an
/// echo on a bare WebSocket of the same server.
enum Relay {
    private static let rounds = 500
    /// Count of logins in total, five for each account: the rate limit is five a minute.
    private static let logins = 80

    static func measure(_ table: Table, _ folder: URL) async throws {
        let (echo, relay) = (try Programs.echo(), try Programs.relay(folder.appending(path: "relay")))
        let client = try await RelayClient(relay.address)
        let echoes = try await Pages.echoRounds(echo)
        var trips: [Round] = []
        for _ in 0..<Rounds.lanes {
            let pair = try await client.openPair()
            trips.append {
                let start = ContinuousClock.now
                try await pair.roundTrip()
                return .now - start
            }
        }
        for rate in [20, 100] {
            let kinds = [echoes[0], trips[0]]
            _ = try await Rounds.inTurns(kinds, count: rate, rate: rate)
            let times = try await Rounds.inTurns(kinds, count: rounds, rate: rate)
            for (name, fraction) in [("p50", 0.5), ("p99", 0.99)] {
                let figures = times.map { $0.percentile(fraction) }
                table.row(
                    "relayed round trip at \(rate) a second, \(name)", figures[1].shown, figures[1].of(figures[0]) + " (echo)")
            }
        }
        let echoed = try await Rounds.saturate(echo, echoes)
        let relayed = try await Rounds.saturate(relay, trips)
        table.row("echoes a second, \(Rounds.lanes) sockets", Int(echoed.rate).shown, "1")
        table.row(
            "relayed round trips a second, \(Rounds.lanes) pairs", Int(relayed.rate).shown, (relayed.rate / echoed.rate).shown)
        table.row("CPU of the relay for a relayed message, then", (relayed.cpuTime / 2).shown, "", "0.12 ms")
        try await measureLogins(table, relay, client)
    }

    private static func measureLogins(_ table: Table, _ relay: ServerProcess, _ client: RelayClient) async throws {
        let accounts = 1...logins / 5
        for number in accounts { try await client.register(number) }
        let before = relay.cpuTime
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in accounts { group.addTask { for _ in 0..<5 { try await client.logIn(number) } } }
                try await group.waitForAll()
            }
        }
        let each = (relay.cpuTime - before) / logins
        table.row("logins a second, scrypt with N = 2^15", (Double(logins) / (time / .seconds(1))).shown)
        table.row("CPU of the relay for a login", each.shown)
    }
}
