import WireKit

/// Tells the readers of a log what is new in it.
final class Doorbell: Sendable {
    private let readers = Locked<[String: [ObjectIdentifier: EventFeed]]>([:])

    func add(_ reader: EventFeed) { readers.withLock { $0[reader.log, default: [:]][ObjectIdentifier(reader)] = reader } }

    func remove(_ reader: EventFeed) {
        readers.withLock { readers in
            readers[reader.log]?[ObjectIdentifier(reader)] = nil
            if readers[reader.log]?.isEmpty == true { readers[reader.log] = nil }
        }
    }

    /// - Parameter events: What one commit has added to the log, in order.
    func ring(_ log: String, _ events: [StoredEvent]) {
        let waiting = readers.withLock { readers in readers[log].map { Array($0.values) } ?? [] }
        for reader in waiting { reader.ring(events) }
    }

    /// How many readers there are.
    var count: Int { readers.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
