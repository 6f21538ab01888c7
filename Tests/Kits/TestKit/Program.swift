package import Foundation
import Subprocess
import SystemTypes
import WireKit

/// A child process: a program of this package or a system tool.
///
/// `@unchecked Sendable`: ``line()``, ``errorLine()`` and ``end(within:)`` are called from one task at a time.
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
    private var errorLines: AsyncStream<String>.Iterator
    /// This side's end of the standard input; nil where the input is empty.
    private let input: Input?

    /// Starts `name` from the folder of the tests' own executable.
    ///
    /// - Parameter hasInput: Connects the standard input to ``write(_:)``. Otherwise it is empty.
    package convenience init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = false
    ) async throws {
        try await self.init(
            executable: Self.products.appending(path: name).path, arguments, environment: environment, hasInput: hasInput)
    }

    /// Runs a system tool to its end.
    package static func tool(_ path: String, _ arguments: [String]) async throws -> Ending {
        try await Program(executable: path, arguments, environment: [:]).end()
    }

    package init(
        executable: String, _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = false
    ) async throws {
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWITCHBOARD_") }
        variables.merge(environment) { $1 }
        let (lines, output) = AsyncStream.makeStream(of: String.self)
        let (errorLines, errorOutput) = AsyncStream.makeStream(of: String.self)
        let input = hasInput ? try Input() : nil
        let source = try input?.programEnd ?? FileDescriptor.open("/dev/null", .readOnly)
        let (starts, started) = AsyncStream.makeStream(of: Int32.self)
        run = Task { [variables] in
            defer {
                started.finish()
                output.finish()
                errorOutput.finish()
            }
            let result = try await Subprocess.run(
                .path(FilePath(executable)), arguments: Arguments(arguments),
                environment: .custom(Dictionary(uniqueKeysWithValues: variables.map { (Environment.Key(rawValue: $0)!, $1) })),
                input: .fileDescriptor(source, closeAfterSpawningProcess: true), output: .sequence, error: .sequence
            ) { execution in
                started.yield(execution.processIdentifier.value)
                async let errors = execution.standardError.strings().reduce(into: "") { errors, line in
                    errors += line + "\n"
                    errorOutput.yield(line)
                }
                for try await line in execution.standardOutput.strings() { output.yield(line) }
                return try await errors
            }
            return (result.terminationStatus, result.closureResult)
        }
        (self.lines, self.errorLines, self.input) = (lines.makeAsyncIterator(), errorLines.makeAsyncIterator(), input)
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

    /// The next line of standard error; nil after the end of the process. ``Ending/errors`` has it as well.
    package func errorLine() async throws -> String? {
        try await within { [self] in await errorLines.next(isolation: #isolation) }
    }

    /// Writes to the standard input, which the program must have.
    package func write(_ text: String) throws { try input?.write(text) }

    /// Ends the standard input.
    package func closeInput() { input?.close() }

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

/// A connection to the standard input of a program.
private final class Input: Sendable {
    /// The descriptor that the program inherits. Closed once it runs.
    let programEnd: FileDescriptor
    private let ownEnd: FileDescriptor

    init() throws {
        guard let ends = Sockets.pair() else { throw Errno(rawValue: errno) }
        (programEnd, ownEnd) = (FileDescriptor(rawValue: ends.0), FileDescriptor(rawValue: ends.1))
    }

    deinit { try? ownEnd.close() }

    func write(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(ownEnd.rawValue, $0.baseAddress, $0.count, Sockets.sendFlags) }
            guard count > 0 else { throw Errno(rawValue: errno) }
            bytes = bytes.dropFirst(count)
        }
    }

    func close() { shutdown(ownEnd.rawValue, CInt(SHUT_WR)) }
}
