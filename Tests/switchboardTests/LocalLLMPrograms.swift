import Foundation
import TestKit

/// `switchboard localllm host` with the demo engine, on a private network.
struct HostProgram {
    let program: Program
    let serverID: String

    private struct Ended: Error { var output: String }

    /// Starts a host, and waits until phones can connect.
    init(_ network: PrivateNetwork, _ data: TemporaryFolder, _ options: [String] = []) async throws {
        program = try await Program(
            "switchboard", ["localllm", "host", "--engine", "demo", "--data", data.path] + options + network.bootstrap,
            hasInput: true)
        let line = try await Self.line(of: program) { $0.contains("Server ID: ") }
        serverID = line.components(separatedBy: "Server ID: ").last ?? ""
        _ = try await until { $0.hasSuffix("Phones can connect now.") }
    }

    /// The first line of the further output that satisfies the condition.
    func until(_ isWanted: (String) -> Bool) async throws -> String { try await Self.line(of: program, isWanted) }

    private static func line(of program: Program, _ isWanted: (String) -> Bool) async throws -> String {
        var output = ""
        while let line = try await program.line() {
            if isWanted(line) { return line }
            output += line + "\n"
        }
        throw Ended(output: output)
    }

    /// Ends the host as the system does.
    func terminate() async throws -> Program.Ending {
        program.send(SIGTERM)
        return try await program.end()
    }

    func kill() async throws -> Program.Ending {
        program.send(SIGKILL)
        return try await program.end()
    }
}

/// `switchboard localllm chat` in a pipe that a test writes to.
struct ChatProgram {
    let program: Program

    private struct Ended: Error { var errors: String }

    /// - Parameter phone: The folder with the phone's key and transcript.
    init(_ serverID: String, _ network: PrivateNetwork, _ phone: TemporaryFolder) async throws {
        program = try await Program(
            "switchboard", ["localllm", "chat", serverID, "--data", phone.path] + network.bootstrap, hasInput: true)
    }

    func send(_ prompt: String) throws { try program.write("\(prompt)\n") }

    /// The lines of standard error up to the first one with this text.
    func errors(until text: String) async throws -> [String] {
        var lines: [String] = []
        while let line = try await program.errorLine() {
            lines.append(line)
            if line.contains(text) { return lines }
        }
        throw Ended(errors: lines.joined(separator: "\n"))
    }

    /// Ends the input, and waits for the end of the program.
    func end() async throws -> Program.Ending {
        program.closeInput()
        return try await program.end(within: ampleTime)
    }
}
