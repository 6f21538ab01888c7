import Foundation
import LocalLLMWire
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

private let request = RequestID("r")!

/// The rules of `Docs/Protocols/LocalLLM.md`, section 6, `resume`.
@Suite(.seeded) struct ResumeTests {
    @Test func chunksAreNumberedAndStoredBeforeTheyAreSent() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            for (index, text) in ["a", "b", "c"].enumerated() {
                try await engine.say(text)
                let seq = Int64(index + 1)
                #expect(try await phone.nextReply() == .chatChunk(request, ChatChunk(text, seq: seq)))
                let stored = try await test.store.find(AnswerKey(phone: HostUnderTest.phoneKey(0), request: request))
                #expect(try await test.store.piece(of: stored?.id ?? 0, after: seq - 1) == Piece(seq: seq, text: text))
            }
            try await engine.end()
            #expect(try await phone.nextReply() == .chatEnd(request, .stop))
        }
    }

    @Test func lostPhoneFindsTheWholeAnswer() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            try await engine.say("a")
            #expect(try await phone.nextReply() == .chatChunk(request, ChatChunk("a", seq: 1)))
            phone.stream.close()
            try await eventually { await test.host.clientCount == 0 }
            let stored = try #require(try await test.store.find(AnswerKey(phone: HostUnderTest.phoneKey(0), request: request)))
            // Texts that wait for the store together become one piece.
            func say(_ text: String, as seq: Int64) async throws {
                try await engine.say(text)
                try await eventually { try await test.store.piece(of: stored.id, after: seq - 1)?.text == text }
            }
            try await say("b", as: 2)
            try await say("c", as: 3)
            // In the middle of the answer: what is missing, then live, then the end.
            let second = try await test.connect()
            try await second.start("r", "p", [.resume], after: 1)
            try await say("d", as: 4)
            try await engine.end()
            let (chunks, end) = try await second.answer()
            #expect(chunks.text == "bcd" && chunks.last?.seq == 4)
            #expect(end == .chatEnd(request, .stop))
            // After the end: from the store, any number of times, and nothing is generated again.
            for after in 0...4 {
                try await second.start("r", "p", [.resume], after: Int64(after))
                let (chunks, end) = try await second.answer()
                #expect(chunks.text == "abcd".dropFirst(after))
                #expect(end == .chatEnd(request, .stop))
            }
            #expect(engine.requests.withLock { $0.count } == 1)
        }
    }

    @Test func lostPhoneWithoutResumeStopsTheEngine() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start()
            try await engine.say("a")
            _ = try await phone.nextReply()
            phone.stream.close()
            try await engine.cancelled.wait()
            try await eventually { await test.host.state == .ready }
        }
    }

    @Test func abortAfterTheReturnStopsTheEngine() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            try await engine.say("a")
            _ = try await phone.nextReply()
            phone.stream.close()
            let second = try await test.connect()
            try await second.start("r", "p", [.resume], after: 1)
            try await second.send(.abort(request))
            #expect(try await second.answer().end == .chatEnd(request, .abort))
            try await engine.cancelled.wait()
        }
    }

    @Test func unknownAnswersAreNoLongerKept() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"])) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume], after: 1)
            #expect(try await phone.answer().end == .error(request, .notKept))
            try await phone.start("r", "p", [.resume])
            #expect(try await phone.answer().chunks.text == "ok")
        }
    }

    @Test func requestsBelongToThePhone() async throws {
        let count = Locked(0)
        let engine = ScriptedEngine { _, receive in
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await receive(.text("\(number)"))
            return .stop
        }
        try await HostUnderTest.run(engine) { test in
            for number in 1...2 {
                let phone = try await test.connect(UInt8(number))
                try await phone.start("r", "p", [.resume])
                #expect(try await phone.answer().chunks.text == "\(number)")
            }
        }
    }

    @Test func anotherPhonesResumeGetsNothing() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let (phone, other) = (try await test.connect(1), try await test.connect(2))
            try await phone.start("r", "p", [.resume])
            try await engine.say("secret ")
            #expect(try await phone.nextReply() == .chatChunk(request, ChatChunk("secret ", seq: 1)))
            // While the answer is generated: the other phone can neither read nor stop it.
            try await other.start("r", "p", [.resume], after: 1)
            #expect(try await other.nextReply() == .error(request, .notKept))
            try await other.start("r", "p", [.resume])
            #expect(try await other.nextError() == .modelBusy)
            try await other.send(.abort(request))
            // The reply to this shows that the abort was read.
            try await other.start("s", "", [])
            #expect(try await other.nextError() == .badMessage)
            try await engine.say("text")
            try await engine.end()
            #expect(try await phone.answer().chunks.text == "text")
            // After its end: the same id is a request of its own.
            try await other.start("r", "p", [.resume], after: 1)
            #expect(try await other.nextReply() == .error(request, .notKept))
            try await other.start("r", "p", [.resume])
            try await engine.say("other")
            try await engine.end()
            #expect(try await other.answer().chunks.text == "other")
            try await phone.start("r", "p", [.resume])
            #expect(try await phone.answer().chunks.text == "secret text")
        }
    }

    @Test func refusedStartsAreNotRemembered() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            for code in [EngineError.Code.notFound, .modelNotAvailable] {
                try await phone.start("r", "p", [.resume])
                try await engine.fail(EngineError(code, "why"))
                guard case .error = try await phone.answer().end else { throw Unexpected() }
            }
            try await phone.start("r", "p", [.resume])
            try await engine.say("a")
            try await engine.end()
            #expect(try await phone.answer().chunks == [ChatChunk("a", seq: 1)])
        }
    }

    @Test func restartFailsTheAnswerAndKeepsItsText() async throws {
        let (engine, folder) = (SteppedEngine(), try TemporaryFolder())
        try await HostUnderTest.run(engine.engine, folder: folder) { test in
            let phone = try await test.connect()
            try await phone.start("done", "p", [.resume])
            try await engine.say("whole")
            try await engine.end()
            _ = try await phone.answer("done")
            try await phone.start("r", "p", [.resume])
            try await engine.say("a")
            _ = try await phone.nextReply()
        }
        try await HostUnderTest.run(engine.engine, folder: folder) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            let (chunks, end) = try await phone.answer()
            #expect(chunks == [ChatChunk("a", seq: 1)])
            #expect(end == .error(request, ErrorReport(.generationFailed, "The host restarted in the middle of the answer.")))
            try await phone.start("done", "p", [.resume])
            #expect(try await phone.answer("done").chunks.text == "whole")
        }
    }

    /// The host is stopped at any moment around the engine's last word: an answer that counts as complete is complete.
    @Test func answerIsNotCompleteBeforeItsLastTextIsStored() async throws {
        let words = (0..<40).map { "\($0) " }
        let engine = ScriptedEngine { _, receive in
            for word in words {
                try await receive(.text(word))
                await Task.yield()
            }
            return .stop
        }
        let (folder, phone) = (try TemporaryFolder(), HostUnderTest.phoneKey(0))
        var completeCount = 0
        // Other work of the process, behind which woken tasks wait in any order. It would slow down the tests beside this one.
        let others = (0..<(Effort.isSoak ? 16 : 0)).map { _ in
            Task { while !Task.isCancelled { await Task.yield() } }
        }
        defer { for other in others { other.cancel() } }
        for number in 0..<Effort.count(30, soak: 1_500) {
            let id = RequestID("\(number)")!
            try await HostUnderTest.run(engine, folder: folder) { test in
                let phone = try await test.connect()
                try await phone.start(id.text, "p", [.resume])
                var received = ""
                while !received.contains(words[39 - number % 8]), case .chatChunk(_, let chunk) = try await phone.nextReply() {
                    received += chunk.text
                }
                try await Task.sleep(for: .microseconds(number * 37 % 3_000))
            }
            let store = try AnswerStore(path: folder.file("host.db"))
            defer { store.close() }
            guard let answer = try await store.find(AnswerKey(phone: phone, request: id)), answer.ending == .finished(.stop) else {
                continue
            }
            completeCount += 1
            try #require(try await store.piece(of: answer.id, after: 0)?.text == words.joined(), "answer \(number)")
        }
        #expect(completeCount > 0)
    }

    @Test func phoneThatStopsReadingHoldsUpNobody() async throws {
        let piece = String(repeating: "x", count: 10_000)
        let words = (0..<50).map { "\($0) \(piece)" }
        try await HostUnderTest.run(ScriptedEngine.saying(words), capacity: 1_000) { test in
            let (stalled, other) = (try await test.connect(1), try await test.connect(2))
            try await stalled.start("r", "p", [.resume])
            // The engine finishes although nobody reads, and answers the next phone.
            try await test.until { $0.contains { if case .generationFinished = $0 { true } else { false } } }
            try await other.start("r", "p", [.resume])
            #expect(try await other.answer().chunks.text == words.joined())
            // The stalled phone loses nothing.
            #expect(try await stalled.answer().chunks.text == words.joined())
        }
    }

    @Test func phoneThatResumesAndStopsReadingHoldsUpNobody() async throws {
        let engine = SteppedEngine()
        let words = (0..<60).map { "\($0) " + String(repeating: "x", count: 10_000) }
        try await HostUnderTest.run(engine.engine, capacity: 1_000) { test in
            let first = try await test.connect(1)
            try await first.start("r", "p", [.resume])
            try await engine.say("begin ")
            _ = try await first.nextReply()
            first.stream.close()
            try await eventually { await test.host.clientCount == 0 }
            let stalled = try await test.connect(1)
            try await stalled.start("r", "p", [.resume], after: 1)
            for word in words { try await engine.say(word) }
            try await engine.end()
            // The engine finishes although nobody reads, and the host is free for the next phone.
            try await eventually { await test.host.state == .ready }
            let other = try await test.connect(2)
            try await other.start("r", "p", [.resume])
            try await engine.say("next")
            try await engine.end()
            #expect(try await other.answer().chunks.text == "next")
            // The stalled phone loses nothing.
            #expect(try await stalled.answer().chunks.text == words.joined())
        }
    }

    /// The phone that stops reading is disconnected, and the host stops in time.
    @Test func hostStopsAlthoughAPhoneDoesNotRead() async throws {
        let clock = TestClock()
        let words = (0..<60).map { "\($0) " + String(repeating: "x", count: 10_000) }
        try await HostUnderTest.run(ScriptedEngine.saying(words), clock: clock, capacity: 1_000) { test in
            let stalled = try await test.connect()
            try await stalled.start("r", "p", [.resume])
            try await test.until { $0.contains { if case .generationFinished = $0 { true } else { false } } }
            await test.host.stop()
            try await eventually { clock.hasSleeper(for: .seconds(2)) }
            try await clock.advance(by: .seconds(2))
            try await test.until { $0.last == .stopped }
        }
    }

    @Test func answersAreKeptForADay() async throws {
        let now = Locked(Int64(1_000))
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"]), now: { now.withLock { $0 } }) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            _ = try await phone.answer()
            now.withLock { $0 += 86_400_000 }
            try await test.store.purge()
            try await phone.start("r", "p", [.resume], after: 0)
            #expect(try await phone.answer().chunks.text == "ok")
            now.withLock { $0 += 1 }
            try await test.store.purge()
            try await phone.start("r", "p", [.resume], after: 1)
            #expect(try await phone.answer().end == .error(request, .notKept))
        }
    }

    @Test func oldestAnswersMakeRoom() async throws {
        let folder = try TemporaryFolder()
        let now = Locked(Int64(0))
        let store = try AnswerStore(path: folder.file("host.db"), capacity: 4_194_304) { now.withLock { $0 } }
        defer { store.close() }
        let text = String(repeating: "x", count: 1_048_576)
        func key(_ number: Int) -> AnswerKey { AnswerKey(phone: HostUnderTest.phoneKey(0), request: RequestID("\(number)")!) }
        for number in 0..<6 {
            now.withLock { $0 += 1 }
            let id = try await store.begin(key(number))
            try await store.append([Piece(seq: 1, text: text)], to: id)
            try await store.finish(id, .finished(.stop))
        }
        var kept: [Int] = []
        for number in 0..<6 where try await store.find(key(number)) != nil { kept.append(number) }
        #expect(kept == [3, 4, 5])
    }

    /// Tests/LocalLLM/Databases: the file of a host whose answers had a table of their own.
    @Test func answersOfAnEarlierVersionCanBeResumed() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.copy(ofDatabase: "before-one-log.db", as: "host.db")
        let store = try AnswerStore(path: path) { 1_764_400_000_001 }
        defer { store.close() }
        try await store.recover()
        let phone = PeerKey(Data(repeating: 0x11, count: 32))!
        let answer = try #require(try await store.find(AnswerKey(phone: phone, request: RequestID("done")!)))
        #expect(answer.ending == .finished(.stop))
        #expect(try await store.piece(of: answer.id, after: 0) == Piece(seq: 3, text: "One. Zwei ü. 三。"))
        #expect(try await store.piece(of: answer.id, after: 2) == Piece(seq: 3, text: "三。"))
        #expect(try await store.piece(of: answer.id, after: 3) == Piece(seq: 3, text: ""))
        let cut = try #require(try await store.find(AnswerKey(phone: phone, request: RequestID("cut off")!)))
        #expect(try await store.piece(of: cut.id, after: 0) == Piece(seq: 1, text: "Half"))
        #expect(try await store.remove(phone))
        #expect(try await store.piece(of: answer.id, after: 0) == nil)
    }

    @Test func filesAreClosedToOtherUsers() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "host.key")
        let first = try HostIdentity(file: file)
        #expect(try HostIdentity(file: file) == first)
        let store = try AnswerStore(path: folder.file("host.db"))
        defer { store.close() }
        for name in ["host.key", "host.db"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    /// 200 disconnects while answers are streamed, at random points and from both sides: every answer is complete, no piece comes twice.
    @Test func randomDisconnectsLoseAndRepeatNothing() async throws {
        let disconnects = Effort.count(200, soak: 1_000)
        // An answer has numbered words, so that a missing or repeated one shows, and more text than a few chunks.
        let filling = String(repeating: "·", count: 150)
        let engine = ScriptedEngine { request, receive in
            for number in 0..<400 {
                try await receive(.text("\(request.turns.last?.content ?? ""):\(number)\(filling)"))
                if number % 7 == 0 { await Task.yield() }
            }
            return .stop
        }
        try await HostUnderTest.run(engine, capacity: 2_000) { test in
            var random = SeededGenerator(seed: Seed.current)
            var (disconnected, answer) = (0, 0)
            while disconnected < disconnects {
                answer += 1
                let id = RequestID("request \(answer)")!
                var (text, after, isDone) = ("", Int64(0), false)
                while !isDone {
                    let phone = try await test.connect()
                    try await phone.start(id.text, "\(answer)", [.resume], after: after)
                    var messagesLeft = Int.random(in: 0...6, using: &random)
                    while !isDone, messagesLeft > 0 {
                        messagesLeft -= 1
                        switch try await phone.nextReply() {
                        case .chatChunk(id, let chunk):
                            let seq = try #require(chunk.seq)
                            try #require(seq > after)
                            (text, after) = (text + chunk.text, seq)
                        case .chatEnd(id, .stop, _): isDone = true
                        case let other: Issue.record("\(other)")
                        }
                    }
                    if !isDone { disconnected += 1 }
                    if Bool.random(using: &random) { phone.stream.close() } else { phone.stream.finish() }
                }
                #expect(text == (0..<400).map { "\(answer):\($0)\(filling)" }.joined())
            }
            #expect(disconnected >= disconnects)
        }
    }
}
