import Foundation
import Testing

/// The program `switchboard` behind simulated NATs, in network namespaces. `NATLab/lab.py` explains the laboratory.
@Suite struct NATLabTests {
    private static let lab = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "NATLab/lab.py")
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "switchboard")
    /// The reason for which the lab cannot run here.
    private static let obstacle = findObstacle()
    private static let isSoak = ProcessInfo.processInfo.environment["SWITCHBOARD_SOAK"] == "1"

    /// Everything that takes a few seconds. Guessing ports takes up to 35 s, and misses once in 630 times.
    private static let cases = [
        "open-open", "consistent-consistent", "random-random", "random-random-relay", "random-random-relay-of-host", "doctor-open",
        "doctor-consistent", "doctor-random",
    ]
    private static let slowCases = ["random-consistent", "consistent-random", "random-consistent-leaving-relay"]

    @Test(.enabled(if: obstacle == nil, Comment(rawValue: obstacle ?? "")))
    func peersMeetThroughTheirNATsOrLearnWhyNot() async throws {
        let cases = Self.isSoak ? Self.cases + Self.slowCases : Self.cases
        let (status, output) = try await Self.run([Self.program.path] + cases)
        #expect(status == 0, "\(output)")
        for name in cases { #expect(output.contains("{\"case\": \"\(name)\", \"ok\": true"), "\(output)") }
    }

    private static func process(_ arguments: [String]) -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", lab.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        return (process, pipe)
    }

    private static func findObstacle() -> String? {
        #if os(Linux)
            let (process, pipe) = process(["--check"])
            do { try process.run() } catch { return "The NAT lab is skipped: \(error)." }
            // A few words, and the program ends at once.
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return process.terminationStatus == 0 ? nil : output
        #else
            return "The NAT lab is skipped: network namespaces need Linux."
        #endif
    }

    private static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let (process, pipe) = process(arguments)
        let (endings, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { continuation.yield($0.terminationStatus) }
        try process.run()
        let output = await read(pipe.fileHandleForReading)
        for await status in endings { return (status, output) }
        return (-1, output)
    }

    /// Reads a pipe to its end on a thread of its own.
    private static func read(_ handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: String(decoding: handle.readDataToEndOfFile(), as: UTF8.self))
            }
        }
    }
}
