import EndlessCodeWire
import Foundation
import HTTPTypes
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

/// A command of `switchboard` that serves EndlessCode, as a process with a home folder of its own.
struct CodingHost: Sendable {
    /// The folders of a host.
    final class Folders: Sendable {
        let all: TemporaryFolder
        var data: String { all.file("data") }
        var project: String { all.file("project") }

        init() throws {
            all = try TemporaryFolder()
            for name in ["project", "home", "programs"] {
                try FileManager.default.createDirectory(atPath: all.file(name), withIntermediateDirectories: true)
            }
            try "# Project\n".write(toFile: all.file("project/README.md"), atomically: true, encoding: .utf8)
        }

        /// Makes an executable script.
        func program(_ name: String, _ script: String) throws -> String {
            let path = all.file("programs/\(name)")
            try script.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return path
        }
    }

    private struct Ended: Error {
        var output: [String]
        var ending: Program.Ending
    }

    let program: Program
    /// The lines up to the text of the code.
    let lines: [String]
    let link: ServerLink

    /// Starts a host, and waits until it listens.
    init(_ folders: Folders, _ options: [String] = [], environment: [String: String] = [:]) async throws {
        try await self.init(
            ["endlesscode", "host", "--project", folders.project] + options, folders, environment: environment)
    }

    /// - Parameter command: Without `--data` and `--port`.
    init(_ command: [String], _ folders: Folders, environment: [String: String] = [:]) async throws {
        var variables = ["HOME": folders.all.file("home"), "CLAUDE_CONFIG_DIR": "", "DEMO_AGENT_PACE": "0"]
        variables.merge(environment) { $1 }
        program = try await Program(
            "switchboard", command.prefix(2) + ["--data", folders.data, "--port", "0"] + command.dropFirst(2),
            environment: variables)
        (lines, link) = try await Self.link(of: program)
    }

    /// Reads up to the next text of a code.
    func nextLink() async throws -> ServerLink { try await Self.link(of: program).1 }

    private static func link(of program: Program) async throws -> ([String], ServerLink) {
        var lines: [String] = []
        while let line = try await program.line() {
            lines.append(line)
            if line.hasPrefix("endlesscode://") { return (lines, try ServerLink(line)) }
        }
        throw Ended(output: lines, ending: try await program.end())
    }

    /// The further lines up to one with this text.
    func lines(until text: String) async throws -> [String] {
        var lines: [String] = []
        while let line = try await program.line() {
            lines.append(line)
            if line.contains(text) { return lines }
        }
        throw Ended(output: lines, ending: try await program.end())
    }

    /// Ends the host as the system does.
    func terminate() async throws -> Program.Ending {
        program.send(SIGTERM)
        return try await program.end()
    }

    func kill() async throws {
        program.send(SIGKILL)
        #expect(try await program.end().wasSignalled)
    }

    /// A phone that has scanned the code.
    var client: HostClient { get throws { try HostClient(link) } }
}

/// The calls of a phone.
struct HostClient: Sendable {
    let service: RemoteService
    let token: String

    struct Refused: Error, Equatable {
        var status: Int
        var code: String?
    }

    /// - Parameter path: In front of the calls' own.
    init(_ link: ServerLink, host: String? = nil, path: String = "") throws {
        let pin = link.fingerprint.map { PinnedCertificate(fingerprint: $0) }
        let scheme = pin == nil ? "http" : "https"
        let address = try #require(URL(string: "\(scheme)://\(host ?? "\(link.host)"):\(link.port)\(path)"))
        self.init(NIOTransports().service(at: address, pinning: pin), token: link.token.text)
    }

    init(_ service: RemoteService, token: String) { (self.service, self.token) = (service, token) }

    func call<Value: Decodable & Sendable>(
        _ method: WireKit.HTTPMethod, _ path: String, _ body: (any Encodable & Sendable)? = nil, token: String? = nil
    ) async throws -> Value {
        let request = try service.request(method, path, token: token ?? self.token)
        let reply = try await within {
            try await service.http.send(request, body: body.map { .data(try WireJSON.encode($0)) } ?? .none)
        }
        guard reply.head.status.kind == .successful else {
            let error = try? WireJSON.decode(ErrorReply.self, from: reply.body)
            throw Refused(status: reply.head.status.code, code: error?.error.code.rawValue)
        }
        return try WireJSON.decode(Value.self, from: reply.body.isEmpty ? Data("{}".utf8) : reply.body)
    }

    /// The refusal of a call.
    func refusal(
        _ method: WireKit.HTTPMethod, _ path: String, _ body: (any Encodable & Sendable)? = nil, token: String? = nil
    ) async throws -> Refused? {
        do {
            let _: JSONValue = try await call(method, path, body, token: token)
            return nil
        } catch let refused as Refused {
            return refused
        }
    }

    func projects() async throws -> [Project] { try await call(.get, "/api/v1/projects") }
    func session(_ id: Session.ID) async throws -> Session { try await call(.get, "/api/v1/sessions/\(id)") }
    func resume(_ id: Session.ID) async throws -> Session { try await call(.post, "/api/v1/sessions/\(id)/resume") }

    /// Starts a session in the newest project of that name.
    func start(in name: String = "project") async throws -> Session {
        let project = try #require(try await projects().first { $0.name == name })
        return try await call(.post, "/api/v1/sessions", SessionCreation(projectId: project.id))
    }

