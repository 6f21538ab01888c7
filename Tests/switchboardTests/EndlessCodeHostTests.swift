import EndlessCodeWire
import Foundation
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

#if os(Linux)
    import QRScanning
#endif

/// `switchboard endlesscode host` as a process: its output, its token, its certificate and its settings.
@Suite struct EndlessCodeHostTests {
    let folders: CodingHost.Folders

    init() throws { folders = try CodingHost.Folders() }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    // MARK: Output

    @Test func addressAndCodeAreWrittenToAPipe() async throws {
        let host = try await CodingHost(folders, ["--driver", "demo"])
        #expect(host.lines.first == "Listening on http://localhost:\(host.link.port)")
        #expect(host.lines.contains { $0.contains("Project: ") && $0.hasSuffix("/project") }, "\(host.lines)")
        #expect(host.link.fingerprint == nil)
        #expect(!host.lines.joined().contains("\u{1B}"))
        #expect(try await Self.scans(host.lines, as: host.link.text))
        let client = try host.client
        #expect(try await HTTPProbe(port: Int(host.link.port)).send("GET", "/health").text == #"{"status":"ok"}"#)
        #expect(try await client.projects().map(\.name) == ["project"])
        #expect(try await client.refusal(.get, "/api/v1/stats", token: "wrong")?.status == 401)
        let ending = try await host.terminate()
        #expect(ending.status == 0 && ending.output.contains("Stopped.") && ending.errors.isEmpty, "\(ending)")
    }

    @Test func terminalShowsTheCodeInColours() async throws {
        let terminal = try await PseudoTerminal(
            ["endlesscode", "host", "--data", folders.data, "--port", "0", "--driver", "demo"], rows: 60)
        try await terminal.until("endlesscode://localhost:")
        #expect(terminal.text.contains("\u{1B}[38;5;16;48;5;231m"))
        terminal.program.send(SIGINT)
        try await terminal.until("Stopped.")
        let small = try await PseudoTerminal(
            ["endlesscode", "host", "--data", folders.data, "--port", "0", "--driver", "demo"], columns: 30, rows: 10)
        try await small.until("endlesscode://localhost:")
        #expect(small.text.contains("The QR code needs") && !small.text.contains("█"))
        small.program.send(SIGINT)
        try await small.until("Stopped.")
    }

    /// True if a camera reads the code in the lines as `text`: two modules in a character, light on dark. True without the scanner, which only Linux
    /// has.
    static func scans(_ lines: [String], as text: String) async throws -> Bool {
        let rows = lines.filter { $0.contains("█") }
        let modules = rows.flatMap { row -> [[Bool]] in
            [row.map { "█▀".contains($0) }, row.map { "█▄".contains($0) }]
        }
        let (width, scale) = (modules.first?.count ?? 0, 4)
        let pixels = modules.flatMap { row in
            Array(repeating: row.flatMap { Array(repeating: $0 ? UInt8(255) : 0, count: scale) }, count: scale).joined()
        }
        #if os(Linux)
            return await QRScanner().texts(
                in: try GreyscalePicture(width: width * scale, height: modules.count * scale, pixels: Array(pixels))) == [text]
        #else
            return !pixels.isEmpty
        #endif
    }

    // MARK: Token and certificate

    @Test func tokenAndProjectsStayTheSame() async throws {
        let first = try await CodingHost(folders, ["--driver", "demo"])
        let project = try await first.client.projects()
        #expect(try await first.terminate().status == 0)
        let second = try await CodingHost(folders, ["--driver", "demo"])
        #expect(second.link.token == first.link.token)
        #expect(try await second.client.projects() == project)
        #expect(project.first.map { !$0.id.rawValue.contains("project") } == true)
        #expect(try await second.terminate().status == 0)
        for name in ["endlesscode-token.secret", "endlesscode-projects.secret", "endlesscode.db", "endlesscode-audit.jsonl"] {
            #expect(try mode("\(folders.data)/\(name)") == 0o600, "\(name)")
        }
        #expect(try mode(folders.data) == 0o700)
    }

