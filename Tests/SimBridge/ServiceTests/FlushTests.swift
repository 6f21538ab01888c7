import SimBridgeWire
import TestKit
import Testing

@testable import SimBridgeService

/// Contract, "Queue": written messages are recorded at once, and unwritten ones stay queued.
@Suite struct FlushTests {
    @Test func anInterruptedQueueContinuesWhereItStopped() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let count = 40
        for number in 0..<count { try await relay.text("\(number)", to: pair.host, by: pair.owner) }
        func body(_ message: RelayMessage) -> String? {
            if case .command(let command) = message.content { command.body } else { nil }
        }
        var seen: [String] = []
        // Each host reads a few and is gone, without `connected`.
        for some in [1, 3, 7] {
            let line = try await relay.connect("/ws/host/\(pair.host)?token=\(pair.owner.token)")
            var bodies: [String] = []
            for _ in 0..<some { bodies.append(try #require(body(try await line.next()))) }
            line.close()
            try await eventually { relay.relay.lines[pair.host] == nil }
            // No message is repeated or out of order.
            let numbers = bodies.compactMap { Int($0) }
            #expect(numbers.first == seen.count)
            #expect(numbers == Array(seen.count..<(seen.count + some)))
            // In process at most one more message was written, which the test has not read.
            let sent = try await relay.history(of: pair.owner).reversed().map(\.state)
            let written = sent.prefix { $0 == .sent }.count
            #expect((seen.count + some...seen.count + some + 1).contains(written))
            #expect(sent.dropFirst(written).allSatisfy { $0 == .accepted })
            seen = (0..<written).map { "\($0)" }
        }
        let (line, before) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(before.compactMap(body) == (seen.count..<count).map(String.init))
        try await line.expectQuiet()
    }
}
