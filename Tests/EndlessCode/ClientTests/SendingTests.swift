import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Prompts reach the agent once, whatever the line does.
@MainActor
@Suite struct SendingTests {
    @Test func promptsWithoutALineWaitAndGoOutOnceInOrder() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        box.network.cut()
        try await phone.until { $0.status != .connected }
        conversation.draft = "one"
        try await phone.client.send("one", in: conversation)
        try await phone.client.send("two", in: conversation)
        #expect(conversation.draft == "")
        #expect(conversation.outgoingPrompts.map(\.state) == [.waiting, .waiting])
        #expect(conversation.outline == ["outgoing: one", "outgoing: two"])
        let ids = conversation.entries.map(\.id)
        box.network.mend()
        phone.client.reconnect()
        // The first one has the agent ask something.
        try await phone.until { _ in conversation.prompts == ["one"] && conversation.outline.last == "queued: two" }
        #expect(conversation.entries.filter { ids.contains($0.id) }.map(\.id) == ids)
    }

    /// A prompt with which the server fails each time holds back its own session only, and not for ever.
    @Test func aFailureOfTheServerWithOnePromptDelaysNoOtherSession() async throws {
        let box = try await AgentBox()
        let isFailing = Locked(true)
        box.network.set { $0.wrap = { FailingSocket($0) { isFailing.withLock { $0 } && $0.contains("poison") } } }
        let phone = try await box.connected()
        let (first, second) = (try await phone.startSession(), try await phone.startSession())
        try await phone.client.send("list poison", in: first)
        try await phone.client.send("list later", in: first)
        try await phone.turn("list hello", in: second)
        #expect(first.outgoingPrompts.map(\.text) == ["list poison", "list later"])
        try await phone.until { client in
            client.reconnect()
            return first.prompts == ["list later"]
        }
        let failed = try #require(first.outgoingPrompts.first)
        #expect(failed.text == "list poison" && failed.state == .refused(.server(.internalError, "It failed.")))
        isFailing.withLock { $0 = false }
        await phone.client.retry(failed.id)
        try await phone.until { _ in first.prompts == ["list later", "list poison"] }
    }

    @Test func promptWhoseConfirmationIsLostIsSentOnce() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        for round in 1...3 {
            box.network.set { $0.isMute = true }
            try await phone.client.send("list \(round)", in: conversation)
            try await eventually { box.network.written.contains { $0.contains("list \(round)") } }
            box.network.cutLines()
            box.network.set { $0.isMute = false }
            phone.client.reconnect()
            try await phone.until { _ in conversation.resultCount == round }
        }
        #expect(conversation.prompts == ["list 1", "list 2", "list 3"])
        #expect(conversation.outgoingPrompts.isEmpty)
    }

    @Test func waitingPromptSurvivesTheEndOfTheApp() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let first = try await box.connected("Test phone", device)
        let id = try await first.startSession().id
        box.network.cut()
        try await first.until { $0.status != .connected }
        try await first.client.send("list", in: first.client.conversation(id))
        first.client.conversation(id).draft = "and then"
        await first.quit()
        let second = box.phone("Test phone", device)
        try await second.until { $0.conversation(id).outgoingPrompts.map(\.text) == ["list"] }
        #expect(second.client.conversation(id).draft == "and then")
        box.network.mend()
        second.client.reconnect()
        try await second.until { $0.conversation(id).resultCount == 1 }
        #expect(second.client.conversation(id).prompts == ["list"])
    }

    @Test func acceptedPromptIsNotSentAgainAfterTheEndOfTheApp() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let first = try await box.connected("Test phone", device)
        let id = try await first.startSession().id
        box.network.set { $0.isMute = true }
        try await first.client.send("list", in: first.client.conversation(id))
        try await eventually { box.network.written.contains { $0.contains("\"list\"") } }
        await first.quit()
        box.network.set { $0.isMute = false }
        let second = box.phone("Test phone", device)
        try await second.until { $0.conversation(id).resultCount == 1 && $0.conversation(id).outgoingPrompts.isEmpty }
        #expect(second.client.conversation(id).prompts == ["list"])
    }

    /// The clock stands still: the prompt does not wait for the time limit and the history.
    @Test func promptThatTheServerHasAlreadyIsConfirmedAtOnce() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected(clock: TestClock())
        let conversation = try await phone.startSession()
        box.network.set { $0.isMute = true }
        try await phone.client.send("list", in: conversation)
        try await eventually { box.network.written.contains { $0.contains("\"list\"") } }
        let id = UserMessage.ID(try #require(conversation.outgoingPrompts.first).id)
        try phone.client.received(.promptAccepted(PromptAccepted(sessionId: conversation.id, messageId: id, position: 3)))
        try await phone.until { _ in conversation.outgoingPrompts.isEmpty }
    }

    @Test func promptToAPausedSessionStaysAndGoesOutAfterResume() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.turn("list", in: conversation)
        try await phone.client.pause(conversation.id)
        try await phone.client.send("list", in: conversation)
        try await phone.until { _ in conversation.outgoingPrompts.map(\.state) == [.needsResume] }
        try await phone.client.resume(conversation.id)
        try await phone.until { _ in conversation.resultCount == 2 }
        #expect(conversation.prompts == ["list", "list"] && conversation.outgoingPrompts.isEmpty)
    }

    @Test func promptToAPausedSessionGoesOutWhenAnotherPhoneResumes() async throws {
        let box = try await AgentBox()
        let (ada, bob) = (try await box.connected("Ada"), try await box.connected("Bob"))
        let conversation = try await ada.startSession()
        try await ada.client.pause(conversation.id)
        try await ada.client.send("list", in: conversation)
        try await ada.until { _ in conversation.outgoingPrompts.map(\.state) == [.needsResume] }
        try await bob.client.resume(conversation.id)
        try await ada.until { _ in conversation.resultCount == 1 }
        #expect(conversation.prompts == ["list"] && conversation.outgoingPrompts.isEmpty)
    }

    /// The refusal and the report that the session is active come one right after the other.
    @Test func refusalThatCrossesAResumeIsOutOfDate() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        for count in 1...10 {
            try await phone.client.pause(conversation.id)
            box.network.set { $0.isMute = true }
            try await phone.client.send("list", in: conversation)
            try await eventually { box.network.written.count { $0.contains("\"list\"") } >= count }
            try await phone.client.resume(conversation.id)
            box.network.set { $0.isMute = false }
            try await phone.until { _ in conversation.resultCount == count && conversation.outgoingPrompts.isEmpty }
        }
    }

    @Test func refusedPromptCanBeTakenBack() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.terminate(conversation.id)
        try await phone.client.send("list", in: conversation)
        try await phone.until { _ in conversation.outgoingPrompts.map(\.state) == [.needsResume] }
        let prompt = try #require(conversation.outgoingPrompts.first)
        #expect(await phone.client.discard(prompt.id) == "list")
        try await phone.until { _ in conversation.entries.isEmpty }
        #expect(await phone.client.discard(prompt.id) == nil)
    }

    @Test func promptsThatAServerWouldRefuseAreNotSent() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        let tooLarge = String(repeating: "\u{1}", count: Limits.promptSizes.upperBound)
        for text in ["", " \n\t", String(repeating: "x", count: Limits.promptSizes.upperBound + 1), tooLarge] {
            await #expect(throws: CodeProblem.promptTooLong) { try await phone.client.send(text, in: conversation) }
        }
        #expect(conversation.entries.isEmpty)
        let largest = "list " + String(repeating: "é", count: Limits.promptSizes.upperBound / 2 - 4)
        try await phone.turn(largest, in: conversation)
        #expect(conversation.prompts == [largest])
    }

    @Test func restartOfTheServerInTheMiddleLosesAndRepeatsNothing() async throws {
        let box = try await AgentBox(.demo(pace: .milliseconds(10)))
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.client.send("slow", in: conversation)
        try await phone.until { _ in conversation.writing != nil }
        await box.stop()
        try await phone.until { $0.status != .connected }
        try await phone.client.send("list", in: conversation)
        try await box.start()
        phone.client.reconnect()
        try await phone.until { _ in conversation.outgoingPrompts.map(\.state) == [.needsResume] }
        #expect(phone.client.sessions[conversation.id]?.state == .paused)
        #expect(conversation.writing == nil)
        try await phone.client.resume(conversation.id)
        try await phone.until { _ in conversation.resultCount == 2 }
        #expect(conversation.prompts == ["slow", "list"])
        #expect(Set(conversation.entries.map(\.id)).count == conversation.entries.count)
        let fresh = try await box.connected("Other")
        await fresh.client.open(fresh.client.conversation(conversation.id))
        #expect(fresh.client.conversation(conversation.id).outline == conversation.outline)
    }

    @Test func cutsDuringATurnLoseAndRepeatNothing() async throws {
        let box = try await AgentBox(.demo(pace: .milliseconds(1)))
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        for round in 1...Effort.count(3, soak: 100) {
            try await phone.client.send("subagent \(round)", in: conversation)
            while conversation.resultCount < round {
                let seen = conversation.outline
                box.network.cutLines()
                phone.client.reconnect()
                try await phone.until {
                    $0.status == .connected && (conversation.outline != seen || conversation.resultCount == round)
                }
            }
        }
        let fresh = try await box.connected("Other")
        let other = fresh.client.conversation(conversation.id)
        await fresh.client.open(other)
        while other.hasEarlier { await fresh.client.loadEarlier(other) }
        #expect(other.outline == conversation.outline)
        #expect(conversation.prompts.count == conversation.resultCount)
    }
}

/// A live socket of a server that fails with some prompts.
private final class FailingSocket: SocketConnection {
    private let socket: any SocketConnection
    private let fails: @Sendable (String) -> Bool
    private let (messages, queue) = AsyncThrowingStream.makeStream(of: SocketMessage.self)
    private let reading: Task<Void, Never>

    /// - Parameter fails: Called with each frame of the phone. The server answers with an error where it is true.
    init(_ socket: any SocketConnection, fails: @escaping @Sendable (String) -> Bool) {
        (self.socket, self.fails) = (socket, fails)
        reading = Task { [queue] in
            do {
                while let message = try await socket.receive() { queue.yield(message) }
                queue.finish()
            } catch {
                queue.finish(throwing: error)
            }
        }
    }

    deinit { reading.cancel() }

    func receive() async throws -> SocketMessage? {
        for try await message in messages { return message }
        return nil
    }

    func send(_ message: SocketMessage) async throws {
        guard case .text(let text) = message, fails(text), case .userMessage(let prompt) = try ClientFrame(text: text) else {
            return try await socket.send(message)
        }
        queue.yield(.text(ServerFrame.error(SocketError(.internalError, "It failed.", sessionId: prompt.sessionId)).text))
    }

    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}
