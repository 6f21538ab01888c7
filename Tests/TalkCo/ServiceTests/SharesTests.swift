import Foundation
import HTTPTypes
import NetworkingKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Capacities that callers share: no network stops the others.
@Suite struct SharesTests {
    private let one = CallerNetwork("203.0.113.1")
    private let two = CallerNetwork("203.0.113.2")

    @Test func networkGetsItsShareAndNoMore() throws {
        let shares = Shares(of: 10, perNetwork: 4, "Too many things")
        for _ in 0..<4 { try shares.take(for: one) }
        let refusal = #expect(throws: TalkError.self) { try shares.take(for: one) }
        #expect(refusal?.kind == .tooMany && refusal?.detail == "Too many things from your network")
        try shares.take(4, for: two)
        // Callers of this machine share the rest.
        try shares.take(2, for: .machine)
        #expect(throws: TalkError(.unavailable, "Too many things", retryAfter: .seconds(1))) { try shares.take(for: .machine) }
        shares.release(4, for: two)
        try shares.take(4, for: .machine)
        shares.release(for: one)
        try shares.take(for: one)
    }

    @Test func sentencesOfOneNetworkDoNotSilenceAnother() async throws {
        let door = Door()
        let voice = ScriptedVoice { _, output in
            Task {
                output.yield(ScriptedEngine.sound(1))
                try? await door.wait()
                output.finish()
            }
        }
        let speaking = Speaking(voice, limits: TurnLimits(), clock: TestClock())
        for _ in 0..<4 { _ = try await speaking.speak("hello", for: one) }
        let refusal = await #expect(throws: TalkError.self) { try await speaking.speak("hello", for: one) }
        #expect(refusal?.kind == .tooMany)
        let feed = try await speaking.speak("hello", for: two)
        door.open()
        try await feed.waitUntilFinished()
        try await eventually { (try? await speaking.speak("hello", for: one)) != nil }
    }

    @Test func evaluationsOfOneNetworkDoNotStopAnother() async throws {
        let door = Door()
        let backend = try await TestBackend()
        backend.judge.change {
            $0.level = { _ in
                try await door.wait()
                return nil
            }
        }
        @Sendable func evaluate(_ user: String, _ network: String) async throws -> Int {
            try await backend.call(from: network, "/users/\(user)/evaluate", body: Data("{}".utf8)).head.status.code
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<5 { group.addTask { try await evaluate("\(number)", "203.0.113.1") } }
            #expect(try await group.next() == 429)
            group.addTask { try await evaluate("other", "203.0.113.2") }
            try await eventually { backend.judge.count(of: "level") == 5 }
            door.open()
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func reviewsOfOneNetworkDoNotDelayAnother() async throws {
        let door = Door()
        let backend = try await TestBackend()
        backend.judge.change {
            $0.marks = { turns in
                if turns.first?.learner != "hello" { try await door.wait() }
                return []
            }
        }
        try await backend.working {
            for number in 0..<6 {
                let (_, id) = try await backend.create(user: "\(number)", from: "203.0.113.1")
                let session = try #require(id)
                expect(try await backend.start(session), 200)
                expect(try await backend.say("wait", in: session), 200)
                expect(try await backend.close(session), 200)
            }
            try await eventually { backend.judge.count(of: "marks") == 4 }
            let (_, id) = try await backend.create(user: "other", from: "203.0.113.2")
            let session = try #require(id)
            expect(try await backend.start(session), 200)
            expect(try await backend.say("hello", in: session), 200)
            expect(try await backend.close(session), 200)
            try await backend.waitFor(.reviewed, session)
            #expect(backend.judge.count(of: "marks") == 5)
            door.open()
            try await eventually { backend.judge.count(of: "marks") == 7 }
        }
    }

    @Test func freeProgramGoesToTheNetworkWithFewest() async throws {
        let slots = ProgramSlots(count: 2)
        let order = Locked<[String]>([])
        let doors = [Door(), Door()]
        let (one, two) = (one, two)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for door in doors {
                let isTaken = Door()
                group.addTask {
                    try await slots.withSlot(for: one) {
                        isTaken.open()
                        try await door.wait()
                    }
                }
                try await isTaken.wait()
            }
            for (index, (name, network)) in [("one", one), ("one", one), ("two", two)].enumerated() {
                group.addTask { try await slots.withSlot(for: network) { order.withLock { $0.append(name) } } }
                try await eventually { slots.waitingCount == index + 1 }
            }
            doors[0].open()
            try await eventually { order.withLock { $0.count } == 3 }
            doors[1].open()
            try await group.waitForAll()
        }
        #expect(order.withLock { $0 } == ["two", "one", "one"])
    }

    @Test func fullQueueOfOneNetworkTakesInAnother() async throws {
        let slots = ProgramSlots(count: 1)
        let (door, isTaken) = (Door(), Door())
        let refused = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await slots.withSlot(for: one) {
                    isTaken.open()
                    try await door.wait()
                }
            }
            try await isTaken.wait()
            for _ in 0..<ProgramSlots.maximumWaitingCount {
                group.addTask {
                    do { try await slots.withSlot(for: one) {} } catch is EngineError { refused.withLock { $0 += 1 } }
                }
            }
            try await eventually { slots.waitingCount == ProgramSlots.maximumWaitingCount }
            let second = Task { try await slots.withSlot(for: two) {} }
            try await eventually { refused.withLock { $0 } == 1 }
            door.open()
            try await second.value
            try await group.waitForAll()
        }
        #expect(refused.withLock { $0 } == 1)
    }

    @Test func voicesOfOneNetworkDoNotDisplaceAnothers() async throws {
        let backend = try await TestBackend { $0.replayAudioSize = 65 }
        let (_, mine) = try await backend.create(user: "a", from: "203.0.113.1")
        let (_, others) = try await backend.create(user: "b", from: "203.0.113.2")
        let (own, other) = (try #require(mine), try #require(others))
        for id in [own, other] { expect(try await backend.start(id), 200) }
        #expect(try await backend.say("first", in: own, turn: "t").events.audio.count == 20)
        for number in 0..<5 { _ = try await backend.say("\(number)", in: other, turn: "\(number)") }
        #expect(try await backend.say("first", in: own, turn: "t").events.audio.count == 20)
        #expect(try await backend.say("0", in: other, turn: "0").events.audio.isEmpty)
    }
}
