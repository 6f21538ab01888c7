/// A key of the pager.
enum Key: Hashable {
    case digit(Int)
    case star, hash, call, end
    /// Of a hardware keyboard; on the pad 2, 8, 4 and 6 stand for them where nothing is typed.
    case up, down, left, right

    /// What the key means where nothing is typed.
    var asDirection: Key {
        switch self {
        case .digit(2): .up
        case .digit(8): .down
        case .digit(4): .left
        case .digit(6), .digit(5): .right
        default: self
        }
    }
}
