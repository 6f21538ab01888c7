import NIOConcurrencyHelpers

/// The number of the last event written to a socket, between its writer and its reader.
final class SentCursor: Sendable {
    private let box = NIOLockedValueBox<Int64>(0)

    var seq: Int64 { box.withLockedValue { $0 } }
    func advance(to seq: Int64) { box.withLockedValue { $0 = seq } }
}
