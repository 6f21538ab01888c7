/// An error in bytes that are not a usable WAVE file.
package struct WAVError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The bytes are something else.
        case notWAVE
        /// The file ends before its chunks do.
        case truncated
        /// A chunk is missing or inconsistent.
        case malformed
        /// A valid file in an encoding that cannot be read, or beyond the limits.
        case unsupported
    }

    package var code: Code
    /// A sentence for developers.
    package var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
