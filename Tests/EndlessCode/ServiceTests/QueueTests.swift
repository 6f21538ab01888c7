import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// The prompts of a session that its agent has not taken up.
@Suite struct QueueTests {
    let test: TestServer

    init() async throws { test = try await TestServer() }

    /// The user's prompts in the history, in their order, with their delivery.
    private func prompts(_ id: Session.ID, in server: TestServer? = nil) async throws -> [String] {
        try await (server ?? test).sessions.history(of: id, limit: 100, offset: 0, before: nil).messages.compactMap { logged in
            guard case .chat(let chat) = logged.message.content, chat.role == .user else { return nil }
            return "\(chat.content) \(chat.delivery?.rawValue ?? "taken")"
        }
    }

    /// The server after a kill, with its session resumed and the agent ready.
    private func resumed(_ id: Session.ID, after killed: TestServer) async throws -> (TestServer, ScriptedAgent) {
        let next = try await TestServer(folder: killed.killed())
        _ = try await next.sessions.resume(id)
        try await eventually { next.agents.all.count == 1 }
        return (next, next.agents.all[0])
    }

    // MARK: Places

    @Test func aPromptOfATurnStandsWhereItsOwnTurnBegins() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("one", to: id)
        try await test.taken(id)
        agent.holdPrompts()
        agent.send(.text(AgentText(id: "a", text: "first")))
        let second = UUID()
        try await eventually { try await test.sessions.session(id).messageCount == 2 }
        try await test.prompt("two", to: id, messageId: second)
        _ = try await agent.commands(2)
        agent.send(.text(AgentText(id: "b", text: "still first")))
        try await eventually { try await test.sessions.session(id).messageCount == 4 }
        #expect(try await prompts(id) == ["one taken", "two queued"])
        agent.finishTurn()
        try await eventually { try await test.sessions.session(id).messageCount == 5 }
        // The turn of the queue comes next.
        #expect(try await test.sessions.session(id).activity == .working)
        agent.take(second)
        agent.send(.text(AgentText(id: "c", text: "second")))
        agent.finishTurn()
        try await eventually { try await test.sessions.session(id).activity == .idle }
        let messages = try await test.sessions.history(of: id, limit: 100, offset: 0, before: nil)
        let texts = messages.messages.compactMap { logged in
            if case .chat(let chat) = logged.message.content { chat.content } else { nil }
        }
        #expect(texts == ["one", "first", "still first", "two", "second"])
        #expect(messages.totalCount == 7 && messages.messages.count == 7)
        #expect(messages.messages.map(\.seq) == messages.messages.map(\.seq).sorted())
        // Its message is found under its new number only.
        let seq = try #require(messages.messages.first { $0.message == messages.messages[4].message }?.seq)
        #expect(try await test.sessions.message(seq, of: id).seq == seq)
        #expect(try await refusal { _ = try await test.sessions.message(6, of: id) } == .notFound)
    }

    @Test func promptsAreToldOneAfterAnother() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let ids = (1...3).map { _ in UUID() }
        for (number, prompt) in ids.enumerated() { try await test.prompt("\(number)", to: id, messageId: prompt) }
        for count in 1...3 {
            _ = try await agent.commands(count)
            #expect(agent.commands.count == count)
            agent.take(ids[count - 1])
        }
        try await test.taken(id)
    }

    @Test func anAgentThatNamesNoPromptIsToldAll() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        for number in 1...3 { try await test.prompt("\(number)", to: id) }
        _ = try await agent.commands(1)
        try await test.sessions.tick()
        #expect(agent.commands.count == 1)
        test.advance(SessionRun.namingLimit)
        try await test.sessions.tick()
        #expect(try await agent.commands(3).map(\.text) == ["1", "2", "3"])
        #expect(try await prompts(id) == ["1 queued", "2 queued", "3 queued"])
    }

    @Test func anAgentThatShowsItsTurnOnlyIsToldAll() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let first = UUID()
        try await test.prompt("1", to: id, messageId: first)
        for number in 2...3 { try await test.prompt("\(number)", to: id) }
        _ = try await agent.commands(1)
        agent.take(first, isNamed: false)
        #expect(try await agent.commands(3).map(\.text) == ["1", "2", "3"])
        // It may have answered all of them in this turn.
        agent.finishTurn()
        try await eventually { try await test.sessions.session(id).activity == .idle }
    }

    // MARK: Kills

    @Test func promptThatNoAgentWasToldIsToldAfterAKill() async throws {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        let messages = [UUID(), UUID()]
        for (number, message) in messages.enumerated() { try await test.prompt("\(number)", to: id, messageId: message) }
        let (next, agent) = try await resumed(id, after: test)
        #expect(try await prompts(id, in: next) == ["0 queued", "1 queued"])
        // The phone's repeat is known.
        try await next.prompt("0", to: id, messageId: messages[0])
        agent.ready("c")
        #expect(
            try await agent.commands(2) == [.prompt("0", id: messages[0]), .prompt("1", id: messages[1])])
        try await next.taken(id)
        #expect(try await prompts(id, in: next) == ["0 taken", "1 taken"])
    }

    @Test func promptThatWasNotTakenUpIsToldOnceMoreAndThenGivenUp() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let message = UUID()
        try await test.prompt("hi", to: id, messageId: message)
        #expect(try await agent.commands(1) == [.prompt("hi", id: message)])
        let (second, again) = try await resumed(id, after: test)
        again.holdPrompts()
        again.ready("c")
        #expect(try await again.commands(1) == [.prompt("hi", id: message, isRepeat: true)])
        #expect(try await prompts(id, in: second) == ["hi queued"])
        let (third, last) = try await resumed(id, after: second)
        last.ready("c")
        try await eventually { try await prompts(id, in: third) == ["hi undelivered"] }
        #expect(last.commands.isEmpty)
        // The user sends it again.
        try await third.prompt("hi", to: id, messageId: message)
        #expect(try await last.commands(1) == [.prompt("hi", id: message)])
        try await third.taken(id)
        #expect(try await prompts(id, in: third) == ["hi taken"])
        // Only now is it known for good.
        try await third.prompt("hi", to: id, messageId: message)
        #expect(last.commands.count == 1)
    }

    @Test func promptThatWasTakenUpIsNotToldAgain() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        try await test.taken(id)
        agent.send(.text(AgentText(id: "t", text: "Well")))
        try await eventually { try await test.sessions.session(id).messageCount == 2 }
        let (next, again) = try await resumed(id, after: test)
        again.ready("c-\(id)")
        try await next.prompt("ho", to: id)
        #expect(try await again.commands(1).map(\.text) == ["ho"])
        try await eventually { try await prompts(id, in: next) == ["hi taken", "ho taken"] }
    }

    @Test func takenPromptsConversationIsResumedOrBeginsAnew() async throws {
        let (id, _) = try await test.session()
        try await test.prompt("hi", to: id)
        try await test.taken(id)
        let (next, again) = try await resumed(id, after: test)
        #expect(again.conversation == .resume("c-\(id)"))
        // The agent was killed before it had written the prompt down.
        again.exit(.crash, tail: "No conversation found")
        try await eventually { next.clock.hasSleeper(for: SessionRun.restartDelays[0]) }
        try await next.clock.advance(by: SessionRun.restartDelays[0])
        try await eventually { next.agents.all.count == 2 }
        guard case .new = next.agents.all[1].conversation else {
            Issue.record("\(next.agents.all[1].conversation)")
            return
        }
        next.agents.all[1].ready("d")
        try await eventually { try await next.sessions.session(id).state == .active }
        try await next.prompt("ho", to: id)
        #expect(try await next.agents.all[1].commands(1).map(\.text) == ["ho"])
    }

    /// The agent of the killed server went on, and has the prompt in its conversation.
    @Test func promptThatTheAgentHasAlreadyBeginsNoTurn() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let message = UUID()
        try await test.prompt("hi", to: id, messageId: message)
        _ = try await agent.commands(1)
        let (next, again) = try await resumed(id, after: test)
        again.holdPrompts()
        again.ready("c")
        _ = try await again.commands(1)
        again.take(message, startsTurn: false)
        try await next.taken(id)
        #expect(try await next.sessions.session(id).activity == .idle)
        #expect(try await prompts(id, in: next) == ["hi taken"])
    }

    @Test func promptThatWaitsSurvivesAPauseAndACrash() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let messages = [UUID(), UUID()]
        for (number, message) in messages.enumerated() { try await test.prompt("\(number)", to: id, messageId: message) }
        _ = try await agent.commands(1)
        _ = try await test.sessions.pause(id)
        try await eventually { await test.isIdle(id) }
        #expect(try await prompts(id) == ["0 queued", "1 queued"])
        _ = try await test.sessions.resume(id)
        try await eventually { test.agents.all.count == 2 }
        let second = test.agents.all[1]
        second.ready("c")
        try await test.taken(id)
        #expect(second.commands == [.prompt("0", id: messages[0], isRepeat: true), .prompt("1", id: messages[1])])
        second.holdPrompts()
        let third = UUID()
        try await test.prompt("2", to: id, messageId: third)
        _ = try await second.commands(3)
        second.exit(.crash, tail: "killed")
        try await eventually { test.clock.hasSleeper(for: SessionRun.restartDelays[0]) }
        try await test.clock.advance(by: SessionRun.restartDelays[0])
        try await eventually { test.agents.all.count == 3 }
        test.agents.all[2].ready("c")
        try await test.taken(id)
        #expect(test.agents.all[2].commands == [.prompt("2", id: third, isRepeat: true)])
    }

    /// An agent goes on with its queue after an interruption.
    @Test func promptThatAnEndingAgentTakesUpIsShownAsStopped() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let message = UUID()
        try await test.prompt("hi", to: id, messageId: message)
        _ = try await agent.commands(1)
        agent.take(message)
        _ = try await test.sessions.pause(id)
        try await eventually { await test.isIdle(id) }
        try await test.taken(id)
        #expect(try await test.log(id).map(\.kind).filter { $0 == "result interrupted" }.count >= 1)
        #expect(try await prompts(id) == ["hi taken"])
        #expect(try await test.sessions.history(of: id, limit: 1, offset: 0, before: nil).messages.first?.message.isTurnEnd == true)
    }

    // MARK: Given up

    @Test func anEndedSessionAndADroppedPromptAreNotDelivered() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let first = UUID()
        try await test.prompt("one", to: id, messageId: first)
        try await test.prompt("two", to: id)
        _ = try await agent.commands(1)
        agent.send(.promptDropped(first))
        _ = try await agent.commands(2)
        try await test.sessions.terminate(id)
        #expect(try await prompts(id) == ["one undelivered", "two undelivered"])
        // An undelivered prompt needs an active session, too.
        #expect(try await refusal { try await test.prompt("one", to: id, messageId: first) } == .sessionNotActive)
        _ = try await test.sessions.resume(id)
        try await eventually { test.agents.all.count == 2 }
        test.agents.all[1].ready("c")
        try await test.prompt("one", to: id, messageId: first)
        try await test.taken(id)
        #expect(try await prompts(id) == ["two undelivered", "one taken"])
    }

    @Test func theQueueIsBounded() async throws {
        let id = try await test.sessions.create(SessionCreation(projectId: "p")).id
        let last = UUID()
        for number in 1...Limits.queuedPromptCount { try await test.prompt("\(number)", to: id) }
        #expect(try await refusal { try await test.prompt("more", to: id, messageId: last) } == .queueFull)
        #expect(try await prompts(id).count == Limits.queuedPromptCount)
        test.agents.all[0].ready("c")
        try await test.taken(id)
        try await test.prompt("more", to: id, messageId: last)
        #expect(try await test.agents.all[0].commands(Limits.queuedPromptCount + 1).last == .prompt("more", id: last))
    }

    @Test func aLogThatIsTrimmedKeepsItsQueue() async throws {
        let (id, agent) = try await test.session()
        agent.holdPrompts()
        let messages = [UUID(), UUID()]
        for (number, message) in messages.enumerated() { try await test.prompt("\(number)", to: id, messageId: message) }
        _ = try await agent.commands(1)
        agent.send(.text(AgentText(id: "t", text: "Well")))
        try await eventually { try await test.sessions.session(id).messageCount == 3 }
        try await test.store.write { try $0.trim(id, by: 1_000_000) }
        #expect(try await prompts(id) == ["0 queued", "1 queued"])
        agent.take(messages[0])
        #expect(try await agent.commands(2).last == .prompt("1", id: messages[1]))
        agent.take(messages[1])
        try await test.taken(id)
        #expect(try await prompts(id) == ["0 taken", "1 taken"])
    }

    // MARK: A full disk

    @Test func fullDiskRefusesPromptsLosesNoOutputAndEnds() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("one", to: id)
        try await test.taken(id)
        try await test.store.limitGrowth(toPages: 0)
        let filling = String(repeating: "x", count: 60_000)
        // The agent goes on writing.
        agent.send(.text(AgentText(id: "t", text: filling)))
        agent.send(.text(AgentText(id: "u", text: "after")))
        let message = UUID()
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                let prompt = UserMessage(
                    sessionId: id, content: filling, timestamp: test.now,
                    messageId: UserMessage.ID(message.uuidString.lowercased()))
                try await phone.send(.userMessage(prompt))
                #expect(try await phone.error() == .storageFull)
                try await phone.send(.userMessage(prompt))
                #expect(try await phone.error() == .storageFull)
                try await test.store.limitGrowth(toPages: nil)
                try await eventually { test.clock.hasSleeper(for: SessionRun.storageRetryDelay) }
                try await test.clock.advance(by: SessionRun.storageRetryDelay)
                try await phone.send(.userMessage(prompt))
                try await eventually { agent.commands.last?.text == filling }
            }
        }
        let log = try await test.log(id)
        #expect(log.compactMap(\.position?.seq) == Array(1...Int64(log.count)))
        #expect(log.filter { $0.kind == "chat assistant \(filling)" }.count == 1)
        #expect(log.filter { $0.kind == "chat assistant after" }.count == 1)
        #expect(log.filter { $0.kind == "chat user \(filling)" }.count == 1)
    }

    @Test func fullDiskRefusesCallsUntilThereIsRoom() async throws {
        let (id, _) = try await test.session()
        try await test.store.limitGrowth(toPages: 0)
        let calls = [EndlessCodeEndpoints.pauseSession, EndlessCodeEndpoints.resumeSession]
        // Small rows find room in pages that exist.
        var (number, reply) = (0, try await test.call(calls[0], ["id": id.rawValue]))
        while reply.status == 200, number < 1000 {
            number += 1
            reply = try await test.call(calls[number % 2], ["id": id.rawValue])
        }
        #expect(reply.status == 507)
        #expect(try reply.value(ErrorReply.self).error.code == .storageFull)
        #expect(try await test.sessions.session(id).state == (number % 2 == 0 ? .active : .paused))
        try await test.store.limitGrowth(toPages: nil)
        #expect(try await test.call(calls[number % 2], ["id": id.rawValue]).status == 200)
        #expect(try await test.sessions.session(id).state == (number % 2 == 0 ? .paused : .active))
    }
}

extension Message {
    fileprivate var isTurnEnd: Bool { if case .result = content { true } else { false } }
}
