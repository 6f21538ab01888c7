import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import ServerKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// Questions of agents: asked, answered once, expired, withdrawn and recorded.
@Suite struct PromptTests {
    let test: TestServer
    let id: Session.ID
    let agent: ScriptedAgent

    init() async throws {
        test = try await TestServer()
        (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
    }

    private func answer(_ prompt: PromptRequest, _ labels: [String], _ input: String? = nil, by phone: String = "1") async throws {
        try await test.sessions.answer(
            PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: labels, customInput: input), from: phone,
            named: "Phone \(phone)")
    }

    private func permission() async throws -> PromptRequest {
        agent.send(.prompt(.permission))
        return try #require(try await test.prompts(1).first)
    }

    @Test func aPermissionIsAskedWithTheWholeInput() async throws {
        let prompt = try await permission()
        #expect(prompt.kind == .permission && prompt.toolName == "Bash" && prompt.toolUseId == "u")
        #expect(prompt.toolInput == .object(["command": .string("rm x")]))
        #expect(prompt.question.options == [.allow, .deny, .allowForThisSession])
        #expect(prompt.timeout == 1800 && prompt.expiresAt == test.now + .seconds(1800))
        #expect(try await test.sessions.session(id).activity == .waiting)
    }

    @Test func theFirstAnswerCounts() async throws {
        let prompt = try await permission()
        try await answer(prompt, ["Allow"])
        #expect(try await agent.commands(2).last == .answer("a", .allow))
        // The same phone's same answer again is silent.
        try await answer(prompt, ["Allow"])
        #expect(try await refusal { try await answer(prompt, ["Deny"]) } == .promptClosed)
        #expect(try await refusal { try await answer(prompt, ["Allow"], by: "2") } == .promptClosed)
        #expect(agent.commands.count == 2)
        try await eventually { try await test.sessions.session(id).activity == .working }
        #expect(try await test.log(id).map(\.kind).filter { $0 == "answered" }.count == 1)
    }

    @Test func aWrongAnswerLeavesTheQuestionOpen() async throws {
        let prompt = try await permission()
        for labels in [["Maybe"], ["Allow", "Deny"], []] {
            #expect(try await refusal { try await answer(prompt, labels) } == .invalidMessage)
        }
        #expect(try await test.openPrompts().count == 1)
        try await answer(prompt, ["Deny"], "too dangerous")
        #expect(try await agent.commands(2).last == .answer("a", .deny(reason: "too dangerous")))
    }

