/// Why a server cannot start, in one line that tells its operator what to do about it.
public struct StartupError: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}
