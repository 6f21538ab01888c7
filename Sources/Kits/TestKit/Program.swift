package import Foundation
import Subprocess
import SystemPackage

/// A child process: a program of this package or a system tool.
///
/// `@unchecked Sendable`: ``line()`` and ``end(within:)`` are called from one task at a time.
package final class Program: @unchecked Sendable {
    package struct Ending: Sendable, Equatable {
        /// The exit code or the signal number.
        package var status: Int32
        package var wasSignalled: Bool
        /// The standard output since the last ``Program/line()``.
        package var output: String
        package var errors: String
    }

    package let identifier: Int32
    private let run: Task<(TerminationStatus, String), any Error>
    private var lines: AsyncStream<String>.Iterator

    /// Starts `name` from the folder of the tests' own executable.
    package convenience init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) async throws {
        try await self.init(executable: Self.products.appending(path: name).path, arguments, environment: environment)
    }

    /// Runs a system tool to its end.
    package static func tool(_ path: String, _ arguments: [String]) async throws -> Ending {
        try await Program(executable: path, arguments, environment: [:]).end()
    }

    private init(executable: String, _ arguments: [String], environment: [String: String]) async throws {
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWITCHBOARD_") }
        variables.merge(environment) { $1 }
        let (lines, output) = AsyncStream.makeStream(of: String.self)
        let (starts, started) = AsyncStream.makeStream(of: Int32.self)
        run = Task { [variables] in
            defer {
                started.finish()
                output.finish()
            }
            let result = try await Subprocess.run(
                .path(FilePath(executable)), arguments: Arguments(arguments),
                environment: .custom(Dictionary(uniqueKeysWithValues: variables.map { (Environment.Key(rawValue: $0)!, $1) })),
                input: .none, output: .sequence, error: .sequence
            ) { execution in
                started.yield(execution.processIdentifier.value)
                async let errors = execution.standardError.strings().reduce(into: "") { $0 += $1 + "\n" }
                for try await line in execution.standardOutput.strings() { output.yield(line) }
                return try await errors
            }
            return (result.terminationStatus, result.closureResult)
        }
        self.lines = lines.makeAsyncIterator()
        guard let identifier = await starts.first(where: { _ in true }) else {
            // The program did not start; the task throws the error.
            _ = try await run.value
            throw TimedOut()
        }
        self.identifier = identifier
    }

    deinit { run.cancel() }

    package func send(_ signal: Int32) { kill(identifier, signal) }

    /// The next line of standard output; nil after the end of the process.
    package func line() async throws -> String? {
        try await within { [self] in await lines.next(isolation: #isolation) }
    }

    /// Waits for the end of the process.
    package func end(within limit: Duration = .seconds(120)) async throws -> Ending {
        try await within(limit) { [self] in
            var output = ""
            while let line = await lines.next(isolation: #isolation) { output += line + "\n" }
            let (status, errors) = try await run.value
            return switch status {
            case .exited(let code): Ending(status: code, wasSignalled: false, output: output, errors: errors)
            case .signaled(let signal): Ending(status: signal, wasSignalled: true, output: output, errors: errors)
            }
        }
    }

    /// The folder of the built programs and tests.
    package static var products: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }
}
