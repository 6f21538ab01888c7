import Foundation
import TestKit
import Testing

/// The ports and setting names of the contracts.
@Suite struct ContractSettingsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func serve(_ system: String, _ environment: [String: String], port: String? = "0") async throws -> Program {
        let arguments = ["serve", system, "--data", folder.file("data")] + (port.map { ["--port", $0] } ?? [])
        return try await Program("switchboard", arguments, environment: environment)
    }

    /// It listens on that port, or reports that the port is in use.
    @Test(arguments: [("pager2077", 3000), ("simbridge", 8100), ("endlesscode", 8180)]) func systemAloneUsesThePortOfItsContract(
        _ system: String, _ port: Int
    ) async throws {
        let program = try await serve(system, [:], port: nil)
        if let line = try await program.line() { #expect(line == "Listening on http://localhost:\(port)") }
        program.send(SIGTERM)
        let ending = try await program.end()
        if ending.status != 0 { #expect(ending.errors.contains("Cannot listen on localhost port \(port)"), "\(ending.errors)") }
    }

    @Test func relayAcceptsTheNamesOfItsContract() async throws {
        let database = folder.file("elsewhere.db")
        let environment = [
            "DB_PATH": database, "JWT_SECRET": String(repeating: "s", count: 32), "LOG_RETENTION_DAYS": "7",
            "GOOGLE_CLIENT_ID": "me.apps.googleusercontent.com", "GOOGLE_ISSUER": "http://127.0.0.1:9",
        ]
        for (settings, isConfigured) in [(environment, true), (environment.filter { $0.key != "GOOGLE_CLIENT_ID" }, false)] {
            let program = try await serve("simbridge", settings)
            let line = try #require(try await program.line())
            let http = HTTPProbe(port: try #require(line.split(separator: ":").last.flatMap { Int($0) }, "\(line)"))
            #expect(try await http.send("GET", "/docs").status == 200)
            #expect(FileManager.default.fileExists(atPath: database))
            #expect(!FileManager.default.fileExists(atPath: folder.file("data/simbridge.secret")))
            let reply = try await http.send("POST", "/auth/google", body: Data(#"{"id_token":"x.y.z"}"#.utf8))
            #expect((reply.status != 501) == isConfigured, "\(reply.text)")
            program.send(SIGTERM)
            #expect(try await program.end().status == 0)
        }
    }

    @Test(arguments: [("LOG_RETENTION_DAYS", "soon"), ("LOG_RETENTION_DAYS", "-1"), ("JWT_SECRET", "short")])
    func invalidSettingIsNamed(_ name: String, _ value: String) async throws {
        let ending = try await serve("simbridge", [name: value]).end()
        #expect(ending.status == 1)
        #expect(ending.errors.contains(name) && ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
    }
}
