import Foundation

/// The sending direction of a stream: the unacknowledged items, bounded by the window.
///
/// ```
///   acknowledged │ in flight │ waiting │ next
///  ──────────────┴───────────┴─────────┴───────▶ sequence
///                 └──── within window ─┘
/// ```
struct StreamSender {
    private struct Item {
        var sequence: UInt32
        /// The payload of a chunk; nil for the end.
        var payload: Data?
        var cost: Int { StreamWindow.cost(of: payload ?? Data()) }
    }

    private let delivery: StreamDelivery
    private let window: Int
    /// The unacknowledged items, oldest first.
    private var items: [Item] = []
    /// Count of `items` that were transmitted on this connection or have arrived before.
    private var transmittedCount = 0
    /// The cost of `items` apart from the end.
    private var unacknowledgedCost = 0
    private var nextSequence: UInt32 = 0
    private(set) var hasEnded = false
    /// True if there is a connection and the peer has reported its received items.
    private var isConnected = true

    init(delivery: StreamDelivery, window: Int) {
        self.delivery = delivery
        self.window = window
    }

    /// True if the peer has read everything including the end.
    var isComplete: Bool { hasEnded && items.isEmpty }

    /// Adds one chunk.
    ///
    /// - Returns: false while the window is full. A live stream without a connection discards the chunk and returns true.
    /// - Precondition: The payload is neither empty nor longer than ``StreamFrame/maximumPayloadLength``, and ``hasEnded`` is false.
    mutating func append(_ payload: Data) -> Bool {
        precondition(!payload.isEmpty && payload.count <= StreamFrame.maximumPayloadLength && !hasEnded)
        if delivery == .live, !isConnected {
            nextSequence &+= 1
            return true
        }
        let cost = StreamWindow.cost(of: payload)
        guard unacknowledgedCost + cost <= window else { return false }
        unacknowledgedCost += cost
        append(Item(sequence: nextSequence, payload: payload))
        return true
    }

    /// Ends this direction. The end needs no room in the window.
    mutating func end() {
        guard !hasEnded else { return }
        hasEnded = true
        append(Item(sequence: nextSequence, payload: nil))
    }

    // At 1,000 chunks a second the sequence numbers last 49 days; the reader rejects later items as a violation.
    private mutating func append(_ item: Item) {
        items.append(item)
        nextSequence &+= 1
    }

    mutating func nextFrame(of stream: UInt32) -> StreamFrame? {
        guard isConnected, transmittedCount < items.count else { return nil }
        let item = items[transmittedCount]
        transmittedCount += 1
        guard let payload = item.payload else { return StreamFrame(.end, stream: stream, sequence: item.sequence) }
        return StreamFrame(.data, stream: stream, sequence: item.sequence, payload: payload)
    }

    /// Releases the items below `sequence`.
    ///
    /// - Returns: false for a sequence number that was never transmitted.
    mutating func acknowledge(below sequence: UInt32) -> Bool {
        guard sequence <= nextSequence else { return false }
        let count = items.prefix { $0.sequence < sequence }.count
        guard count <= transmittedCount else { return false }
        remove(count)
        return true
    }

    private mutating func remove(_ count: Int) {
        for item in items.prefix(count) where item.payload != nil { unacknowledgedCost -= item.cost }
        items.removeFirst(count)
        transmittedCount -= count
    }

    /// Ends the connection. Nothing is transmitted until ``resume(from:)``.
    mutating func disconnect() { isConnected = false }

    /// Resumes with the first item that the peer does not have. A live stream drops its items and resumes with the next one.
    ///
    /// - Parameter sequence: All items below it have arrived.
    /// - Returns: false for a sequence number that was never transmitted.
    mutating func resume(from sequence: UInt32) -> Bool {
        guard sequence <= nextSequence else { return false }
        let arrived = items.prefix { $0.sequence < sequence }.count
        guard arrived <= transmittedCount else { return false }
        isConnected = true
        transmittedCount = arrived
        guard delivery == .live else { return true }
        for item in items[arrived...] where item.payload != nil { unacknowledgedCost -= item.cost }
        items.removeSubrange(arrived..<(hasEnded && arrived < items.count ? items.count - 1 : items.count))
        return true
    }
}
