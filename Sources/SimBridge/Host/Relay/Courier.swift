import NetworkingKit
import SimBridgeCalls
import SimBridgeWire

/// The delivery of reports to the relay, one at a time, each with its receipt.
///
/// ```
///   host                                  relay
///    │ ── event, msg_id ───────────────────▶ │
///    │ ── ping ────────────────────────────▶ │
///    │ ◀──────────────── stored, msg_id ──── │   or an error
///    │ ◀───────────────────────────── pong ─ │   an older relay sends only this: it reads in order, so it has read the event
/// ```
actor Courier {
    enum Receipt: Hashable, Sendable {
        /// The relay has stored the report.
        case stored
        /// An older relay has read the report.
        case read
        case failed(SimBridgeWire.LineFailure.Code)
    }

    /// The timeout of the relay's answer.
    static let replyTimeout: Duration = .seconds(30)
    /// The timeout of the receipt of a report after the relay has answered the ping behind that report.
    static let receiptTimeout: Duration = .seconds(5)

    private struct Delivery {
        var messageID: String
        /// The number of the ping behind the report.
        var ping: Int
        var continuation: AsyncStream<Receipt>.Continuation
    }

    private let clock: any Clock<Duration>
    private var connection: RelayConnection?
    private var delivery: Delivery?
    private var pings = 0
    private var pongs = 0
    /// True if this relay sends receipts; nil: unknown so far.
    private var sendsReceipts: Bool?
    private var waiting: Task<Void, Never>?

    init(clock: any Clock<Duration>) { self.clock = clock }

    func opened(_ connection: RelayConnection) {
        self.connection = connection
        (pings, pongs, sendsReceipts) = (0, 0, nil)
    }

    /// Drops the closed connection. A report under way is delivered again later.
    func closed() {
        connection = nil
        finish(nil)
    }

    /// Sends a JSON ping. The answer is not awaited.
    func ping() async {
        guard let connection else { return }
        pings += 1
        // The line reports a broken connection itself.
        try? await connection.send(.ping)
    }

    func acknowledge(_ seq: Int64) async throws { try await connection?.send(.ack(seq: seq)) }

    /// Delivers a report and waits for its receipt.
    ///
    /// - Returns: nil if another delivery is under way, or the line is or goes down: the relay may or may not have the report then.
    func deliver(_ text: String, messageID: String) async -> Receipt? {
        guard let connection, delivery == nil else { return nil }
        let (receipts, continuation) = AsyncStream.makeStream(of: Receipt.self)
        pings += 1
        delivery = Delivery(messageID: messageID, ping: pings, continuation: continuation)
        do {
            try await connection.send(text: text)
            try await connection.send(.ping)
        } catch {
            finish(nil)
            return nil
        }
        let clock = clock
        let late = Task {
            guard (try? await clock.sleep(for: Self.replyTimeout)) != nil else { return }
            // The relay reads, but does not answer. Another connection may do better.
            connection.abort()
            self.finish(nil)
        }
        defer { late.cancel() }
        return await receipts.first { _ in true }
    }

    func received(_ content: RelayMessage.Content) {
        switch content {
        case .stored(let id):
            sendsReceipts = true
            if id == delivery?.messageID { finish(.stored) }
        case .failure(let failure):
            guard let delivery, failure.messageId == nil || failure.messageId == delivery.messageID else { return }
            finish(.failed(failure.code))
        case .pong:
            pongs += 1
            guard let delivery, pongs >= delivery.ping, sendsReceipts != true else { return }
            if sendsReceipts == false { return finish(.read) }
            let (clock, id) = (clock, delivery.messageID)
            waiting = Task {
                guard (try? await clock.sleep(for: Self.receiptTimeout)) != nil else { return }
                self.noteOlderRelay(id)
            }
        default: break
        }
    }

    private func noteOlderRelay(_ id: String) {
        guard delivery?.messageID == id, sendsReceipts == nil else { return }
        sendsReceipts = false
        finish(.read)
    }

    private func finish(_ receipt: Receipt?) {
        waiting?.cancel()
        waiting = nil
        guard let delivery else { return }
        self.delivery = nil
        if let receipt { delivery.continuation.yield(receipt) }
        delivery.continuation.finish()
    }
}
