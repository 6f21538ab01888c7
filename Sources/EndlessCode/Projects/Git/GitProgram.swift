import Foundation
import Subprocess
import SystemTypes

/// The `git` program, run with limits on time and output, and with an environment of its own.
struct GitProgram: Sendable {
    struct Ending: Sendable {
        var output: [UInt8]
        /// True if the output was cut at the limit, and the program killed.
        var truncated: Bool
        var errors: String
        /// The exit code; nil if a signal ended the program.
        var code: Int32?
    }

    /// Maximum bytes kept of the standard error.
    private static let maximumErrors = 4096

    /// The path of the program; nil for `git` from `PATH`.
    let path: String?
    let timeLimit: Duration
    let clock: any Clock<Duration>

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - folder: The working directory.
    ///   - variables: The whole environment except `PATH`.
    /// - Throws: `failed` if the program is missing or exceeds the time limit.
    func run(
        _ arguments: [String], in folder: String, variables: [String: String], outputLimit: Int
    ) async throws(ProjectError) -> Ending {
        do {
            return try await withThrowingTaskGroup(of: Ending?.self) { group in
                group.addTask { try await start(arguments, in: folder, variables, outputLimit) }
                group.addTask {
                    try await clock.sleep(for: timeLimit)
                    return nil
                }
                defer { group.cancelAll() }
                guard let ending = try await group.next() ?? nil else {
                    throw ProjectError(.failed, "git did not end within \(timeLimit)")
                }
                return ending
            }
        } catch let error as ProjectError {
            throw error
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw ProjectError(.failed, "git is not installed")
        } catch {
            throw ProjectError(.failed, "git cannot be run: \(error)")
        }
    }

    @concurrent
    private func start(
        _ arguments: [String], in folder: String, _ variables: [String: String], _ limit: Int
    ) async throws -> Ending {
        var variables = variables
        variables["PATH"] = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        var options = PlatformOptions()
        options.processGroupID = 0
        // Cancellation kills the whole process group at once, because git has nothing to save.
        options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
        let result = try await Subprocess.run(
            path.map { .path(FilePath($0)) } ?? .name("git"), arguments: Arguments(arguments),
            environment: .custom(Dictionary(uniqueKeysWithValues: variables.map { (.init(rawValue: $0)!, $1) })),
            workingDirectory: FilePath(folder), platformOptions: options, input: .none, output: .sequence, error: .sequence
        ) { execution in
            async let errors = Self.read(execution.standardError, upTo: Self.maximumErrors)
            var (output, truncated) = ([UInt8](), false)
            for try await buffer in execution.standardOutput {
                output.append(contentsOf: buffer.withUnsafeBytes { Array($0) })
                guard output.count > limit else { continue }
                output.removeLast(output.count - limit)
                truncated = true
                try? execution.send(signal: .kill, toProcessGroup: true)
                break
            }
            return (output, truncated, try await errors)
        }
        let (output, truncated, errors) = result.closureResult
        var code: Int32?
        if case .exited(let exit) = result.terminationStatus { code = exit }
        return Ending(output: output, truncated: truncated, errors: String(decoding: errors, as: UTF8.self), code: code)
    }

    private static func read(_ output: SubprocessOutputSequence, upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await buffer in output where bytes.count < limit {
            bytes.append(contentsOf: buffer.withUnsafeBytes { $0.prefix(limit - bytes.count) })
        }
        return bytes
    }
}
