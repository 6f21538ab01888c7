package import Foundation

/// A program of this package, run as a process of its own.
package final class Program: Sendable {
    package struct Ending: Sendable, Equatable {
        package var status: Int32
        package var wasSignalled: Bool
        package var output: String
        package var errors: String
    }

    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()

    /// Starts `name`, found beside the tests' own executable.
    package init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process = Process()
        process.executableURL = Self.products.appending(path: name)
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWITCHBOARD_") }
        variables.merge(environment) { $1 }
        process.environment = variables
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    package var identifier: Int32 { process.processIdentifier }

    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Its next line on standard output; nil when it has ended.
    package func line() async throws -> String? {
        let handle = output.fileHandleForReading
        return try await within(.seconds(30)) {
            try await inThread {
                var bytes: [UInt8] = []
                while let byte = try handle.read(upToCount: 1)?.first {
                    if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
                    bytes.append(byte)
                }
                return nil
            }
        }
    }

    /// Waits for its end and collects what it said since the last ``line()``.
    package func end(within limit: Duration = .seconds(30)) async throws -> Ending {
        try await within(limit) { [self] in
            async let said = inThread { [output] in try output.fileHandleForReading.readToEnd() ?? Data() }
            async let complained = inThread { [errors] in try errors.fileHandleForReading.readToEnd() ?? Data() }
            let (text, errorText) = try await (said, complained)
            try await inThread { [process] in process.waitUntilExit() }
            return Ending(
                status: process.terminationStatus, wasSignalled: process.terminationReason == .uncaughtSignal,
                output: String(decoding: text, as: UTF8.self), errors: String(decoding: errorText, as: UTF8.self))
        }
    }

    /// Where the build has put programs and tests.
    package static var products: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }
}

/// Runs blocking work on a thread of its own: the threads of Swift's tasks are few, and the server under test needs them.
private func inThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
