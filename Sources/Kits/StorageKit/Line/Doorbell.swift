import WireKit

/// Tells readers of a log what is new in it. Who was rung more than once since he last looked has missed something, and reads the log.
final class Doorbell: Sendable {
    private struct Readers {
        var next = 0
        var byLog: [String: [Int: AsyncStream<[StoredEvent]>.Continuation]] = [:]
    }

    private let readers = Locked(Readers())

    /// The events of the newest ring, kept until taken. Ends when it is no longer read.
    func rings(for log: String) -> AsyncStream<[StoredEvent]> {
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

    /// - Parameter events: What one commit has added to the log, in order.
    func ring(_ log: String, _ events: [StoredEvent]) {
        let waiting = readers.withLock { readers in readers.byLog[log].map { Array($0.values) } ?? [] }
        for reader in waiting { reader.yield(events) }
    }

    /// How many readers there are.
    var count: Int { readers.withLock { $0.byLog.values.reduce(0) { $0 + $1.count } } }
}
