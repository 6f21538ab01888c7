import Foundation
import TestKit
import Testing

/// The command line of `switchboard localllm`.
@Suite struct LocalLLMCommandTests {
    /// Arguments of a host whose network does not answer: nobody listens on port 9.
    private func arguments(_ folder: TemporaryFolder) -> [String] {
        ["localllm", "host", "--data", folder.path, "--engine", "demo", "--bootstrap", "127.0.0.1:9"]
    }

    /// The Server ID in the output of a host, which is read until it runs: before that a signal ends it at once.
    private func serverID(of host: Program) async throws -> Substring {
        var id: Substring?
        while let line = try await host.line() {
            if let found = line.firstMatch(of: /Server ID: (\w+)$/) { id = found.1 }
            if let id, line.hasSuffix("Models: demo.") { return id }
        }
        throw Missing()
    }

    private struct Missing: Error {}

    @Test func hostKeepsItsServerIDAndStopsOnSIGTERM() async throws {
        let folder = try TemporaryFolder()
        let host = try await Program("switchboard", arguments(folder))
        let id = try await serverID(of: host)
        #expect((32...44).contains(id.count))
        // One host for each data folder.
        let second = try await Program("switchboard", arguments(folder)).end()
        #expect(second.status == 1 && second.errors.contains("in use"), "\(second)")
        host.send(SIGTERM)
        #expect(try await host.end().status == 0)
        let again = try await Program("switchboard", arguments(folder))
        #expect(try await serverID(of: again) == id)
        again.send(SIGTERM)
        #expect(try await again.end().status == 0)
        let phones = try await Program("switchboard", ["localllm", "phones", "--data", folder.path]).end()
        #expect(phones.status == 0 && phones.output.isEmpty)
        let unknown = try await Program("switchboard", ["localllm", "phones", "--data", folder.path, "--remove", "00"]).end()
        #expect(unknown.status == 1 && unknown.errors.contains("no such phone"), "\(unknown)")
    }

    @Test func mistakesAreExplained() async throws {
        let folder = try TemporaryFolder()
        let phones = try await Program("switchboard", ["localllm", "phones", "--data", folder.path]).end()
        #expect(phones.status == 1 && phones.errors.contains("switchboard localllm host"), "\(phones)")
        let arguments = ["localllm", "host", "--data", folder.path, "--engine", "openai"]
        let host = try await Program("switchboard", arguments, environment: ["OPENAI_BASE_URL": ""]).end()
        #expect(host.status != 0 && host.errors.contains("--engine-url"), "\(host)")
    }
}
