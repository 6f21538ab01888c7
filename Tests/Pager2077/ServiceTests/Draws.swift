import NIOConcurrencyHelpers
import Pager2077Wire

/// Hex codes in a given order; the last one for ever.
final class Draws: Sendable {
    private let state: NIOLockedValueBox<(codes: [UInt32], count: Int)>

    init(_ codes: [UInt32]) { state = NIOLockedValueBox((codes, 0)) }

    var count: Int { state.withLockedValue { $0.count } }

    func next() -> HexCode {
        state.withLockedValue { state in
            state.count += 1
            return HexCode(state.codes.count > 1 ? state.codes.removeFirst() : state.codes[0])
        }
    }
}
