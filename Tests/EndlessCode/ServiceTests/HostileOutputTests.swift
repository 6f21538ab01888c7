import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// Real processes that write what no agent should, through the whole service.
@Suite struct HostileOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The functions that a script of the `stream-json` kind needs.
    private static let prelude = #"""
        #!/bin/sh
        start() {
            IFS= read -r line
            id=$(printf '%s' "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
            printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "$id"
        }
        prompt() { IFS= read -r line; }
        text() { printf '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"%s"}]}}\n' "$1"; }
        result() { printf '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"result":"ok"}\n'; }

        """#

    /// A server whose agents are a shell script.
    private func server(_ script: String) async throws -> TestServer {
        let program = folder.file("agent")
        try Data((Self.prelude + script).utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        return try await server(program: program)
    }

    private func server(program: String) async throws -> TestServer {
        try await TestServer(
            launcher: AgentLauncher { _, conversation in
                Agent(ClaudeDriver(), AgentLaunch(program: program, folder: "/tmp", conversation: conversation))
            })
    }

    private func session(_ test: TestServer, prompt: String = "go") async throws -> Session.ID {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await test.prompt(prompt, to: id)
        return id
    }

    private func endOfTurn(_ id: Session.ID, _ test: TestServer, count: Int = 1) async throws {
        try await eventually {
            let ends = try await test.log(id).filter { $0.kind == "result success" }.count
            let activity = try await test.sessions.session(id).activity
            return ends == count && activity == .idle
        }
    }

    @Test func whatCannotBeReadIsDroppedAndTheRestArrives() async throws {
        let test = try await server(
            #"""
            start; prompt
            printf '{"type":"assistant","message":{"id":"m","content":[{"ty'; sleep 0.05; printf 'pe":"text","text":"half"}]}}\n'
            echo 'not JSON at all'; echo 'noise' >&2
            printf '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"a\377\376b"}]}}\n'
            printf '{"type":"mystery","depth":[1,2]}\n'; printf '[]\n42\nnull\n\n\r\n{"type":7}\n'
            printf '{"type":"assistant","message":null}\n{"type":"result"'; printf ',"subtype":5}\n'
            head -c 20971520 /dev/zero | tr '\0' x; echo
            i=0; while [ $i -lt 300 ]; do echo "bad $i"; i=$((i+1)); done
            text after; result
            prompt; text again; result; cat > /dev/null
            """#)
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                try await test.prompt("go", to: id)
                var (kinds, dropped) = ([String](), 0)
                while kinds.last != "chat assistant after" {
                    let frame = try await phone.next()
                    if case .error(let error) = frame {
                        #expect(error.code == .parseError && error.sessionId == id)
                        dropped += 1
                    } else {
                        kinds.append(frame.kind)
                    }
                }
                // Told, and not once for each line.
                #expect((1...50).contains(dropped))
                #expect(kinds.contains("chat assistant half") && kinds.contains("chat assistant a\u{fffd}\u{fffd}b"))
                #expect(kinds.contains("unknown"))
                try await test.prompt("more", to: id)
                while try await phone.next().kind != "chat assistant again" {}
            }
        }
        try await eventually { try await test.sessions.session(id).activity == .idle }
        let log = try await test.log(id)
        #expect(log.compactMap(\.position?.seq) == Array(1...Int64(log.count)))
        #expect(try await test.sessions.session(id).state == .active)
        await test.sessions.end(timeout: .seconds(2))
    }

    /// 24 MB at once: a phone that does not read is closed, and comes back to what the replay holds.
    @Test func outputFasterThanAPhoneReadsClosesItAndItResumes() async throws {
        let test = try await server(
            #"""
            start; prompt
            long=$(head -c 60000 /dev/zero | tr '\0' x)
            i=0; while [ $i -lt 400 ]; do text "$i $long"; i=$((i+1)); done
            result; cat > /dev/null
            """#)
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await test.run { server async throws in
            try await test.phone(server, query: "?after=\(id):0") { slow async throws in
                _ = try await slow.sync()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // Another phone is not delayed by it.
                    group.addTask {
                        try await test.phone(server, query: "?after=\(id):0") { phone async throws in
                            _ = try await phone.sync()
                            var expected: Int64 = 1
                            while true {
                                let frame = try await phone.next()
                                guard let position = frame.position else { continue }
                                try #require(position.seq == expected)
                                expected += 1
                                if frame.kind == "result success" { return }
                            }
                        }
                    }
                    try await eventually { test.server.phones.count == 2 }
                    try await test.prompt("go", to: id)
                    try await group.waitForAll()
                }
                try await endOfTurn(id, test)
                try await eventually { test.server.phones.count == 0 }
                // What the operating system held, and then the reason.
                var cursor: Int64 = 0
                while true {
                    // Cut where even the close frame was not read in time.
                    guard let frame = try? await slow.probe.receive() else { break }
                    if let code = frame.closeCode {
                        #expect(code == 4008)
                        break
                    }
                    if let position = try ServerFrame(text: frame.text).position {
                        try #require(position.seq == cursor + 1)
                        cursor = position.seq
                    }
                }
                let last = try await test.sessions.session(id).lastSeq
                #expect(cursor < last)
                try await test.phone(server, query: "?after=\(id):\(cursor)") { [cursor] phone async throws in
                    _ = try await phone.sync()
                    var (next, size) = (cursor + 1, 0)
                    while next <= last {
                        let text = try await phone.probe.receive().text
                        size += text.utf8.count
                        let frame = try ServerFrame(text: text)
                        if case .gap(let gap) = frame {
                            #expect(gap.from == next)
                            next = gap.to + 1
                        } else {
                            try #require(frame.position?.seq == next)
                            next += 1
                        }
                    }
                    #expect(size < Limits.replaySize + 100_000)
                }
            }
        }
        // Nothing is missing in the log itself.
        #expect(try await test.sessions.session(id).messageCount == 402)
        await test.sessions.end(timeout: .seconds(2))
    }

    @Test(arguments: ["echo 'cannot go on' >&2; exit 3", "start; prompt; echo 'cannot go on' >&2; exit 0"])
    func aCrashLoopEndsAfterThreeRestarts(_ script: String) async throws {
        let count = folder.file("count")
        let test = try await server("echo x >> '\(count)'; \(script)")
        let id = try await session(test)
        try await restarts(test, id)
        if script.hasPrefix("start") {
            // It ends before it has taken up the prompt, which it is told once more, and then no more.
            try await eventually { test.clock.hasSleeper(for: SessionRun.restartDelays[1]) }
            try await test.clock.advance(by: SessionRun.restartDelays[1])
            try await eventually { try await test.log(id).last?.kind == "undelivered go" }
        }
        let starts = try String(contentsOfFile: count, encoding: .utf8).split(separator: "\n").count
        #expect(starts == (script.hasPrefix("echo") ? 4 : 3))
        let changes = try await test.log(id).compactMap { frame in
            if case .sessionState(let change) = frame { change.error } else { nil }
        }
        #expect(changes == Array(repeating: "cannot go on", count: script.hasPrefix("echo") ? 1 : 2))
        await test.sessions.end(timeout: .seconds(2))
    }

    /// A program that is no agent.
    @Test func aProgramThatEndsAtOnceIsACrash() async throws {
        let test = try await server(program: "/bin/true")
        let id = try await session(test)
        try await restarts(test, id)
        #expect(try await test.sessions.session(id).state == .crashed)
        #expect(try await test.log(id).map(\.kind).contains("result crashed"))
    }

    /// Lets the restarts happen, until the agent has ended for good or answers again.
    private func restarts(_ test: TestServer, _ id: Session.ID) async throws {
        try await eventually { try await test.log(id).map(\.kind).contains("result crashed") }
        for delay in SessionRun.restartDelays {
            try await eventually {
                let isActive = try await test.sessions.session(id).state == .active
                return isActive || test.clock.hasSleeper(for: delay)
            }
            if try await test.sessions.session(id).state == .active { return }
            try await test.clock.advance(by: delay)
        }
        try await eventually { await test.isIdle(id) }
    }

    /// The host keeps no more of an agent than one line, whatever it writes.
    @Test func memoryStaysBoundedUnderAFlood() async throws {
        let megabytes = Effort.count(24, soak: 400)
        let test = try await server(
            #"""
            start; prompt
            head -c \#(megabytes * 1_048_576) /dev/zero | tr '\0' x; echo
            text after; result; cat > /dev/null
            """#)
        let before = Self.residentMegabytes()
        let id = try await session(test)
        try await endOfTurn(id, test)
        let after = Self.residentMegabytes()
        // Other tests of the process run at the same time, and need some 100 MB. A host that kept the line would need all of it.
        if Effort.isSoak { #expect(after - before < megabytes / 2, "\(before) MB before, \(after) MB after") }
        #expect(try await test.sessions.session(id).messageCount == 3)
        await test.sessions.end(timeout: .seconds(2))
    }

    private static func residentMegabytes() -> Int {
        // Linux only.
        let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let fields = statm.split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}
