import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

/// Habits of real agents over the Agent Client Protocol. The messages have the shape of those of hermes-agent 0.19.0, agentao 0.5.17 and
/// claude-code-acp 0.5.1.
@Suite struct ACPAgentTests {
    private func started(
        _ capabilities: String = "{}", _ conversation: AgentLaunch.Conversation = .new(UUID())
    ) throws -> (ACPDriver, Played) {
        var (driver, played) = (ACPDriver(makeID: countingIDs()), Played())
        try played.add(driver.start(.test(conversation)))
        try driver.receive(
            #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":\#(capabilities)}}"#, into: &played)
        return (driver, played)
    }

    /// In a turn, whose request has the id 3.
    private func prompted() throws -> (ACPDriver, Played) {
        var (driver, played) = try started()
        try driver.receive(#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}"#, into: &played)
        try played.add(driver.perform(.prompt("go", id: UUID()), at: .zero))
        return (driver, played)
    }

    private func update(_ update: String, session: String = "s1") -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(session)","update":\#(update)}}"#
    }

    private func ask(_ id: Int, _ call: String, _ options: String = #"[{"optionId":"y","name":"Yes","kind":"allow_once"}]"#)
        -> String
    {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"session/request_permission","params":{"sessionId":"s1","toolCall":\#(call),"options":\#(options)}}"#
    }

    private let end = #"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#

    private func outcome(of id: Int64, in played: Played) -> JSONValue? {
        played.written.last { $0["id"] == .integer(id) && $0["result"] != nil }?["result"]?["outcome"]?["outcome"]
    }

    // MARK: Calls

    @Test func aCallIsShownWithItsTitleAndContentWhileItRuns() throws {
        var (driver, played) = try prompted()
        try driver.receive(
            update(
                #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"terminal: ls","kind":"execute","locations":[],"content":[{"type":"content","content":{"type":"text","text":"$ ls"}}]}"#
            ), into: &played)
        #expect(
            played.toolUses == [
                AgentToolUse(id: "t", name: "terminal: ls", input: .object([:]), kind: "execute", content: [.text("$ ls")])
            ])
        // The kind alone leaves the title. Output that grows is not told piece by piece.
        for text in ["a", "a\\nb"] {
            try driver.receive(
                update(
                    #"{"sessionUpdate":"tool_call_update","toolCallId":"t","kind":"execute","status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"\#(text)"}}]}"#
                ), into: &played)
        }
        #expect(played.toolUses.count == 1)
        try driver.receive(
            update(#"{"sessionUpdate":"tool_call_update","toolCallId":"t","kind":"execute","status":"completed"}"#), into: &played)
        #expect(played.toolUses.map(\.name) == ["terminal: ls"])
        #expect(played.toolResults == [AgentToolResult(toolUseID: "t", output: "a\nb", isError: false)])
    }

    @Test(arguments: [#","status":"pending""#, #","status":"in_progress""#, ""])
    func aCallWithoutInputIsShownAtOnce(_ status: String) throws {
        var (driver, played) = try prompted()
        try driver.receive(update(#"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Build"\#(status)}"#), into: &played)
        #expect(played.toolUses.map(\.name) == ["Build"])
        try driver.receive(
            update(#"{"sessionUpdate":"tool_call_update","toolCallId":"t","rawInput":{"target":"all"}}"#), into: &played)
        #expect(played.toolUses.map(\.id) == ["t", "t"] && played.toolUses.last?.input["target"] == .string("all"))
    }

    /// One call, however often it is announced. Source: agentclientprotocol/claude-agent-acp#122.
    @Test func aCallThatIsAnnouncedTwiceIsOne() throws {
        var (driver, played) = try prompted()
        for line in [
            #"{"content":[],"kind":"execute","rawInput":{},"sessionUpdate":"tool_call","status":"pending","title":"Terminal","toolCallId":"t"}"#,
            #"{"content":[{"content":{"text":"Show current git diff","type":"text"},"type":"content"}],"kind":"execute","rawInput":{"command":"git diff"},"sessionUpdate":"tool_call","status":"pending","title":"`git diff`","toolCallId":"t"}"#,
            #"{"sessionUpdate":"tool_call_update","status":"completed","toolCallId":"t"}"#,
        ] { try driver.receive(update(line), into: &played) }
        #expect(Set(played.toolUses.map(\.id)) == ["t"] && played.toolUses.last?.name == "`git diff`")
        #expect(played.toolUses.last?.input == .object(["command": .string("git diff")]))
        #expect(played.toolResults.map(\.toolUseID) == ["t"])
    }

    /// Source: google-gemini/gemini-cli#21783.
    @Test func aCallThatOnlyAPermissionNamesEndsWithItsUpdate() throws {
        var (driver, played) = try prompted()
        try driver.receive(
            ask(7, #"{"toolCallId":"mcp-1","title":"lookup","status":"pending","content":[],"kind":"other"}"#), into: &played)
        let prompt = try #require(played.prompts.first)
        try played.add(driver.perform(.answer(prompt.id, .allow), at: .zero))
        try driver.receive(
            update(#"{"sessionUpdate":"tool_call_update","status":"completed","toolCallId":"mcp-1","content":[]}"#), into: &played)
        #expect(played.toolUses.map(\.name) == ["lookup"] && played.toolResults.map(\.toolUseID) == ["mcp-1"])
    }

    @Test func aChangeOfAFileBelongsToItsCallAndToTheQuestion() throws {
        var (driver, played) = try prompted()
        let diff = #"{"type":"diff","path":"/p/a","oldText":"x","newText":"y"}"#
        try driver.receive(
            update(
                #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"replace","kind":"edit","status":"pending","content":[\#(diff)]}"#
            ), into: &played)
        #expect(played.toolUses.last?.content == [.diff(path: "/p/a", old: "x", new: "y")])
        try driver.receive(
            ask(9, #"{"toolCallId":"edit-approval-1","title":"Approve edit: /p/a","kind":"edit","content":[\#(diff)]}"#),
            into: &played)
        guard case .permission(let permission)? = played.prompts.last?.kind else { throw Missing() }
        #expect(permission.content == [.diff(path: "/p/a", old: "x", new: "y")] && permission.kind == "edit")
        #expect(permission.title == "Approve edit: /p/a")
    }

    @Test(arguments: [
        // Of another id: the same input, the same title, or the only call that runs.
        #"{"toolCallId":"own","title":"Run: ls","rawInput":{"command":"ls","description":"d"}}"#,
        #"{"toolCallId":"own","title":"delete: ls","rawInput":{"command":"ls"}}"#,
        #"{"toolCallId":"own","title":"something else"}"#,
    ]) func aQuestionWithAnIDOfItsOwnLeavesNoCard(_ call: String) throws {
        var (driver, played) = try prompted()
        try driver.receive(
            update(
                #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Run: ls","status":"pending","rawInput":{"command":"ls","description":"d"}}"#
            ), into: &played)
        try driver.receive(ask(9, call), into: &played)
        #expect(played.prompts.map(\.toolUseID) == ["t"])
        #expect(played.toolUses.map(\.id) == ["t"])
    }

    @Test func aQuestionAboutNoKnownCallIsACallThatEndsWithTheTurn() throws {
        var (driver, played) = try prompted()
        for id in ["t1", "t2"] {
            try driver.receive(
                update(#"{"sessionUpdate":"tool_call","toolCallId":"\#(id)","title":"Run \#(id)","status":"pending"}"#),
                into: &played)
        }
        try driver.receive(ask(9, #"{"toolCallId":"own","title":"Ask"}"#), into: &played)
        #expect(played.prompts.map(\.toolUseID) == ["own"] && played.toolUses.count == 3)
        try played.add(driver.perform(.answer(try #require(played.prompts.first).id, .allow), at: .zero))
        try driver.receive(end, into: &played)
        #expect(Set(played.toolResults.map(\.toolUseID)) == ["t1", "t2", "own"])
        #expect(played.toolResults.allSatisfy { !$0.isError && $0.output.isEmpty })
    }

    // MARK: The end of a turn

    @Test func anOpenRequestIsAnsweredAtTheEndOfTheTurn() throws {
        for end in [
            end, #"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal"}}"#, #"{"jsonrpc":"2.0","id":3,"error":{"code":1}}"#,
        ] {
            var (driver, played) = try prompted()
            try driver.receive(ask(9, #"{"toolCallId":"own","title":"Ask"}"#), into: &played)
            try driver.receive(end, into: &played)
            #expect(outcome(of: 9, in: played) == .string("cancelled"))
            #expect(played.withdrawn == played.prompts.map(\.id))
            #expect(throws: AgentError.promptClosed) { try driver.perform(.answer(played.prompts[0].id, .allow), at: .zero) }
        }
    }

    /// A sub-agent goes on behind the turn that started it.
    @Test func theRequestOfAnAnnouncedCallStaysOpenBehindItsTurn() throws {
        var (driver, played) = try prompted()
        let call = #"{"toolCallId":"t","title":"Write","rawInput":{"a":1},"status":"pending""#
        try driver.receive(update(#"\#(call),"sessionUpdate":"tool_call"}"#), into: &played)
        try driver.receive(ask(9, #"{"toolCallId":"own","title":"Write","rawInput":{"a":1}}"#), into: &played)
        try driver.receive(end, into: &played)
        #expect(played.withdrawn == [] && played.toolResults == [] && !driver.isInTurn)
        try played.add(driver.perform(.answer(try #require(played.prompts.first).id, .allow), at: .zero))
        #expect(outcome(of: 9, in: played) == .string("selected"))
        try driver.receive(
            update(#"{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","rawOutput":"written"}"#),
            into: &played)
        #expect(played.toolResults.map(\.output) == ["written"])
        #expect(!driver.isInTurn)
        // Stop closes it, too.
        try driver.receive(ask(10, #"{"toolCallId":"u","title":"Late"}"#), into: &played)
        try played.add(driver.perform(.interrupt, at: .zero))
        #expect(outcome(of: 10, in: played) == .string("cancelled"))
    }

    @Test func updatesAfterTheEndBelongToTheirCalls() throws {
        var (driver, played) = try prompted()
        try driver.receive(update(#"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Write","kind":"edit"}"#), into: &played)
        try driver.receive(end, into: &played)
        #expect(played.toolResults == [AgentToolResult(toolUseID: "t", output: "", isError: false)])
        // The output comes late, and again; of another call nothing is known.
        for id in ["t", "nobody"] {
            try driver.receive(
                update(#"{"sessionUpdate":"tool_call_update","toolCallId":"\#(id)","status":"completed"}"#), into: &played)
        }
        #expect(played.toolUses.count == 1 && played.toolResults.count == 1)
        try driver.receive(
            update(
                #"{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","rawOutput":[{"type":"text","text":"ok"}]}"#
            ),
            into: &played)
        #expect(played.toolUses.count == 1 && played.toolResults.last?.output == "ok")
        #expect(!driver.isInTurn && played.unknown == [])
    }

    @Test(arguments: [
        #""error":{"code":-32603,"message":"Internal error"}"#, #""result":{"stopReason":"refusal"}"#,
        #""result":{"stopReason":"cancelled"}"#, #""result":{"stopReason":"end_turn"}"#,
    ]) func aTurnThatTheUserStoppedHasNotFailed(_ ending: String) throws {
        var (driver, played) = try prompted()
        try driver.receive(update(#"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Run"}"#), into: &played)
        try played.add(driver.perform(.interrupt, at: .zero))
        try driver.receive(#"{"jsonrpc":"2.0","id":3,\#(ending)}"#, into: &played)
        #expect(played.results == [AgentResult(isError: false, reason: AgentResult.interrupted, duration: .zero)])
        #expect(played.toolResults.map(\.isError) == [true])
        // The next turn may fail.
        try played.add(driver.perform(.prompt("on", id: UUID()), at: .zero))
        try driver.receive(
            #"{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"Internal error","data":{"details":"no model"}}}"#,
            into: &played)
        #expect(played.results.last?.isError == true && played.results.last?.text == "Internal error: no model")
    }

    // MARK: Plans, logs

    @Test func aPlanIsAListOfTasksThatChanges() throws {
        var (driver, played) = try prompted()
        func plan(_ status: String) -> String {
            update(
                #"{"sessionUpdate":"plan","entries":[{"content":"first","priority":"medium","status":"\#(status)"},{"content":"second","status":"pending"}]}"#
            )
        }
        for status in ["in_progress", "completed"] { try driver.receive(plan(status), into: &played) }
        #expect(played.toolUses.count == 2 && Set(played.toolUses.map(\.id)).count == 1)
        #expect(played.toolUses.last?.kind == AgentToolUse.plan && played.toolResults.count == 1)
        let tasks = played.toolUses.last?.input["todos"]?.array
        #expect(tasks?.map { $0["content"]?.string } == ["first", "second"])
        #expect(tasks?.map { $0["status"]?.string } == ["completed", "pending"])
        try driver.receive(end, into: &played)
        try played.add(driver.perform(.prompt("on", id: UUID()), at: .zero))
        try driver.receive(plan("pending"), into: &played)
        #expect(Set(played.toolUses.map(\.id)).count == 2)
        #expect(played.unknown == [])
    }

    @Test(arguments: [
        "INFO starting", #"{"level":"info","msg":"started"}"#, "42", #""text""#, "[INFO] started", "[1,2]",
        #"{"jsonrpc":"2.0","id":77,"result":{}}"#, #"{"jsonrpc":"2.0","method":"_agent.example/progress","params":{}}"#,
    ]) func linesOfALogAreNoMessages(_ line: String) throws {
        var (driver, played) = try prompted()
        try driver.receive(line, into: &played)
        #expect(played.unknown == [] && played.dropped == [])
        #expect(played.events.last?.content == .activity)
    }

    // MARK: Earlier sessions

    @Test func aSessionIsResumedWhereThatIsOffered() throws {
        var (driver, played) = try started(#"{"loadSession":true,"sessionCapabilities":{"resume":{}}}"#, .resume("old"))
        #expect(played.written.last?["method"] == .string("session/resume"))
        #expect(played.written.last?["params"]?["sessionId"] == .string("old"))
        try driver.receive(#"{"jsonrpc":"2.0","id":2,"result":{}}"#, into: &played)
        #expect(played.ready.last?.conversationID == "old" && notices(played) == [])
    }

    private func notices(_ played: Played) -> [AgentNotice] {
        played.contents.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }

    @Test(arguments: [
        ("{}", ["session/new"]), (#"{"loadSession":true}"#, ["session/load", "session/new"]),
        (#"{"sessionCapabilities":{"resume":{}}}"#, ["session/resume", "session/new"]),
        (#"{"loadSession":true,"sessionCapabilities":{"resume":{}}}"#, ["session/resume", "session/load", "session/new"]),
    ]) func anAgentThatCannotResumeSaysThatItDoesNotRemember(_ capabilities: String, methods: [String]) throws {
        var (driver, played) = try started(capabilities, .resume("old"))
        for number in 2..<(methods.count + 1) {
            try driver.receive(
                #"{"jsonrpc":"2.0","id":\#(number),"error":{"code":-32603,"message":"Session not found"}}"#, into: &played)
        }
        #expect(played.written.dropFirst().compactMap { $0["method"]?.string } == methods)
        try driver.receive(#"{"jsonrpc":"2.0","id":\#(methods.count + 1),"result":{"sessionId":"new"}}"#, into: &played)
        #expect(played.ready.last?.conversationID == "new" && notices(played) == [AgentNotice(.forgotten)])
    }

    @Test func aSessionThatTheAgentReplacedIsForgotten() throws {
        var (driver, played) = try started(#"{"sessionCapabilities":{"resume":{}}}"#, .resume("old"))
        try driver.receive(#"{"jsonrpc":"2.0","id":2,"result":{}}"#, into: &played)
        try driver.receive(update(#"{"sessionUpdate":"usage_update","used":1}"#, session: "other"), into: &played)
        #expect(played.ready.last?.conversationID == "other" && notices(played) == [AgentNotice(.forgotten)])
        try played.add(driver.perform(.prompt("go", id: UUID()), at: .zero))
        #expect(played.written.last?["params"]?["sessionId"] == .string("other"))
    }

    // MARK: Permissions

    private static let options = [
        AgentPermissionOption(id: "once", name: "Allow once", kind: .allowOnce),
        AgentPermissionOption(id: "session", name: "Allow for session", kind: .allowAlways),
        AgentPermissionOption(id: "always", name: "Allow always", kind: .allowAlways),
        AgentPermissionOption(id: "no", name: "Deny", kind: .rejectOnce),
        AgentPermissionOption(id: "never", name: "Deny always", kind: .rejectAlways),
    ]

    private func json(_ options: [AgentPermissionOption]) -> String {
        "[\(options.map { #"{"optionId":"\#($0.id)","name":"\#($0.name)","kind":"\#($0.kind.rawValue)"}"# }.joined(separator: ","))]"
    }

    @Test func allOptionsOfTheAgentAreOffered() throws {
        for option in Self.options {
            var (driver, played) = try prompted()
            try driver.receive(ask(9, #"{"toolCallId":"c","title":"Run"}"#, json(Self.options)), into: &played)
            guard case .permission(let permission)? = played.prompts.last?.kind else { throw Missing() }
            #expect(permission.options == Self.options && !permission.offersSession)
            try played.add(driver.perform(.answer(played.prompts[0].id, .option(option.id)), at: .zero))
            #expect(played.written.last?["result"]?["outcome"]?["optionId"] == .string(option.id))
        }
    }

    @Test func allowIsNeverAGrantForGood() throws {
        var (driver, played) = try prompted()
        let options = Self.options.filter { $0.kind != .allowOnce && $0.kind != .rejectOnce }
        try driver.receive(ask(9, #"{"toolCallId":"c","title":"Run"}"#, json(options)), into: &played)
        let prompt = try #require(played.prompts.first)
        for answer in [AgentAnswer.allow, .allowForSession, .option("once")] {
            #expect(throws: AgentError.invalidAnswer) { try driver.perform(.answer(prompt.id, answer), at: .zero) }
        }
        // Nor is a refusal one for good.
        try played.add(driver.perform(.answer(prompt.id, .deny(reason: nil)), at: .zero))
        #expect(outcome(of: 9, in: played) == .string("cancelled"))
    }
}

private struct Missing: Error {}