    @Test func otherMachinesConnectOverTLSWithAKeptCertificate() async throws {
        let first = try await CodingHost(folders, ["--driver", "demo", "--host", "0.0.0.0"])
        let fingerprint = try #require(first.link.fingerprint)
        #expect(first.lines.first?.hasPrefix("Listening on https://") == true)
        #expect(first.lines.contains("  Certificate: \(fingerprint)"))
        #expect(!first.link.host.isLoopback || first.lines.first?.contains("127.0.0.1") == true)
        #expect(try await Self.scans(first.lines, as: first.link.text))
        #expect(try await first.client.projects().count == 1)
        #expect(try await HostClient(first.link, host: "127.0.0.1").projects().count == 1)
        // Plain HTTP gets no answer.
        await #expect(throws: (any Error).self) {
            try await HTTPProbe(port: Int(first.link.port)).send("GET", "/health")
        }
        var other = first.link
        other.fingerprint = CertificateFingerprint([UInt8](repeating: 7, count: 32))
        await #expect(throws: TransportError.self) { try await HostClient(other).projects() }
        #expect(try await first.terminate().status == 0)
        let second = try await CodingHost(folders, ["--driver", "demo", "--host", "0.0.0.0"])
        #expect(second.link.fingerprint == fingerprint)
        #expect(try mode("\(folders.data)/endlesscode-certificate.secret") == 0o600)
        #expect(try await second.terminate().status == 0)
    }

    @Test func anIPv6AddressStandsInBrackets() async throws {
        for address in ["::1", "[::1]"] {
            let host = try await CodingHost(folders, ["--driver", "demo", "--host", address])
            #expect(host.lines.first == "Listening on http://[::1]:\(host.link.port)")
            #expect(try await host.client.projects().count == 1)
            #expect(try await host.terminate().status == 0)
        }
    }

    @Test func newTokenEndsTheOldOneAtOnce() async throws {
        let host = try await CodingHost(folders, ["--driver", "demo"])
        let phone = try await host.client.phone()
        let token = try await Program("switchboard", ["endlesscode", "token", "--new", "--data", folders.data]).end()
        #expect(token.status == 0 && token.errors.isEmpty)
        guard case .error(let error) = try await phone.next() else { throw Unexpected() }
        #expect(error.code == .tokenExpired)
        #expect(try await phone.end() == 4001)
        let link = try await host.nextLink()
        #expect(link.token.text == token.output.trimmingCharacters(in: .newlines) && link.token != host.link.token)
        #expect(try await host.client.refusal(.get, "/api/v1/stats")?.status == 401)
        #expect(try await HostClient(link).projects().count == 1)
        let shown = try await Program("switchboard", ["endlesscode", "token", "--data", folders.data]).end()
        #expect(shown.output == token.output)
        #expect(try await host.terminate().status == 0)
    }

    private struct Unexpected: Error {}

    // MARK: Agents

    @Test func missingProgramDoesNotStopTheHost() async throws {
        let host = try await CodingHost(folders, ["--program", "/no/such/agent"])
        #expect(host.lines.contains { $0.contains("/no/such/agent was not found") }, "\(host.lines)")
        let client = try host.client
        let project = try #require(try await client.projects().first)
        let refused = try await client.refusal(.post, "/api/v1/sessions", SessionCreation(projectId: project.id))
        #expect(refused == HostClient.Refused(status: 503, code: "CLI_NOT_FOUND"))
        #expect(try await host.terminate().status == 0)
    }

    @Test func claudeInThePathIsTheAgent() async throws {
        let (_, environment) = try StubAgent.prepare(folders)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let claude = try folders.program("claude", StubAgent.script)
        let host = try await CodingHost(
            folders, environment: environment.merging(["PATH": "\(folders.all.file("programs")):\(path)"]) { $1 })
        #expect(host.lines.contains("  Agent: \(claude)"), "\(host.lines)")
        _ = try await host.client.start()
        let arguments = try await StubAgent.note("arguments", folders)
        #expect(arguments.contains("--input-format") && arguments.contains("stream-json"))
        #expect(try await host.terminate().status == 0)
    }

    @Test func demoIsTheAgentWithoutClaude() async throws {
        // A folder without programs.
        let host = try await CodingHost(folders, environment: ["PATH": folders.all.file("programs")])
        #expect(host.lines.contains { $0.contains("the built-in demo") }, "\(host.lines)")
        let phone = try await host.client.phone()
        let session = try await host.client.start()
        try await phone.prompt("hello", to: session.id)
        #expect(try await phone.finishTurn().isError == false)
        #expect(FileManager.default.fileExists(atPath: "\(folders.project)/NOTES.md"))
        #expect(try await host.terminate().status == 0)
    }

    @Test func acpAgentGetsItsArguments() async throws {
        let (options, environment) = try StubAgent.prepare(folders)
        let host = try await CodingHost(
            folders, options + ["--driver", "acp", "--", "--acp", "a b"], environment: environment)
        _ = try await host.client.start()
        #expect(try await StubAgent.note("arguments", folders, lines: 2) == ["--acp", "a b"])
        #expect(try await StubAgent.note("input", folders).first?.contains(#""method":"initialize""#) == true)
        #expect(try await host.terminate().status == 0)
    }

    @Test func agentInheritsNeitherTokenNorSockets() async throws {
        let (options, environment) = try StubAgent.prepare(folders)
        let host = try await CodingHost(
            folders, options + ["--host", "0.0.0.0"],
            environment: environment.merging(
                [
                    "ENDLESSCODE_SECRET": "x", "SWITCHBOARD_SECRET": "x", "TALKCO_OPENAI_API_KEY": "of-the-box",
                    "SIMBRIDGE_JWT_SECRET": "of-the-box", "JWT_SECRET": "of-the-box", "NTFY_TOKEN": "of-the-box",
                ]) { $1 })
        let phone = try await host.client.phone()
        let session = try await host.client.start()
        let status = try await StubAgent.note("status", folders, lines: 2)
        let descriptors = try await StubAgent.note("fds", folders, lines: 4).compactMap { line -> (String, String)? in
            let parts = line.components(separatedBy: " -> ")
            return parts.count == 2 ? (String(parts[0].split(separator: " ").last ?? ""), parts[1]) : nil
        }
        // 255 is the shell's own: its script.
        #expect(descriptors.map(\.0).sorted() == ["0", "1", "2", "255"], "\(descriptors)")
        // The input is one of a pair of sockets, made for this agent.
        #expect(descriptors.allSatisfy { $0.0 == "255" || $0.1.hasPrefix($0.0 == "0" ? "socket:" : "pipe:") }, "\(descriptors)")
        let variables = try await StubAgent.note("environment", folders)
        #expect(!variables.contains { $0.contains(host.link.token.text) || $0.contains("of-the-box") })
        #expect(
            variables.filter { $0.hasPrefix("ENDLESSCODE_") || $0.hasPrefix("SWITCHBOARD_") }.map { $0.prefix(18) } == [
                "SWITCHBOARD_AGENT="
            ])
        #expect(variables.contains("PWD=\(try FileManager.default.realPath(folders.project))"))
        // As the user's own programs: no signal is ignored, and files are for whom the user wants.
        let mask = try await Program.tool("/bin/sh", ["-c", "umask"]).output.trimmingCharacters(in: .newlines)
        let ignored = try #require(UInt64(status[0].split(separator: "\t").last ?? "", radix: 16))
        for signal in [SIGHUP, SIGINT, SIGPIPE, SIGTERM] { #expect(ignored & 1 << UInt64(signal - 1) == 0, "\(signal)") }
        #expect(status.last == mask)
        withExtendedLifetime(phone) {}
        #expect(try await host.client.session(session.id).state == .active)
        #expect(try await host.terminate().status == 0)
    }

    @Test func openQuestionIsRefusedAfterThePromptTimeout() async throws {
        let (options, environment) = try StubAgent.prepare(folders)
        let host = try await CodingHost(folders, options + ["--prompt-timeout", "1"], environment: environment)
        let phone = try await host.client.phone()
        let session = try await host.client.start()
        try await phone.prompt("build", to: session.id)
        let request = try await phone.promptRequest()
        #expect(request.timeout == 1 && request.toolName == "Bash")
        #expect(try await phone.resolution().outcome == .expired)
        let answer = try await StubAgent.note("input", folders, lines: 3).first { $0.contains("control_response") }
        #expect(answer?.contains("deny") == true, "\(answer ?? "")")
        let audit = try String(contentsOfFile: "\(folders.data)/endlesscode-audit.jsonl", encoding: .utf8)
        #expect(audit.contains(#""outcome":"expired""#) && audit.contains(request.promptId.rawValue))
        #expect(try await host.terminate().status == 0)
    }

    @Test func projectsOfTheAgentsHistoryAreListedOnceShown() async throws {
        let other = folders.all.file("other")
        let history = folders.all.file("home/.claude/projects/-other")
        for folder in [other, history] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let record =
            #"{"type":"user","cwd":"\#(other)","sessionId":"11111111-1111-4111-8111-111111111111","uuid":"a","parentUuid":null,"timestamp":"2026-11-20T12:00:00.000Z","message":{"role":"user","content":"hi"}}"#
        try (record + "\n").write(
            toFile: "\(history)/11111111-1111-4111-8111-111111111111.jsonl", atomically: true, encoding: .utf8)
        let second = folders.all.file("second")
        try FileManager.default.createDirectory(atPath: second, withIntermediateDirectories: true)
        let host = try await CodingHost(folders, ["--project", second, "--driver", "demo"])
        #expect(Set(try await host.client.projects().map(\.name)) == ["project", "second"])
        #expect(host.lines.contains { $0.contains("Not shown to phones: \(other)") && $0.contains("endlesscode projects") })
        func projects(_ options: String...) async throws -> Program.Ending {
            try await Program(
                "switchboard", ["endlesscode", "projects", "--data", folders.data] + options,
                environment: ["HOME": folders.all.file("home"), "CLAUDE_CONFIG_DIR": ""]
            ).end()
        }
        #expect(try await projects().output.contains("hidden  \(other)"))
        #expect(try await projects("--show", other).output.contains("shown   \(other)"))
        // The host that runs notices it.
        #expect(Set(try await host.client.projects().map(\.name)) == ["project", "second", "other"])
        #expect(try await host.terminate().status == 0)
        // Asked once.
        let later = try await CodingHost(folders, ["--driver", "demo"])
        #expect(!later.lines.contains { $0.contains("Not shown to phones") })
        #expect(try await later.client.projects().map(\.name).contains("other"))
        #expect(try await later.terminate().status == 0)
        #expect(try await projects("--hide", other).output.contains("hidden  \(other)"))
        #expect(try await projects("--show", "/no/such/folder").errors.contains("--show \"/no/such/folder\" is not a folder"))
    }

    // MARK: Wrong arguments

    @Test(arguments: [
        (["host", "--project", "/no/such/folder"], "--project \"/no/such/folder\" is not a folder"),
        (["host", "--project", "/etc/hostname"], "--project \"/etc/hostname\" is not a folder"),
        (["host", "--port", "-1"], "--port is \"-1\"; expected a whole number from 0 to 65535"),
        (["host", "--port", "x"], "--port is \"x\""), (["host", "--port"], "Missing value for '--port <number>'"),
        (["host", "--prompt-timeout", "0"], "--prompt-timeout is \"0\"; expected a whole number from 1 to 604800"),
        (["host", "--driver", "robot"], "robot"), (["host", "--driver", "acp"], "--driver acp needs --program"),
        (["host", "--driver", "demo", "--program", "x"], "leave --program out"),
        (["host", "--host", ""], "--host has no value"), (["host", "--host", "a b"], "--host is \"a b\""),
        (["host", "--data", ""], "--data has no value"), (["host", "--data", "/proc/x"], "/proc/x"),
        (["host", "extra"], "extra"), (["token", "--data", "/no/such/folder"], "There is no host in /no/such/folder"),
        (["token", "--new", "--data", "/no/such/folder"], "switchboard endlesscode host"),
    ]) func mistakesAreExplained(_ arguments: [String], _ words: String) async throws {
        let own = arguments.contains("--data") || arguments.first == "token" ? [] : ["--data", folders.data]
        let port = arguments.contains("--port") || arguments.first == "token" ? [] : ["--port", "0"]
        let ending = try await Program(
            "switchboard", ["endlesscode"] + arguments.prefix(1) + own + port + arguments.dropFirst()
        ).end()
        #expect(ending.status != 0 && !ending.wasSignalled && ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("switchboard: ") && ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
        #expect(ending.errors.contains(words), "\(ending.errors)")
    }

    @Test func helpNamesEveryOption() async throws {
        let help = try await Program("switchboard", ["endlesscode", "host", "--help"]).end()
        for word in [
            "--project", "--host", "--port", "--data", "--driver", "--program", "--prompt-timeout", "--allow-host", "claude",
        ] {
            #expect(help.output.contains(word), "\(word)")
        }
        // A terminal of 80 columns wraps nothing.
        #expect(!EndlessCodeHostTests.discussion(help.output).contains { $0.count > 78 })
        let all = try await Program("switchboard", ["endlesscode", "--help"]).end()
        #expect(all.output.contains("token") && !all.output.contains("demo-agent"))
    }

    private static func discussion(_ help: String) -> [Substring] {
        help.split(separator: "\n").prefix { !$0.hasPrefix("USAGE") }
    }

    @Test func secondHostOfTheSameFolderIsRefused() async throws {
        let (options, environment) = try StubAgent.prepare(folders)
        let host = try await CodingHost(folders, options, environment: environment)
        let session = try await host.client.start()
        let second = try await Program(
            "switchboard", ["endlesscode", "host", "--data", folders.data, "--port", "0", "--driver", "demo"]
        ).end()
        #expect(second.status == 1 && second.errors.contains("in use"), "\(second)")
        // It has not ended the agent of the first one.
        let processes = try await StubAgent.note("pids", folders)
        #expect(StubAgent.isAlive(processes))
        #expect(try await host.client.session(session.id).state == .active)
        #expect(try await host.terminate().status == 0)
    }
}

extension FileManager {
    fileprivate func realPath(_ path: String) throws -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
