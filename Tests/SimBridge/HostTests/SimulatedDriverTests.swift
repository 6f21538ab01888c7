import SimBridgeHost
import SimBridgeWire
import TestKit
import Testing

@Suite struct SimulatedDriverTests {
    @Test func aTextIsAnsweredAfterADelay() async throws {
        let clock = TestClock()
        let driver = SimulatedDriver(clock: clock)
        let recorded = RecordedEvents()
        try await recorded.follow(driver) {
            async let sent = driver.sendText("hi", to: "+1 555", sim: 2)
            try await clock.advance(by: .milliseconds(500))
            _ = try await sent
            #expect(recorded.texts.isEmpty)
            try await clock.advance(by: .seconds(2))
            try await recorded.until { $0.texts.count == 1 }
        }
        #expect(recorded.texts.map(\.body) == ["You said: hi"])
        #expect(recorded.texts.map(\.from) == ["+1555"])
        #expect(recorded.texts.map(\.sim) == [2])
    }

    /// Many texts at once, and a slow host.
    @Test func textsAreReportedInOrder() async throws {
        let driver = SimulatedDriver()
        let recorded = RecordedEvents { event in
            guard case .text(let text) = event, text.body.hasSuffix("0") else { return }
            for _ in 0..<100 { await Task.yield() }
        }
        let bodies = (0..<100).map { "\($0)" }
        try await recorded.follow(driver) {
            for body in bodies { try await driver.receive(body, from: "+1", sim: 1) }
            try await recorded.until { $0.texts.count == bodies.count }
        }
        #expect(recorded.texts.map(\.body) == bodies)
    }

    @Test func aCallIsAnsweredAndHungUp() async throws {
        let clock = TestClock()
        let driver = SimulatedDriver(clock: clock)
        let recorded = RecordedEvents()
        try await recorded.follow(driver) {
            try await driver.placeCall(to: "+1", sim: 1, reference: 4)
            try await recorded.until { $0.calls.count == 1 }
            try await clock.advance(by: .seconds(3))
            try await recorded.until { $0.calls.count == 2 }
            #expect(await driver.hangUp() == 1)
            try await recorded.until { $0.calls.count == 3 }
        }
        #expect(recorded.calls.map(\.state) == [.dialing, .active, .ended])
        #expect(recorded.calls.allSatisfy { $0.reference == 4 })
    }

    @Test func anUnansweredCallerHangsUp() async throws {
        let clock = TestClock()
        let driver = SimulatedDriver(clock: clock)
        let recorded = RecordedEvents()
        try await recorded.follow(driver) {
            try await driver.ring(from: "+1", sim: 1)
            try await clock.advance(by: .seconds(30))
            try await recorded.until { $0.calls.count == 2 }
        }
        #expect(recorded.calls.map(\.reason) == [nil, "Missed"])
    }

    @Test func eachFailureFailsItsOwnWay() async throws {
        var script = SimulatedDriver.Script()
        script.sendingTime = .zero
        let driver = SimulatedDriver(script: script)
        func outcome() async -> String {
            do {
                try await driver.sendText("x", to: "1", sim: 1)
                return "sent"
            } catch {
                return "\(error)"
            }
        }
        #expect(await outcome() == "sent")
        await driver.fail(.refused)
        #expect(await outcome() == "The network refused the text")
        await driver.fail(.lost)
        #expect(await outcome() == "There is no network")
        await driver.fail(.unknown)
        #expect(await outcome() == "The network did not confirm the text")
        await driver.fail(nil)
        #expect(await outcome() == "sent")
        await #expect(throws: TelephonyError.noSuchSIM(3)) { try await driver.sendText("x", to: "1", sim: 3) }
        await #expect(throws: TelephonyError.invalidNumber) { try await driver.sendText("x", to: "Bank", sim: 1) }
    }

    @Test func unansweredTextsAndCallsGetNoReply() async throws {
        let clock = TestClock()
        var script = SimulatedDriver.Script()
        script.failure = .unanswered
        let driver = SimulatedDriver(script: script, clock: clock)
        let recorded = RecordedEvents()
        try await recorded.follow(driver) {
            try await driver.placeCall(to: "+1", sim: 1, reference: nil)
            try await recorded.until { $0.calls.count == 1 }
            try await clock.advance(by: .seconds(30))
            try await recorded.until { $0.calls.count == 2 }
        }
        #expect(recorded.calls.last?.reason == "No answer")
    }

    @Test func acceptedTextsAreRecorded() async throws {
        let folder = try TemporaryFolder()
        let record = SentRecord(path: folder.file("sent.jsonl"))
        var script = SimulatedDriver.Script()
        script.sendingTime = .zero
        let driver = SimulatedDriver(script: script, record: record)
        try await driver.sendText("two\nlines", to: "+1 555", sim: 1)
        for failure in [SimulatedDriver.Failure.refused, .lost, .unknown] {
            await driver.fail(failure)
            _ = try? await driver.sendText("\(failure)", to: "2", sim: 2)
        }
        let texts = try record.texts()
        #expect(texts.map(\.body) == ["two\nlines", "unknown"])
        #expect(texts.map(\.to) == ["+1555", "2"])
        #expect(texts.map(\.sim) == [1, 2])
        #expect(texts.allSatisfy { $0.time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil })
    }

    @Test func theRecordIsBounded() async throws {
        let folder = try TemporaryFolder()
        let record = SentRecord(path: folder.file("sent.jsonl"), limit: 250)
        var script = SimulatedDriver.Script()
        script.sendingTime = .zero
        let driver = SimulatedDriver(script: script, record: record)
        // Each line has about 64 bytes: four fill a file.
        for number in 1...10 { try await driver.sendText("\(number)", to: "1", sim: 1) }
        #expect(try record.texts().map(\.body) == ["9", "10"])
        #expect(try SentRecord(path: record.path + ".old").texts().map(\.body) == ["5", "6", "7", "8"])
    }

    @Test func anUnwritableRecordIsARefusal() async throws {
        let driver = SimulatedDriver(record: SentRecord(path: "/no/such/folder/sent.jsonl"))
        let error = await #expect(throws: TelephonyError.self) { try await driver.sendText("x", to: "1", sim: 1) }
        #expect("\(error, default: "")".hasPrefix("The record of texts cannot be written"))
    }
}
