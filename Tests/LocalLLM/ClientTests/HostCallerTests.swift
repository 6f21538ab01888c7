import Foundation
import LocalLLMCalls
import LocalLLMService
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import TestKit
import Testing
import WireKit

/// A program that asks a host, as TalkCo's service does.
@Suite struct HostCallerTests {
    private let network = TestPeers()

    private func caller(
        _ host: ServerID, key: UInt8 = 1, invitation: Invitation? = nil, maximumAnswerSize: Int = 65_536,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> HostCaller {
        let dialler = network.dialler(key)
        return HostCaller(
            HostLink(host, invitation: invitation), clock: clock, maximumAnswerSize: maximumAnswerSize
        ) { dialler }
    }

    /// Runs a request.
    private func ask(_ caller: HostCaller, _ prompt: String = "Hello") -> (
        text: Locked<String>, end: Task<HostCaller.End, any Error>
    ) {
        let text = Locked("")
        let task = Task {
            try await caller.ask(ChatStart(prompt: prompt, messages: [ChatTurn(.user, "a"), ChatTurn(.assistant, "b")])) { event in
                if case .text(let piece) = event { text.withLock { $0 += piece } }
            }
        }
        return (text, task)
    }

    @Test func answerArrivesPieceByPiece() async throws {
        let host = try await RealHost(on: network)
        let caller = caller(host.id)
        let answer = ask(caller)
        try await host.engine.say("Good ")
        try await eventually { answer.text.withLock { $0 } == "Good " }
        try await host.engine.say("day.")
        try await host.engine.end()
        #expect(try await answer.end.value.reason == .stop)
        #expect(answer.text.withLock { $0 } == "Good day.")
        #expect(host.lastTurns == [ChatTurn(.user, "a"), ChatTurn(.assistant, "b"), ChatTurn(.user, "Hello")])
        guard case .open(let info) = await caller.state else {
            Issue.record("the connection is not open")
            return
        }
        #expect(info.hostName == "Ada’s Mac" && info.model == "llama")
        await caller.close()
        #expect(await caller.state == .idle)
    }

    @Test func answerGoesOnAfterALostConnection() async throws {
        let host = try await RealHost(on: network)
        let caller = caller(host.id)
        let answer = ask(caller)
        for piece in ["One ", "two ", "three "] {
            try await host.engine.say(piece)
            try await eventually { answer.text.withLock { $0.hasSuffix(piece) } }
            network.cut()
        }
        try await host.engine.say("four.")
        try await host.engine.end()
        _ = try await answer.end.value
        #expect(answer.text.withLock { $0 } == "One two three four.")
        #expect(host.engine.requests.count == 1)
        await caller.close()
    }

    @Test func answerGoesOnWhenTheHostComesBack() async throws {
        let host = try await RealHost(on: network)
        let caller = caller(host.id)
        let answer = ask(caller)
        try await host.engine.say("Once ")
        try await eventually { answer.text.withLock { $0 == "Once " } }
        network.fault = .failure(DialError(.notFound, at: .lookup))
        let dialCount = network.dials.count
        network.cut()
        // Two attempts, each by the key and by the topic.
        try await eventually { [network] in network.dials.count >= dialCount + 4 }
        network.fault = nil
        try await host.engine.say("more.")
        try await host.engine.end()
        #expect(try await answer.end.value.reason == .stop)
        #expect(answer.text.withLock { $0 } == "Once more.")
        await caller.close()
    }

    @Test func hostThatIsGoneEndsTheRequest() async throws {
        let host = try await ScriptedHost(on: network)
        let clock = TestClock()
        let caller = caller(host.id, clock: clock)
        let answer = ask(caller)
        let start = try await host.start()
        try await host.send(.chatChunk(start.id, ChatChunk("In the middle of", seq: 1)))
        try await eventually { answer.text.withLock { !$0.isEmpty } }
        network.fault = .failure(DialError(.notFound, at: .lookup))
        await host.quit()
        // The first attempt has failed.
        try await eventually { clock.hasSleeper(for: .seconds(1)) }
        let isOver = Locked(false)
        let end = Task {
            defer { isOver.withLock { $0 = true } }
            return try await answer.end.value
        }
        try await clock.advance(by: .seconds(1)) { isOver.withLock { $0 } }
        await #expect(throws: ChatProblem(.hostOffline)) { try await end.value }
        // It is back.
        network.fault = nil
        let back = try await RealHost(on: network)
        let second = ask(caller)
        try await back.engine.say("Hello again.")
        try await back.engine.end()
        _ = try await second.end.value
        await caller.close()
    }

    @Test func cancelledRequestIsStoppedAtTheHost() async throws {
        let host = try await RealHost(on: network)
        let caller = caller(host.id)
        let answer = ask(caller)
        try await host.engine.say("Once upon a time")
        try await eventually { answer.text.withLock { !$0.isEmpty } }
        answer.end.cancel()
        await #expect(throws: CancellationError.self) { try await answer.end.value }
        try await eventually { host.engine.cancelCount == 1 }
        await caller.close()
    }

    // MARK: Who may

    @Test func newCallerWaitsForTheApprovalOfTheHostsUser() async throws {
        let host = try await RealHost(on: network, approvesPhones: true)
        let approved = caller(host.id, key: 2)
        await #expect(throws: ChatProblem(.approvalPending)) { try await approved.connect() }
        #expect(await approved.state == .awaitingApproval(hasInvalidInvitation: false))
        #expect(await host.waitingPhones.first?.hasPrefix(approved.ownName) == true)
        try await host.decide(isApproved: true)
        try await eventually { if case .open = await approved.state { true } else { false } }
        let refused = caller(host.id, key: 3)
        await #expect(throws: ChatProblem(.approvalPending)) { try await refused.connect() }
        try await host.decide(isApproved: false)
        try await eventually {
            if case .failed(let problem) = await refused.state { problem.code == .approvalRefused } else { false }
        }
        let invited = caller(host.id, key: 4, invitation: await host.invite())
        try await invited.connect()
        for caller in [approved, refused, invited] { await caller.close() }
    }

    @Test func ownKeyIsNoHost() async throws {
        let caller = caller(ServerID([UInt8](repeating: 1, count: 32))!, key: 1)
        let error = await #expect(throws: ChatProblem.self) { try await caller.connect() }
        #expect(error?.code == .invalidServerID && network.dials.isEmpty)
    }

    @Test func hostWithAnotherKeyIsNotAsked() async throws {
        let id = ServerID([UInt8](repeating: 9, count: 32))!
        let host = try await ScriptedHost(on: network, topic: id)
        let caller = caller(id)
        await #expect(throws: ChatProblem(.hostOffline, .impostor)) { try await caller.connect() }
        #expect(host.messages.isEmpty)
    }

    // MARK: Hosts that do harm

    @Test func endlessAnswerIsCut() async throws {
        let host = try await ScriptedHost(on: network)
        let caller = caller(host.id, maximumAnswerSize: 10_000)
        let answer = ask(caller)
        let start = try await host.start()
        let piece = String(repeating: "x", count: 4_000)
        // 100 MB, until nobody reads any more.
        let sending = Task {
            for seq in 1...25_000 { try await host.send(.chatChunk(start.id, ChatChunk(piece, seq: Int64(seq)))) }
        }
        #expect(try await answer.end.value.reason == .length)
        #expect(answer.text.withLock { $0.utf8.count } <= 10_000)
        try await host.abort(of: start.id)
        try await eventually { if case .failed = await caller.state { true } else { false } }
        sending.cancel()
        await caller.close()
    }

    @Test func floodOfMessagesEndsTheConnection() async throws {
        let host = try await ScriptedHost(on: network)
        let caller = caller(host.id)
        try await caller.connect()
        let sending = Task {
            while !Task.isCancelled { try await host.send(.chatChunk(RequestID("nobody")!, ChatChunk("x"))) }
        }
        try await eventually { if case .failed(let problem) = await caller.state { problem.code == .badMessage } else { false } }
        sending.cancel()
        await caller.close()
    }

    @Test func floodOfUnreadableLinesEndsTheConnection() async throws {
        let host = try await ScriptedHost(on: network)
        let caller = caller(host.id)
        try await caller.connect()
        let sending = Task { while !Task.isCancelled { try await host.send(Data("nonsense".utf8)) } }
        try await eventually { if case .failed = await caller.state { true } else { false } }
        sending.cancel()
        await caller.close()
    }
}
