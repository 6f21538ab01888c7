import Foundation

/// From the change of the model on the box to the text in the page of a browser, over a real line on this machine.
enum TokenToDOM {
    /// The environment of the browser tests. `make bench` sees to it.
    private static let python = URL(filePath: ".build/browser-tests/bin/python")

    static func measure(_ table: Table) throws {
        var first: Duration?
        for rows in [40, 1000] {
            let server = try Programs.transcript(rows: rows)
            defer { server.stop() }
            let said = try ServerProcess.run(python, ["Benchmarks/token_to_dom.py", "\(server.address)"])
            let times = said.split { $0.isWhitespace }.compactMap { Int($0) }.map { Duration.microseconds($0) }
            guard times.count == 2 else { throw ServerProcess.Unexpected(said: said) }
            table.row(
                "token to DOM, \(rows.shown) rows", "\(times[0].shown), p99 \(times[1].shown)", times[0].of(first ?? times[0]),
                first == nil ? "" : "as for 40 rows")
            first = first ?? times[0]
        }
    }
}
