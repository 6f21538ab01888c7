import Foundation
import Subprocess
import SystemTypes
import WireKit

/// The installer of the speech engines, which runs `Speech/install.py`.
package struct SpeechInstaller: Sendable {
    /// An event in the program's output.
    package enum Event: Hashable, Sendable {
        /// The needed download, disk space and memory, and the free disk space, in bytes.
        case need(download: Int, disk: Int, free: Int, memory: Int)
        /// - Parameters:
        ///   - step: From 1 to `count`.
        ///   - progress: The downloaded bytes and those of all downloads; nil while nothing is downloaded.
        case step(Int, of: Int, String, progress: Progress?)
        case done(String)

        package struct Progress: Hashable, Sendable {
            package var done: Int
            package var total: Int
        }
    }

    /// The reason why nothing was installed, for users.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    private struct Line: Decodable {
        var event: String
        var text: String?
        var step, steps, done, total, download, disk, free, memory: Int?
    }

    private let folder: SpeechFolder
    private let searchPath: String
    private let environment: [String: String]

    /// - Parameter environment: Variables for Python and pip: the addresses of proxies and of the package index.
    package init(_ folder: SpeechFolder, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.folder = folder
        searchPath = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        self.environment = environment.filter { Self.isPassedOn($0.key) }
    }

    /// Returns true if a variable is passed to the program; false for the secrets of the box.
    private static func isPassedOn(_ name: String) -> Bool {
        let names = [
            "PATH", "HOME", "LANG", "USER", "http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY",
            "NO_PROXY", "ALL_PROXY", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
        ]
        return names.contains(name) || ["LC_", "PIP_", "XDG_", "SSL_CERT_"].contains { name.hasPrefix($0) }
    }

    /// The options of an installation.
    package struct Options: Hashable, Sendable {
        /// Whisper's model; nil for `base`.
        package var model: String?
        /// A folder with models of the operator.
        package var models: String?
        /// A folder with the packages, in place of pip's index.
        package var wheels: String?

        package init(model: String? = nil, models: String? = nil, wheels: String? = nil) {
            (self.model, self.models, self.wheels) = (model, models, wheels)
        }

        var arguments: [String] {
            [("--model", model), ("--models", models), ("--wheels", wheels)].flatMap { name, value in
                value.map { [name, $0] } ?? []
            }
        }
    }

    /// Installs the engines. Parts that an earlier installation has completed are kept.
    ///
    /// - Throws: ``Failure``; `CancellationError`.
    package func install(_ options: Options = Options(), report: @escaping @Sendable (Event) -> Void) async throws {
        try await run(options.arguments, report)
    }

    /// Reports the downloads, disk and memory that an installation needs.
    ///
    /// - Throws: ``Failure``; `CancellationError`.
    package func plan(_ options: Options = Options(), report: @escaping @Sendable (Event) -> Void) async throws {
        try await run(options.arguments + ["--plan"], report)
    }

    /// - Throws: ``Failure``; `CancellationError`.
    package func remove(report: @escaping @Sendable (Event) -> Void) async throws { try await run(["--remove"], report) }

    private func run(_ arguments: [String], _ report: @escaping @Sendable (Event) -> Void) async throws {
        guard let python = ChildProgram.find("python3", in: searchPath) else {
            throw Failure(description: "python3 is not installed; install the packages python3 and python3-venv")
        }
        let program = LeashedProgram(
            path: python,
            arguments: ["-I", SpeechFolder.program("install.py"), "--folder", folder.path.path, "--leashed"] + arguments,
            environment: environment)
        let failure = Locked<Failure?>(nil)
        let ending = try await program.run { line in
            guard let line = try? WireJSON.decode(Line.self, from: Data(line.utf8)) else { return }
            switch line.event {
            case "need":
                report(
                    .need(download: line.download ?? 0, disk: line.disk ?? 0, free: line.free ?? 0, memory: line.memory ?? 0))
            case "step":
                let progress = line.done.flatMap { done in line.total.map { Event.Progress(done: done, total: $0) } }
                report(.step(line.step ?? 1, of: line.steps ?? 1, line.text ?? "", progress: progress))
            case "done": report(.done(line.text ?? ""))
            default: failure.withLock { $0 = Failure(description: line.text ?? "The installation failed") }
            }
        }
        try Task.checkCancellation()
        if let failure = failure.withLock({ $0 }) { throw failure }
        if !ending.isSuccess { throw Failure(description: "The installation ended: \(ending.reason). Install again to go on") }
    }
}
