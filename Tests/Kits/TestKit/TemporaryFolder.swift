package import Foundation

/// A temporary folder that is deleted with the value.
package final class TemporaryFolder: Sendable {
    package let url: URL
    package var path: String { url.path }

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "switchboard-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package func file(_ name: String) -> String { url.appending(path: name).path }

    /// Copies a database that an earlier version has written, from the folder `Databases` of a system's tests.
    ///
    /// - Parameter test: A file two folders below that system's tests, such as `ServiceTests/TakeoverTests.swift`.
    /// - Returns: The path of the copy.
    package func copy(ofDatabase name: String, as copy: String, test: String = #filePath) throws -> String {
        let tests = URL(filePath: test).deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: tests.appending(path: "Databases").appending(path: name), to: url.appending(path: copy))
        return file(copy)
    }
}
