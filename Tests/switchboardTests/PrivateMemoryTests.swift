import Foundation
import TestKit
import Testing

/// Programs that keep secrets, read by another program of the same user.
@Suite struct PrivateMemoryTests {
    /// Runs a program without privileges, as a user's programs run. Root keeps its name and loses its capabilities.
    private static func start(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) async throws
        -> Program
    {
        guard geteuid() == 0 else { return try await Program(executable: executable, arguments, environment: environment) }
        return try await Program(
            executable: "/usr/bin/setpriv", ["--bounding-set=-all", "--inh-caps=-all", executable] + arguments,
            environment: environment)
    }

    /// The environment of a process, as another program of the same user sees it; nil if it may not.
    private static func environment(of process: Int32) async throws -> String? {
        let ending = try await start("/bin/cat", ["/proc/\(process)/environ"]).end()
        return ending.status == 0 ? ending.output : nil
    }

    @Test(arguments: [
        ["serve", "--port", "0"], ["serve", "endlesscode", "--port", "0"],
        ["endlesscode", "host", "--port", "0", "--driver", "demo"],
    ])
    func environmentAndMemoryAreClosedToOtherPrograms(_ command: [String]) async throws {
        let folder = try TemporaryFolder()
        let secret = "a-secret-of-this-test"
        let program = try await Self.start(
            Program.products.appending(path: "switchboard").path, command + ["--data", folder.file("data")],
            environment: ["HOME": folder.path, "PAGER2077_JWT_SECRET": String(repeating: secret, count: 3)])
        while let line = try await program.line(), !line.hasPrefix("Listening on ") {}
        #expect(try await Self.environment(of: program.identifier) == nil)
        let memory = try await Self.start("/usr/bin/head", ["-c", "1", "/proc/\(program.identifier)/mem"]).end()
        #expect(memory.errors.contains("ermission") || memory.errors.contains("not permitted"), "\(memory.errors)")
        program.send(SIGTERM)
        _ = try await program.end()
        // An ordinary program of the same user is readable: the test can fail.
        let other = try await Self.start("/bin/sleep", ["100"], environment: ["ORDINARY": secret])
        try await eventually { try await Self.environment(of: other.identifier)?.contains(secret) == true }
        other.send(SIGKILL)
        _ = try await other.end()
    }
}