    func phone(after: [Session.ID: Int64] = [:]) async throws -> HostPhone {
        let query = SocketQuery(connectionId: "phone", name: "Ada", after: after).items
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let request = try service.request(.get, "\(EndlessCodeSocket.path)?\(query)", token: token)
        let phone = HostPhone(try await within { try await service.sockets.connect(request) })
        guard case .sync = try await phone.next() else { throw Refused(status: 0) }
        return phone
    }
}

/// A phone's socket.
struct HostPhone: Sendable {
    private struct Closed: Error { var end: SocketEnd? }

    private let connection: any SocketConnection

    init(_ connection: any SocketConnection) { self.connection = connection }

    func next() async throws -> ServerFrame {
        let message = try await within { [connection] in try await connection.receive() }
        guard case .text(let text) = message else { throw Closed(end: connection.end) }
        return try ServerFrame(text: text)
    }

    /// The close code, after the rest of the frames.
    func end() async throws -> UInt16? {
        while try await within(ampleTime, { [connection] in try await connection.receive() }) != nil {}
        return connection.end?.code
    }

    func send(_ frame: ClientFrame) async throws { try await connection.send(.text(frame.text)) }

    func prompt(_ text: String, to session: Session.ID) async throws {
        try await send(.userMessage(UserMessage(sessionId: session, content: text, timestamp: .now)))
    }

    /// The next frame that `pick` accepts.
    func first<Value: Sendable>(_ pick: (ServerFrame) -> Value?) async throws -> Value {
        while true { if let value = pick(try await next()) { return value } }
    }

    func promptRequest() async throws -> PromptRequest {
        try await first { if case .promptRequest(let request) = $0 { request } else { nil } }
    }

    func resolution() async throws -> PromptResolved {
        try await first { if case .promptResolved(let resolved) = $0 { resolved } else { nil } }
    }

    func answer(_ request: PromptRequest, _ label: String) async throws {
        try await send(
            .promptResponse(PromptAnswer(sessionId: request.sessionId, promptId: request.promptId, selectedOptions: [label])))
    }

    func finishTurn() async throws -> TurnResult { try await readTurn().result }

    /// Answers every question with its first option, up to the end of the turn.
    ///
    /// - Returns: The agent's texts, and the result.
    func readTurn() async throws -> (texts: [String], result: TurnResult) {
        var texts: [String] = []
        while true {
            switch try await next() {
            case .promptRequest(let request): try await answer(request, try #require(request.question.options.first?.label))
            case .output(let output):
                switch output.message.content {
                case .chat(let chat) where chat.role == .assistant && !chat.isPartial: texts.append(chat.content)
                case .result(let result): return (texts, result)
                default: break
                }
            default: break
            }
        }
    }
}

/// A coding agent of tests: a script for bash that speaks `stream-json`.
///
/// It asks for a permission at each prompt, and writes into the folder `AGENT_NOTES`: its process ids (`pids`), its descriptors (`fds`), its
/// environment (`environment`), its arguments (`arguments`), its signals and its umask (`status`), and its input (`input`).
enum StubAgent {
    static let script = #"""
        #!/bin/bash
        notes=$AGENT_NOTES
        # By a program, because the shell's own redirections would be listed, too.
        ls -l /proc/$$/fd >"$notes/fds"
        tr '\0' '\n' </proc/$$/environ >"$notes/environment"
        printf '%s\n' "$@" >"$notes/arguments"
        { grep SigIgn /proc/$$/status; umask; } >"$notes/status"
        echo $$ >>"$notes/pids"
        if [ -n "$AGENT_IS_STUBBORN" ]; then
            trap '' TERM INT HUP
            # One of its own group, and one that has left it.
            sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >>"$notes/pids"
            setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >>"$notes/pids"
        fi
        while IFS= read -r line; do
            printf '%s\n' "$line" >>"$notes/input"
            case $line in
            *'"subtype":"initialize"'*)
                [[ $line =~ \"request_id\":\"([^\"]*)\" ]]
                echo '{"type":"control_response","response":{"subtype":"success","request_id":"'"${BASH_REMATCH[1]}"'","response":{}}}' ;;
            *'"type":"user"'*)
                echo '{"type":"control_request","request_id":"ask","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"make"},"tool_use_id":"use"}}' ;;
            esac
        done
        [ -z "$AGENT_IS_STUBBORN" ] || while :; do sleep 1; done
        """#

    /// Makes the script and its folder.
    ///
    /// - Returns: The options of a host, and its environment.
    static func prepare(
        _ folders: CodingHost.Folders, isStubborn: Bool = false
    ) throws -> (options: [String], environment: [String: String]) {
        let notes = folders.all.file("notes")
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        let program = try folders.program("stub", script)
        return (["--program", program], ["AGENT_NOTES": notes, "AGENT_IS_STUBBORN": isStubborn ? "1" : ""])
    }

    /// A note, once the agent has written it.
    static func note(_ name: String, _ folders: CodingHost.Folders, lines count: Int = 1) async throws -> [String] {
        try await eventually { notes(name, folders).count >= count }
        return notes(name, folders)
    }

    private static func notes(_ name: String, _ folders: CodingHost.Folders) -> [String] {
        let text = try? String(contentsOfFile: folders.all.file("notes/\(name)"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// True while one of the processes exists. A dead one that was not reaped yet does not count.
    static func isAlive(_ processes: [String]) -> Bool {
        processes.contains { process in
            guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
            return !status.contains(") Z ")
        }
    }
}
