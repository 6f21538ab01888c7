/// A failure to read a project's file, diff or history.
package struct ProjectError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Compare this; do not compare whole errors.
    package struct Code: Hashable, Sendable {
        private enum Base {
            case pathForbidden, notFound, notAFolder, notAFile, accessDenied, fileTooLarge, invalidArgument, failed
        }
        private let base: Base

        /// The path leaves the project: `..`, an absolute path, a NUL, or a link that leads outside.
        package static let pathForbidden = Code(base: .pathForbidden)
        /// Nothing with this path or identifier exists.
        package static let notFound = Code(base: .notFound)
        /// A folder was expected.
        package static let notAFolder = Code(base: .notAFolder)
        /// A regular file was expected: the path names a folder, a pipe, a socket or a device.
        package static let notAFile = Code(base: .notAFile)
        /// The operating system refuses to open the file or folder.
        package static let accessDenied = Code(base: .accessDenied)
        /// The file is larger than ``FileContent/maximumSize``.
        package static let fileTooLarge = Code(base: .fileTooLarge)
        /// A page that cannot exist: a negative offset, a limit below 1.
        package static let invalidArgument = Code(base: .invalidArgument)
        /// The operating system or `git` failed.
        package static let failed = Code(base: .failed)
    }

    package let code: Code
    /// A sentence for developers. It contains paths as the caller gave them, and no content of files.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        (self.code, self.detail) = (code, detail)
    }

    package var description: String { detail }
}
