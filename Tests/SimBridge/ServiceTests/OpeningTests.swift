import NIOConcurrencyHelpers
import ServerKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// A host's first line of version 2, while commands come by REST.
@Suite struct OpeningTests {
    private struct Got: Hashable {
        var seq: Int64?
        var id: RequestID?
    }

    /// Opens version 2 once or twice, and reads until everything that was given has come.
    ///
    /// - Parameter breaksAtOnce: The first line is cut as soon as it is open.
    private func open(breaksAtOnce: Bool) async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let path = SimBridgeLine.path(.host, pair.host) + "?token=\(pair.owner.token)&v=2"
        let (senders, each) = (3, 6)
        let count = senders * each
        let got = NIOLockedValueBox<[Got]>([])

        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<each { try await relay.text("\(sender)-\(number)", to: pair.host, by: pair.owner) }
                }
            }
            group.addTask {
                if breaksAtOnce { try await relay.connect(path).close() }
                let line = try await relay.connect(path)
                while got.withLockedValue({ Set($0).count < count }) {
                    let message = try await line.next()
                    guard case .command = message.content else { continue }
                    got.withLockedValue { $0.append(Got(seq: message.seq, id: message.reqId)) }
                }
                // Nothing comes after the last one: neither twice nor without a number.
                try await line.send(.ack(seq: got.withLockedValue { $0.compactMap(\.seq).max() ?? 0 }))
                try await line.send(.ping)
                while true {
                    let message = try await line.next()
                    if message.content == .pong { break }
                    if case .command = message.content {
                        got.withLockedValue { $0.append(Got(seq: message.seq, id: message.reqId)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = got.withLockedValue { $0 }
        #expect(all.count == count)
        #expect(Set(all.compactMap(\.id)).count == count)
        let numbers = all.compactMap(\.seq)
        #expect(numbers.count == count && numbers == numbers.sorted() && Set(numbers).count == count)
        #expect(try await relay.history(of: pair.owner).allSatisfy { $0.state == .confirmed })
        await relay.parts.close()
    }

    @Test(arguments: [false, true]) func everyCommandComesOnceAndWithItsNumber(breaksAtOnce: Bool) async throws {
        for _ in 0..<Effort.count(60, soak: 1000) { try await open(breaksAtOnce: breaksAtOnce) }
    }
}
