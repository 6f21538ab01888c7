import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

@Suite struct ClaudeDriverTests {
    private func started(_ launch: AgentLaunch = .test()) throws -> (ClaudeDriver, Played) {
        var driver = ClaudeDriver(makeID: countingIDs())
        var played = Played()
        try played.add(driver.start(launch))
        let id = try #require(played.written.first?["request_id"]?.string)
        try driver.receive(
            #"{"type":"control_response","response":{"subtype":"success","request_id":"\#(id)","response":{"commands":[]}}}"#,
            into: &played)
        return (driver, played)
    }

    private func request(_ id: String, _ tool: String = "Bash", _ more: String = "") -> String {
        #"{"type":"control_request","request_id":"\#(id)","request":{"subtype":"can_use_tool","tool_name":"\#(tool)","input":{"a":1.0,"b":12345678901234567890}\#(more)}}"#
    }

    @Test func argumentsNameConversationAndMode() throws {
        let id = UUID()
        let driver = ClaudeDriver()
        let new = try driver.arguments(for: .test(.new(id)))
        #expect(new.contains("--session-id=\(id.uuidString.lowercased())"))
        #expect(!new.contains("--permission-mode"))
        #expect(
            try driver.arguments(for: .test(.resume(id.uuidString), mode: "plan")).suffix(2) == [
                "plan", "--resume=\(id.uuidString.lowercased())",
            ])
        #expect(throws: AgentError.invalidPermissionMode("--x")) { try driver.arguments(for: .test(mode: "--x")) }
    }

    @Test func startIsAnsweredWithReady() throws {
        let id = UUID()
        let (driver, played) = try started(.test(.new(id)))
        #expect(driver.isReady)
        #expect(!driver.isInTurn)
        #expect(played.contents == [.ready(AgentReady(conversationID: id.uuidString.lowercased()))])
    }

    @Test func allowGivesTheInputBackAsItWasWritten() throws {
        var (driver, played) = try started()
        try driver.receive(request("r1"), into: &played)
        let actions = try driver.perform(.answer("r1", .allow), at: .zero)
        #expect(
            actions == [
                .write(
                    #"{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"allow","updatedInput":{"a":1.0,"b":12345678901234567890}}}}"#
                )
            ])
    }

    @Test func twoPermissionsAreOpenAtOnceAndOneIsWithdrawn() throws {
        var (driver, played) = try started()
        for id in ["r1", "r2", "r2"] { try driver.receive(request(id), into: &played) }
        #expect(played.prompts.map(\.id) == ["r1", "r2"])
        try driver.receive(#"{"type":"control_cancel_request","request_id":"r1"}"#, into: &played)
        #expect(played.withdrawn == ["r1"])
        #expect(throws: AgentError.promptClosed) { try driver.perform(.answer("r1", .allow), at: .zero) }
        try played.add(driver.perform(.answer("r2", .deny(reason: nil)), at: .zero))
        #expect(played.written.last?["response"]?["response"]?["behavior"] == .string("deny"))
        #expect(throws: AgentError.promptClosed) { try driver.perform(.answer("r2", .allow), at: .zero) }
        #expect(driver.end().isEmpty)
    }

    @Test func openPromptsAreWithdrawnAtTheEnd() throws {
        var (driver, played) = try started()
        try driver.receive(request("r1"), into: &played)
        #expect(driver.end() == [AgentEvent(.promptWithdrawn("r1"))])
    }

    @Test func sessionGrantReturnsTheSuggestionsForTheSessionOnly() throws {
        var (driver, played) = try started()
        try driver.receive(
            request(
                "r1", "Edit",
                #","permission_suggestions":[{"type":"addRules","behavior":"allow","rules":[{"toolName":"Edit"}],"destination":"localSettings"},{"type":"setMode","mode":"acceptEdits","destination":"session"},{"type":"setMode","mode":"bypassPermissions","destination":"session"},{"type":"removeRules","rules":[]}]"#
            ), into: &played)
        try played.add(driver.perform(.answer("r1", .allowForSession), at: .zero))
        let updates = played.written.last?["response"]?["response"]?["updatedPermissions"]?.array
        #expect(updates?.map { $0["destination"] } == [.string("session"), .string("session")])
        #expect(updates?.map { $0["type"]?.string } == ["addRules", "setMode"])
        #expect(played.ready.last?.permissionMode == "acceptEdits")
        try driver.receive(request("r2"), into: &played)
        #expect(throws: AgentError.invalidAnswer) { try driver.perform(.answer("r2", .allowForSession), at: .zero) }
    }

    @Test func questionsAreAnsweredTogether() throws {
        var (driver, played) = try started()
        try driver.receive(
            #"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{"questions":[{"question":"One?","options":[{"label":"a"},{"label":"b"}]},{"question":"Two?","multiSelect":true,"options":[{"label":"c"},{"label":"d"}]}]}}}"#,
            into: &played)
        func answer(_ answers: AgentQuestionAnswer...) throws {
            try played.add(driver.perform(.answer("q", .answers(answers)), at: .zero))
        }
        let two = AgentQuestionAnswer(labels: ["c", "d"], text: "and e")
        #expect(throws: AgentError.invalidAnswer) { try answer(two) }
        #expect(throws: AgentError.invalidAnswer) { try answer(AgentQuestionAnswer(labels: ["a", "b"]), two) }
        #expect(throws: AgentError.invalidAnswer) { try answer(AgentQuestionAnswer(labels: ["x"]), two) }
        #expect(throws: AgentError.invalidAnswer) { try answer(AgentQuestionAnswer(text: " "), two) }
        #expect(throws: AgentError.invalidAnswer) { try driver.perform(.answer("q", .allow), at: .zero) }
        try answer(AgentQuestionAnswer(labels: ["a"], text: "mine"), two)
        let input = played.written.last?["response"]?["response"]?["updatedInput"]
        #expect(input?["answers"] == .object(["One?": .string("a, mine"), "Two?": .string("c, d, and e")]))
        #expect(input?["questions"]?.array?.count == 2)
    }

    @Test func planIsAPermission() throws {
        var (driver, played) = try started()
        try driver.receive(
            #"{"type":"control_request","request_id":"p","request":{"subtype":"can_use_tool","tool_name":"ExitPlanMode","input":{"plan":"1. Do"}}}"#,
            into: &played)
        guard case .permission(let permission) = try #require(played.prompts.first).kind else {
            Issue.record("no permission")
            return
        }
        #expect(permission.input["plan"] == .string("1. Do"))
    }

    @Test func requestsThatAreNotUnderstoodGetAnError() throws {
        var (driver, played) = try started()
        let deep = String(repeating: "[", count: 80) + String(repeating: "]", count: 80)
        for line in [
            #"{"type":"control_request","request_id":"x","request":{"subtype":"mcp_message"}}"#,
            #"{"type":"control_request","request_id":"x","request":{}}"#,
            #"{"type":"control_request","request_id":"x","request":{"subtype":"can_use_tool"}}"#,
            #"{"type":"control_request","request_id":"x","request":{"subtype":"can_use_tool","tool_name":"T","input":{"a":\#(deep)}}}"#,
        ] {
            let before = played.written.count
            try driver.receive(line, into: &played)
            #expect(played.written.count == before + 1)
            #expect(played.written.last?["response"]?["subtype"] == .string("error"))
            #expect(played.written.last?["response"]?["request_id"] == .string("x"))
        }
        for number in 0..<150 { try driver.receive(request("many-\(number)"), into: &played) }
        #expect(played.prompts.count == 100)
    }

    @Test func openInputsAreBounded() throws {
        var (driver, played) = try started()
        let long = #","input":{"text":"\#(String(repeating: "x", count: 5 * 1_048_576))"}"#
        for id in ["one", "two"] {
            try driver.receive(
                #"{"type":"control_request","request_id":"\#(id)","request":{"subtype":"can_use_tool","tool_name":"T"\#(long)}}"#,
                into: &played)
        }
        #expect(played.prompts.map(\.id) == ["one"])
        #expect(played.written.last?["response"]?["request_id"] == .string("two"))
    }

    @Test func aRequestThatIsTooLongIsRefused() throws {
        var (driver, _) = try started()
        let beginning =
            #"{"type":"control_request","request_id":"r9","request":{"subtype":"can_use_tool","tool_name":"Write","input":"#
        let actions = driver.receive(.dropped(AgentDroppedLine(reason: .tooLong, beginning: beginning)), at: .zero)
        guard actions.count == 2, case .write(let line) = actions[0], case .event = actions[1] else {
            Issue.record("\(actions)")
            return
        }
        #expect(line.contains(#""request_id":"r9""#) && line.contains("error"))
    }

    /// The program sends a picture twice in one line. Source: ClickHouse/nerve#424, openclaw/openclaw#119445.
    @Test func aToolWhoseResultIsTooLongEnds() throws {
        var (driver, _) = try started()
        let beginning =
            #"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":[{"type":"image","#
        let actions = driver.receive(.dropped(AgentDroppedLine(reason: .tooLong, beginning: beginning)), at: .zero)
        guard case .event(let event) = actions.first, case .toolResult(let result) = event.content else {
            Issue.record("\(actions)")
            return
        }
        #expect(result.toolUseID == "toolu_1" && !result.isError && result.output.contains("10 MiB"))
    }

    @Test func aCostThatIsNoNumberIsLeftOut() throws {
        var (driver, played) = try started()
        let model = #"{"costUSD":1e308,"inputTokens":1,"outputTokens":1}"#
        try driver.receive(#"{"type":"result","subtype":"success","modelUsage":{"a":\#(model),"b":\#(model)}}"#, into: &played)
        #expect(played.results.map(\.costUSD) == [nil])
    }

    @Test func subagentIsNamedAndIsNoTurn() throws {
        var (driver, played) = try started()
        try driver.receive(
            #"{"type":"assistant","parent_tool_use_id":"toolu_9","message":{"id":"m","content":[{"type":"text","text":"sub"}]}}"#,
            into: &played)
        #expect(played.events.last?.parentToolUseID == "toolu_9")
        #expect(!driver.isInTurn)
        try driver.receive(#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"main"}]}}"#, into: &played)
        #expect(driver.isInTurn)
    }

    @Test func textThatWasGivenUpKeepsItsID() throws {
        var (driver, played) = try started()
        func event(_ event: String) throws { try driver.receive(#"{"type":"stream_event","event":\#(event)}"#, into: &played) }
        for message in ["m1", "m2"] {
            try event(#"{"type":"message_start","message":{"id":"\#(message)"}}"#)
            try event(#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#)
            try event(#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\#(message) 한"}}"#)
        }
        try event(#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"!"}}"#)
        #expect(Set(played.partials.map(\.id)).count == 1)
        #expect(played.partials.map(\.offset) == [0, 0, 6])
        // No final text comes: the streamed one is kept.
        try driver.receive(#"{"type":"result","subtype":"success","is_error":false}"#, into: &played)
        #expect(played.texts.map(\.text) == ["m2 한!"])
        #expect(played.texts.first?.id == played.partials.first?.id)
    }

    @Test func redeliveredRequestsAreOpened() throws {
        var driver = ClaudeDriver()
        var played = Played()
        try played.add(driver.start(.test(.resume(UUID().uuidString))))
        let id = try #require(played.written.first?["request_id"]?.string)
        try driver.receive(
            #"{"type":"control_response","response":{"subtype":"success","request_id":"\#(id)","response":{"pending_permission_requests":[\#(request("old"))]}}}"#,
            into: &played)
        #expect(played.prompts.map(\.id) == ["old"])
    }

    @Test func randomLinesNeverTrap() throws {
        let lines = try Recording.names.flatMap { try Recording($0).lines.filter(\.isProgram).map { Array($0.message.text.utf8) } }
        var generator = SeededGenerator(seed: 19)
        for _ in 0..<Effort.count(20, soak: 2000) {
            var driver = ClaudeDriver()
            _ = driver.start(.test())
            for line in lines.shuffled(using: &generator).prefix(20) {
                var bytes = line
                for _ in 0..<Int.random(in: 0...3, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    if Bool.random(using: &generator) {
                        bytes[index] = UInt8.random(in: 0...255, using: &generator)
                    } else {
                        bytes.remove(at: index)
                    }
                }
                _ = driver.receive(.text(String(decoding: bytes, as: UTF8.self), isLarge: false), at: .zero)
            }
            _ = driver.end()
        }
    }

    /// An agent that opens texts and sub-agents without end.
    @Test func openTextsAreBounded() throws {
        var (driver, played) = try started()
        for number in 1...1000 {
            for parent in ["null", "\"sub\(number)\""] {
                try driver.receive(
                    #"{"type":"stream_event","parent_tool_use_id":\#(parent),"event":{"type":"content_block_delta","index":\#(number),"delta":{"type":"text_delta","text":"x"}}}"#,
                    into: &played)
            }
        }
        let partial = played.events.filter { if case .partialText = $0.content { true } else { false } }
        #expect(partial.filter { $0.parentToolUseID == nil }.count == 100)
        #expect(partial.filter { $0.parentToolUseID != nil }.count == 99)
        // A complete text still arrives.
        try driver.receive(
            #"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"all"}]},"parent_tool_use_id":"sub999"}"#,
            into: &played)
        guard case .text(let text) = played.events.last?.content else {
            Issue.record("no text")
            return
        }
        #expect(text.text == "all")
    }
}
