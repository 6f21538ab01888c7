/// The reason why a server cannot start, with the remedy for the operator, in one sentence.
package struct StartupError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
