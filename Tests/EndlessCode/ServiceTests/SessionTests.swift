import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// States of sessions, their agents and their log.
@Suite struct SessionTests {
    let test: TestServer

    init() async throws { test = try await TestServer() }

    @Test func aStartedSessionHasAnAgentAndALoggedState() async throws {
        let (id, agent) = try await test.session()
        guard case .new = agent.conversation else {
            Issue.record("\(agent.conversation)")
            return
        }
        #expect(
            try await test.log(id) == [.sessionState(SessionStateChange(sessionId: id, seq: 1, state: .active, activity: .idle))])
        let session = try await test.sessions.session(id)
        #expect(session.state == .active && session.permissionMode == "default" && session.lastSeq == 1)
    }

    @Test func theSameRequestStartsOneSession() async throws {
        let (id, _) = try await test.session("r")
        #expect(try await test.sessions.create(SessionCreation(projectId: "p", requestId: "r")).id == id)
        #expect(test.agents.all.count == 1)
    }

    /// The replies of calls that are made at once.
    private func started(_ requests: [String]) async -> [Result<Session.ID, any Error>] {
        await withTaskGroup(of: Result<Session.ID, any Error>.self) { group in
            for request in requests {
                group.addTask {
                    do {
                        let creation = SessionCreation(projectId: "p", requestId: RequestID(request))
                        return .success(try await test.sessions.create(creation).id)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func repeatsAtOnceTakeOnePlaceAndGetTheFirstAnswer() async throws {
        for _ in 1...4 { _ = try await test.session() }
        let replies = await started(Array(repeating: "r", count: 20))
        #expect(try Set(replies.map { try $0.get() }).count == 1)
        #expect(try await test.sessions.all().count == 5)
        // All places are taken: a repeat has its session all the same.
        #expect(try await test.sessions.create(SessionCreation(projectId: "p", requestId: "r")).id == replies[0].get())
        let refused = await started(Array(repeating: "s", count: 5))
        for reply in refused {
            #expect(throws: ServiceFailure(.sessionLimit, "5 sessions are running. Pause one first.")) { try reply.get() }
        }
    }

    @Test func fiveOfManyRequestsAtOnceAreStarted() async throws {
        let replies = await started((1...20).map { "r\($0)" })
        #expect(replies.filter { (try? $0.get()) != nil }.count == 5)
        #expect(try await test.sessions.all().count == 5)
    }

    @Test func fiveSessionsMayRun() async throws {
        var last: Session.ID?
        for _ in 1...5 { last = try await test.session().0 }
        #expect(try await refusal { _ = try await test.sessions.create(SessionCreation(projectId: "p")) } == .sessionLimit)
        let paused = try #require(last)
        _ = try await test.sessions.pause(paused)
        _ = try await test.session()
        #expect(try await refusal { _ = try await test.sessions.resume(paused) } == .sessionLimit)
    }

    @Test func unknownProjectsAndMissingProgramsAreRefused() async throws {
        #expect(try await refusal { _ = try await test.sessions.create(SessionCreation(projectId: "q")) } == .projectNotFound)
        test.agents.uninstall()
        #expect(try await refusal { _ = try await test.sessions.create(SessionCreation(projectId: "p")) } == .agentNotFound)
        #expect(try await test.sessions.all() == [])
    }

    @Test func aPausedSessionResumesItsConversation() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hello", to: id)
        _ = try await agent.commands(1)
        agent.finishTurn()
        try await eventually { try await test.sessions.session(id).messageCount == 2 }
        #expect(try await test.sessions.pause(id).state == .paused)
        #expect(try await test.sessions.pause(id).state == .paused)
        #expect(try await refusal { try await test.prompt("hi", to: id) } == .sessionNotActive)
        #expect(try await test.sessions.resume(id).state == .active)
        try await eventually { test.agents.all.count == 2 }
        #expect(test.agents.all.last?.conversation == .resume("c-\(id)"))
        #expect(try await test.sessions.resume(id).state == .active)
    }

    /// An agent keeps no conversation in which it did nothing, and could not resume it.
    @Test func aSessionWithoutATurnBeginsAnew() async throws {
        let (id, _) = try await test.session()
        _ = try await test.sessions.pause(id)
        #expect(try await test.sessions.resume(id).state == .active)
        try await eventually { test.agents.all.count == 2 }
        guard case .new = test.agents.all[1].conversation else {
            Issue.record("\(test.agents.all[1].conversation)")
            return
        }
    }

    /// Its only result is the server's.
    @Test func aSessionThatWasStoppedBeforeItsFirstAnswerBeginsAnew() async throws {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await eventually { test.agents.all.count == 1 }
        try await test.prompt("hi", to: id)
        try await test.sessions.interrupt(id)
        test.agents.all[0].ready("c")
        try await eventually { try await test.store.read { try $0.session(id)?.conversation } == "c" }
        _ = try await test.sessions.pause(id)
        _ = try await test.sessions.resume(id)
        try await eventually { test.agents.all.count == 2 }
        guard case .new = test.agents.all[1].conversation else {
            Issue.record("\(test.agents.all[1].conversation)")
            return
        }
    }

    @Test func aTerminatedSessionKeepsItsHistoryAndCanBeResumed() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        try await test.sessions.terminate(id)
        try await test.sessions.terminate(id)
        #expect(try await test.sessions.session(id).state == .terminated)
        #expect(try await test.sessions.all() == [])
        #expect(try await refusal { _ = try await test.sessions.pause(id) } == .sessionNotActive)
        let messages = try await test.sessions.history(of: id, limit: 10, offset: 0, before: nil).messages.map(\.message.content)
        guard messages.count == 2, case .chat = messages[0], case .result(let result) = messages[1] else {
            Issue.record("\(messages)")
            return
        }
        #expect(result.reason == "interrupted" && !result.isError)
        #expect(try await test.sessions.resume(id).state == .active)
    }

    @Test func earlierSessionsOfTheAgentAreListed() async throws {
        let (id, _) = try await test.session()
        #expect(try await test.sessions.sessions(of: "p").map(\.id) == [id, "earlier"])
    }

    // MARK: Turns

    @Test func aTurnIsLoggedInOrderWithItsActivity() async throws {
        let (id, agent) = try await test.session()
        let messageId = UUID()
        try await test.prompt("hi", to: id, messageId: messageId)
        #expect(try await agent.commands(1) == [.prompt("hi", id: messageId)])
        agent.send(.toolUse(AgentToolUse(id: "u", name: "Read", input: .object(["path": .string("a")]))))
        agent.send(.toolResult(AgentToolResult(toolUseID: "u", output: "x", isError: false)))
        agent.send(.partialText(AgentPartialText(id: "t", offset: 0, piece: "he")))
        agent.send(.text(AgentText(id: "t", text: "hello")))
        agent.send(.unknown(#"{"type":"new"}"#))
        agent.finishTurn()
        try await eventually { try await test.sessions.session(id).activity == .idle }
        let log = try await test.log(id)
        #expect(log.compactMap(\.position?.seq) == Array(1...Int64(log.count)))
        #expect(
            log.map(\.kind) == [
                "active idle", "chat user hi", "active working", "taken hi", "toolUse Read", "toolResult x", "chat assistant hello",
                "unknown", "result success", "active idle",
            ])
        guard case .output(let prompt) = log[1], case .chat(let chat) = prompt.message.content else { return }
        #expect(chat.id == messageId.uuidString.lowercased())
    }

    @Test func theSamePromptAgainHasNoEffect() async throws {
        let (id, agent) = try await test.session()
        let messageId = UUID()
        for _ in 1...3 { try await test.prompt("hi", to: id, messageId: messageId) }
        try await test.prompt("ho", to: id)
        #expect(try await agent.commands(2).count == 2)
        #expect(try await test.sessions.session(id).messageCount == 2)
    }

    @Test func anAgentThatEndedBetweenTurnsIsStartedByTheNextPrompt() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hello", to: id)
        _ = try await agent.commands(1)
        agent.finishTurn()
        try await eventually { try await test.sessions.session(id).messageCount == 2 }
        agent.exit(.betweenTurns)
        try await eventually {
            try await test.sessions.interrupt(id); return await test.isIdle(id)
        }
        #expect(try await test.sessions.session(id).state == .active)
        try await test.prompt("hi", to: id)
        try await eventually { test.agents.all.count == 2 }
        let next = test.agents.all[1]
        #expect(next.conversation == .resume("c-\(id)"))
        next.ready("c-\(id)")
        #expect(try await next.commands(1).count == 1)
    }

    @Test func promptsWaitUntilTheAgentIsReady() async throws {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await eventually { test.agents.all.count == 1 }
        let agent = test.agents.all[0]
        for text in ["one", "two", "three"] { try await test.prompt(text, to: id) }
        #expect(agent.commands.isEmpty)
        agent.ready("c")
        #expect(try await agent.commands(3).map(\.text) == ["one", "two", "three"])
    }

    @Test func theAgentGetsPromptsInTheOrderOfTheLog() async throws {
        let (id, agent) = try await test.session()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 { group.addTask { try await test.prompt("\(number)", to: id) } }
            try await group.waitForAll()
        }
        let logged = try await test.log(id).map(\.kind).filter { $0.hasPrefix("chat user") }
        #expect(try await agent.commands(40).map { "chat user \($0.text)" } == logged)
    }

    @Test func stopBeforeTheAgentIsReadyEndsTheTurn() async throws {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await eventually { test.agents.all.count == 1 }
        try await test.prompt("hi", to: id)
        try await test.sessions.interrupt(id)
        #expect(try await test.log(id).map(\.kind).suffix(3) == ["undelivered hi", "result interrupted", "active idle"])
        test.agents.all[0].ready("c")
        try await test.prompt("ho", to: id)
        #expect(try await test.agents.all[0].commands(2).map(\.text) == ["", "ho"], "the interruption, and no earlier prompt")
    }

    @Test func aMessageThatCannotBeReadHidesNoOther() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        agent.finishTurn()
        try await eventually { try await test.sessions.session(id).messageCount == 2 }
        _ = try await test.store.write {
            try $0.execute(
                "UPDATE events SET payload = ? WHERE log = ? AND instr(payload, ?) > 0", Data("{}".utf8), id.log.name, #""user""#)
        }
        let messages = try await test.sessions.history(of: id, limit: 10, offset: 0, before: nil).messages.map(\.message.content)
        guard messages.count == 2, case .unknown = messages[0], case .result = messages[1] else {
            Issue.record("\(messages)")
            return
        }
        #expect(try await test.store.read { try $0.recentMessages(except: []) }.count == 2)
    }

    @Test func anUnknownLineBeginsNoTurn() async throws {
        let (id, agent) = try await test.session()
        agent.send(.unknown(#"{"type":"new"}"#))
        try await eventually { try await test.sessions.session(id).messageCount == 1 }
        #expect(try await test.sessions.session(id).activity == .idle)
    }

    // MARK: Crashes

    @Test func aCrashedAgentIsRestartedThreeTimes() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        agent.send(.text(AgentText(id: "t", text: "Well")))
        agent.exit(.crash, tail: "Segmentation fault")
        try await eventually { try await test.sessions.session(id).state == .crashed }
        for (number, delay) in SessionRun.restartDelays.enumerated() {
            try await eventually { test.clock.hasSleeper(for: delay) }
            try await test.clock.advance(by: delay)
            try await eventually { test.agents.all.count == number + 2 }
            let next = test.agents.all[number + 1]
            #expect(next.conversation == .resume("c-\(id)"))
            // The prompt may have acted: it is not repeated.
            #expect(next.commands.isEmpty)
            next.exit(.crash, tail: "again")
        }
        try await eventually { await test.isIdle(id) }
        #expect(test.agents.all.count == 4)
        let log = try await test.log(id)
        #expect(
            log.map(\.kind) == [
                "active idle", "chat user hi", "active working", "taken hi", "chat assistant Well", "result crashed",
                "crashed idle",
            ])
        guard case .sessionState(let change) = log[6] else { return }
        #expect(change.error == "Segmentation fault")
        #expect(try await refusal { try await test.prompt("hi", to: id) } == .sessionNotActive)
        #expect(try await test.sessions.resume(id).state == .active)
    }

    /// A program that is no agent ends at once, with status 0.
    @Test func anEndBeforeTheFirstAnswerIsACrashIfAPromptWaits() async throws {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await eventually { test.agents.all.count == 1 }
        try await test.prompt("hi", to: id)
        test.agents.all[0].exit(.betweenTurns)
        try await eventually { try await test.sessions.session(id).state == .crashed }
        #expect(
            try await test.log(id).map(\.kind) == [
                "active idle", "chat user hi", "active working", "result crashed", "crashed idle",
            ])
        for (number, delay) in SessionRun.restartDelays.enumerated() {
            try await eventually { test.clock.hasSleeper(for: delay) }
            try await test.clock.advance(by: delay)
            try await eventually { test.agents.all.count == number + 2 }
            #expect(test.agents.all[number + 1].commands.isEmpty)
            test.agents.all[number + 1].exit(.betweenTurns)
        }
        try await eventually { await test.isIdle(id) }
        #expect(try await test.sessions.session(id).state == .crashed)
    }

    @Test func anEndBeforeTheFirstAnswerWithoutAPromptIsNone() async throws {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        try await eventually { test.agents.all.count == 1 }
        test.agents.all[0].exit(.betweenTurns)
        try await eventually { await test.isIdle(id) }
        #expect(try await test.sessions.session(id).state == .active)
    }

    @Test func aRestartedAgentMakesTheSessionActiveAgain() async throws {
        let (id, agent) = try await test.session()
        agent.exit(.crash)
        try await test.clock.advance(by: .milliseconds(500))
        try await eventually { test.agents.all.count == 2 }
        #expect(try await test.sessions.session(id).state == .crashed)
        test.agents.all[1].ready("c-\(id)")
        try await eventually { try await test.sessions.session(id).state == .active }
    }

    @Test func aKilledServerLeavesSessionsThatCanBeResumed() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        agent.send(.prompt(.permission))
        let prompt = try #require(try await test.prompts(1).first)
        let next = try await TestServer(folder: test.killed())
        let session = try await next.sessions.session(id)
        #expect(session.state == .paused && session.activity == .idle)
        #expect(try await next.openPrompts() == [])
        #expect(
            try await next.log(id).suffix(3).map(\.kind) == ["withdrawn", "result interrupted", "paused idle"])
        #expect(try next.audit().last?.promptId == prompt.promptId)
        #expect(try await next.sessions.resume(id).state == .active)
    }

    @Test func pausingInterruptsTheTurnWhichHasOneResult() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        // What the agent still writes when it is asked to end.
        agent.send(.text(AgentText(id: "t", text: "half")))
        try await eventually { try await test.sessions.session(id).messageCount == 2 }
        _ = try await test.sessions.pause(id)
        #expect(agent.commands.last == .interrupt)
        try await eventually { await test.isIdle(id) }
        #expect(try await test.log(id).map(\.kind).suffix(3) == ["chat assistant half", "result interrupted", "paused idle"])
    }

    @Test func manyChangesAtOnceLeaveOneStateAndAtMostOneAgent() async throws {
        let (id, _) = try await test.session()
        for round in 1...20 {
            await withTaskGroup(of: Void.self) { group in
                for number in 1...6 {
                    group.addTask {
                        // A refusal is an answer too.
                        _ = try? await (number + round) % 2 == 0 ? test.sessions.pause(id) : test.sessions.resume(id)
                        try? await test.prompt("hi", to: id)
                    }
                }
            }
        }
        _ = try await test.sessions.resume(id)
        try await eventually { test.agents.all.filter(\.isRunning).count == 1 }
        let log = try await test.log(id)
        #expect(log.compactMap(\.position?.seq) == Array(1...Int64(log.count)))
        let agent = try #require(test.agents.all.last)
        agent.ready("c-\(id)")
        try await test.taken(id)
        try await test.prompt("last", to: id)
        try await eventually { agent.commands.last?.text == "last" }
        _ = try await test.sessions.pause(id)
        try await eventually { !test.agents.all.contains(where: \.isRunning) }
    }

    @Test func noAgentIsStartedAtTheEndOfTheServer() async throws {
        let (id, _) = try await test.session()
        await test.sessions.end(timeout: .seconds(8))
        #expect(try await refusal { _ = try await test.sessions.resume(id) } == .internalError)
        #expect(try await refusal { _ = try await test.sessions.create(SessionCreation(projectId: "p")) } == .internalError)
        #expect(test.agents.all.count == 1)
    }

    @Test func aSessionThatWaitsForItsRestartIsResumedAtOnce() async throws {
        let (id, agent) = try await test.session()
        agent.exit(.crash)
        try await eventually { test.clock.hasSleeper(for: .milliseconds(500)) }
        #expect(try await test.sessions.resume(id).state == .active)
        try await eventually { test.agents.all.count == 2 }
        #expect(!test.clock.hasSleeper)
    }

    @Test func theEndOfTheServerLeavesEndedSessionsEnded() async throws {
        let (terminated, _) = try await test.session()
        try await test.sessions.terminate(terminated)
        let (crashed, agent) = try await test.session()
        agent.exit(.crash)
        for (number, delay) in SessionRun.restartDelays.enumerated() {
            try await eventually { test.clock.hasSleeper(for: delay) }
            try await test.clock.advance(by: delay)
            try await eventually { test.agents.all.count == number + 3 }
            test.agents.all[number + 2].exit(.crash)
        }
        try await eventually { await test.isIdle(crashed) }
        await test.sessions.end(timeout: .seconds(8))
        #expect(try await test.sessions.session(terminated).state == .terminated)
        #expect(try await test.sessions.session(crashed).state == .crashed)
    }

    @Test func theEndOfTheServerPausesASessionThatWaitsForItsRestart() async throws {
        let (id, agent) = try await test.session()
        agent.exit(.crash)
        try await eventually { test.clock.hasSleeper(for: .milliseconds(500)) }
        await test.sessions.end(timeout: .seconds(8))
        #expect(try await test.sessions.session(id).state == .paused)
        #expect(!test.clock.hasSleeper)
    }

    @Test func theEndOfTheServerPausesItsSessions() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        await test.sessions.end(timeout: .seconds(8))
        #expect(try await test.sessions.session(id).state == .paused)
        #expect(await test.isIdle(id))
    }
}

