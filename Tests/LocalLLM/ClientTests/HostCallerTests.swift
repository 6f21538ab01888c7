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
        clock: any Clock<Duration> = PatientClock()
    ) -> HostCaller {
        let dialler = network.dialler(key)
        return HostCaller(
            HostLink(host, invitation: invitation), clock: clock, maximumAnswerSize: maximumAnswerSize
        ) { dialler }
    }

    /// A request under way.
    private struct Asked: Sendable {
        let text = Locked("")
        let failure = Locked<(any Error)?>(nil)
        let end: Task<HostCaller.End, any Error>

        init(_ caller: HostCaller, _ prompt: String) {
            end = Task { [text, failure] in
                do {
                    let start = ChatStart(prompt: prompt, messages: [ChatTurn(.user, "a"), ChatTurn(.assistant, "b")])
                    return try await caller.ask(start) { event in
                        if case .text(let piece) = event { text.withLock { $0 += piece } }
                    }
                } catch {
                    failure.withLock { $0 = error }
                    throw error
                }
            }
        }

        /// Waits until the answer ends in a text. A failure of the request ends the wait.
        func wait(for suffix: String) async throws {
            try await eventually { text.withLock { $0.hasSuffix(suffix) } || failure.withLock { $0 != nil } }
            if let failure = failure.withLock({ $0 }) { throw failure }
        }
    }

    private func ask(_ caller: HostCaller, _ prompt: String = "Hello") -> Asked { Asked(caller, prompt) }

    @Test func answerArrivesPieceByPiece() async throws {
        let host = try await RealHost(on: network)
        let caller = caller(host.id)
        let answer = ask(caller)
        try await host.engine.say("Good ")
        try await answer.wait(for: "Good ")
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
            try await answer.wait(for: piece)
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
        try await answer.wait(for: "Once ")
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
        try await answer.wait(for: "of")
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
        try await answer.wait(for: "time")
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
