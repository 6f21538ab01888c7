import SwarmBenchmarks

/// Hyperswarm: the time to connect in a network of ten nodes, and the cost of bytes, of round trips and of idle connections. All ends are in
/// this process, on loopback.
enum Swarm {
    private static let connects = 300
    private static let roundTrips = 5000
    private static let megabytes = 500
    private static let losses: [Double] = [0, 0.01, 0.05]

    static func measure(_ table: Table) async throws {
        row(table, "connecting by key", try await ConnectionBenchmarks.connectByKey(count: connects), "5 ms", "20 ms")
        row(table, "connecting by topic", try await ConnectionBenchmarks.connectByTopic(count: connects / 3), "20 to 60 ms", "")

        let base = try await StreamBenchmarks.throughput(streams: 1, bytes: megabytes * 1_000_000)
        row(table, "one stream", base, base)
        row(table, "ten streams", try await StreamBenchmarks.throughput(streams: 10, bytes: megabytes * 1_000_000), base)
        row(table, "an encrypted connection", try await ConnectionBenchmarks.throughput(bytes: megabytes * 1_000_000), base)
        for count in [1, 10] {
            var forwarded: Throughput?
            for loss in losses {
                let result = try await StreamBenchmarks.throughput(streams: count, bytes: megabytes * 200_000, loss: loss)
                let name = count == 1 ? "one stream" : "ten streams"
                row(table, "\(name) through a forwarder, \(percent(loss)) loss", result, forwarded ?? result)
                forwarded = forwarded ?? result
            }
        }

        for loss in losses {
            row(
                table, "100 bytes and their echo, \(percent(loss)) loss",
                try await StreamBenchmarks.roundTrips(of: 100, count: roundTrips, loss: loss))
        }
        let placements: [(String, TaskPlacement)] = [
            ("tasks without a preference", .global), ("tasks on the event loops", .eventLoops),
            ("both ends on one event loop", .sharedEventLoop),
        ]
        for (name, placement) in placements {
            row(
                table, "3 bytes and their echo on a stream, \(name)",
                try await StreamBenchmarks.roundTrips(of: 3, count: roundTrips, on: placement), "0.055 ms", "")
            row(
                table, "3 bytes and their echo, encrypted, \(name)",
                try await ConnectionBenchmarks.roundTrips(of: 3, count: roundTrips, on: placement), "0.055 ms", "")
        }

        let idleness = try await ConnectionBenchmarks.idleness(count: 1000, for: .seconds(20))
        table.row("memory of an idle connection, both ends", idleness.memory.asKiB)
        table.row("CPU of an idle connection, both ends, a minute", idleness.processorTimePerMinute.shown)
    }

    private static func percent(_ share: Double) -> String { "\(Int(share * 100)) %" }

    private static func row(_ table: Table, _ name: String, _ result: Throughput, _ base: Throughput) {
        let ratio = result.megabytesPerSecond / base.megabytesPerSecond
        table.row(
            "\(name), throughput", result.megabytesPerSecond.shown + " MB/s", ratio.shown, name == "one stream" ? "115 MB/s" : "")
        table.row(
            "\(name), CPU of both ends for a gigabyte", result.processorSecondsPerGigabyte.shown + " s",
            (result.processorSecondsPerGigabyte / base.processorSecondsPerGigabyte).shown, name == "one stream" ? "11 s" : "")
    }

    private static func row(_ table: Table, _ name: String, _ times: [Duration], _ median: String = "", _ p99: String = "") {
        table.row("\(name), p50", times.median.shown, "", median)
        table.row("\(name), p99", times.percentile(0.99).shown, "", p99)
    }
}
