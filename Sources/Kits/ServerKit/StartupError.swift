/// The reason why a server cannot start, in one line with the remedy for the operator.
public struct StartupError: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}
