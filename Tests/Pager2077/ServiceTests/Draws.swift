import Pager2077Wire
import WireKit

/// Hex codes in a given order; the last one for ever.
final class Draws: Sendable {
    private let state: Locked<(codes: [UInt32], count: Int)>

    init(_ codes: [UInt32]) { state = Locked((codes, 0)) }

    var count: Int { state.withLock { $0.count } }

    func next() -> HexCode {
        state.withLock { state in
            state.count += 1
            return HexCode(state.codes.count > 1 ? state.codes.removeFirst() : state.codes[0])
        }
    }
}
