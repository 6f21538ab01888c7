import EndlessCodeAgents
import Foundation
import Testing
import WireKit

/// Recordings of the real program, replayed: the driver has to say what the recorded host said.
@Suite struct ClaudeRecordingTests {
    /// Plays the program's side, and answers prompts as the recorded host did.
    private func replay(_ name: String) throws -> Played {
        var played = Played()
        var driver = ClaudeDriver(makeID: countingIDs())
        try played.add(driver.start(.test()))
        for line in try Recording(name).lines {
            if line.isProgram {
                try driver.receive(line.message.text, into: &played)
            } else {
                try answer(line.message, &driver, &played)
            }
        }
        played.events += driver.end()
        return played
    }

    private func answer(_ message: JSONValue, _ driver: inout ClaudeDriver, _ played: inout Played) throws {
        let before = played.written.count
        if message["type"]?.string == "user" {
            try played.add(driver.perform(.prompt(message["message"]?["content"]?.string ?? "", id: UUID()), at: .zero))
            return
        }
        if message["request"]?["subtype"]?.string == "interrupt" {
            try played.add(driver.perform(.interrupt, at: .zero))
            #expect(played.written.last?["request"] == message["request"])
            return
        }
        let prompt = try #require(played.prompts.last)
        let response = try #require(message["response"]?["response"])
        let answer: AgentAnswer =
            if response["behavior"]?.string == "deny" {
                .deny(reason: response["message"]?.string)
            } else if let answers = response["updatedInput"]?["answers"]?.object, case .questions(let questions) = prompt.kind {
                .answers(questions.map { AgentQuestionAnswer(labels: [answers[$0.question]?.string ?? ""]) })
            } else {
                .allow
            }
        try played.add(driver.perform(.answer(prompt.id, answer), at: .zero))
        #expect(played.written.count == before + 1)
        let written = try #require(played.written.last)
        #expect(written["response"]?["request_id"] == message["response"]?["request_id"])
        for (key, value) in response.object ?? [:] { #expect(written["response"]?["response"]?[key] == value) }
    }

    @Test(arguments: Recording.names) func everyRecordingIsUnderstoodCompletely(_ name: String) throws {
        let played = try replay(name)
        #expect(played.unknown.isEmpty)
        #expect(played.dropped.isEmpty)
        #expect(played.withdrawn.isEmpty)
        #expect(!played.results.isEmpty)
        #expect(played.ready.last?.permissionMode == "default")
        #expect(played.ready.last?.model == "claude-opus-5-5")
        #expect(played.ready.last?.tools.contains("Bash") == true)
        #expect(Set(played.texts.map(\.id)).count == played.texts.count, "ids are unique although the message's are not")
        // Pieces and the final text agree.
        for text in played.texts {
            let pieces = played.partials.filter { $0.id == text.id }
            var length = 0
            for piece in pieces {
                #expect(piece.offset == length)
                length += piece.piece.utf8.count
            }
            if !pieces.isEmpty { #expect(pieces.map(\.piece).joined() == text.text) }
        }
        for partial in played.partials { #expect(played.texts.contains { $0.id == partial.id }) }
        for result in played.toolResults { #expect(played.toolUses.contains { $0.id == result.toolUseID }) }
    }

    @Test func textEndsWithCostAndTokens() throws {
        let played = try replay("text")
        #expect(played.texts.map(\.text) == ["Here is a list:\n\n- one\n- two\n\n```swift\nprint(\"hi\")\n```\n"])
        #expect(played.partials.count == 8)
        let result = try #require(played.results.first)
        #expect(!result.isError)
        #expect(result.reason == "success")
        #expect(abs((result.costUSD ?? 0) - 0.00014) < 1e-9)
        #expect(result.inputTokens == 10)
        #expect(result.outputTokens == 5)
        #expect(result.duration == .milliseconds(126))
    }

    @Test func permissionHasTheExactInputAndOffersTheSession() throws {
        for name in ["permission-allowed", "permission-denied"] {
            let played = try replay(name)
            let prompt = try #require(played.prompts.first)
            guard case .permission(let permission) = prompt.kind else {
                Issue.record("no permission")
                return
            }
            #expect(permission.toolName == "Write")
            #expect(permission.input["content"] == .string("hi\n"))
            #expect(permission.offersSession)
            #expect(prompt.toolUseID == played.toolUses.first?.id)
            #expect(played.toolResults.first?.isError == (name == "permission-denied"))
        }
    }

    @Test func threeToolsWithTwoPermissionsGiveTheirResults() throws {
        let played = try replay("bash-and-edit")
        #expect(played.toolUses.map(\.name) == ["Bash", "Read", "Edit"])
        #expect(played.toolResults.map(\.isError) == [false, false, false])
        #expect(played.toolResults.first?.output == "a\nb")
        #expect(played.prompts.count == 2)
        #expect(played.texts.last?.text == "Edited.")
    }

    @Test func questionHasOptionsAndGetsItsAnswer() throws {
        let played = try replay("question")
        guard case .questions(let questions) = try #require(played.prompts.first).kind else {
            Issue.record("no question")
            return
        }
        #expect(questions.count == 1)
        #expect(questions.first?.options.isEmpty == false)
        #expect(played.texts.last?.text == "Blue it is.")
    }

    @Test func interruptIsNoError() throws {
        let played = try replay("interrupt")
        let result = try #require(played.results.first)
        #expect(!result.isError)
        #expect(result.reason == AgentResult.interrupted)
        #expect(result.outputTokens == 14)
        #expect(played.texts.map(\.text) == ["slow words slow words slow words slow word"])
    }

    @Test func successWithAnErrorIsAnError() throws {
        let result = try #require(try replay("api-error").results.first)
        #expect(result.isError)
        #expect(result.reason == "api_error")
        #expect(result.text == "API Error: 400 the model refused this")
    }

    @Test func twoTurnsAreChargedSeparately() throws {
        let played = try replay("two-turns")
        #expect(played.results.count == 2)
        #expect(played.results.map { ($0.costUSD ?? 0) < 0.0002 } == [true, true])
        #expect(played.results.map(\.inputTokens) == [10, 10])
    }
}
