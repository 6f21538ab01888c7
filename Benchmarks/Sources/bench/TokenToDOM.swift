import Foundation

/// The time from the change of the model on the box to the text in a browser's page, over a connection on this machine.
enum TokenToDOM {
    /// The Python environment of the browser tests, which `make bench` installs.
    private static let python = URL(filePath: ".build/browser-tests/bin/python")

    static func measure(_ table: Table) throws {
        var first: Duration?
        for rows in [40, 1000] {
            let server = try Programs.transcript(rows: rows)
            defer { server.stop() }
            let output = try ServerProcess.run(python, ["Benchmarks/token_to_dom.py", "\(server.address)"])
            let times = output.split { $0.isWhitespace }.compactMap { Int($0) }.map { Duration.microseconds($0) }
            guard times.count == 2 else { throw ServerProcess.Unexpected(output: output) }
            table.row(
                "token to DOM, \(rows.shown) rows", "\(times[0].shown), p99 \(times[1].shown)", times[0].of(first ?? times[0]),
                first == nil ? "" : "as for 40 rows")
            first = first ?? times[0]
        }
    }
}
