import Foundation
import LocalLLMWire
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

private let request = RequestID("r")!

/// The rules of `Docs/Protocols/LocalLLM.md`, sections 2 to 5.
@Suite struct HostTests {
    @Test func introducesItselfFirst() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying([])) { test in
            let phone = try await test.dial()
            let info = ServerInfo(
                hostName: "h", model: "m", status: .ready, features: [.messages, .models, .progress, .resume], models: ["m", "n"])
            #expect(try await phone.next() == .serverInfo(info))
            await test.host.setHostName("other")
            var changed = info
            changed.hostName = "other"
            #expect(try await phone.next() == .serverInfo(changed))
        }
    }

    @Test func answersAVersion1PhoneWithoutExtensions() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["Hello ", "World"])) { test in
            let phone = try await test.connect()
            try await phone.start()
            let (chunks, end) = try await phone.answer()
            #expect(chunks.text == "Hello World")
            #expect(chunks.allSatisfy { $0.seq == nil })
            #expect(end == .chatEnd(request, .stop))
        }
    }

    @Test func passesReasonAndEmptyAnswerOn() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying([], .length)) { test in
            let phone = try await test.connect()
            try await phone.start()
            let (chunks, end) = try await phone.answer()
            #expect(chunks.isEmpty && end == .chatEnd(request, .length))
        }
    }

    @Test func tellsAllPhonesThatItIsBusyAndReady() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let (first, second) = (try await test.connect(1), try await test.connect(2))
            try await first.start()
            guard case .serverInfo(let busy) = try await second.next() else { throw Unexpected() }
            #expect(busy.status == .busy)
            #expect(await test.host.state == .busy)
            try await second.start()
            #expect(try await second.nextError() == .modelBusy)
            try await engine.end()
            guard case .serverInfo(let ready) = try await second.next() else { throw Unexpected() }
            #expect(ready.status == .ready)
            #expect(try await first.answer().end == .chatEnd(request, .stop))
            // The refused id was not remembered.
            try await second.start()
            try await engine.say("b")
            try await engine.end()
            #expect(try await second.answer().chunks.text == "b")
        }
    }

    @Test func abortStopsTheEngineAndEndsTheRequest() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let (phone, other) = (try await test.connect(1), try await test.connect(2))
            try await phone.start()
            try await engine.say("a")
            #expect(try await phone.nextReply() == .chatChunk(request, ChatChunk("a")))
            // Neither another phone's abort nor one for an unknown request counts.
            try await other.send(.abort(request))
            try await phone.send(.abort(RequestID("unknown")!))
            try await engine.say("b")
            #expect(try await phone.nextReply() == .chatChunk(request, ChatChunk("b")))
            try await phone.send(.abort(request))
            try await engine.cancelled.wait()
            #expect(try await phone.nextReply() == .chatEnd(request, .abort))
            // One for a finished request is ignored, and the next request is answered.
            try await phone.send(.abort(request))
            try await phone.start("next")
            try await engine.end()
            #expect(try await phone.answer("next").end == .chatEnd(RequestID("next")!, .stop))
        }
    }

    @Test func engineFailuresHaveTheirCodes() async throws {
        let codes: [(EngineError.Code, ErrorCode)] = [
            (.notFound, .ollamaNotFound), (.modelNotAvailable, .ollamaModelNotAvailable), (.failed, .generationFailed),
        ]
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            for (failure, code) in codes {
                try await phone.start()
                try await engine.fail(EngineError(failure, "why"))
                #expect(try await phone.answer().end == .error(request, ErrorReport(code, "why")))
            }
            // Text that came before stays, and the code is that of a broken answer.
            try await phone.start()
            try await engine.say("so far")
            try await engine.fail(EngineError(.notFound, "gone"))
            let (chunks, end) = try await phone.answer()
            #expect(chunks.text == "so far" && end == .error(request, ErrorReport(.generationFailed, "gone")))
        }
    }

    @Test func promptsOutOfBoundsAreBadMessages() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"])) { test in
            let phone = try await test.connect()
            for prompt in ["", String(repeating: "é", count: 4_097)] {
                try await phone.start("r", prompt)
                #expect(try await phone.nextError() == .badMessage)
            }
            try await phone.start("r", String(repeating: "é", count: 4_096))
            #expect(try await phone.answer().chunks.text == "ok")
        }
    }

    @Test func unreadableLinesAreAnsweredAndTheStreamStaysOpen() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"])) { test in
            let phone = try await test.connect()
            let lines = [
                "nothing", "{}", #"{"type":"new","request_id":"x"}"#,
                #"{"type":"chat_end","request_id":"x","payload":{"finish_reason":"stop"}}"#,
                String(repeating: "x", count: 327_681),
            ]
            for line in lines {
                try await phone.send(line + "\n")
                guard case .error(let id, let report) = try await phone.nextReply() else { throw Unexpected() }
                #expect(report.code == .badMessage)
                #expect(id?.text == (line.contains(#""x""#) ? "x" : nil))
            }
            // An error is not answered; empty lines are nothing; lines arrive joined and in parts.
            let start = String(decoding: Message.chatStart(request, ChatStart(prompt: "p")).line, as: UTF8.self)
            try await phone.send("\n\n" + #"{"type":"error","payload":7}"# + "\n" + start.prefix(9))
            try await phone.send(start.dropFirst(9) + "\n" + #"{"type":"abort","request_id":"unknown"}"# + "\n")
            #expect(try await phone.answer().chunks.text == "ok")
        }
    }

    @Test func anotherVersionIsRefusedAndTheStreamClosed() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying([])) { test in
            let phone = try await test.connect()
            try await phone.send(#"{"type":"chat_start","version":2,"request_id":"r"}"# + "\n")
            #expect(try await phone.nextError() == .unsupportedVersion)
            try await phone.untilEnded()
        }
    }

    @Test func aMebibyteWithoutNewlineClosesTheStream() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying([])) { test in
            let phone = try await test.connect()
            let flood = Task { while true { try await phone.send(String(repeating: "x", count: 65_536)) } }
            try await phone.untilEnded()
            flood.cancel()
            _ = await flood.result
        }
    }

    @Test func sixthPhoneIsSentAway() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying([])) { test in
            var phones: [PhoneOfTests] = []
            for number in 1...5 { phones.append(try await test.connect(UInt8(number))) }
            let sixth = try await test.dial(6)
            #expect(
                try await sixth.next() == .error(nil, ErrorReport(.modelBusy, "The host has 5 clients already. Try again later.")))
            try await sixth.untilEnded()
            phones.removeLast().stream.close()
            try await eventually { await test.host.clientCount == 4 }
            let sixthAgain = try await test.connect(6)
            // A phone that comes back is not counted twice.
            let second = try await test.connect(1)
            #expect(await test.host.clientCount == 5)
            // Its third connection closes the first.
            let third = try await test.connect(1)
            try await phones[0].untilEnded()
            for phone in [second, third, sixthAgain] {
                try await phone.start()
                #expect(try await phone.answer().end == .chatEnd(request, .stop))
            }
        }
    }

    @Test func usedIDWithoutResumeIsABadMessage() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start()
            try await phone.start()
            #expect(try await phone.nextError() == .badMessage)
            #expect(engine.requests.withLock { $0.count } <= 1)
        }
    }

    @Test func longAndStrangeTextFitsIntoChunksAndLines() async throws {
        let texts = [
            String(repeating: "😀", count: 20_000), String(repeating: "\u{1}", count: 40_000),
            String(repeating: "\"\\", count: 30_000),
        ]
        try await HostUnderTest.run(ScriptedEngine.saying(texts)) { test in
            let phone = try await test.connect()
            try await phone.start()
            let (chunks, _) = try await phone.answer()
            #expect(chunks.text == texts.joined())
            #expect(chunks.allSatisfy { $0.text.utf8.count < 16_384 })
        }
    }

    @Test func answerOverAMebibyteEndsWithLength() async throws {
        let piece = String(repeating: "é", count: 50_001)
        try await HostUnderTest.run(ScriptedEngine.saying([String](repeating: piece, count: 12))) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            let (chunks, end) = try await phone.answer()
            #expect(chunks.text.utf8.count == 1_048_576)
            #expect(end == .chatEnd(request, .length))
        }
    }

    // MARK: Extensions

    @Test func earlierTurnsReachTheEngine() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            let turns = [ChatTurn(.user, "a"), ChatTurn(.assistant, "b")]
            try await phone.send(.chatStart(request, ChatStart(prompt: "c", messages: turns, model: "n")))
            try await engine.end()
            _ = try await phone.answer()
            #expect(engine.requests.withLock { $0 } == [EngineRequest(model: "n", turns: turns + [ChatTurn(.user, "c")])])
            let much = ChatTurn(.user, String(repeating: "x", count: 262_144))
            try await phone.send(.chatStart(request, ChatStart(prompt: "c", messages: [much])))
            #expect(try await phone.nextError() == .badMessage)
        }
    }

    @Test func unknownModelIsNotAvailable() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"])) { test in
            let phone = try await test.connect()
            try await phone.send(.chatStart(request, ChatStart(prompt: "c", model: "other")))
            #expect(try await phone.nextError() == .ollamaModelNotAvailable)
            await test.host.setModel("n")
            try await phone.start()
            #expect(try await phone.answer().chunks.text == "ok")
        }
    }

    /// An earlier host told phones the path of a model, and its user may write it.
    @Test func pathOfAModelStandsForItsName() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.send(.chatStart(request, ChatStart(prompt: "c", model: "/home/ada/n.gguf")))
            try await engine.end()
            _ = try await phone.answer()
            #expect(engine.requests.withLock { $0.map(\.model) } == ["n"])
            await test.host.setModel("/models/n.gguf")
            #expect(await test.host.model == "n")
        }
    }

    @Test func newModelsReachThePhones() async throws {
        let (clock, models) = (TestClock(), Locked([EngineModel("m")]))
        var engine = ScriptedEngine.saying([])
        engine.list = { models.withLock { $0 } }
        try await HostUnderTest.run(engine, clock: clock) { test in
            let phone = try await test.connect()
            models.withLock { $0.append(EngineModel("new")) }
            async let news = phone.next()
            // A host with a phone asks every 5 s.
            let known = test.host
            try await clock.advance(by: .seconds(5)) { await known.info.models.count == 2 }
            guard case .serverInfo(let info) = try await news else { throw Unexpected() }
            #expect(info.models == ["m", "new"])
        }
    }

    @Test func progressIsRepeatedUntilTheFirstChunk() async throws {
        let (engine, clock) = (SteppedEngine(), TestClock())
        try await HostUnderTest.run(engine.engine, clock: clock) { test in
            let (phone, plain) = (try await test.connect(1), try await test.connect(2))
            try await phone.start("r", "p", [.progress])
            try await engine.report(ChatProgress(.loading, fraction: 0.5))
            #expect(try await phone.nextReply() == .chatProgress(request, ChatProgress(.loading, fraction: 0.5)))
            try await engine.report(ChatProgress(.reading))
            #expect(try await phone.nextReply() == .chatProgress(request, ChatProgress(.reading)))
            for _ in 1...3 {
                try await eventually { clock.hasSleeper(for: .seconds(5)) }
                try await clock.advance(by: .seconds(5))
                #expect(try await phone.nextReply() == .chatProgress(request, ChatProgress(.reading)))
            }
            try await engine.say("a")
            #expect(try await phone.nextReply() == .chatChunk(request, ChatChunk("a")))
            try await engine.report(ChatProgress(.thinking))
            try await engine.end()
            #expect(try await phone.nextReply() == .chatEnd(request, .stop))
            // Without the feature there is none.
            try await plain.start()
            try await engine.report(ChatProgress(.loading))
            try await engine.say("b")
            #expect(try await plain.nextReply() == .chatChunk(request, ChatChunk("b")))
        }
    }

    // MARK: Stopping

    @Test func stoppingAbortsTheAnswerAndStartingServesAgain() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            try await engine.say("so far")
            #expect(try await phone.nextReply() == .chatChunk(request, ChatChunk("so far", seq: 1)))
            await test.host.stop()
            #expect(try await phone.nextError() == .generationAborted)
            try await phone.untilEnded()
            try await test.until { $0.contains(.stopped) }
            #expect(await test.host.state == .stopped)
            await #expect(throws: DialError.self) { try await test.dial() }
            await test.host.start()
            try await test.until { $0.filter { $0 == .announced }.count == 2 }
            let again = try await test.connect()
            try await again.start("r", "p", [.resume], after: 1)
            #expect(try await again.nextError() == .generationAborted)
        }
    }

    @Test func quittingEndsTheRun() async throws {
        let engine = SteppedEngine()
        let folder = try TemporaryFolder()
        let store = try AnswerStore(path: folder.file("host.db"))
        let peers = InProcessPeers()
        let host = ModelHost(
            .init(hostName: "h"), acceptor: peers.peer(HostUnderTest.key), engine: engine.engine, store: store,
            clock: ContinuousClock())
        try await within {
            async let end: Void = host.run()
            try await eventually { await host.state == .ready }
            let phone = try await eventuallyDial(peers)
            try await phone.start()
            try await engine.say("a")
            await host.quit()
            let (_, last) = try await phone.answer()
            #expect(last.requestID == request)
            try await end
            #expect(await host.state == .stopped)
        }
    }

    private func eventuallyDial(_ peers: InProcessPeers) async throws -> PhoneOfTests {
        let found = Locked<PhoneOfTests?>(nil)
        try await eventually {
            guard let stream = try? await peers.peer(HostUnderTest.phoneKey(1)).dial(.key(HostUnderTest.key)) else { return false }
            found.withLock { $0 = PhoneOfTests(stream) }
            return true
        }
        return found.withLock { $0! }
    }

    // MARK: Approval

    @Test func newPhoneWaitsForApproval() async throws {
        let approving = ModelHost.Configuration(hostName: "h", admission: .known)
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"]), configuration: approving) { test in
            let phone = try await test.dial()
            #expect(try await phone.nextError() == .approvalPending)
            let key = HostUnderTest.phoneKey(0)
            try await test.until { $0.contains(.approvalRequested(key)) }
            await test.host.decide(key, isApproved: true)
            guard case .serverInfo = try await phone.next() else { throw Unexpected() }
            #expect(try await test.store.phones().map(\.isApproved) == [true])
            phone.stream.close()
            // It is asked about once; after its removal again.
            let again = try await test.connect()
            #expect(try await test.host.remove(key))
            try await again.untilEnded()
            let third = try await test.dial()
            #expect(try await third.nextError() == .approvalPending)
            try await eventually { await test.host.waitingPhones == [key] }
            await test.host.decide(key, isApproved: false)
            #expect(try await third.nextError() == .approvalRefused)
            try await third.untilEnded()
        }
    }

    @Test func phoneThatComesBackWaitsInPlaceOfItsEarlierConnection() async throws {
        let approving = ModelHost.Configuration(hostName: "h", admission: .known)
        try await HostUnderTest.run(ScriptedEngine.saying([]), configuration: approving) { test in
            let key = HostUnderTest.phoneKey(0)
            let lost = try await test.dial()
            #expect(try await lost.nextError() == .approvalPending)
            let phone = try await test.dial()
            #expect(try await phone.nextError() == .approvalPending)
            try await lost.untilEnded()
            #expect(await test.host.waitingPhones == [key])
            await test.host.decide(key, isApproved: true)
            guard case .serverInfo = try await phone.next() else { throw Unexpected() }
            #expect(test.notices.withLock { $0.filter { $0 == .approvalRequested(key) }.count } == 1)
        }
    }

    @Test func approvalEndsAfterTwoMinutes() async throws {
        let (approving, clock) = (ModelHost.Configuration(hostName: "h", admission: .known), TestClock())
        try await HostUnderTest.run(ScriptedEngine.saying([]), configuration: approving, clock: clock) { test in
            let phone = try await test.dial()
            #expect(try await phone.nextError() == .approvalPending)
            try await eventually { clock.hasSleeper(for: .seconds(120)) }
            try await clock.advance(by: .seconds(120))
            #expect(try await phone.nextError() == .approvalRefused)
            try await phone.untilEnded()
            #expect(try await test.store.phones().map(\.isApproved) == [false])
        }
    }
}
