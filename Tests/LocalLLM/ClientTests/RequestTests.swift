import Foundation
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import PlatformKit
import TestKit
import Testing

@testable import LocalLLMClient

/// Prompts, answers, Stop and the response timeout: `Docs/Requirements.md`, LocalLLM.
@MainActor
@Suite struct RequestTests {
    @Test func sendWritesAChatStartAndPiecesAppear() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network, opening: [.serverInfo(ScriptedHost.version1)])
        let phone = try await ChatPhone.connected(to: host, on: network)
        #expect(!phone.client.canSend)
        phone.client.draft = " Hello\n"
        phone.client.send()
        #expect(phone.client.draft == "" && phone.client.isGenerating && !phone.client.canSend && !phone.client.canClear)
        let (id, start) = try await host.start()
        // A host of version 1 is sent nothing else.
        #expect(start == ChatStart(prompt: "Hello") && UUID(uuidString: id.text) != nil)
        try await host.send(.chatChunk(id, ChatChunk("Hi ")))
        try await phone.until { $0.conversation?.exchanges.last?.answer == "Hi " }
        #expect(phone.last?.state == .streaming)
        try await host.send(.chatChunk(id, ChatChunk("there")))
        try await host.send(.chatEnd(id, .stop))
        try await phone.until(.finished(.stop))
        #expect(phone.last?.answer == "Hi there" && phone.client.canClear)
        phone.client.draft = "again"
        phone.client.send()
        #expect(try await host.start(2).id != id)
        #expect(try await host.start(2).start == ChatStart(prompt: "again"))
    }

    @Test func sendIsOffForEmptyAndLongPrompts() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        for (prompt, canSend) in [
            ("", false), (" \n", false), ("a", true), (String(repeating: "é", count: 4_096), true),
            (String(repeating: "é", count: 4_097), false),
        ] {
            phone.client.draft = prompt
            #expect(phone.client.canSend == canSend)
        }
        #expect(phone.client.isDraftTooLong)
        phone.client.send()
        #expect(phone.exchanges.isEmpty && !phone.client.draft.isEmpty)
    }

    @Test(arguments: [
        ErrorCode.ollamaNotFound, .ollamaModelNotAvailable, .modelBusy, .generationFailed, .generationAborted, .badMessage,
        .unsupportedVersion, ErrorCode(rawValue: "NEW_CODE"),
    ])
    func errorsOfTheHostAreShownAndTextStays(_ code: ErrorCode) async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        phone.client.send("p")
        let id = try await host.start().id
        try await host.send(.chatChunk(id, ChatChunk("part", seq: 1)))
        try await host.send(.error(id, ErrorReport(code, "Why")))
        try await phone.until(.failed(ChatProblem(code, message: "Why")))
        #expect(phone.last?.answer == "part" && phone.client.link == .open)
        // Retry is a new request; the part that came stays.
        phone.client.retry(phone.last!)
        #expect(try await host.start(2).id != id)
        #expect(try await host.start(2).start.prompt == "p")
        #expect(phone.exchanges.count == 2)
    }

    @Test func stopSendsAnAbort() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        phone.client.send("p")
        let id = try await host.start().id
        try await host.send(.chatChunk(id, ChatChunk("a", seq: 1)))
        try await phone.until(.streaming)
        phone.client.stop()
        #expect(phone.last?.state == .stopping)
        try await host.abort(of: id)
        // A piece that was on its way is still shown.
        try await host.send(.chatChunk(id, ChatChunk("b", seq: 2)))
        try await host.send(.chatEnd(id, .abort))
        try await phone.until(.finished(.abort))
        #expect(phone.last?.answer == "ab")
    }

    @Test func unconfirmedStopEndsAfterFiveSeconds() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.send("p")
        let id = try await host.start().id
        phone.client.stop()
        try await host.abort(of: id)
        try await eventually { clock.hasSleeper(for: .seconds(5)) }
        try await clock.advance(by: .seconds(4))
        #expect(phone.last?.state == .stopping)
        try await clock.advance(by: .seconds(1))
        try await phone.until(.finished(.abort))
        #expect(!phone.client.isGenerating)
        // What comes now belongs to nobody.
        try await host.send(.chatChunk(id, ChatChunk("late", seq: 1)))
        try await host.send(.chatEnd(id, .stop))
        try await phone.until { $0.conversation?.exchanges.last?.needsAbort == false }
        #expect(phone.last?.state == .finished(.abort) && phone.last?.answer == "")
    }

    // MARK: The response timeout

    @Test func silenceOfThirtySecondsIsATimeout() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.send("p")
        let id = try await host.start().id
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(29))
        #expect(phone.last?.state == .waiting)
        try await clock.advance(by: .seconds(1))
        try await phone.until(.failed(ChatProblem(.timeoutNoResponse)))
        try await host.abort(of: id)
        // The confirmation of the abort does not change what is shown.
        try await host.send(.chatEnd(id, .abort))
        try await phone.until { $0.conversation?.exchanges.last?.needsAbort == false }
        #expect(phone.last?.problem?.code == .timeoutNoResponse)
        phone.client.retry(phone.last!)
        #expect(try await host.start(2).id != id)
        #expect(phone.exchanges.count == 1)
    }

    @Test func anyPieceEndsTheGuard() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.send("p")
        let id = try await host.start().id
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await host.send(.chatChunk(id, ChatChunk("a", seq: 1)))
        try await phone.until(.streaming)
        try await clock.advance(by: .seconds(300))
        try await host.send(.chatEnd(id, .stop))
        try await phone.until(.finished(.stop))
        #expect(!host.messages.contains(.abort(id)))
    }

    @Test func progressTurnsTheTimeoutIntoAQuestion() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.send("p")
        let id = try await host.start().id
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(25))
        try await host.send(.chatProgress(id, ChatProgress(.loading, fraction: 0.5)))
        try await phone.until { $0.conversation?.exchanges.last?.progress?.fraction == 0.5 }
        try await clock.advance(by: .seconds(5))
        try await phone.until(.slow)
        #expect(!host.messages.contains(.abort(id)) && phone.client.isGenerating)
        phone.client.wait(for: phone.last!)
        #expect(phone.last?.state == .waiting)
        // The next 30 seconds pass without progress.
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(30))
        try await phone.until(.failed(ChatProblem(.timeoutNoResponse)))
        try await host.abort(of: id)
        // A late answer takes the place of the error.
        try await host.send(.chatChunk(id, ChatChunk("late", seq: 1)))
        try await host.send(.chatEnd(id, .stop))
        try await phone.until(.finished(.stop))
        #expect(phone.last?.answer == "late")
    }

    @Test func lateAnswerTakesThePlaceOfTheQuestion() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.send("p")
        let id = try await host.start().id
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(25))
        try await host.send(.chatProgress(id, ChatProgress(.reading)))
        try await phone.until { $0.conversation?.exchanges.last?.progress != nil }
        try await clock.advance(by: .seconds(5))
        try await phone.until(.slow)
        try await host.send(.chatChunk(id, ChatChunk("a", seq: 1)))
        try await phone.until(.streaming)
        #expect(phone.last?.progress == nil)
        phone.client.stop()
        try await host.abort(of: id)
    }

    // MARK: Extensions

    @Test func earlierTurnsAreSentUntilClear() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        for number in 1...3 {
            phone.client.send("p\(number)")
            let (id, start) = try await host.start(number)
            let turns = (1..<number).filter { $0 != 2 }.flatMap { [ChatTurn(.user, "p\($0)"), ChatTurn(.assistant, "a\($0)")] }
            #expect(start.messages == turns && start.accept == [.progress, .resume])
            // The second one has no answer, and is left out.
            if number != 2 { try await host.send(.chatChunk(id, ChatChunk("a\(number)", seq: 1))) }
            try await host.send(.chatEnd(id, .stop))
            try await phone.until(.finished(.stop))
        }
        phone.client.clear()
        #expect(phone.exchanges.isEmpty && !phone.client.canClear)
        phone.client.send("p4")
        #expect(try await host.start(4).start.messages == [])
    }

    @Test func thoughtsAreNeitherShownNorSentBack() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        // A host of an earlier version passes on what its model says: the opening tag in pieces, then the closing tag only.
        for (number, pieces) in [["<th", "ink>hm</thi", "nk>\n\nYes"], ["hm, well", "</think>", "No"]].enumerated() {
            phone.client.send("p")
            let (id, start) = try await host.start(number + 1)
            if number == 1 { #expect(start.messages == [ChatTurn(.user, "p"), ChatTurn(.assistant, "Yes")]) }
            for (index, piece) in pieces.enumerated() {
                try await host.send(.chatChunk(id, ChatChunk(piece, seq: Int64(index) + 1)))
            }
            try await host.send(.chatEnd(id, .stop, omitted: number * 4))
            try await phone.until {
                $0.conversation?.exchanges.count == number + 1 && $0.conversation?.exchanges.last?.isFinished == true
            }
        }
        #expect(phone.exchanges.map(\.answer) == ["Yes", "No"])
        #expect(phone.exchanges.map(\.restartCount) == [0, 1] && phone.exchanges.map(\.omittedTurns) == [0, 4])
        // After a restart as well.
        await phone.quit()
        let again = ChatPhone(network, phone: phone.phone)
        try await again.connect(to: host.id)
        #expect(again.exchanges.map(\.answer) == ["Yes", "No"] && again.exchanges.map(\.omittedTurns) == [0, 4])
    }

    /// Thoughts without an answer are shown apart, once the answer has ended, and are not sent back. The pieces of each answer, and its thoughts.
    @Test func thoughtsWithoutAnAnswerAreKept() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        let cases: [(pieces: [String], thoughts: String)] = [
            (["<think>\nFirst,", " then"], "First, then"), (["<think>hm</think>", "\n\n"], "hm"),
            (["hm, well", "</think>"], "hm, well"),
            (["<think>hm</think>Yes"], ""), (["Yes"], ""), ([], ""),
        ]
        for (number, (pieces, thoughts)) in cases.enumerated() {
            phone.client.send("p")
            let (id, start) = try await host.start(number + 1)
            #expect(!start.messages.contains { $0.content.contains("hm") || $0.content.contains("First") })
            for (index, piece) in pieces.enumerated() {
                try await host.send(.chatChunk(id, ChatChunk(piece, seq: Int64(index) + 1)))
            }
            if !pieces.isEmpty {
                try await phone.until(.streaming)
                #expect(phone.last?.thoughts == "")
            }
            try await host.send(.error(id, ErrorReport(.generationFailed, "Why")))
            try await phone.until(.failed(ChatProblem(.generationFailed, message: "Why")))
            #expect(phone.last?.thoughts == thoughts)
        }
        #expect(phone.last?.problem?.hostReason == "Why")
        await phone.quit()
        let again = ChatPhone(network, phone: phone.phone)
        try await again.connect(to: host.id)
        #expect(again.exchanges.map(\.thoughts) == cases.map(\.thoughts))
    }

    @Test func oldestTurnsAreDroppedUntilTheyFit() {
        let conversation = Conversation(host: ServerID([UInt8](repeating: 1, count: 32))!)
        for number in 0..<40 {
            let exchange = Exchange(prompt: "\(number)", model: nil, accept: [], startedAt: Date())
            exchange.append(String(repeating: "\"", count: 10_000))
            exchange.state = .finished(.stop)
            conversation.exchanges.append(exchange)
        }
        let last = Exchange(prompt: "p", model: nil, accept: [], startedAt: Date())
        conversation.exchanges.append(last)
        let (turns, omitted) = conversation.turns(before: last)
        let size = Message.size(of: turns)
        #expect(size <= Limits.messagesSize && size > Limits.messagesSize - 21_000)
        #expect(turns.first == ChatTurn(.user, "\(40 - turns.count / 2)") && turns[turns.count - 2].content == "39")
        #expect(omitted == 80 - turns.count)
    }

    @Test func chosenModelIsSentWhileTheHostOffersIt() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        #expect(phone.client.model == "llama")
        phone.client.choose(model: "qwen")
        #expect(phone.client.model == "qwen")
        phone.client.send("p")
        let (id, start) = try await host.start()
        #expect(start.model == "qwen")
        try await host.send(.chatEnd(id, .stop))
        try await phone.until(.finished(.stop))
        var info = ScriptedHost.info
        info.models = ["llama"]
        try await host.send(.serverInfo(info))
        try await phone.until { $0.model == "llama" }
        phone.client.send("p")
        #expect(try await host.start(2).start.model == nil)
    }

    @Test func unreadableLinesAreAnsweredAndSkipped() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        for line in ["nothing", #"{"type":"new"}"#, String(repeating: "x", count: 65_537), #"{"type":"abort","request_id":"x"}"#] {
            let count = host.messages.count
            try await host.send(Data(line.utf8))
            try await eventually { host.messages.count == count + 1 }
            let isRefused = if case .error(_, let report)? = host.messages.last { report.code == .badMessage } else { false }
            #expect(isRefused)
        }
        phone.client.send("p")
        _ = try await host.start()
        // The log has no texts of the user.
        #expect(
            !phone.client.log.entries.contains { $0.text.contains("\"p\"") }
                && !phone.client.log.entries(matching: "CHAT_START").isEmpty)
    }
}