extension TestServer {
    /// True if no agent of the session runs or waits for its restart.
    func isIdle(_ id: Session.ID) async -> Bool { await sessions.isIdle(id) }
}

extension AgentCommand {
    /// The text of a prompt.
    var text: String { if case .prompt(let text, _, _) = self { text } else { "" } }
}

extension AgentPrompt {
    static var permission: AgentPrompt {
        AgentPrompt(
            id: "a", toolUseID: "u",
            kind: .permission(
                AgentPermission(
                    toolName: "Bash", input: .object(["command": .string("rm x")]), inputText: #"{"command" : "rm x"}"#,
                    offersSession: true)))
    }
}

extension ServerFrame {
    /// A short text, to compare a log.
    var kind: String {
        switch self {
        case .sessionState(let change): "\(change.state) \(change.activity.map { "\($0)" } ?? "")"
        case .promptRequest(let request): "ask \(request.question.question)"
        case .promptResolved(let resolved): "\(resolved.outcome)"
        case .promptUpdate(let output):
            if case .chat(let chat) = output.message.content {
                "\(chat.delivery?.rawValue ?? "taken") \(chat.content)"
            } else {
                "\(self)"
            }
        case .output(let output):
            switch output.message.content {
            case .chat(let chat): "chat \(chat.role) \(chat.content)"
            case .toolUse(let use): "toolUse \(use.toolName)"
            case .toolResult(let result): "toolResult \(result.output)"
            case .askUser(let question): "askUser \(question.question.question)"
            case .result(let result): "result \(result.reason)"
            case .notice(let notice): "notice \(notice.kind)"
            case .unknown: "unknown"
            }
        default: "\(self)"
        }
    }
}
