/// The reason why a server cannot start, in one line that tells the operator what to do.
public struct StartupError: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}
