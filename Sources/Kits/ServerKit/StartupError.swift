/// The reason why a server cannot start, in one line with the remedy for the operator.
package struct StartupError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
