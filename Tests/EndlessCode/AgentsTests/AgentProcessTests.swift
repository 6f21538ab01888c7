import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

/// Agents as real processes, played by shell scripts.
@Suite struct AgentProcessTests {
    // MARK: Start

    @Test func agentStartsInTheProjectWithoutWhatBelongsToTheHost() async throws {
        let standIn = try StandIn(
            "start; env > env.txt; pwd > pwd.txt; ls /proc/self/fd > descriptors.txt; cut -d' ' -f5 /proc/$$/stat > group.txt; echo $$ > pid.txt"
        )
        let running = RunningAgent(
            standIn.launch(environment: [
                "CLAUDECODE": "1", "SWITCHBOARD_TOKEN": "secret", "ENDLESSCODE_TOKEN": "secret", "KEPT": "yes",
            ]))
        _ = try await running.exit()
        let environment = try #require(standIn.contents("env.txt")).split(separator: "\n")
        let folder = standIn.folder.url.resolvingSymlinksInPath().path
        #expect(environment.contains("PWD=\(folder)"))
        #expect(environment.contains("KEPT=yes"))
        #expect(!environment.contains { $0.hasPrefix("CLAUDECODE=") || $0.contains("secret") })
        #expect(standIn.contents("pwd.txt") == folder + "\n")
        #expect(standIn.contents("descriptors.txt") == "0\n1\n2\n3\n", "3 is the listed folder itself")
        #expect(standIn.contents("group.txt") == standIn.contents("pid.txt"))
    }

    @Test func missingProgramAndFolderAreNamed() async throws {
        let standIn = try StandIn("")
        var launch = standIn.launch()
        launch.program = standIn.folder.file("missing")
        await #expect(throws: AgentError.programNotFound(launch.program)) { try await RunningAgent(launch).exit() }
        launch = standIn.launch()
        launch.folder = standIn.folder.file("missing")
        await #expect(throws: AgentError.folderNotFound(launch.folder)) { try await RunningAgent(launch).exit() }
        launch = standIn.launch(.resume("--fork"))
        await #expect(throws: AgentError.invalidConversationID) { try await RunningAgent(launch).exit() }
        launch = standIn.launch()
        try Data("no program".utf8).write(to: URL(filePath: launch.program))
        await #expect(throws: AgentError.self) { try await RunningAgent(launch).exit() }
    }

