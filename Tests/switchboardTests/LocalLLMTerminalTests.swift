import Foundation
import TestKit
import Testing

/// `switchboard localllm` as people in a terminal meet it.
@Suite struct LocalLLMTerminalTests {
    /// Arguments of a host whose network does not answer: nobody listens on port 9.
    private func lonely(_ folder: TemporaryFolder) -> [String] {
        ["localllm", "host", "--data", folder.path, "--engine", "demo", "--bootstrap", "127.0.0.1:9"]
    }

    /// A character of QR codes in terminals.
    private static let block = "▀"

    // MARK: The host

    @Test func codeIsShownWhereItFits() async throws {
        let folder = try TemporaryFolder()
        let cases: [(columns: UInt16, rows: UInt16, type: String, words: String?)] = [
            (41, 24, "xterm", nil), (40, 50, "xterm", "needs 41 columns"), (100, 23, "xterm", "and 24 rows"), (0, 0, "xterm", nil),
            (100, 50, "dumb", "cannot show a QR code"),
        ]
        for (columns, rows, type, words) in cases {
            let terminal = try await PseudoTerminal(lonely(folder), columns: columns, rows: rows, type: type)
            try await terminal.until("Models: demo.")
            #expect(terminal.text.contains(Self.block) == (words == nil), "\(columns) \(rows) \(type)")
            if let words { #expect(terminal.text.contains(words), "\(terminal.text)") }
            // No row is wider than the terminal that shows a code: it would be torn.
            let code = terminal.text.split(separator: "\r\n").filter { $0.contains(Self.block) }
            #expect(code.allSatisfy { $0.replacing(/\u{1b}\[[0-9;]*m/, with: "").count == 41 })
            terminal.type("quit\n")
            #expect(try await terminal.program.end().status == 0)
        }
        // A log has none.
        let log = try await Program("switchboard", lonely(folder))
        while let line = try await log.line(), !line.hasSuffix("Models: demo.") { #expect(!line.contains(Self.block)) }
        log.send(SIGTERM)
        #expect(try await log.end().status == 0)
    }

    @Test func invitationIsShownOnATerminalAndNotInALog() async throws {
        let (network, folder) = (try await PrivateNetwork(), try TemporaryFolder())
        let arguments = ["localllm", "host", "--engine", "demo", "--data", folder.path] + network.bootstrap
        let terminal = try await PseudoTerminal(arguments)
        try await terminal.until("Phones can connect now.")
        let id = try #require(terminal.text.firstMatch(of: /Server ID: (\w+)/)).1
        let link = try #require(terminal.text.firstMatch(of: /localllm:\/\/\w+\?invite=\w+/)).0
        #expect(link.hasPrefix("localllm://\(id)?") && terminal.text.contains("The first phone that connects is let in."))
        let (first, second, third) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        // The first phone needs none.
        let chat = try await network.pipe("hi\\n", into: ["localllm", "chat", "\(id)", "--data", first.path])
        #expect(chat.status == 0, "\(chat)")
        try await terminal.until("is the first one, and may use this host")
        let invited = try await network.pipe("hi\\n", into: ["localllm", "chat", "'\(link)'", "--data", second.path])
        #expect(invited.status == 0 && !invited.errors.contains("APPROVAL"), "\(invited)")
        try await terminal.until("was invited")
        let late = try await ChatProgram("\(link)", network, third)
        _ = try await late.errors(until: "APPROVAL_PENDING: The invitation was used already, or is too old.")
        late.program.send(SIGTERM)
        _ = try await late.end()
        try await terminal.type("qr", until: "Invitation for one new phone")
        terminal.type("quit\n")
        #expect(try await terminal.program.end().status == 0)

        let log = try await HostProgram(network, folder)
        try log.program.write("status\n")
        #expect(try await log.until { $0.contains("Connected phones: none.") || $0.contains("invite=") }.contains("none."))
        try log.program.write("qr\n")
        _ = try await log.until { $0.contains("?invite=") }
        #expect(try await log.terminate().status == 0)

        let open = try await HostProgram(network, folder, ["--open"])
        try open.program.write("qr\nstatus\n")
        #expect(try await open.until { $0.contains("Connected phones: none.") || $0.contains("invite=") }.contains("none."))
        let stranger = try await ChatProgram(open.serverID, network, third)
        try stranger.send("hi")
        #expect(try await stranger.end().status == 0)
        #expect(try await open.terminate().status == 0)
    }

    @Test func commandsAreAnswered() async throws {
        let folder = try TemporaryFolder()
        let terminal = try await PseudoTerminal(lonely(folder) + ["--name", "Ada\u{7}Mac"])
        try await terminal.until("Models: demo.")
        for (line, answer) in [
            ("help", "let phones find this host again"), ("status", "Ada Mac, model demo."),
            ("status", "Connected phones: none."),
            ("phones", "No phone has connected yet."), ("model no", "There is no model no. Models: demo."),
            ("model demo", "demo answers from now on."), ("name  Bob", "Phones show this host as Bob."),
            ("start", "running already"),
            ("stop", "Stopped: phones cannot connect."), ("stop", "stopped already"), ("status", "Stopped: Bob"),
            ("start", "Starting"), ("status", "Ready: Bob"), ("logs OFF", "Logs are off."), ("approve 1", "no such phone"),
            ("stop now", "stands alone"), ("dance", "no command 'dance'"), ("qr", "Server ID: "),
        ] { try await terminal.type(line, until: answer) }
        terminal.type("quit\n")
        #expect(try await terminal.program.end().status == 0)
        // A failure that lasts is said once.
        #expect(terminal.text.components(separatedBy: "Phones cannot find this host").count <= 3)
    }

    @Test func phonesAreListedWhileTheHostRuns() async throws {
        let (network, folder, phone) = (try await PrivateNetwork(), try TemporaryFolder(), try TemporaryFolder())
        let terminal = try await PseudoTerminal(
            ["localllm", "host", "--engine", "demo", "--data", folder.path] + network.bootstrap)
        try await terminal.until("Phones can connect now.")
        let id = try #require(terminal.text.firstMatch(of: /Server ID: (\w+)/)).1
        let none = try await Program("switchboard", ["localllm", "phones", "--data", folder.path]).end()
        #expect(none.status == 0 && none.output.isEmpty && none.errors.contains("No phone"), "\(none)")
        let chat = try await network.pipe("hi\\n", into: ["localllm", "chat", String(id), "--data", phone.path])
        #expect(chat.status == 0, "\(chat)")
        let list = try await Program("switchboard", ["localllm", "phones", "--data", folder.path]).end()
        let key = try #require(list.output.firstMatch(of: /^([0-9a-f]{8})  last/)).1
        let refused = try await Program("switchboard", ["localllm", "phones", "--data", folder.path, "--remove", "\(key)"]).end()
        #expect(refused.status == 1 && refused.errors.contains("type 'remove \(key)'"), "\(refused)")
        try await terminal.type("phones", until: "\(key)  last connected")
        try await terminal.type("remove \(key)", until: "were removed")
        let empty = try await Program("switchboard", ["localllm", "phones", "--data", folder.path]).end()
        #expect(empty.status == 0 && empty.output.isEmpty)
        // The log names phones and sizes, and nothing of the chat.
        #expect(!terminal.text.contains("words from last to first"))
        terminal.type("quit\n")
        #expect(try await terminal.program.end().status == 0)
        let again = try await network.pipe("hi\\n", into: ["localllm", "chat", String(id), "--data", phone.path])
        #expect(again.status == 1 && again.errors.contains("HOST_OFFLINE"), "\(again)")
    }

    @Test func endOfTheTerminalEndsTheHostUnlessItIsIgnored() async throws {
        let folder = try TemporaryFolder()
        let host = try await Program("switchboard", lonely(folder))
        while let line = try await host.line(), !line.hasSuffix("Models: demo.") {}
        host.send(SIGHUP)
        let ending = try await host.end()
        #expect(ending.status == 0 && !ending.wasSignalled && ending.output.contains("Stopped."), "\(ending)")
        let ignoring = try await PseudoTerminal(lonely(folder), setUp: "trap '' HUP")
        try await ignoring.until("Models: demo.")
        ignoring.program.send(SIGHUP)
        for name in ["One", "Two", "Three"] { try await ignoring.type("name \(name)", until: "host as \(name).") }
        #expect(!ignoring.text.contains("Stopping"))
        ignoring.program.send(SIGTERM)
        #expect(try await ignoring.program.end().status == 0)
        try await ignoring.until("Stopping")
    }

    // MARK: The chat

    @Test func terminalGetsNoControlCharactersOfAHost() async throws {
        let (network, folder, phone) = (try await PrivateNetwork(), try TemporaryFolder(), try TemporaryFolder())
        let host = try await PseudoTerminal(["localllm", "host", "--engine", "demo", "--data", folder.path] + network.bootstrap)
        try await host.until("Phones can connect now.")
        let id = String(try #require(host.text.firstMatch(of: /Server ID: (\w+)/)).1)
        // The demo repeats the prompt.
        let arguments = ["localllm", "chat", id, "--data", phone.path] + network.bootstrap
        let terminal = try await PseudoTerminal(arguments, input: #"printf 'red\033[31mtext\n'"#)
        #expect(try await terminal.program.end().status == 0)
        try await terminal.until("The words from last to first: red\u{fffd}[31mtext")
        #expect(!terminal.text.contains("\u{1b}"))
        // Typed: an answer, and the end by Ctrl-D and by SIGTERM.
        let typing = try await PseudoTerminal(arguments)
        try await typing.until("> ")
        try await typing.type("one two", until: "to first: two one")
        typing.type("\u{4}")
        #expect(try await typing.program.end().status == 0)
        let ended = try await PseudoTerminal(arguments)
        try await ended.until("> ")
        ended.program.send(SIGTERM)
        #expect(try await ended.program.end().status == 128 + SIGTERM)
        host.type("quit\n")
        #expect(try await host.program.end().status == 0)
    }

    @Test func noLineOfALongPipeIsLost() async throws {
        let (network, folder, phone) = (try await PrivateNetwork(), try TemporaryFolder(), try TemporaryFolder())
        let host = try await PseudoTerminal(["localllm", "host", "--engine", "demo", "--data", folder.path] + network.bootstrap)
        try await host.until("Phones can connect now.")
        let id = String(try #require(host.text.firstMatch(of: /Server ID: (\w+)/)).1)
        // Each line is too long for a prompt, so that nothing is sent.
        let program = Program.products.appending(path: "switchboard").path
        let command = (["localllm", "chat", id, "--data", phone.path] + network.bootstrap).joined(separator: " ")
        let ending = try await Program.tool(
            "/bin/bash", ["-c", "yes $(head -c 8193 /dev/zero | tr '\\0' x) | head -1500 | '\(program)' \(command)"])
        #expect(ending.status == 0 && ending.errors.components(separatedBy: "BAD_MESSAGE").count == 1501, "\(ending.errors.count)")
        host.type("quit\n")
        #expect(try await host.program.end().status == 0)
    }
}
