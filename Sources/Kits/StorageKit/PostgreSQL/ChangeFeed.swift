import Foundation
import WireKit

/// Tells the boxes of a schema which logs have new events. A notification only wakes: readers take the events from the log.
///
/// A notification that is lost, with a box or a connection, costs its readers a poll.
final class ChangeFeed: Sendable {
    /// The time between two looks at the followed logs without a notification.
    static let pollInterval: Duration = .seconds(10)
    /// The time after which the listener looks whether it was ended, in milliseconds.
    private static let maximumWait: Int32 = 1_000
    /// The maximum size of a notification, in bytes. PostgreSQL's limit is 8,000.
    private static let maximumSize = 7_000

    private let address: PostgreSQLAddress
    private let publisher: EventPublisher
    private let pool: PostgreSQLPool
    private let box = UUID().uuidString
    /// Logs with events that the other boxes do not know of, and their latest numbers.
    private let unsent = Locked<(logs: [Log: Int64], isSending: Bool)>(([:], false))
    private let hasEnded = Locked(false)

    private var channel: String { "\(address.schema)_changes" }

    init(_ address: PostgreSQLAddress, publisher: EventPublisher, pool: PostgreSQLPool) {
        (self.address, self.publisher, self.pool) = (address, publisher, pool)
    }

    // MARK: Sending

    /// - Parameter seq: The sequence number of an event that was committed.
    func announce(_ log: Log, _ seq: Int64) {
        let isFirst = unsent.withLock { unsent in
            unsent.logs[log] = max(seq, unsent.logs[log] ?? 0)
            defer { unsent.isSending = true }
            return !unsent.isSending
        }
        if isFirst { send() }
    }

    private func send() {
        pool.run { [self] slot in
            while true {
                let logs = unsent.withLock { unsent in
                    defer { unsent.logs = [:] }
                    if unsent.logs.isEmpty { unsent.isSending = false }
                    return unsent.logs
                }
                if logs.isEmpty { return }
                for payload in payloads(logs) {
                    // The poll makes up for one that is lost.
                    try? slot.run { try $0.query("SELECT pg_notify(?, ?)", [channel, payload]) { _ in } }
                }
            }
        } refuse: { [self] _ in
            unsent.withLock { $0 = ([:], false) }
        }
    }

    private func payloads(_ logs: [Log: Int64]) -> [String] {
        var payloads: [String] = []
        for (log, seq) in logs {
            let line = "\n\(seq)\t\(log.group ?? "")\t\(log.name)"
            if let last = payloads.last, last.utf8.count + line.utf8.count < Self.maximumSize {
                payloads[payloads.count - 1] += line
            } else {
                payloads.append(box + line)
            }
        }
        return payloads
    }

    // MARK: Receiving

    /// Listens in a thread of its own until ``end()``.
    func begin() {
        let thread = Thread { self.listen() }
        thread.name = "postgresql"
        thread.start()
    }

    func end() { hasEnded.withLock { $0 = true } }

    private func listen() {
        while !hasEnded.withLock({ $0 }) {
            guard let connection = try? PostgreSQLConnection(address), (try? connection.plain("LISTEN \(channel)")) != nil else {
                Thread.sleep(forTimeInterval: 1)
                continue
            }
            var lastLook: ContinuousClock.Instant?
            while !hasEnded.withLock({ $0 }) {
                if lastLook.map({ .now - $0 > Self.pollInterval }) ?? true {
                    lookAgain()
                    lastLook = .now
                }
                var descriptor = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
                poll(&descriptor, 1, Self.maximumWait)
                guard let payloads = connection.notifications() else { break }
                for payload in payloads { take(payload) }
            }
        }
    }

    private func take(_ payload: String) {
        let lines = payload.split(separator: "\n")
        if lines.first.map(String.init) == box { return }
        for line in lines.dropFirst() {
            let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let seq = Int64(fields[0]) else { continue }
            publisher.wake(Log(String(fields[2]), group: fields[1].isEmpty ? nil : String(fields[1])), last: seq)
        }
    }

    /// Reads the latest numbers of the followed logs.
    private func lookAgain() {
        let names = publisher.topics
        if names.isEmpty { return }
        pool.run { [self] slot in
            // The next poll tries again.
            try? slot.run { connection in
                for name in names {
                    let last = try connection.query("SELECT last FROM logs WHERE log = ?", [name]) { rows -> Int64? in
                        try rows.next().map { try $0.value(at: 0) }
                    }
                    if let last { publisher.wake(Log(name), last: last) }
                }
            }
        } refuse: { _ in
        }
    }
}
