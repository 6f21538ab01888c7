import Foundation
import Subprocess
import SystemTypes
import WireKit

/// A program that does not outlive this process: the program exits when its standard input closes, also if this process is killed.
struct LeashedProgram: Sendable {
    struct Ending: Sendable {
        var isSuccess: Bool
        /// The status, or the last line of standard error.
        var reason: String
    }

    let path: String
    let arguments: [String]
    let environment: [String: String]

    /// The writing end of the program's standard input; closing this end lets the program exit.
    private final class Leash: Sendable {
        let end: FileHandle

        init(_ descriptor: CInt) { end = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true) }
    }

    /// Runs the program to its end. Cancellation kills the program and its child processes.
    ///
    /// - Parameters:
    ///   - didStart: Called with the process group.
    ///   - line: Called with each line of standard output.
    /// - Throws: ``EngineError`` when the program cannot be started; `CancellationError`.
    @concurrent
    func run(didStart: @escaping @Sendable (pid_t) -> Void = { _ in }, line: @escaping @Sendable (String) -> Void) async throws
        -> Ending
    {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw EngineError(.failed, "No program can be started: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let leash = Leash(ends[1])
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
        let variables = environment.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(path)), arguments: Arguments(arguments), environment: .custom(Dictionary(variables) { $1 }),
                workingDirectory: "/", platformOptions: options,
                input: .fileDescriptor(FileDescriptor(rawValue: ends[0]), closeAfterSpawningProcess: true), output: .sequence,
                error: .sequence
            ) { execution in
                didStart(execution.processIdentifier.value)
                async let errors = execution.standardError.strings().reduce(into: "") { last, line in
                    if !line.allSatisfy(\.isWhitespace) { last = String(line.prefix(400)) }
                }
                for try await text in execution.standardOutput.strings() { line(text.trimmingCharacters(in: .newlines)) }
                return try await errors
            }
            withExtendedLifetime(leash) {}
            if case .exited(0) = result.terminationStatus { return Ending(isSuccess: true, reason: "") }
            let error = result.closureResult.trimmingCharacters(in: .whitespacesAndNewlines)
            return Ending(isSuccess: false, reason: error.isEmpty ? "\(result.terminationStatus)" : error)
        } catch {
            try Task.checkCancellation()
            throw EngineError(.failed, "\(path) cannot be used: \(error)")
        }
    }
}
