import WireKit

/// A queue of the frames of a connection. The socket is read at once; the main actor handles the frames later, in order.
///
/// Beyond ``maximumLength`` the socket is not read until the main actor has caught up.
final class PageInbox: Sendable {
    private struct Item: Sendable {
        var frame: PageFrame
        var length: Int
        var receipt: ContinuousClock.Instant
    }

    /// Maximum length of the waiting frames, in bytes: four frames of maximum length.
    private static let maximumLength = 1_048_576
    /// The length of an empty frame in memory, in bytes.
    private static let overhead = 256

    private let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let length = Locked(0)

    init() { (items, continuation) = AsyncStream.makeStream() }

    func add(_ frame: PageFrame, length: Int, receivedAt receipt: ContinuousClock.Instant) async {
        let length = length + Self.overhead
        // Waits for one turn of the main actor at a time.
        while self.length.withLock({ $0 > Self.maximumLength }) { await MainActor.run {} }
        self.length.withLock { $0 += length }
        continuation.yield(Item(frame: frame, length: length, receipt: receipt))
    }

    /// Makes ``handle(_:)`` return after the waiting frames.
    func end() { continuation.finish() }

    func handle(_ body: @Sendable (PageFrame, ContinuousClock.Instant) async -> Void) async {
        for await item in items {
            await body(item.frame, item.receipt)
            length.withLock { $0 -= item.length }
        }
    }
}