    @Test func programIsFoundByPathAndByName() throws {
        let standIn = try StandIn("")
        let folder = standIn.folder.path
        #expect(try AgentProgram.find(name: "agent", environment: ["PATH": "relative:/missing:\(folder)"]) == "\(folder)/agent")
        #expect(try AgentProgram.find("\(folder)/agent", name: "claude", environment: [:]) == "\(folder)/agent")
        #expect(try AgentProgram.find("~/agent", name: "claude", environment: ["HOME": folder]) == "\(folder)/agent")
        for given in ["\(folder)/missing", folder, "missing", ""] {
            #expect(throws: AgentError.programNotFound(given)) {
                try AgentProgram.find(given, name: "claude", environment: ["PATH": folder])
            }
        }
        #expect(throws: AgentError.programNotFound("claude")) { try AgentProgram.find(name: "claude", environment: [:]) }
    }

    @Test func agentThatNeverAnswersItsStartIsKilled() async throws {
        let clock = TestClock()
        let running = try StandIn("sleep 1000").run(clock: clock)
        try await clock.advance(by: Agent.startTimeout)
        let exit = try await running.exit()
        #expect(exit.reason == .startTimedOut)
        #expect(exit.status == .signal(SIGKILL))
        #expect(exit.lifetime == Agent.startTimeout)
    }

    // MARK: Hostile output

    @Test func hostileOutputIsReadToTheEnd() async throws {
        let standIn = try StandIn(
            #"""
            start; prompt
            printf '{"type":"assist'; echo one >&2; printf 'ant","message":{"id":"m","content":[{"type":"text","text":"halves"}]}}\n'
            printf '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"a\377b"}]}}\n'
            printf '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"cut \\ud83d"}]}}\n'
            printf '{"type":"from-the-future","x":[1]}\nno json\n[1]\n{"type":7}\n{}\n{"type":"assistant"}\n{"type":"result","duration_ms":-9e999}\n'
            printf '{"type":"control_request","request_id":"x","request":{"subtype":"hook_callback"}}\n'
            prompt; printf '%s' "$line" > refusal.txt
            echo 'no reason \377' >&2
            printf '{"type":"result","sub'
            """#)
        let running = standIn.run()
        try await running.start("go")
        let exit = try await running.exit()
        let events = running.events
        #expect(events.texts.map(\.text) == ["halves", "a\u{fffd}b", "cut \u{fffd}"])
        #expect(events.unknown == [#"{"type":"from-the-future","x":[1]}"#, "[1]", #"{"type":7}"#, "{}"])
        #expect(events.dropped.map(\.reason) == [.notJSON, .notJSON, .unfinished])
        #expect(events.dropped.first?.beginning == "no json")
        #expect(standIn.contents("refusal.txt")?.contains(#""subtype":"error""#) == true)
        #expect(exit.status == .code(0))
        #expect(exit.reason == .crash, "the turn had no result")
        #expect(exit.errorTail == "one\nno reason \u{fffd}")
    }

    @Test func longLinesAreFlaggedOrDropped() async throws {
        let standIn = try StandIn(
            #"""
            start; prompt
            printf '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"'
            head -c 1200000 /dev/zero | tr '\0' a
            printf '"}]}}\n'
            head -c 20000000 /dev/zero | tr '\0' b
            printf '\n'
            text after; result
            """#)
        let running = standIn.run()
        try await running.start("go")
        #expect(try await running.exit().reason == .betweenTurns)
        let events = running.events
        #expect(events.texts.map(\.text.utf8.count) == [1_200_000, 5])
        #expect(events.events.filter(\.isLarge).count == 1)
        #expect(events.dropped.map(\.reason) == [.tooLong])
    }

    @Test func outputFasterThanTheHandlerWaitsInTheAgent() async throws {
        let standIn = try StandIn(
            #"start; prompt; yes '{"type":"keep_alive","pad":"0123456789012345678901234567890123456789"}' | head -n 20000; touch written; result"#
        )
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let running = standIn.run() { event in
            if event.content == .activity { for await _ in gate {} }
        }
        try await running.start("go")
        try await running.wait { $0.events.last?.content == .activity }
        #expect(standIn.contents("written") == nil)
        open.finish()
        #expect(try await running.exit().status == .code(0))
        #expect(running.events.events.filter { $0.content == .activity }.count == 20000)
        #expect(running.events.results.count == 1)
    }

    @Test func agentThatDoesNotReadDoesNotBlockTheHost() async throws {
        let running = try StandIn("start; exec sleep 1000").run(clock: TestClock())
        try await running.wait { !$0.ready.isEmpty }
        await #expect(throws: AgentError.inputFull) {
            for _ in 0..<100 { try await running.prompt(String(repeating: "a", count: 262_144)) }
        }
        await running.agent.end(timeout: .zero)
        #expect(try await running.exit().reason == .asked)
    }

    // MARK: End

    @Test(
        arguments: [
            ("start", AgentExit.Status.code(0), AgentExit.Reason.betweenTurns),
            ("start; exit 3", .code(3), .crash),
            ("exit 3", .code(3), .crash),
            ("start; prompt; exit 0", .code(0), .crash),
            ("start; prompt; text half; kill -9 $$", .signal(SIGKILL), .crash),
            ("start; prompt; result; exit 1", .code(1), .betweenTurns),
            ("start; prompt; result; text background; exit 0", .code(0), .crash),
        ] as [(String, AgentExit.Status, AgentExit.Reason)])
    func exitIsClassified(_ script: String, _ status: AgentExit.Status, _ reason: AgentExit.Reason) async throws {
        let running = try StandIn(script).run()
        if script.contains("prompt") { try await running.start("go") }
        let exit = try await running.exit()
        #expect(exit.status == status)
        #expect(exit.reason == reason)
        await #expect(throws: AgentError.notRunning) { try await running.prompt("late") }
    }

    @Test func politeAgentEndsWithItsInput() async throws {
        // The clock is never advanced: no signal is sent.
        let running = try StandIn("start; cat > /dev/null; result; exit 7").run(clock: TestClock())
        try await running.start("go")
        await running.agent.end()
        await #expect(throws: AgentError.notRunning) { try await running.prompt("late") }
        let exit = try await running.exit()
        #expect(exit.status == .code(7))
        #expect(exit.reason == .asked)
        #expect(running.events.results.count == 1, "what it wrote last is read")
    }

    @Test func cancelledRunEndsTheAgentPolitely() async throws {
        let running = try StandIn("start; cat > /dev/null; exit 0").run(clock: TestClock())
        try await running.wait { !$0.ready.isEmpty }
        running.cancel()
        #expect(try await running.exit().status == .code(0))
    }

    @Test func stubbornAgentIsTerminatedThenKilled() async throws {
        let standIn = try StandIn(
            "trap 'echo term >> signals.txt' TERM; start; sleep 1000 & echo $! > child.txt; while :; do wait; sleep 1000 & done")
        let clock = TestClock()
        let running = standIn.run(clock: clock)
        try await eventually { standIn.contents("child.txt")?.hasSuffix("\n") == true }
        try await running.wait { !$0.ready.isEmpty }
        await running.agent.end()
        try await eventually { clock.hasSleeper(for: Agent.endTimeout) }
        #expect(standIn.contents("signals.txt") == nil)
        try await clock.advance(by: Agent.endTimeout)
        try await eventually { standIn.contents("signals.txt") == "term\n" }
        try await clock.advance(by: Agent.endTimeout)
        let exit = try await running.exit()
        #expect(exit.status == .signal(SIGKILL))
        #expect(exit.reason == .asked)
        #expect(exit.lifetime == Agent.endTimeout * 2)
    }

    @Test func whatTheAgentLeftInItsGroupIsKilled() async throws {
        // The child holds the output open.
        let standIn = try StandIn("start; sleep 1000 & echo $! > child.txt; prompt; result")
        let running = standIn.run()
        try await running.start("go")
        #expect(try await running.exit().reason == .betweenTurns)
        let child = try #require(standIn.contents("child.txt").flatMap { pid_t($0.dropLast()) })
        try await eventually { !isRunning(child) }
    }

    @Test func childOutsideTheGroupDoesNotKeepTheAgentAlive() async throws {
        let standIn = try StandIn(
            "start; setsid sh -c 'echo $$ > child.txt; exec sleep 1000' & prompt; while [ ! -s child.txt ]; do sleep 0.01; done; result"
        )
        let running = standIn.run()
        try await running.start("go")
        #expect(try await running.exit().reason == .betweenTurns)
        let child = try #require(standIn.contents("child.txt").flatMap { pid_t($0.dropLast()) })
        kill(child, SIGKILL)
    }

    @Test func nextHostKillsWhatAKilledHostLeft() async throws {
        let standIn = try StandIn(
            """
            trap '' TERM HUP; start; sleep 1000 & echo $! > child.txt
            setsid sh -c 'echo $$ > far.txt; exec sleep 1000' & while :; do wait; sleep 1000 & done
            """)
        let folder = try TemporaryFolder()
        let running = standIn.run(records: try AgentRecords(in: folder.url))
        try await running.wait { !$0.ready.isEmpty }
        try await eventually {
            standIn.contents("far.txt")?.hasSuffix("\n") == true && standIn.contents("child.txt")?.hasSuffix("\n") == true
        }
        // The files that a host leaves when it is killed now.
        let left = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: left.file(name))
        }
        try Data("{\"mark\":".utf8).write(to: left.url.appending(path: "half.agent"))
        let records = try AgentRecords(in: left.url)
        #expect(try records.killLeftovers() == 1)
        #expect(try await running.exit().status == .signal(SIGKILL))
        for name in ["child.txt", "far.txt"] {
            let process = try #require(standIn.contents(name).flatMap { pid_t($0.dropLast()) })
            try await eventually { !isRunning(process) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: left.path).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "an agent that ended has no record")
        #expect(try records.killLeftovers() == 0)
    }
}
