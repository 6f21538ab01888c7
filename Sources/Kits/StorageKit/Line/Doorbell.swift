import WireKit

/// Tells readers of a log that there is something new in it. Carries no data: who is rung reads the log.
final class Doorbell: Sendable {
    private struct Readers {
        var next = 0
        var byLog: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let readers = Locked(Readers())

    /// One element, kept until taken, for any number of rings in between. Ends when it is no longer read.
    func rings(for log: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = readers.withLock { readers in
                readers.next += 1
                readers.byLog[log, default: [:]][readers.next] = continuation
                return readers.next
            }
            continuation.onTermination = { [readers] _ in
                readers.withLock { readers in
                    readers.byLog[log]?[id] = nil
                    if readers.byLog[log]?.isEmpty == true { readers.byLog[log] = nil }
                }
            }
        }
    }

    func ring(_ log: String) {
        let waiting = readers.withLock { readers in readers.byLog[log].map { Array($0.values) } ?? [] }
        for reader in waiting { reader.yield() }
    }

    /// How many readers there are.
    var count: Int { readers.withLock { $0.byLog.values.reduce(0) { $0 + $1.count } } }
}
