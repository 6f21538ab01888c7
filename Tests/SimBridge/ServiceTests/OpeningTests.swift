import NetworkingKit
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

    /// Opens version 2 until it holds, and reads until everything that was given has come.
    ///
    /// - Parameter breaksAtOnce: The first line is cut as soon as it is open.
    private func open(breaksAtOnce: Bool) async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let path = SimBridgeLine.path(.host, pair.host) + "?token=\(pair.owner.token)&v=2"
        let (senders, each) = (3, 6)
        let count = senders * each
        let got = Locked<[Got]>([])

        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<each { try await relay.text("\(sender)-\(number)", to: pair.host, by: pair.owner) }
                }
            }
            group.addTask {
                var line = try await relay.connect(path)
                if breaksAtOnce { line.close() }
                var isAnswered = false
                // The highest number of the lines before this one.
                var floor: Int64 = 0
                // Until everything has come, and after it nothing more: neither twice nor without a number.
                while !isAnswered {
                    do {
                        let message = try await line.next()
                        switch message.content {
                        // A reopened line repeats unacknowledged messages.
                        case .command where message.seq.map { $0 <= floor } ?? false: break
                        case .command: got.withLock { $0.append(Got(seq: message.seq, id: message.reqId)) }
                        case .pong: isAnswered = true
                        default: break
                        }
                        if got.withLock({ Set($0.map(\.id)).count == count }) {
                            try await line.send(.ack(seq: got.withLock { $0.compactMap(\.seq).max() ?? 0 }))
                            if !isAnswered { try await line.send(.ping) }
                        }
                    } catch let error where error is TestLine.Ended || error is TransportError {
                        floor = got.withLock { $0.compactMap(\.seq).max() ?? 0 }
                        line = try await relay.connect(path)
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = got.withLock { $0 }
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
