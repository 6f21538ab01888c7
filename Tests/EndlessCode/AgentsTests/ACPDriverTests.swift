import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

@Suite struct ACPDriverTests {
    private func started(_ launch: AgentLaunch = .test(), loads: Bool = false) throws -> (ACPDriver, Played) {
        var driver = ACPDriver(makeID: countingIDs())
        var played = Played()
        try played.add(driver.start(launch))
        #expect(played.written.last?["method"] == .string("initialize"))
        #expect(played.written.last?["params"]?["clientCapabilities"]?["terminal"] == .bool(false))
        try driver.receive(
            #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":\#(loads)}}}"#, into: &played
        )
        return (driver, played)
    }

    private func opened(_ launch: AgentLaunch = .test()) throws -> (ACPDriver, Played) {
        var (driver, played) = try started(launch)
        try driver.receive(
            #"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[]}}}"#,
            into: &played)
        return (driver, played)
    }

    private func update(_ update: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":\#(update)}}"#
    }

    @Test func turnIsMappedToNeutralEvents() throws {
        var (driver, played) = try opened()
        #expect(played.ready == [AgentReady(conversationID: "s1", permissionMode: "ask")])
        try played.add(driver.perform(.prompt("go", id: UUID()), at: .seconds(1)))
        #expect(played.written.last?["params"]?["prompt"]?.array?.first?["text"] == .string("go"))
        #expect(driver.isInTurn)
        for line in [
            #"{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}"#,
            #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"한"}}"#,
            #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"!"}}"#,
            #"{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Edit a","kind":"edit","status":"pending"}"#,
            #"{"sessionUpdate":"tool_call_update","toolCallId":"c1","rawInput":{"path":"a"},"status":"in_progress"}"#,
            #"{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","content":[{"type":"diff","path":"a","oldText":"x","newText":"y"},{"type":"content","content":{"type":"text","text":"ok"}}]}"#,
            #"{"sessionUpdate":"current_mode_update","currentModeId":"code"}"#,
            #"{"sessionUpdate":"something_new"}"#,
        ] { try driver.receive(update(line), into: &played) }
        try driver.receive(#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#, into: &played, at: .seconds(3))
        #expect(played.partials.map(\.offset) == [0, 3])
        #expect(played.texts.map(\.text) == ["한!"])
        // At once, and again with the input and the change that came later.
        #expect(Set(played.toolUses.map(\.name)) == ["Edit a"] && Set(played.toolUses.map(\.kind)) == ["edit"])
        #expect(played.toolUses.count == 3)
        #expect(played.toolUses.last?.input == .object(["path": .string("a")]))
        #expect(played.toolUses.last?.content == [.diff(path: "a", old: "x", new: "y")])
        #expect(played.toolResults == [AgentToolResult(toolUseID: "c1", output: "a\n-x\n+y\nok", isError: false)])
        #expect(played.ready.last?.permissionMode == "code")
        #expect(played.unknown.count == 1)
        #expect(played.results == [AgentResult(isError: false, reason: "end_turn", duration: .seconds(2))])
        #expect(!driver.isInTurn)
    }

    @Test func promptsWaitForTheirTurn() throws {
        var (driver, played) = try started()
        try played.add(driver.perform(.prompt("one", id: UUID()), at: .zero))
        try played.add(driver.perform(.prompt("two", id: UUID()), at: .zero))
        #expect(played.written.count == 2)
        try driver.receive(#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}"#, into: &played)
        try driver.receive(#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal"}}"#, into: &played)
        #expect(played.results.map(\.isError) == [true])
        let prompts = played.written.compactMap { $0["params"]?["prompt"]?.array?.first?["text"]?.string }
        #expect(prompts == ["one", "two"])
        for _ in 0..<100 { _ = try driver.perform(.prompt("more", id: UUID()), at: .zero) }
        #expect(throws: AgentError.inputFull) { try driver.perform(.prompt("more", id: UUID()), at: .zero) }
    }

    @Test func permissionIsAnsweredWithItsOption() throws {
        var (driver, played) = try opened()
        let options =
            #"[{"optionId":"o1","name":"Yes","kind":"allow_once"},{"optionId":"o2","name":"Always","kind":"allow_always"},{"optionId":"o3","name":"No","kind":"reject_once"}]"#
        func ask(_ id: String, _ options: String) throws -> AgentPrompt {
            try driver.receive(
                #"{"jsonrpc":"2.0","id":\#(id),"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c","title":"Run","rawInput":{"n":1.0}},"options":\#(options)}}"#,
                into: &played)
            return try #require(played.prompts.last)
        }
        for (answer, option) in [(AgentAnswer.allow, "o1"), (.option("o2"), "o2"), (.deny(reason: nil), "o3")] {
            let prompt = try ask(#""x\#(option)""#, options)
            guard case .permission(let permission) = prompt.kind else { return }
            #expect(permission.inputText == #"{"n":1.0}"#)
            #expect(permission.options.map(\.name) == ["Yes", "Always", "No"])
            #expect(!permission.offersSession)
            try played.add(driver.perform(.answer(prompt.id, answer), at: .zero))
            #expect(played.written.last?["id"] == .string("x\(option)"))
            #expect(played.written.last?["result"]?["outcome"]?["optionId"] == .string(option))
        }
        let prompt = try ask("7", "[]")
        #expect(throws: AgentError.invalidAnswer) { try driver.perform(.answer(prompt.id, .allow), at: .zero) }
        try played.add(driver.perform(.answer(prompt.id, .deny(reason: "no")), at: .zero))
        #expect(played.written.last?["result"]?["outcome"] == .object(["outcome": .string("cancelled")]))
        #expect(played.toolUses.count == 1)
    }

    /// Agents ask with an empty input, or with nothing but the id, for a call of which they have said more before.
    @Test(arguments: [
        (#""rawInput":{"command":"ls"}"#, #","title":"bash","rawInput":{}"#, #"{"command":"ls"}"#),
        (#""rawInput":{"command":"ls"}"#, #","rawInput":null"#, #"{"command":"ls"}"#),
        (#""rawInput":{"command":"ls"}"#, "", #"{"command":"ls"}"#),
        (#""rawInput":{"command":"ls"}"#, #","rawInput":{"command":"rm"}"#, #"{"command":"rm"}"#),
        (#""content":[{"type":"diff","path":"a","newText":"y"}]"#, #","rawInput":{}"#, #""newText":"y""#),
        (#""rawInput":{}"#, #","content":[{"type":"diff","path":"a","newText":"y"}]"#, #""newText":"y""#),
        (#""rawInput":{}"#, #","title":"Delete all","rawInput":{}"#, #""title":"Delete all""#),
    ]) func permissionShowsWhatWasSaidOfItsCall(call: String, request: String, shown: String) throws {
        var (driver, played) = try opened()
        try played.add(driver.perform(.prompt("go", id: UUID()), at: .zero))
        try driver.receive(
            update(#"{"sessionUpdate":"tool_call","toolCallId":"c","title":"Run","status":"pending"}"#), into: &played)
        try driver.receive(update(#"{"sessionUpdate":"tool_call_update","toolCallId":"c",\#(call)}"#), into: &played)
        try driver.receive(
            #"{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"\#(request)},"options":[]}}"#,
            into: &played)
        guard case .permission(let permission)? = played.prompts.first?.kind else {
            Issue.record("no permission")
            return
        }
        #expect(permission.inputText.contains(shown))
        #expect(permission.input.text.contains(shown))
    }

    @Test func interruptCancelsTurnAndPermissions() throws {
        var (driver, played) = try opened()
        #expect(try driver.perform(.interrupt, at: .zero).isEmpty)
        try played.add(driver.perform(.prompt("go", id: UUID()), at: .zero))
        try driver.receive(
            #"{"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},"options":[]}}"#,
            into: &played)
        try played.add(driver.perform(.interrupt, at: .zero))
        #expect(played.written.contains { $0["method"] == .string("session/cancel") && $0["id"] == nil })
        #expect(played.written.last?["id"] == .integer(9))
        #expect(played.withdrawn == [try #require(played.prompts.first).id])
        try driver.receive(#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}"#, into: &played)
        #expect(played.results == [AgentResult(isError: false, reason: AgentResult.interrupted, duration: .zero)])
    }

    @Test func filesAndTerminalsAreRefused() throws {
        var (driver, played) = try opened()
        for method in ["fs/read_text_file", "fs/write_text_file", "terminal/create", "unknown"] {
            try driver.receive(#"{"jsonrpc":"2.0","id":"a","method":"\#(method)","params":{}}"#, into: &played)
            #expect(played.written.last?["error"]?["code"] == .integer(-32601))
            #expect(played.written.last?["id"] == .string("a"))
        }
    }

    @Test func loadedConversationDoesNotReplayItsHistory() throws {
        var (driver, played) = try started(.test(.resume("old")), loads: true)
        #expect(played.written.last?["method"] == .string("session/load"))
        #expect(played.written.last?["params"]?["sessionId"] == .string("old"))
        try driver.receive(
            update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"old"}}"#), into: &played)
        try driver.receive(#"{"jsonrpc":"2.0","id":2,"result":null}"#, into: &played)
        #expect(played.texts.isEmpty && played.partials.isEmpty)
        #expect(played.ready.last?.conversationID == "old")
        #expect(try started(.test(.resume("old"))).1.written.last?["method"] == .string("session/new"))
    }

    /// Shells and launchers write titles and prompts in front of the first message. Source: zed-industries/zed#44826,
    /// kagan-sh/kagan-legacy#148.
    @Test(
        arguments: [
            "\u{1b}]0;~/work\u{07}", "\u{1b}]2;agent\u{1b}\\\u{1b}[?2004h", "\u{1b}[1m\u{1b}[32m", "\u{1b}(B\u{1b}[m", "\u{feff}",
            "Loading 10 %\rLoading 100 %\r", "\u{07}",
        ])
    func terminalOutputBeforeAMessageIsSkipped(_ noise: String) throws {
        var (driver, played) = (ACPDriver(makeID: countingIDs()), Played())
        try played.add(driver.start(.test()))
        let answer = #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}"#
        try driver.receive(noise + answer + "\u{1b}[0m", into: &played)
        #expect(played.written.last?["method"] == .string("session/new"))
    }

    @Test func aLogLineThatQuotesAMessageIsNoMessage() throws {
        var (driver, played) = try started()
        for line in [
            #"INFO sent {"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}"#, "[20:18:05] Using config.toml", #""started""#,
            "\u{1b}[2m12:00\u{1b}[0m INFO ready", "\u{1b}]0;title", "\u{1b}", "\u{1b}[",
        ] { try driver.receive(line, into: &played) }
        #expect(!driver.isReady && played.ready.isEmpty && played.unknown.isEmpty)
    }

    @Test func failuresOfTheStartAreTold() throws {
        var driver = ACPDriver()
        _ = driver.start(.test())
        #expect(
            driver.receive(.text(#"{"id":1,"result":{"protocolVersion":9}}"#, isLarge: false), at: .zero).first
                == .fail("The agent speaks another version of the protocol: 9"))
        var (other, _) = try started()
        #expect(
            other.receive(
                .text(#"{"id":2,"error":{"code":-32000,"message":"Authentication required"}}"#, isLarge: false), at: .zero
            ).first
                == .fail("Authentication required. Log in to the agent on the computer."))
    }

    /// JSON-RPC over real pipes.
    private static let agent = #"""
        id() { printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/'; }
        reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$(id)" "$1"; }
        update() { printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":%s}}\n' "$1"; }
        while IFS= read -r line; do
            case "$line" in
            *'"initialize"'*) reply '{"protocolVersion":1,"agentCapabilities":{}}' ;;
            *'"session\/new"'*|*'"session/new"'*) reply '{"sessionId":"s"}' ;;
            *'"session/prompt"'*)
                prompt=$(id)
                update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Working"}}'
                printf '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"touch"},"options":[{"optionId":"yes","kind":"allow_once","name":"Yes"}]}}\n' ;;
            *'"optionId":"yes"'*)
                touch allowed
                update '{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","rawOutput":"touched"}'
                printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}\n' "$prompt" ;;
            *'"session/cancel"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"cancelled"}}\n' "$prompt" ;;
            esac
        done
        """#

    @Test func agentIsDrivenOverPipes() async throws {
        let standIn = try StandIn(Self.agent)
        let running = standIn.run(driver: ACPDriver())
        try await running.start("early")
        try await running.wait { $0.prompts.count == 1 }
        #expect(running.events.texts.map(\.text) == ["Working"])
        try await running.agent.send(.answer(try #require(running.events.prompts.first).id, .allow))
        try await running.wait { $0.results.count == 1 }
        #expect(standIn.contents("allowed") == "")
        #expect(running.events.toolResults.map(\.output) == ["touched"])
        try await running.prompt("again")
        try await running.wait { $0.prompts.count == 2 }
        try await running.agent.send(.interrupt)
        try await running.wait { $0.results.count == 2 }
        #expect(running.events.results.last?.reason == AgentResult.interrupted)
        #expect(running.events.withdrawn.count == 1)
        await running.agent.end()
        #expect(try await running.exit().reason == .asked)
    }

    @Test func failedStartEndsTheRunWithWords() async throws {
        let standIn = try StandIn(
            #"read -r line; printf '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}\n'; sleep 1000"#)
        let running = standIn.run(driver: ACPDriver())
        await #expect(throws: AgentError.startFailed("The agent speaks another version of the protocol: 2")) {
            try await running.exit()
        }
    }
}
