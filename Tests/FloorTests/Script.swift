import Foundation

/// A finished script of the folder `Scripts`.
struct Script {
    var status: Int32
    /// What it wrote, errors included. The script must write less than a pipe holds, 64 KiB.
    var output: String

    /// Runs a script. No thread of other tests waits for it.
    static func run(_ name: String, _ arguments: String...) async throws -> Script {
        try await run(FloorTests.root.appending(path: "Scripts/\(name)"), arguments)
    }

    static func run(_ program: URL, _ arguments: [String]) async throws -> Script {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return Script(status: status, output: String(decoding: output, as: UTF8.self))
    }
}
