/// A key of the pager.
enum Key: Hashable {
    case digit(Int)
    case star, hash, call, end
    /// Arrow keys of a hardware keyboard. On screens without text entry, 2, 8, 4 and 6 act as arrows.
    case up, down, left, right

    /// The key's meaning on screens without text entry.
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
