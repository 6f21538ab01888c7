import Foundation
import LocalLLMBenchmarks
import StorageBenchmarks

/// LocalLLM: a phone that connects by Server ID and reads an answer, and a host with its store. Both are in this process, with a network of
/// ten nodes on loopback.
enum Chat {
    private static let connects = 300
    private static let tokens = 1000
    /// Count of tokens, with 800,000 bytes in total: an answer has at most 1 MiB.
    private static let firehose = 100_000

    static func measure(_ table: Table, _ folder: URL) async throws {
        let times = try await ChatBenchmarks.connect(count: connects)
        table.row("connecting by Server ID, to the introduction, p50", times.median.shown)
        table.row("connecting by Server ID, to the introduction, p99", times.percentile(0.99).shown)
        let durableWrite = try DiskWork.durableWrite(in: folder.appending(path: "chat.db"), Data(" letters".utf8))
        for rate in [50, 500] {
            let sent = try await ChatBenchmarks.delays(count: tokens, rate: rate, isStored: false)
            let stored = try await ChatBenchmarks.delays(count: tokens, rate: rate, isStored: true)
            let writes = try await Rounds.inTurns([durableWrite], count: 300, rate: rate)[0]
            for (name, fraction) in [("p50", 0.5), ("p99", 0.99)] {
                let (base, write, figure) = (sent.percentile(fraction), writes.percentile(fraction), stored.percentile(fraction))
                table.row("delay of a token at \(rate) a second, not stored, \(name)", base.shown)
                table.row("a durable write, \(rate) a second, \(name)", write.shown)
                table.row(
                    "delay of a token at \(rate) a second, stored first, \(name)", figure.shown,
                    figure.of(base + write) + " (both above)")
            }
        }
        let sent = try await ChatBenchmarks.rate(count: firehose, isStored: false)
        let stored = try await ChatBenchmarks.rate(count: firehose, isStored: true)
        table.row("tokens a second at the phone, not stored", Int(sent).shown, "1")
        table.row("tokens a second at the phone, stored first", Int(stored).shown, (stored / sent).shown)
    }
}
