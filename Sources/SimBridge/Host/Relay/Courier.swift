import NetworkingKit
import SimBridgeWire

/// Hands one report at a time to the relay and learns what became of it.
///
/// ```
///   host                                  relay
///    │ ── event, msg_id ───────────────────▶ │
///    │ ── ping ────────────────────────────▶ │
///    │ ◀──────────────── stored, msg_id ──── │   or an error
///    │ ◀───────────────────────────── pong ─ │   an older relay says only this: it reads in order, so it has read the event
/// ```
actor Courier {
    enum Receipt: Hashable, Sendable {
        /// The relay keeps it.
        case stored
        /// An older relay has read it.
        case read
        case failed(SimBridgeWire.LineFailure.Code)
    }

    /// How long the relay may take.
    static let patience: Duration = .seconds(30)
    /// How long a relay that has answered a ping may take to say that something before it is stored.
    static let grace: Duration = .seconds(5)

    private struct Delivery {
        var messageID: String
        /// The number of the ping behind it.
        var ping: Int
        var continuation: AsyncStream<Receipt>.Continuation
    }

    private let clock: any Clock<Duration>
    private var connection: (any SocketConnection)?
    private var delivery: Delivery?
    private var pings = 0
    private var pongs = 0
    /// Whether this relay says what it has stored; nil: not known yet.
    private var saysStored: Bool?
    private var waiting: Task<Void, Never>?

    init(clock: any Clock<Duration>) { self.clock = clock }

    func opened(_ connection: any SocketConnection) {
        self.connection = connection
        (pings, pongs, saysStored) = (0, 0, nil)
    }

    /// The line is down: what was on its way is delivered again later.
    func closed() {
        connection = nil
        finish(nil)
    }

    var isOpen: Bool { connection != nil }

    /// Asks for a pong, which nobody judges.
    func ping() async {
        guard let connection else { return }
        pings += 1
        // A line that breaks is told of elsewhere.
        try? await connection.send(.text(DeviceMessage.ping.text))
    }

    func acknowledge(_ seq: Int64) async throws { try await connection?.send(.text(DeviceMessage.ack(seq: seq).text)) }

    /// One delivery at a time.
    ///
    /// - Returns: nil when the line is down, or goes down meanwhile: it may have arrived or not.
    func deliver(_ text: String, messageID: String) async -> Receipt? {
        guard let connection, delivery == nil else { return nil }
        let (receipts, continuation) = AsyncStream.makeStream(of: Receipt.self)
        pings += 1
        delivery = Delivery(messageID: messageID, ping: pings, continuation: continuation)
        do {
            try await connection.send(.text(text))
            try await connection.send(.text(DeviceMessage.ping.text))
        } catch {
            finish(nil)
            return nil
        }
        let clock = clock
        let late = Task {
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            // It reads, but does not answer: another connection may do better.
            connection.close(.goingAway)
            self.finish(nil)
        }
        defer { late.cancel() }
        return await receipts.first { _ in true }
    }

    func received(_ content: RelayMessage.Content) {
        switch content {
        case .stored(let id):
            saysStored = true
            if id == delivery?.messageID { finish(.stored) }
        case .failure(let failure):
            guard let delivery, failure.messageId == nil || failure.messageId == delivery.messageID else { return }
            finish(.failed(failure.code))
        case .pong:
            pongs += 1
            guard let delivery, pongs >= delivery.ping, saysStored != true else { return }
            if saysStored == false { return finish(.read) }
            let (clock, id) = (clock, delivery.messageID)
            waiting = Task {
                guard (try? await clock.sleep(for: Self.grace)) != nil else { return }
                self.isOlder(id)
            }
        default: break
        }
    }

    private func isOlder(_ id: String) {
        guard delivery?.messageID == id, saysStored == nil else { return }
        saysStored = false
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
