import EndlessCodeWire
import Foundation
import StorageKit
import TestKit
import Testing
import WireKit

@testable import switchboard

/// The command line: arguments, exit codes, standard output and standard error.
@Suite struct CommandLineTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var data: String { folder.file("data") }

    private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Ending {
        try await Program("switchboard", arguments, environment: environment).end()
    }

    /// Starts `serve` on a free port. Returns once it listens.
    private func serve(_ arguments: String..., environment: [String: String] = [:]) async throws -> (Program, Int) {
        let program = try await Program(
            "switchboard", ["serve", "--data", data, "--port", "0"] + arguments, environment: environment)
        let line = try #require(try await program.line())
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) }, "\(line)")
        #expect(line == "Listening on http://localhost:\(port)")
        return (program, port)
    }

    // MARK: Help and errors

    @Test func helpListsOptionsAndSettings() async throws {
        for arguments in [["--help"], ["serve", "--help"], ["help", "serve"]] {
            let ending = try await Program("switchboard", arguments).end()
            #expect(ending.status == 0)
            #expect(ending.output.contains("switchboard serve") && ending.errors.isEmpty)
        }
        let help = try await run("serve", "--help").output
        for word in [
            "--port", "--data", "--config", "--tls-cert", "--allow-origin", "--allow-server", "SWITCHBOARD_PORT",
            "PAGER2077_JWT_SECRET",
            "PAGER2077_DB_PATH", "SIMBRIDGE_LOGINS_PER_MINUTE", "ENDLESSCODE_PROMPT_TIMEOUT",
        ] {
            #expect(help.contains(word), "\(word)")
        }
    }

    @Test func operationsDescribesEverySetting() async throws {
        let operations = URL(filePath: #filePath).appending(path: "../../../Docs/Operations.md").standardized
        let page = try String(contentsOf: operations, encoding: .utf8)
        let names = try await run("serve", "--help").output.matches(of: /\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/).map {
            String($0.output)
        }
        #expect(names.count > 20)
        #expect(Set(names).filter { !page.contains("`\($0)`") } == [])
    }

    @Test func versionIsPrinted() async throws {
        let ending = try await run("--version")
        #expect(ending.status == 0)
        #expect(ending.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    static let mistakes: [([String], [String: String], String)] = [
        (["serve", "--prot", "1"], [:], "'--prot'. Did you mean '--port'?"), (["dance"], [:], "dance"),
        (["serve", "nosuchsystem"], [:], "nosuchsystem"),
        (["serve", "--port", "eighty"], [:], "--port is \"eighty\""),
        (["serve", "--port", "70000"], [:], "--port is \"70000\""),
        (["serve", "--port"], [:], "Missing value for '--port <number>'"),
        (["serve", "--port", "-1"], [:], "--port is \"-1\"; expected a whole number from 0 to 65535"),
        (["serve", "--port=-1"], [:], "--port is \"-1\"; expected a whole number from 0 to 65535"),
        (["serve"], ["SWITCHBOARD_PORT": "x"], "SWITCHBOARD_PORT"), (["serve", "pager2077"], ["PORT": "x"], "PORT is \"x\""),
        (["serve", "--log-level", "loud"], [:], "--log-level is \"loud\""),
        (["serve", "--tls-cert", "x.pem"], [:], "--tls-key"),
        (["serve", "--tls-cert", "/no/x.pem", "--tls-key", "/no/y.pem"], [:], "/no/x.pem"),
        (["serve", "--config", "/no/such/file"], [:], "/no/such/file"),
        (["serve", "--host", "no.such.host.invalid"], [:], "no.such.host.invalid"),
        (["serve", "--data", ""], [:], "--data has no value"),
        (["serve", "--config", "/tmp"], [:], "Cannot read /tmp: Is a directory"),
        (["serve", "pager2077"], ["PAGER2077_JWT_SECRET": "hush-too-short"], "PAGER2077_JWT_SECRET holds 14 bytes"),
        (["serve"], ["PAGER2077_JWT_SECRET": "hush-too-short"], "PAGER2077_JWT_SECRET holds 14 bytes"),
        (["serve", "pager2077"], ["JWT_SECRET": "hush-too-short"], "JWT_SECRET holds 14 bytes"),
        (["serve"], ["PAGER2077_DB_PATH": "/no/such/folder/x.db"], "/no/such/folder/x.db"),
        (["serve"], ["PAGER2077_REGISTRATIONS_PER_MINUTE": "none"], "PAGER2077_REGISTRATIONS_PER_MINUTE"),
        (
            ["serve"], ["PAGER2077_CONTACT": "me"],
            "PAGER2077_CONTACT is \"me\"; expected an address such as mailto:pager@example.com"
        ),
        (
            ["serve", "--allow-server", "https://ok.example", "--allow-server", "relay.example"], [:],
            "--allow-server contains \"relay.example\"; expected addresses such as https://relay.example"
        ),
        (
            ["serve"], ["SWITCHBOARD_ALLOW_SERVER": "https://ok.example, https://a/../b"],
            "SWITCHBOARD_ALLOW_SERVER contains \"https://a/../b\""
        ), (["serve", "--allow-server", ""], [:], "--allow-server has no value"),
        (
            ["serve", "--allow-origin", "https://ok.example", "--allow-origin", "app.example"], [:],
            "--allow-origin contains \"app.example\"; expected origins such as https://app.example"
        ), (["serve"], ["SWITCHBOARD_ALLOW_ORIGIN": "https://ok.example, null"], "SWITCHBOARD_ALLOW_ORIGIN contains \"null\""),
        (["talkco", "engines", "--install", "--remove"], [:], "--install and --remove exclude each other"),
        (["talkco", "engines", "--model", "base"], [:], "--model needs --install"),
        (["talkco", "engines", "--install", "--model", "a/b"], [:], "--model is \"a/b\""),
        (["talkco", "engines", "--install", "--models", ""], [:], "--models has no value"),
        (["talkco", "engines", "--remove", "--data", ""], [:], "--data has no value"),
    ]

    @Test(arguments: mistakes.indices) func errorIsOneLine(_ index: Int) async throws {
        let (arguments, environment, word) = Self.mistakes[index]
        // A free port, unless the port is the error: the default port may be in use.
        let usual =
            arguments.first == "serve" && !arguments.contains("--data")
            ? ["--data", data] + (arguments.contains { $0.hasPrefix("--port") } ? [] : ["--port", "0"]) : []
        let port = environment.keys.contains { $0.hasSuffix("PORT") } ? Array(usual.prefix(2)) : usual
        let ending = try await Program("switchboard", arguments + port, environment: environment).end()
        #expect(ending.status != 0 && !ending.wasSignalled)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("switchboard: ") && ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
        #expect(ending.errors.contains(word), "\(ending.errors)")
        #expect(!ending.errors.contains("hush"))
    }

    @Test(arguments: [
        (["dance"], "switchboard"), (["serve", "--prot"], "switchboard serve"), (["serve", "dance"], "switchboard serve"),
        (["simbridge", "host", "--relay", "x"], "switchboard simbridge host"), (["simbridge", "dance"], "switchboard simbridge"),
    ]) func errorNamesTheHelp(arguments: [String], command: String) async throws {
        let ending = try await Program("switchboard", arguments, environment: ["XDG_DATA_HOME": folder.path]).end()
        #expect(ending.status == 64)
        #expect(ending.errors.hasSuffix(" (try '\(command) --help')\n"), "\(ending.errors)")
    }

    @Test func configurationFileIsReadAndItsErrorsAreNamed() async throws {
        let file = folder.file("box.env")
        try "# my box\nSWITCHBOARD_DATA=\(data)\nSWITCHBOARD_PORT=0\n".write(toFile: file, atomically: true, encoding: .utf8)
        let program = try await Program("switchboard", ["serve", "--config", file])
        #expect(try await program.line()?.hasPrefix("Listening on") == true)
        #expect(FileManager.default.fileExists(atPath: data + "/pager.db"))
        program.send(SIGTERM)
        #expect(try await program.end().status == 0)

        try "SWITCHBOARD_ALLOW_SERVER='https://ok.example, relay.example'\n".write(toFile: file, atomically: true, encoding: .utf8)
        let server = try await run("serve", "--config", file)
        #expect(server.errors.hasPrefix("switchboard: SWITCHBOARD_ALLOW_SERVER contains \"relay.example\"; "), "\(server.errors)")

        try "SWITCHBOARD_PROT=1\n".write(toFile: file, atomically: true, encoding: .utf8)
        let ending = try await run("serve", "--config", file)
        #expect(ending.errors == "switchboard: \(file), line 1: unknown setting SWITCHBOARD_PROT\n")
        #expect(ending.status == 1)
    }

    @Test func fifoInPlaceOfAFileIsRefused() async throws {
        let fifo = folder.file("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: data + "/pager2077.secret", withDestinationPath: fifo)
        let box = ["serve", "--data", data, "--port", "0"]
        let host = ["simbridge", "host", "--relay", "http://localhost:1", "--user", "ada", "--data", folder.file("host")]
        for arguments in [
            box, box + ["--config", fifo], ["serve", "simbridge"] + box.dropFirst() + ["--tls-cert", fifo, "--tls-key", fifo],
            host + ["--password-file", fifo],
        ] {
            let ending = try await Program("switchboard", arguments).end()
            #expect(ending.status == 1)
            #expect(ending.errors.hasSuffix("switchboard: Cannot read \(fifo): it is not a regular file\n"), "\(ending.errors)")
        }
    }

    /// Each file that a setting names, and the folder.
    @Test(.enabled(if: geteuid() == 0)) func anotherUsersFilesAreRefused() async throws {
        func path(_ name: String, mode: mode_t = 0o644) throws -> String {
            let path = folder.file(name)
            try "SWITCHBOARD_PORT=0\n".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(chown(path, 65_534, 65_534) == 0 && chmod(path, mode) == 0)
            return path
        }
        let own = folder.file("own.pem")
        try "".write(toFile: own, atomically: true, encoding: .utf8)
        let theirs = folder.file("theirs")
        #expect(mkdir(theirs, 0o777) == 0 && chown(theirs, 65_534, 65_534) == 0)
        let box = ["serve", "--data", data, "--port", "0"]
        let host = ["simbridge", "host", "--relay", "http://localhost:1", "--user", "ada", "--data", folder.file("host")]
        for (arguments, environment) in [
            (["serve", "--data", data, "--config", try path("config")], [:]),
            (host + ["--password-file", try path("password")], [:]),
            (box + ["--tls-cert", try path("certificate"), "--tls-key", own], [:]),
            (box, ["PAGER2077_DB_PATH": try path("pager.db")]),
            (
                box,
                [
                    "PAGER2077_APNS_KEY_PATH": try path("key.p8"), "PAGER2077_APNS_KEY_ID": "ABCDEFGHIJ",
                    "PAGER2077_APNS_TEAM_ID": "ABCDEFGHIJ",
                ]
            ),
            (box, ["SWITCHBOARD_PHONE_KEY_FILE": try path("phones")]),
            (["serve", "--data", theirs, "--port", "0"], [:]),
        ] as [([String], [String: String])] {
            let ending = try await Program("switchboard", arguments, environment: environment).end()
            #expect(ending.status == 1 && ending.errors.contains("belongs to another user"), "\(arguments) \(ending.errors)")
        }
    }

    @Test func filesWithSecretsAreClosedToOthers() async throws {
        let (config, key) = (folder.file("box.env"), folder.file("phones"))
        try "SWITCHBOARD_PHONE_KEY_FILE=\(key)\n".write(toFile: config, atomically: true, encoding: .utf8)
        try Data((0..<32).map { _ in .random(in: 0...255) }).base64EncodedString().write(
            toFile: key, atomically: true, encoding: .utf8)
        for file in [config, key] { #expect(chmod(file, 0o644) == 0) }
        let (program, _) = try await serve("--config", config)
        for file in [config, key] {
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        #expect(!FileManager.default.fileExists(atPath: data + "/phones.secret"))
        program.send(SIGTERM)
        #expect(try await program.end().status == 0)
    }

    @Test func fifoAsAuditFileDoesNotBlockTheStart() async throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        #expect(mkfifo(data + "/endlesscode-audit.jsonl", 0o600) == 0)
        let ending = try await run("serve", "--data", data, "--port", "0")
        #expect(ending.status == 1)
        #expect(
            ending.errors.contains("Cannot write \(data)/endlesscode-audit.jsonl: it is not a regular file"), "\(ending.errors)")
    }

    // MARK: Other machines

    @Test func openBoxPrintsItsOwnAddresses() async throws {
        let (box, port) = try await serve("--host", "0.0.0.0", "--allow-host", "box.test")
        var lines: [String] = []
        // The warning is the last line.
        while lines.last?.contains("Warning") != true { lines.append(try #require(try await box.line())) }
        let addresses = lines.filter { $0.hasPrefix("  Network: ") }
        let own = HostInterfaces.addresses(ipv6: false).map { "  Network: http://\($0.description):\(port)" }
        #expect(addresses == own + ["  Network: http://box.test:\(port)"])
        let code = try String(contentsOfFile: data + "/access-code.secret", encoding: .utf8)
        #expect(lines.contains("  Access code for browsers: \(code.prefix(5))-\(code.dropFirst(5).prefix(5))"))
        // Only a terminal gets the QR code, and the code in a link.
        #expect(!lines.joined().contains("█") && !lines.joined().contains("#code"))
        box.send(SIGTERM)
        #expect(try await box.end().status == 0)
    }

    @Test func terminalOfAnOpenBoxShowsTheCodeToScan() async throws {
        let terminal = try await PseudoTerminal(
            ["serve", "--data", data, "--port", "0", "--host", "0.0.0.0", "--allow-host", "box.test"], rows: 60)
        try await terminal.until("/access#code=")
        try await terminal.until("Warning")
        let code = try String(contentsOfFile: data + "/access-code.secret", encoding: .utf8)
        let lines = terminal.text.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline).map(String.init)
        let link = try #require(lines.first { $0.hasPrefix("http") })
        #expect(link.hasSuffix("/access#code=\(code.prefix(5))-\(code.dropFirst(5).prefix(5))"))
        #expect(lines.first { $0.hasPrefix("  Network: ") } == "  Network: \(link.replacing(/\/access.*/, with: ""))")
        #expect(lines.contains { $0.contains("█") })
        // The same without the colours.
        let block = TerminalCode.block(link).split(separator: "\n").map(String.init)
        #expect(try await EndlessCodeHostTests.scans(block, as: link))
        terminal.program.send(SIGTERM)
        _ = try await terminal.program.end()
    }

    /// In a box of several systems, a name without a prefix belongs to none of them.
    @Test func unprefixedNameInTheFileOfABoxIsRefused() async throws {
        let file = folder.file("box.env")
        try "DB_PATH=x.db\n".write(toFile: file, atomically: true, encoding: .utf8)
        let ending = try await run("serve", "--config", file, "--data", data, "--port", "0")
        #expect(ending.errors == "switchboard: \(file), line 1: unknown setting DB_PATH\n")
    }

    @Test func dataFolderFollowsHome() async throws {
        let program = try await Program(
            "switchboard", ["serve", "--port", "0"], environment: ["HOME": folder.path, "XDG_DATA_HOME": ""])
        #expect(try await program.line()?.hasPrefix("Listening on") == true)
        #expect(FileManager.default.fileExists(atPath: folder.file(".local/share/switchboard/pager.db")))
        program.send(SIGTERM)
        _ = try await program.end()
    }

    // MARK: Serving

    @Test func servesBelowTheSystemNameAndAloneAtTheRoot() async throws {
        let (box, port) = try await serve()
        #expect(try await HTTPProbe(port: port).send("GET", "/pager2077/health").status == 200)
        #expect(try await box.line() == "  pager2077: http://localhost:\(port)/pager2077")
        box.send(SIGTERM)
        #expect(try await box.end().status == 0)

        let (alone, own) = try await serve("pager2077")
        #expect(try await HTTPProbe(port: own).send("GET", "/health").status == 200)
        #expect(try await HTTPProbe(port: own).send("GET", "/api/friends").status == 401)
        alone.send(SIGINT)
        #expect(try await alone.end().status == 0)
    }

    @Test func foreignOriginsRegisterOnlyWhereAllowed() async throws {
        let (allowed, foreign) = (["Origin": "https://app.example"], ["Origin": "https://evil.example"])
        let (box, port) = try await serve("--allow-origin", "https://app.example")
        let http = HTTPProbe(port: port)
        for (path, body) in [
            ("/pager2077/api/users/register", #"{"deviceToken":"t"}"#),
            ("/simbridge/auth/register", #"{"username":"ada","password":"correct horse battery"}"#),
        ] {
            #expect(try await http.send("POST", path, headers: foreign, body: Data(body.utf8)).status == 403)
            let preflight = try await http.send(
                "OPTIONS", path, headers: allowed.merging(["Access-Control-Request-Method": "POST"]) { $1 })
            #expect(preflight.status == 204)
            let reply = try await http.send("POST", path, headers: allowed, body: Data(body.utf8))
            #expect(reply.status / 100 == 2 && reply.headers["access-control-allow-origin"] != nil)
        }
        box.send(SIGTERM)
        _ = try await box.end()

        let (alone, own) = try await serve("pager2077")
        let reply = try await HTTPProbe(port: own).send(
            "POST", "/api/users/register", headers: foreign, body: Data(#"{"deviceToken":"u"}"#.utf8))
        #expect(reply.status == 201 && reply.headers["access-control-allow-origin"] == "*")
        alone.send(SIGTERM)
        _ = try await alone.end()
    }

    @Test func databasePathAndSecretCanBeSet() async throws {
        let database = folder.file("elsewhere.db")
        let (program, _) = try await serve(
            "pager2077", environment: ["DB_PATH": database, "JWT_SECRET": String(repeating: "s", count: 32)])
        #expect(FileManager.default.fileExists(atPath: database))
        #expect(!FileManager.default.fileExists(atPath: data + "/pager2077.secret"))
        program.send(SIGTERM)
        _ = try await program.end()
    }

    @Test func filesAreReadableByTheirOwnerOnly() async throws {
        let (program, _) = try await serve()
        program.send(SIGTERM)
        _ = try await program.end()
        func isPrivate(_ path: String) throws -> Bool {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = try #require(attributes[.posixPermissions] as? Int)
            // Git's objects are read-only.
            return mode == (isFolder ? 0o700 : 0o600) || mode == 0o400 && path.contains("/.git/objects/")
        }
        #expect(try isPrivate(data))
        let files = try FileManager.default.subpathsOfDirectory(atPath: data)
        let expected = [
            "pager.db", "pager2077.secret", "localllm-demo/host.key", "localllm-demo/host.db", "endlesscode.db",
            "endlesscode-token.secret", "endlesscode-demo/Scratch/README.md",
        ]
        #expect(Set(expected).isSubset(of: files))
        for file in files { #expect(try isPrivate("\(data)/\(file)"), "\(file)") }
    }

    @Test func secondProcessOnTheSameDataNamesTheFirst() async throws {
        let (first, port) = try await serve()
        let second = try await run("serve", "--data", data, "--port", "0")
        #expect(second.status == 1)
        #expect(second.errors == "switchboard: \(data)/pager.db is in use by another switchboard (process \(first.identifier))\n")

        let other = try await run("serve", "--data", folder.file("other"), "--port", "\(port)")
        #expect(
            other.errors == "switchboard: Cannot listen on localhost port \(port): the port is in use; choose another with --port\n"
        )
        #expect(other.status == 1)
        first.send(SIGTERM)
        _ = try await first.end()
    }

    @Test func databaseOfANewerVersionIsRefusedUnchanged() async throws {
        let (program, _) = try await serve()
        program.send(SIGTERM)
        _ = try await program.end()
        do {
            // The trace of a newer version.
            let database = try Database(existing: data + "/pager.db")
            try await database.write { _ = try $0.execute("INSERT INTO grdb_migrations VALUES ('pager-99-from-the-future')") }
        }
        let ending = try await run("serve", "--data", data, "--port", "0")
        #expect(ending.status == 1)
        #expect(
            ending.errors
                == "switchboard: \(data)/pager.db was written by a newer version of switchboard; update, or use another file\n")
    }

    @Test func damagedDatabaseNamesTheGuide() async throws {
        let (program, _) = try await serve()
        program.send(SIGTERM)
        _ = try await program.end()
        try Data(repeating: 0x2A, count: 65_536).write(to: URL(filePath: data + "/simbridge.db"))
        let ending = try await run("serve", "--data", data, "--port", "0")
        #expect(ending.status == 1)
        #expect(
            ending.errors == """
                switchboard: Cannot use the database \(data)/simbridge.db: file is not a database; it is damaged: \
                Docs/Operations.md says how to put a backup in its place

                """)
    }

    @Test func unwritableDataFolderIsNamed() async throws {
        let file = folder.file("file")
        try Data().write(to: URL(filePath: file))
        let ending = try await run("serve", "--data", file, "--port", "0")
        #expect(ending.status == 1)
        #expect(ending.errors.hasPrefix("switchboard: Cannot write to the data folder \(file)"))
    }

    @Test(arguments: [SIGTERM, SIGINT]) func signalStopsInOrderWithOpenSockets(_ signal: Int32) async throws {
        let (program, port) = try await serve()
        let reply = try await HTTPProbe(port: port).send(
            "POST", "/pager2077/api/users/register", body: Data(#"{"deviceToken":"t"}"#.utf8))
        let token = try #require(reply.text.firstMatch(of: /"token":"([^"]+)"/)).1
        try await WebSocketProbe.open(port: port, "/pager2077/api/live", headers: ["Authorization": "Bearer \(token)"]) {
            socket async throws in
            _ = try await socket.receive()
            program.send(signal)
            #expect(try await socket.receive().closeCode == 1001)
            // A second signal changes nothing: the time is bounded, and pending work completes.
            program.send(signal)
            // The peer sends nothing more, and does not close.
            let ending = try await program.end(within: .seconds(15))
            #expect(ending.status == 0 && !ending.wasSignalled)
            // No warnings and no errors.
            #expect(ending.errors.split(separator: "\n").allSatisfy { $0.contains(" info switchboard") }, "\(ending.errors)")
        }
    }

    @Test func logsContainNoSecretsAndNoTexts() async throws {
        let (program, port) = try await serve("--log-level", "trace")
        let http = HTTPProbe(port: port)
        let reply = try await http.send(
            "POST", "/pager2077/api/users/register", body: Data(#"{"deviceToken":"device-secret"}"#.utf8))
        let token = String(try #require(reply.text.firstMatch(of: /"token":"([^"]+)"/)).1)
        let authorization = ["Authorization": "Bearer \(token)"]
        _ = try await http.send(
            "PUT", "/pager2077/api/users/display-name", headers: authorization, body: Data(#"{"displayName":"NameSecret"}"#.utf8))
        _ = try await http.send(
            "POST", "/pager2077/api/messages?q=query-secret", headers: authorization,
            body: Data(#"{"recipientId":"x","text":"text-secret"}"#.utf8))
        program.send(SIGTERM)
        let log = try await program.end().errors
        #expect(log.contains("Answered"))
        for secret in ["device-secret", "NameSecret", "text-secret", "query-secret", token] {
            #expect(!log.contains(secret), "\(secret)")
        }
    }
}
