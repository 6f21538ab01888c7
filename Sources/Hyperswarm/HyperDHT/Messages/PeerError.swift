/// The error number with which a peer refuses a connection.
public struct PeerError: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    public static let none = PeerError(rawValue: 0)
    public static let aborted = PeerError(rawValue: 1)
    public static let versionMismatch = PeerError(rawValue: 2)
    public static let tryLater = PeerError(rawValue: 3)

    public var description: String {
        switch self {
        case .none: "none"
        case .aborted: "aborted"
        case .versionMismatch: "version mismatch"
        case .tryLater: "try later"
        default: "error \(rawValue)"
        }
    }
}
