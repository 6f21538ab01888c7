import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

/// What Claude Code does beside its turns: texts that it gives up, sub-agents in the background, requests that it repeats. The messages have
/// the shape of those of version 2.1.332.
@Suite struct ClaudeWorkTests {
    private let first = UUID()
    private let second = UUID()

    private func started(_ conversation: AgentLaunch.Conversation = .new(UUID())) throws -> (ClaudeDriver, Played) {
        var (driver, played) = (ClaudeDriver(makeID: countingIDs()), Played())
        try played.add(driver.start(.test(conversation)))
        let id = try #require(played.written.first?["request_id"]?.string)
        try driver.receive(
            #"{"type":"control_response","response":{"subtype":"success","request_id":"\#(id)","response":{}}}"#, into: &played)
        return (driver, played)
    }

    private func stream(_ event: String, _ more: String = "") -> String { #"{"type":"stream_event","event":\#(event)\#(more)}"# }

    private func texts(_ message: String, _ pieces: [(index: Int, text: String)]) -> [String] {
        [stream(#"{"type":"message_start","message":{"id":"\#(message)"}}"#)]
            + pieces.map {
                stream(
                    #"{"type":"content_block_delta","index":\#($0.index),"delta":{"type":"text_delta","text":"\#($0.text)"}}"#)
            }
    }

    private func abandoned(_ message: String, from index: Int) -> String {
        stream(
            #"{"type":"message_stop"}"#, #","abandoned_blocks":{"api_message_id":"\#(message)","from_block_index":\#(index)}"#)
    }

    private func text(_ message: String, _ text: String) -> String {
        #"{"type":"assistant","message":{"id":"\#(message)","content":[{"type":"text","text":"\#(text)"}]}}"#
    }

    private func lifecycle(_ id: UUID, _ state: String) -> String {
        #"{"type":"command_lifecycle","command_uuid":"\#(id.uuidString.lowercased())","state":"\#(state)"}"#
    }

    private func tasks(_ tasks: String) -> String {
        #"{"type":"system","subtype":"background_tasks_changed","tasks":[\#(tasks)]}"#
    }

    private let agent = #"{"task_id":"a1","task_type":"local_agent","description":"write"}"#
    private let command = #"{"task_id":"b1","task_type":"local_bash","description":"serve"}"#
    private let result = #"{"type":"result","subtype":"success","is_error":false,"result":"done"}"#

    // MARK: Texts that are given up

    @Test(arguments: [
        // A retry streams again, or comes whole under another id, or an error follows.
        ["stream", "text m2"], ["text other"], [],
    ]) func textThatWasGivenUpIsNotKept(_ then: [String]) throws {
        var (driver, played) = try started()
        for line in texts("m1", [(0, "Half an")]) + [abandoned("m1", from: 0)] { try driver.receive(line, into: &played) }
        let id = try #require(played.partials.first?.id)
        #expect(played.contents.contains(.textAbandoned(id)))
        for step in then {
            if step == "stream" {
                for line in texts("m2", [(0, "The real answer")]) { try driver.receive(line, into: &played) }
            } else {
                try driver.receive(text(String(step.dropFirst(5)), "The real answer"), into: &played)
            }
        }
        try driver.receive(result, into: &played)
        #expect(played.texts.map(\.text) == (then.isEmpty ? [] : ["The real answer"]))
        #expect(driver.end() == [])
    }

    @Test func onlyTheTextsFromTheIndexOnAreGivenUp() throws {
        var (driver, played) = try started()
        for line in texts("m1", [(0, "Whole"), (1, "Half")]) { try driver.receive(line, into: &played) }
        try driver.receive(text("m1", "Whole"), into: &played)
        // Of another message: nothing.
        try driver.receive(abandoned("m0", from: 0), into: &played)
        #expect(!played.contents.contains { if case .textAbandoned = $0 { true } else { false } })
        try driver.receive(abandoned("m1", from: 1), into: &played)
        try driver.receive(result, into: &played)
        #expect(played.texts.map(\.text) == ["Whole"])
        #expect(played.contents.filter { if case .textAbandoned = $0 { true } else { false } }.count == 1)
    }

    /// Of a version that does not name what it gives up. The retry may be that of a sub-agent.
    @Test func textBeforeARetryIsKeptOnlyIfItGoesOn() throws {
        for goesOn in [false, true] {
            var (driver, played) = try started()
            for line in texts("m1", [(0, "Half")]) { try driver.receive(line, into: &played) }
            try driver.receive(
                #"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":1,"error_status":529,"error":"overloaded"}"#,
                into: &played)
            if goesOn { try driver.receive(texts("m1", [(0, " and half")])[1], into: &played) }
            try driver.receive(text("other", "Whole"), into: &played)
            try driver.receive(result, into: &played)
            #expect(played.texts.map(\.text) == ["Whole"] + (goesOn ? ["Half and half"] : []))
        }
    }

    @Test func aSubagentsTextIsGivenUpAlone() throws {
        var (driver, played) = try started()
        let sub = #","parent_tool_use_id":"toolu_1""#
        for more in ["", sub] {
            try driver.receive(stream(#"{"type":"message_start","message":{"id":"m"}}"#, more), into: &played)
            try driver.receive(
                stream(#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}"#, more), into: &played)
        }
        try driver.receive(
            stream(
                #"{"type":"message_stop"}"#, #"\#(sub),"abandoned_blocks":{"api_message_id":"m","from_block_index":0}"#),
            into: &played)
        try driver.receive(result, into: &played)
        #expect(played.texts.map(\.text) == ["x"])
    }

    // MARK: Work

    @Test func aSubagentInTheBackgroundIsWork() throws {
        var (driver, played) = try started()
        try played.add(driver.perform(.prompt("go", id: first), at: .zero))
        for line in [text("m", "Started."), tasks("\(agent),\(command)"), result] { try driver.receive(line, into: &played) }
        #expect(driver.isInTurn && played.results.count == 1)
        // Commands in the background may run for ever.
        try driver.receive(tasks(command), into: &played)
        #expect(!driver.isInTurn)
        // Versions that tell each task.
        try driver.receive(
            #"{"type":"system","subtype":"task_started","task_id":"a2","task_type":"local_agent","is_backgrounded":true}"#,
            into: &played)
        #expect(driver.isInTurn)
        try driver.receive(
            #"{"type":"system","subtype":"task_notification","task_id":"a2","status":"completed"}"#, into: &played)
        #expect(!driver.isInTurn)
        #expect(played.results.count == 1)
    }

    @Test func anInterruptEndsTheSubagents() throws {
        var (driver, played) = try started()
        try played.add(driver.perform(.prompt("go", id: first), at: .zero))
        for line in [text("m", "Started."), tasks(agent), result] { try driver.receive(line, into: &played) }
        let written = played.written.count
        try played.add(driver.perform(.interrupt, at: .zero))
        #expect(played.written.count == written + 1)
        #expect(played.written.last?["request"]?["subtype"] == .string("interrupt"))
        for _ in 1...2 { try driver.receive(tasks(""), into: &played) }
        #expect(!driver.isInTurn)
        #expect(played.results.map(\.reason) == ["success", AgentResult.interrupted])
    }

    @Test func aPromptInTheQueueIsWorkUntilItsOwnResult() throws {
        var (driver, played) = try started()
        for id in [first, second] { try played.add(driver.perform(.prompt("go", id: id), at: .zero)) }
        func repeated(_ id: UUID) -> String {
            #"{"type":"user","isReplay":true,"uuid":"\#(id.uuidString.lowercased())","message":{"role":"user","content":"go"}}"#
        }
        // The result of the first turn is held back until the second one has begun.
        for line in [
            lifecycle(first, "queued"), lifecycle(first, "started"), repeated(first), text("m", "one"), lifecycle(second, "queued"),
            repeated(second), lifecycle(second, "started"),
            #"{"type":"result","subtype":"success","is_error":false,"user_message_uuids":["\#(first.uuidString.lowercased())"]}"#,
            lifecycle(first, "completed"),
        ] { try driver.receive(line, into: &played) }
        #expect(driver.isInTurn && played.results.count == 1)
        for line in [text("m2", "two"), result, lifecycle(second, "completed")] { try driver.receive(line, into: &played) }
        #expect(!driver.isInTurn && played.results.count == 2)
    }

    @Test func workIsToldWhenItChanges() async throws {
        let standIn = try StandIn(
            #"""
            start; prompt; text Started
            printf '{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"a","task_type":"local_agent"}]}\n'
            result; prompt
            printf '{"type":"system","subtype":"background_tasks_changed","tasks":[]}\n'
            result; read -r line
            """#)
        let running = standIn.run()
        try await running.start("go")
        try await running.wait { $0.results.count == 1 }
        #expect(await running.agent.isInTurn)
        try await running.prompt("on")
        try await running.wait { $0.contents.last == .workChanged(false) }
        #expect(running.events.contents.filter { if case .workChanged = $0 { true } else { false } }.count == 2)
        await running.agent.end()
        _ = try await running.exit()
    }

    // MARK: Notices

    private func notices(_ lines: String...) throws -> [AgentNotice] {
        var (driver, played) = try started()
        for line in lines { try driver.receive(line, into: &played) }
        #expect(played.unknown == [])
        return played.contents.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }

    @Test(arguments: [
        (#""attempt":3,"max_retries":10,"retry_delay_ms":4650,"error_status":529,"error":"overloaded""#, "overloaded", 529),
        (
            #""attempt":3,"max_retries":10,"retry_delay_ms":4650,"error_status":401,"error":"authentication_failed""#,
            "authentication_failed", 401
        ),
        (#""attempt":3,"max_retries":10,"retry_delay_ms":4650,"error_status":null,"error":"unknown""#, "connection", nil),
    ]) func aRepeatedRequestIsTold(_ members: String, reason: String, status: Int?) throws {
        let notice = try #require(try notices(#"{"type":"system","subtype":"api_retry",\#(members)}"#).first)
        let retry = AgentRetry(attempt: 3, maximumAttempts: 10, delay: .milliseconds(4650), reason: reason, status: status)
        #expect(notice == AgentNotice(.retry(retry)))
    }

    @Test func aPromptThatIsBeingRepeatedStandsBeforeItsNotices() throws {
        var (driver, played) = try started()
        try played.add(driver.perform(.prompt("go", id: first), at: .zero))
        for line in [
            lifecycle(first, "queued"), lifecycle(first, "started"),
            #"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":1,"error_status":529,"error":"overloaded"}"#,
        ] { try driver.receive(line, into: &played) }
        #expect(played.receipts == [AgentReceipt(id: first)] && driver.isInTurn)
        guard case .notice = played.contents.last else {
            Issue.record("\(played.contents)")
            return
        }
    }

    @Test func wordsOfTheProgramAreShown() throws {
        let notices = try notices(
            #"{"type":"system","subtype":"informational","content":"stopped the response","level":"notice"}"#,
            #"{"type":"system","subtype":"informational","content":"careful","level":"warning"}"#,
            #"{"type":"system","subtype":"informational","content":" ","level":"notice"}"#,
            #"{"type":"system","subtype":"status","status":"compacting"}"#,
            #"{"type":"system","subtype":"status","status":null,"compact_result":"success"}"#,
            #"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":1}}"#,
            #"{"type":"system","subtype":"status","status":null,"compact_result":"failed","compact_error":"too long"}"#,
            #"{"type":"system","subtype":"model_fallback","trigger":"overloaded","fallback_model":"small","content":"Using small"}"#,
            #"{"type":"system","subtype":"thinking_tokens","tokens":1}"#,
            #"{"type":"conversation_reset","new_conversation_id":"\#(UUID().uuidString.lowercased())","trigger":"clear"}"#)
        #expect(
            notices == [
                AgentNotice(.information, "stopped the response"), AgentNotice(.warning, "careful"), AgentNotice(.compacting),
                AgentNotice(.compacted), AgentNotice(.warning, "too long"), AgentNotice(.warning, "Using small"),
                AgentNotice(.cleared),
            ])
    }

    @Test func aUsageLimitIsToldOnce() throws {
        func limit(_ status: String, _ use: Double) -> String {
            #"{"type":"rate_limit_event","rate_limit_info":{"status":"\#(status)","resetsAt":1795846998,"rateLimitType":"five_hour","utilization":\#(use)}}"#
        }
        let reset = Date(timeIntervalSince1970: 1_795_846_998)
        #expect(
            try notices(
                limit("allowed", 0.1), limit("allowed_warning", 0.8), limit("allowed_warning", 0.9), limit("rejected", 1),
                limit("rejected", 1)
            ) == [
                AgentNotice(.usageLimit(isReached: false, resetsAt: reset)),
                AgentNotice(.usageLimit(isReached: true, resetsAt: reset)),
            ])
    }

    @Test func theWordsOfAnErrorComeOnce() throws {
        var (driver, played) = try started()
        for line in [
            #"{"type":"assistant","error":"overloaded","message":{"id":"m","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}}"#,
            #"{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","result":"API Error: 529"}"#,
        ] { try driver.receive(line, into: &played) }
        #expect(played.texts == [] && played.results.map(\.text) == ["API Error: 529"])
    }

    // MARK: Start

    @Test func theUsersOwnModeIsKept() throws {
        #expect(try !ClaudeDriver().arguments(for: .test()).contains("--permission-mode"))
        var (driver, played) = try started()
        #expect(played.ready.last?.permissionMode == nil)
        try driver.receive(
            #"{"type":"system","subtype":"init","session_id":"s","permissionMode":"acceptEdits","tools":[]}"#, into: &played)
        #expect(played.ready.last?.permissionMode == "acceptEdits")
    }

    @Test func aConversationThatIsGoneIsNoCrash() async throws {
        let words = "No conversation found with session ID: x"
        for script in [
            #"printf '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["\#(words)"]}\n'; exit 1"#,
            #"echo "\#(words)" >&2; exit 1"#,
        ] {
            let standIn = try StandIn(script)
            let running = RunningAgent(standIn.launch(.resume(UUID().uuidString)), keeping: [standIn.folder])
            #expect(try await running.exit().reason == .conversationNotFound)
            #expect(running.events.results == [])
            // A new one cannot be missing.
            #expect(try await standIn.run().exit().reason != .conversationNotFound)
        }
    }
}