    @Test func unknownQuestionsAndSessionsAreRefused() async throws {
        var prompt = try await permission()
        prompt.promptId = "x"
        #expect(try await refusal { try await answer(prompt, ["Allow"]) } == .promptClosed)
        #expect(
            try await refusal {
                try await test.sessions.answer(
                    PromptAnswer(sessionId: "x", promptId: "x", selectedOptions: []), from: "1", named: nil)
            } == .sessionNotFound)
    }

    @Test func nobodysAnswerRefuses() async throws {
        let prompt = try await permission()
        test.advance(.seconds(1799))
        try await test.sessions.tick()
        #expect(try await test.openPrompts().count == 1)
        test.advance(.seconds(1))
        // Between the end and the tick.
        #expect(try await refusal { try await answer(prompt, ["Allow"]) } == .promptClosed)
        try await test.sessions.tick()
        #expect(try await agent.commands(2).last == .answer("a", .deny(reason: "Nobody answered in time.")))
        #expect(try await test.log(id).map(\.kind).suffix(2) == ["expired", "active working"])
        #expect(try await refusal { try await answer(prompt, ["Allow"]) } == .promptClosed)
    }

    @Test func questionsOfOneToolAreAskedInTurnAndAnsweredTogether() async throws {
        agent.send(
            .prompt(
                AgentPrompt(
                    id: "b", toolUseID: "v",
                    kind: .questions([
                        AgentQuestion(question: "Which?", options: [.init(label: "A"), .init(label: "B")], multiSelect: true),
                        AgentQuestion(question: "Why?"),
                    ]))))
        let first = try #require(try await test.prompts(1).first)
        #expect(first.question.question == "Which?" && first.kind == .question)
        try await answer(first, ["A", "B"])
        try await eventually { try await test.openPrompts().first?.question.question == "Why?" }
        #expect(agent.commands.count == 1)
        #expect(try await test.sessions.session(id).activity == .waiting)
        try await answer(try #require(try await test.prompts(1).first), [], "because")
        #expect(
            try await agent.commands(2).last
                == .answer("b", .answers([AgentQuestionAnswer(labels: ["A", "B"]), AgentQuestionAnswer(text: "because")])))
        #expect(
            try await test.log(id).map(\.kind).filter { $0.hasPrefix("ask") }
                == ["askUser Which?", "ask Which?", "askUser Why?", "ask Why?"])
    }

    @Test func twoQuestionsMayBeOpenAtOnce() async throws {
        _ = try await permission()
        var second = AgentPrompt.permission
        second.id = "b"
        agent.send(.prompt(second))
        let prompts = try await test.prompts(2)
        for prompt in prompts { try await answer(prompt, ["Deny"]) }
        #expect(Set(try await agent.commands(3).suffix(2)) == [.answer("a", .deny(reason: nil)), .answer("b", .deny(reason: nil))])
        try await eventually { try await test.sessions.session(id).activity == .working }
    }

    @Test func aWithdrawnQuestionIsClosed() async throws {
        let prompt = try await permission()
        agent.send(.promptWithdrawn("a"))
        try await eventually { try await test.openPrompts().isEmpty }
        #expect(try await refusal { try await answer(prompt, ["Allow"]) } == .promptClosed)
        try await eventually { try await test.log(id).map(\.kind).suffix(2) == ["withdrawn", "active working"] }
    }

    @Test func theEndOfTheAgentWithdrawsItsQuestions() async throws {
        _ = try await permission()
        agent.exit(.crash)
        try await eventually { try await test.openPrompts().isEmpty }
    }

    // MARK: The record

    @Test func everyDecisionIsOneLineOfTheAuditFile() async throws {
        let first = try await permission()
        try await answer(first, ["Deny"], "no\nnever", by: "7")
        agent.send(.prompt(.permission))
        let second = try #require(try await test.prompts(1).first)
        test.advance(.seconds(1800))
        try await test.sessions.tick()
        let entries = try test.audit()
        #expect(entries.map(\.promptId) == [first.promptId, second.promptId])
        #expect(entries.map(\.outcome) == [.answered, .expired])
        let entry = try #require(entries.first)
        // Character for character.
        #expect(entry.input == #"{"command" : "rm x"}"#)
        #expect(entry.selectedOptions == ["Deny"] && entry.customInput == "no\nnever")
        #expect(entry.by == "Phone 7" && entry.phone == "7" && entry.toolName == "Bash" && entry.sessionId == id)
        let mode = try FileManager.default.attributesOfItem(atPath: test.folder.file("endlesscode-audit.jsonl"))[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
    }

    private func entry(_ question: String) -> AuditFile.Entry {
        AuditFile.Entry(
            at: test.now, sessionId: "s", promptId: "q", kind: .question, outcome: .withdrawn, question: question)
    }

    @Test func fullAuditFileIsKeptOnce() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "audit.jsonl")
        let audit = try AuditFile(file, limit: 1000)
        func questions(_ name: String) throws -> [String] {
            guard FileManager.default.fileExists(atPath: folder.file(name)) else { return [] }
            return try String(contentsOfFile: folder.file(name), encoding: .utf8).split(separator: "\n").map {
                try WireJSON.decode(AuditFile.Entry.self, from: Data($0.utf8)).question
            }
        }
        for number in 1...40 {
            try audit.append(entry("\(number)"))
            let kept = try questions("audit.jsonl.old") + questions("audit.jsonl")
            #expect(kept.last == "\(number)" && kept.count >= min(number, 4) && kept.count <= 16)
        }
        // A line that is longer than a file has one of its own.
        try audit.append(entry(String(repeating: "x", count: 2000)))
        #expect(try questions("audit.jsonl").count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["audit.jsonl", "audit.jsonl.old"])
        // A later start goes on with the same file.
        try AuditFile(file, limit: 10_000).append(entry("later"))
        #expect(try questions("audit.jsonl").count == 2)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("audit.jsonl.old"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func auditFileIsOneOfThisUserThatDoesNotBlock() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "audit.jsonl")
        #expect(mkfifo(file.path, 0o600) == 0)
        let error = #expect(throws: StartupError.self) { try AuditFile(file) }
        #expect(error?.description == "Cannot write \(file.path): it is not a regular file")
        unlink(file.path)
        #expect(symlink("/dev/null", file.path) == 0)
        #expect(throws: StartupError.self) { try AuditFile(file) }
        unlink(file.path)
        guard geteuid() == 0 else { return }
        try Data().write(to: file)
        #expect(chown(file.path, 65_534, 65_534) == 0)
        let other = #expect(throws: StartupError.self) { try AuditFile(file) }
        #expect(other?.description.contains("belongs to another user") == true)
    }

    @Test func theAuditFileIsOnlyAppendedTo() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "audit.jsonl")
        try Data("earlier\n".utf8).write(to: file)
        let audit = try AuditFile(file)
        try audit.append(entry("Why?"))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "earlier")
    }
}
