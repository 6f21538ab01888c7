import Foundation
import TestKit
import Testing

/// The command line of `switchboard simbridge host`.
@Suite struct SimBridgeHostCommandTests {
    private let folder: TemporaryFolder
    private let password: String

    init() throws {
        folder = try TemporaryFolder()
        password = folder.file("password")
        try "correct horse\n".write(toFile: password, atomically: true, encoding: .utf8)
    }

    private func host(_ arguments: [String]) async throws -> Program {
        try await Program("switchboard", ["simbridge", "host", "--data", folder.file("host")] + arguments)
    }

    /// Reads lines until one ends with `words`.
    private func wait(for words: String, from program: Program) async throws {
        while let line = try await program.line() { if line.hasSuffix(words) { return } }
        throw NeverPrinted(words: words)
    }

    private struct NeverPrinted: Error { var words: String }

    @Test func helpListsOptionsAndSettings() async throws {
        let ending = try await host(["--help"]).end()
        #expect(ending.status == 0)
        for word in [
            "http://localhost:8077/simbridge", "http://localhost:8100", "--relay", "--register", "--password-file", "--driver",
            "--pair", "modemmanager", "Ctrl-C",
        ] {
            #expect(ending.output.contains(word), "\(word)")
        }
    }

    private static let mistakes: [([String], String)] = [
        ([], "Missing option --relay"), (["--relay", "ftp://x"], "--relay is \"ftp://x\"; expected an http or https address"),
        (["--relay", "localhost:8100"], "expected an http or https address"),
        (["--relay", "http://ada:secret@localhost"], "expected"),
        (["--relay", "http://localhost", "--driver", "pigeon"], "pigeon"),
        (["--relay", "http://localhost", "--name", ""], "--name must have 1 to 100 characters"),
        (["--relay", "http://localhost", "--user", "ada", "--password-file", "/no/such"], "/no/such"),
    ]

    @Test(arguments: mistakes) func errorIsOneLine(arguments: [String], words: String) async throws {
        let ending = try await host(arguments).end()
        #expect(ending.status != 0 && ending.output.isEmpty, "\(ending.output)")
        #expect(ending.errors.contains(words), "\(ending.errors)")
        #expect(ending.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        (["--user", "ada"], "Cannot ask for the password without a terminal; use --password-file"),
        ([], "Cannot ask for the user name without a terminal; use --user"),
    ]) func credentialsNeedATerminalOrAFile(arguments: [String], words: String) async throws {
        let program = Program.products.appending(path: "switchboard").path
        let ending = try await Program.tool(
            "/usr/bin/setsid",
            ["--wait", program, "simbridge", "host", "--data", folder.file("host"), "--relay", "http://localhost"] + arguments)
        #expect(ending.status == 1 && ending.output.isEmpty, "\(ending.output)")
        #expect(ending.errors == "switchboard: \(words)\n")
    }

    @Test func unreachableRelayIsReported() async throws {
        // No server listens here.
        let port = 1
        let ending = try await host([
            "--relay", "http://localhost:\(port)", "--user", "ada", "--password-file", password,
        ]).end()
        #expect(ending.status == 1)
        #expect(ending.errors.contains("No relay answers at http://localhost:\(port)"))
    }

    /// Registers, is killed, restarts without a password, and stops in order.
    @Test func killedHostKeepsItsIdentity() async throws {
        let relay = try await Program(
            "switchboard", ["serve", "simbridge", "--port", "0", "--data", folder.file("relay")])
        let port = try #require(try await relay.line()?.split(separator: ":").last.flatMap { Int($0) })
        let address = "http://localhost:\(port)"
        let first = try await host([
            "--relay", address + "/", "--user", "ada", "--password-file", password, "--register", "--name", "Attic",
        ])
        try await wait(for: "Registered as the host 'Attic'.", from: first)
        try await wait(for: "Type this code into the client, within 10 minutes:", from: first)
        first.send(SIGKILL)
        #expect(try await first.end().wasSignalled)

        let second = try await host([])
        try await wait(for: "Connected to \(address).", from: second)
        second.send(SIGINT)
        let ending = try await second.end()
        #expect(ending.status == 0 && ending.output.hasSuffix("Stopped.\n"), "\(ending)")
        #expect(!ending.output.contains("Registered"))
        relay.send(SIGTERM)
        #expect(try await relay.end().status == 0)
    }

    @Test func wrongPasswordIsReported() async throws {
        let relay = try await Program(
            "switchboard", ["serve", "simbridge", "--port", "0", "--data", folder.file("relay")])
        let port = try #require(try await relay.line()?.split(separator: ":").last.flatMap { Int($0) })
        let ending = try await host([
            "--relay", "http://localhost:\(port)", "--user", "nobody", "--password-file", password,
        ]).end()
        #expect(ending.status == 1)
        #expect(ending.errors.contains("Check the user name and the password"))
        relay.send(SIGTERM)
        #expect(try await relay.end().status == 0)
    }
}
