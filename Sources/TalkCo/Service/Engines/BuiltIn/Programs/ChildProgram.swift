import Foundation
import Subprocess
import SystemTypes

/// A program that is run as a child process, with limits of time and output, and with an environment of its own.
struct ChildProgram: Sendable {
    /// An absolute path.
    let path: String
    let timeLimit: Duration
    let clock: any Clock<Duration>

    init(path: String, timeLimit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.path = path
        self.timeLimit = timeLimit
        self.clock = clock
    }

    /// Returns the first executable with the name in the folders of a search path; nil for none.
    static func find(_ name: String, in searchPath: String) -> String? {
        searchPath.split(separator: ":").map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
    }

    var name: String { String(path.split(separator: "/").last ?? "") }

    /// Runs the program to its end, without a standard input: a write to a program that has ended would be a SIGPIPE.
    ///
    /// - Parameters:
    ///   - folder: The working directory.
    /// - Returns: The standard output.
    /// - Throws: ``EngineError`` when the program cannot be run, fails, or exceeds a limit; `CancellationError`.
    func run(_ arguments: [String], in folder: String = "/", outputLimit: Int) async throws -> [UInt8] {
        do {
            return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                group.addTask { try await start(arguments, folder, outputLimit) }
                group.addTask {
                    try await clock.sleep(for: timeLimit)
                    return nil
                }
                defer { group.cancelAll() }
                guard let output = try await group.next() ?? nil else {
                    throw EngineError(.timedOut, "\(name) did not end within \(timeLimit)")
                }
                return output
            }
        } catch let error as EngineError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw EngineError(.failed, "\(name) cannot be used: \(error)")
        }
    }

    @concurrent
    private func start(_ arguments: [String], _ folder: String, _ outputLimit: Int) async throws -> [UInt8] {
        var options = PlatformOptions()
        options.processGroupID = 0
        // A cancellation kills the whole process group at once: the program has nothing to save.
        options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
        let result = try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments),
            // The programs' sound library would create a folder in a home folder, even in one that does not exist.
            environment: .custom(["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/dev/null"]),
            workingDirectory: FilePath(folder), platformOptions: options, input: .none,
            output: .bytes(limit: outputLimit), error: .discarded)
        guard case .exited(0) = result.terminationStatus else {
            throw EngineError(.failed, "\(name) failed: \(result.terminationStatus)")
        }
        return result.standardOutput
    }
}
