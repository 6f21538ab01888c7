import Foundation
import LineBenchmarks
import StorageBenchmarks

/// A page from its POST to the friend's live socket, compared with an echo on a bare WebSocket of the same server.
///
/// Both servers are separate processes; this process is the client of both, on the same cores. A page is on disk when it arrives, so its time
/// is compared with an echo plus one durable write.
enum Pages {
    private static let rate = 50
    private static let rounds = 1000

    static func measure(_ table: Table, _ folder: URL) async throws {
        let (echo, pager) = (try Programs.echo(), try Programs.pager(folder.appending(path: "pages")))
        let echoes = try await echoRounds(echo)
        let pages = try await pageRounds(pager)

        // Alternating, so that other load affects all kinds.
        let kinds = [echoes[0], pages[0], try DiskWork.durableWrite(in: folder.appending(path: "beside.db"), Data(text.utf8))]
        _ = try await Rounds.inTurns(kinds, count: 100, rate: rate)
        let before = (echo.cpuTime, pager.cpuTime)
        let times = try await Rounds.inTurns(kinds, count: rounds, rate: rate)
        let each = ((echo.cpuTime - before.0) / rounds, (pager.cpuTime - before.1) / rounds)
        for (name, fraction) in [("p50", 0.5), ("p99", 0.99)] {
            let figures = times.map { $0.percentile(fraction) }
            table.row("echo at 50 a second, \(name)", figures[0].shown, "1")
            table.row("durable write at 50 a second, \(name)", figures[2].shown, figures[2].of(figures[0]))
            table.row("page at 50 a second, \(name)", figures[1].shown, figures[1].of(figures[0]))
            table.row(
                "the same, to echo plus durable write", figures[1].shown, figures[1].of(figures[0] + figures[2]),
                fraction == 0.5 ? "4 or less" : "")
        }
        table.row("CPU of the server for an echo, at 50 a second", each.0.shown, "1", "0.12 ms")
        table.row("CPU of the server for a page, at 50 a second", each.1.shown, each.1.of(each.0))

        let echoed = try await Rounds.saturate(echo, echoes)
        let paged = try await Rounds.saturate(pager, pages)
        table.row("echoes a second, \(Rounds.lanes) sockets", Int(echoed.rate).shown, "1")
        table.row("pages a second, \(Rounds.lanes) pairs of friends", Int(paged.rate).shown, (paged.rate / echoed.rate).shown)
        table.row("CPU of the server for an echo, then", echoed.cpuTime.shown, "1", "0.12 ms")
        table.row("CPU of the server for a page, then", paged.cpuTime.shown, paged.cpuTime.of(echoed.cpuTime))
    }

    static func echoRounds(_ server: ServerProcess) async throws -> [Round] {
        let client = LineClient(server.address)
        var rounds: [Round] = []
        for _ in 0..<Rounds.lanes {
            let socket = try await client.openEcho()
            rounds.append {
                let start = ContinuousClock.now
                try await socket.send(text)
                _ = try await socket.receive()
                return .now - start
            }
        }
        return rounds
    }

    private static func pageRounds(_ server: ServerProcess) async throws -> [Round] {
        let client = LineClient(server.address)
        var rounds: [Round] = []
        for lane in 0..<Rounds.lanes {
            let (sender, friend) = (try await client.register("sender-\(lane)"), try await client.register("friend-\(lane)"))
            try await client.befriend(sender, friend)
            let live = try await client.openLive(friend)
            rounds.append {
                let start = ContinuousClock.now
                async let posted: Void = client.send(text, from: sender, to: friend)
                while try await !live.receive().contains(text) {}
                let duration = ContinuousClock.now - start
                try await posted
                return duration
            }
        }
        return rounds
    }

    private static let text = String(repeating: "x", count: 100)
}
