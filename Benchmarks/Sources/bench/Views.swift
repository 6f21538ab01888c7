import WebUIBenchmarks

/// Views in a browser: the cost of a streamed token, compared with a snapshot of 40 rows, and of a session.
enum Views {
    @MainActor static func measure(_ table: Table) async {
        let whole = WebUIBenchmarks.snapshot(500, rows: 40)
        table.row("snapshot of a tree of 40 rows", whole.shown, "1")
        for rows in [40, 1000] {
            let token = WebUIBenchmarks.tokens(5000, rows: rows)
            table.row(
                "token to patch, \(rows.shown) rows", "\(token.duration.shown), \(Int(token.bytes.rounded())) bytes",
                token.duration.of(whole), rows == 40 ? "30 µs, 35 bytes" : "as for 40 rows")
        }
        let sessions = await WebUIBenchmarks.sessions(100, rounds: 12)
        table.row("a browser session of 40 rows, one of 100", sessions.each.asKiB, "", "300 KiB")
        table.row("the same, more once 300 letters were typed in it", sessions.typed.asKiB, "", "negligible")
        table.row("growth by the last 100 of 1,200 sessions opened and closed", sessions.growth.asKiB, "", "negligible")
    }
}
