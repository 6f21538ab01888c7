import EndlessCodeProjects
import Foundation
import TestKit

/// A temporary folder with a project, `inside`, and something that must stay hidden, `outside`.
final class ScratchFolder: Sendable {
    static let secret = "the secret"

    private let temporary: TemporaryFolder
    let outside: URL
    let inside: URL

    init() throws {
        temporary = try TemporaryFolder()
        let real = temporary.url.resolvingSymlinksInPath()
        (inside, outside) = (real.appending(path: "inside"), real.appending(path: "outside"))
        for folder in [inside, outside] { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        try Data(Self.secret.utf8).write(to: outside.appending(path: "secret.txt"))
    }

    var project: ProjectFolder { get throws(ProjectError) { try ProjectFolder(inside.path) } }

    func write(_ path: String, _ text: String = "text\n") throws { try write(path, Data(text.utf8)) }

    func write(_ path: String, _ data: Data) throws {
        let file = inside.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    func link(_ path: String, to target: String) throws {
        let file = inside.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard symlink(target, file.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}

/// The error of a call that must fail.
func failure<Result>(_ call: () async throws(ProjectError) -> Result) async -> ProjectError? {
    do throws(ProjectError) {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}
