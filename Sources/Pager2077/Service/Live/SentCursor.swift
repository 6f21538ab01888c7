import NIOConcurrencyHelpers

/// The number of the last event written to a socket, between its writer and its reader.
final class SentCursor: Sendable {
    /// Where the socket began.
    let start: Int64
    private let box: NIOLockedValueBox<Int64>

    init(_ start: Int64) {
        self.start = start
        box = NIOLockedValueBox(start)
    }

    var seq: Int64 { box.withLockedValue { $0 } }
    func advance(to seq: Int64) { box.withLockedValue { $0 = seq } }
}
