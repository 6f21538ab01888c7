import EndlessCodeWire
import Foundation
import NIOCore
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

/// EndlessCode in `switchboard serve`: a scratch project and the demo agent.
@Suite struct EndlessCodeServeTests {
    let folders: CodingHost.Folders

    init() throws { folders = try CodingHost.Folders() }

    /// `serve` with all systems, and the token of its host.
    private func box(_ options: String...) async throws -> (Program, Int, ServerLink) {
        let program = try await Program(
            "switchboard", ["serve", "--data", folders.data, "--port", "0"] + options, environment: ["DEMO_AGENT_PACE": "0"])
        let line = try #require(try await program.line())
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) }, "\(line)")
        let token = try String(contentsOfFile: "\(folders.data)/endlesscode-token.secret", encoding: .utf8)
        return (program, port, try ServerLink("endlesscode://127.0.0.1:\(port)?token=\(token)"))
    }

    private func edit(_ client: HostClient) async throws {
        #expect(try await client.projects().map(\.name) == ["Scratch"])
        let project = try #require(try await client.projects().first)
        let phone = try await client.phone()
        let session = try await client.start(in: "Scratch")
        try await phone.prompt("edit", to: session.id)
        #expect(try await phone.finishTurn().isError == false)
        #expect(FileManager.default.fileExists(atPath: "\(project.path)/NOTES.md"))
    }

    @Test func boxOffersAScratchProjectAndTheDemoAgent() async throws {
        let (program, port, link) = try await box()
        #expect(try await program.line() != nil)
        let client = try HostClient(link, path: "/endlesscode")
        let project = try #require(try await client.projects().first)
        let diff: WorkTreeDiff = try await client.call(.get, "/api/v1/projects/\(project.id)/diff")
        #expect(diff.git && diff.unstaged.contains("Bonjour"), "\(diff)")
        let files: FolderPage = try await client.call(.get, "/api/v1/projects/\(project.id)/files?path=notes")
        #expect(files.entries.map { "\($0.name) \($0.git?.rawValue ?? "")" } == ["ideas.md ", "today.md U"])
        try await edit(client)
        #expect(try await HTTPProbe(port: port).send("GET", "/endlesscode/api/v1/projects").status == 401)
        program.send(SIGTERM)
        #expect(try await program.end().status == 0)

        // What the agent wrote stays, and so does the session.
        let (again, _, next) = try await box()
        let other = try HostClient(next, path: "/endlesscode")
        let sessions: [Session] = try await other.call(.get, "/api/v1/sessions")
        #expect(sessions.map(\.state) == [.paused])
        #expect(FileManager.default.fileExists(atPath: "\(project.path)/NOTES.md"))
        again.send(SIGTERM)
        #expect(try await again.end().status == 0)
    }

    @Test func aloneItPrintsACodeAndUsesTLSOffLoopback() async throws {
        let local = try await CodingHost(["serve", "endlesscode"], folders)
        #expect(local.lines.first == "Listening on http://localhost:\(local.link.port)")
        try await edit(local.client)
        #expect(try await local.terminate().status == 0)
        let open = try await CodingHost(["serve", "endlesscode", "--host", "0.0.0.0"], folders)
        #expect(open.link.fingerprint != nil && open.link.token == local.link.token)
        #expect(try await open.client.projects().map(\.name) == ["Scratch"])
        #expect(try await open.terminate().status == 0)
    }

    /// An address of this machine other than loopback.
    private static let address = (try? System.enumerateDevices())?.compactMap { $0.address?.ipAddress }
        .first { $0.contains(".") && !$0.hasPrefix("127.") }

    @Test(.enabled(if: Self.address != nil)) func boxWithoutTLSAnswersThisMachineOnly() async throws {
        let address = try #require(Self.address)
        let (program, port, link) = try await box("--host", "0.0.0.0")
        let other = HTTPProbe(port: port, host: address)
        let refused = try await other.send(
            "GET", "/endlesscode/api/v1/projects", headers: ["Authorization": "Bearer \(link.token.text)"])
        #expect(refused.status == 403 && refused.text.contains("TLS"), "\(refused.text)")
        #expect(try await other.send("GET", "/pager2077/health").status == 200)
        #expect(try await HostClient(link, path: "/endlesscode").projects().count == 1)
        program.send(SIGTERM)
        #expect(try await program.end().status == 0)
    }

    @Test func promptTimeoutIsASetting() async throws {
        let ending = try await Program(
            "switchboard", ["serve", "endlesscode", "--data", folders.data, "--port", "0"],
            environment: ["ENDLESSCODE_PROMPT_TIMEOUT": "soon"]
        ).end()
        #expect(ending.status == 1 && ending.errors.contains("ENDLESSCODE_PROMPT_TIMEOUT is \"soon\""), "\(ending.errors)")
        let host = try await CodingHost(
            ["serve", "endlesscode"], folders, environment: ["ENDLESSCODE_PROMPT_TIMEOUT": "7"])
        let phone = try await host.client.phone()
        let session = try await host.client.start(in: "Scratch")
        try await phone.prompt("question", to: session.id)
        #expect(try await phone.promptRequest().timeout == 7)
        #expect(try await host.terminate().status == 0)
    }
}

/// The announcement of a host, found by another machine. Two machines with an avahi-daemon each: `Tests/Kits/DiscoveryLab/lab`.
@Suite struct EndlessCodeDiscoveryTests {
    private struct Event: Decodable {
        var event: String
        var name: String?
        var port: Int?
        var attributes: [String: String]?
    }

    private func expect(_ lab: Program, _ line: String) async throws {
        #expect(try await lab.line() == line, "the lab, which needs root, failed")
    }

    @Test func hostIsFoundOnTheNetworkUnderAKeptName() async throws {
        let (folders, buses) = (try CodingHost.Folders(), try TemporaryFolder())
        let script = URL(filePath: #filePath).appending(path: "../../Kits/DiscoveryLab/lab").standardized
        let lab = try await Program(executable: script.path, [buses.path], hasInput: true)
        try await expect(lab, "ready")
        for machine in ["one", "two"] {
            try lab.write("start \(machine)\n")
            try await expect(lab, "started \(machine)")
        }
        let search = try await Program(
            "discovery-probe", ["browse", "_endlesscode._tcp"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(buses.file("two/bus"))"], hasInput: true)
        func next(_ kind: String) async throws -> Event {
            while let line = try await search.line() {
                let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
                if event.event == kind { return event }
            }
            throw CancellationError()
        }
        var names: [String?] = []
        for _ in 0..<2 {
            let host = try await CodingHost(
                folders, ["--driver", "demo", "--host", "0.0.0.0"],
                environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(buses.file("one/bus"))"])
            let found = try await next("found")
            #expect(found.name?.wholeMatch(of: /EndlessCode-[A-Z0-9]{4}/) != nil, "\(found)")
            #expect(found.port == Int(host.link.port) && found.attributes == ["v": "1", "tls": "1"])
            names.append(found.name)
            #expect(try await host.terminate().status == 0)
            #expect(try await next("lost").name == found.name)
        }
        #expect(names[0] == names[1])
        // This machine only: not announced.
        let local = try await CodingHost(
            folders, ["--driver", "demo"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(buses.file("one/bus"))"])
        let ending = try await local.terminate()
        #expect(!ending.output.contains("nnounced"), "\(ending.output)")
        search.closeInput()
        #expect(try await search.end().status == 0)
        lab.closeInput()
        _ = try await lab.end()
    }
}
