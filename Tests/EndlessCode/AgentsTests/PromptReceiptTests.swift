import EndlessCodeAgents
import Foundation
import TestKit
import Testing
import WireKit

/// The confirmation of prompts, by what each protocol has for it.
@Suite struct PromptReceiptTests {
    private let first = UUID()
    private let second = UUID()

    private func ready() throws -> (ClaudeDriver, Played) {
        var (driver, played) = (ClaudeDriver(makeID: countingIDs()), Played())
        try played.add(driver.start(.test()))
        let id = try #require(played.written.first?["request_id"]?.string)
        try driver.receive(
            #"{"type":"control_response","response":{"subtype":"success","request_id":"\#(id)","response":{}}}"#, into: &played)
        return (driver, played)
    }

    private func repeated(_ id: UUID) -> String {
        #"{"type":"user","isReplay":true,"uuid":"\#(id.uuidString.lowercased())","message":{"role":"user","content":"go"}}"#
    }

    private func lifecycle(_ id: UUID, _ state: String) -> String {
        #"{"type":"command_lifecycle","command_uuid":"\#(id.uuidString.lowercased())","state":"\#(state)"}"#
    }

    private let text = #"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"hi"}]}}"#
    private let result = #"{"type":"result","subtype":"success","is_error":false}"#

    @Test func claudeIsAskedToRepeatPrompts() throws {
        #expect(try ClaudeDriver().arguments(for: .test()).contains("--replay-user-messages"))
    }

    @Test func repeatedPromptIsTakenUpOnce() throws {
        var (driver, played) = try ready()
        try played.add(driver.perform(.prompt("go", id: first), at: .zero))
        for line in [lifecycle(first, "queued"), lifecycle(first, "started")] { try driver.receive(line, into: &played) }
        #expect(played.receipts == [] && driver.isInTurn)
        for line in [repeated(first), repeated(first), repeated(UUID()), text] { try driver.receive(line, into: &played) }
        #expect(played.receipts == [AgentReceipt(id: first)])
        #expect(driver.isInTurn)
        try driver.receive(result, into: &played)
        #expect(!driver.isInTurn && played.results.count == 1 && played.unknown == [])
    }

    @Test func promptInTheAgentsQueueIsNotTakenUpByTheTurnBefore() throws {
        var (driver, played) = try ready()
        try played.add(driver.perform(.prompt("go", id: first), at: .zero))
        try driver.receive(repeated(first), into: &played)
        try played.add(driver.perform(.prompt("more", id: second), at: .zero))
        for line in [lifecycle(second, "queued"), text, result, text] { try driver.receive(line, into: &played) }
        #expect(played.receipts.map(\.id) == [first] && driver.isInTurn)
        try driver.receive(repeated(second), into: &played)
        #expect(played.receipts.map(\.id) == [first, second])
    }

    @Test func firstOutputOfATurnTakesUpThePromptOfAnAgentThatNamesNone() throws {
        var (driver, played) = try ready()
        for id in [first, second] { try played.add(driver.perform(.prompt("go", id: id), at: .zero)) }
        try driver.receive(text, into: &played)
        #expect(played.receipts == [AgentReceipt(id: first, isNamed: false)])
        for line in [text, result] { try driver.receive(line, into: &played) }
        #expect(played.receipts.count == 1 && driver.isInTurn)
        // A turn without a text.
        try driver.receive(result, into: &played)
        #expect(played.receipts.map(\.id) == [first, second] && !driver.isInTurn)
        // Nothing waits: a turn that the agent begins by itself takes nothing.
        try driver.receive(text, into: &played)
        #expect(played.receipts.count == 2)
    }

    @Test func promptThatTheConversationHasBeginsNoTurn() throws {
        var (driver, played) = try ready()
        try played.add(driver.perform(.prompt("go", id: first, isRepeat: true), at: .zero))
        try driver.receive(repeated(first), into: &played)
        #expect(played.receipts == [AgentReceipt(id: first, startsTurn: false)])
        #expect(!driver.isInTurn)
        try played.add(driver.perform(.prompt("go", id: second, isRepeat: true), at: .zero))
        for line in [lifecycle(second, "queued"), repeated(second)] { try driver.receive(line, into: &played) }
        #expect(played.receipts.last == AgentReceipt(id: second))
        #expect(driver.isInTurn)
    }

    @Test(arguments: ["cancelled", "discarded", "refused"])
    func promptThatTheAgentGivesUpIsDropped(_ state: String) throws {
        var (driver, played) = try ready()
        try played.add(driver.perform(.prompt("go", id: first), at: .zero))
        for line in [lifecycle(first, "queued"), lifecycle(first, state), lifecycle(first, state)] {
            try driver.receive(line, into: &played)
        }
        #expect(played.contents.filter { $0 == .promptDropped(first) }.count == 1)
        #expect(played.receipts == [] && !driver.isInTurn)
    }

    @Test func promptsThatAreNotTakenUpAreBounded() throws {
        var (driver, _) = try ready()
        for _ in 0..<100 { _ = try driver.perform(.prompt("go", id: UUID()), at: .zero) }
        #expect(throws: AgentError.inputFull) { try driver.perform(.prompt("go", id: UUID()), at: .zero) }
    }

    // MARK: Agent Client Protocol

    @Test func firstUpdateOrTheResponseTakesUpAPrompt() throws {
        var (driver, played) = (ACPDriver(makeID: countingIDs()), Played())
        try played.add(driver.start(.test()))
        try driver.receive(#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}"#, into: &played)
        try driver.receive(#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}"#, into: &played)
        for id in [first, second] { try played.add(driver.perform(.prompt("go", id: id), at: .zero)) }
        func update(_ update: String) throws {
            try driver.receive(
                #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#, into: &played)
        }
        try update(#"{"sessionUpdate":"available_commands_update","availableCommands":[]}"#)
        #expect(played.receipts == [])
        for _ in 1...2 { try update(#"{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}"#) }
        #expect(played.receipts == [AgentReceipt(id: first)])
        try driver.receive(#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#, into: &played)
        #expect(played.receipts.count == 1)
        try driver.receive(#"{"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"no"}}"#, into: &played)
        #expect(played.receipts.map(\.id) == [first, second])
    }
}
