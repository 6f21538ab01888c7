package import Foundation

/// The receiving direction of a stream: the unread chunks, bounded by the window.
struct StreamReceiver {
    /// An item for the reader.
    enum Item: Equatable {
        case chunk(StreamChunk)
        case end
    }

    private let delivery: StreamDelivery
    private let window: Int
    private var items: [(sequence: UInt32, item: Item)] = []
    /// The cost of the unacknowledged chunks.
    private var unacknowledgedCost = 0
    /// The cost of the unacknowledged chunks that are read.
    private var takenCost = 0
    private var nextSequence: UInt32 = 0
    /// The sequence number below which all items are read.
    private var takenSequence: UInt32 = 0
    private var acknowledgedSequence: UInt32 = 0
    private(set) var hasEnded = false
    private var acknowledgesNow = false

    init(delivery: StreamDelivery, window: Int) {
        self.delivery = delivery
        self.window = window
    }

    /// True if the reader has taken everything up to the end.
    var isComplete: Bool { hasEnded && items.isEmpty }
    /// The sequence number below which all items have arrived.
    var arrivedSequence: UInt32 { nextSequence }

    /// Adds a chunk, or the end for a missing payload.
    ///
    /// - Returns: false when the peer broke the protocol: it sent more than the window, after the end, or with a gap in a reliable stream.
    mutating func receive(_ payload: Data?, sequence: UInt32) -> Bool {
        guard sequence >= nextSequence else { return delivery == .reliable }
        guard !hasEnded, sequence < .max, delivery == .live || sequence == nextSequence else { return false }
        let missingCount = Int(sequence - nextSequence)
        if let payload {
            let cost = StreamWindow.cost(of: payload)
            guard unacknowledgedCost + cost <= window else { return false }
            unacknowledgedCost += cost
            items.append((sequence, .chunk(StreamChunk(bytes: payload, missingCount: missingCount))))
        } else {
            hasEnded = true
            items.append((sequence, .end))
        }
        nextSequence = sequence + 1
        return true
    }

    mutating func take() -> Item? {
        guard let (sequence, item) = items.first else { return nil }
        items.removeFirst()
        takenSequence = sequence + 1
        switch item {
        case .chunk(let chunk): takenCost += StreamWindow.cost(of: chunk.bytes)
        case .end: acknowledgesNow = true
        }
        // Not for each chunk: there would be as many acknowledgements as chunks.
        if takenCost >= window / 4 { acknowledgesNow = true }
        return item
    }

    /// Returns the sequence number of an acknowledgement if one is due.
    mutating func acknowledgement() -> UInt32? {
        guard acknowledgesNow else { return nil }
        acknowledgesNow = false
        unacknowledgedCost -= takenCost
        takenCost = 0
        acknowledgedSequence = takenSequence
        return acknowledgedSequence
    }

    /// Begins a new connection. The acknowledgement is repeated, since the last one may have been lost.
    mutating func reconnect() { acknowledgesNow = true }
}

/// One chunk of a stream, for its reader.
package struct StreamChunk: Hashable, Sendable {
    /// The payload of the chunk, at most 32 KiB.
    package var bytes: Data
    /// Count of chunks lost right before this one. Always 0 in a reliable stream.
    package var missingCount = 0
}

enum StreamWindow {
    /// The allowed windows, in bytes. The smallest has room for a whole chunk beside the read chunks that are not acknowledged yet.
    static let range = 65_536...262_144

    /// Returns the part of a window that a chunk takes, in bytes. The fixed part bounds the count of small chunks.
    static func cost(of payload: Data) -> Int { payload.count + 256 }
}
