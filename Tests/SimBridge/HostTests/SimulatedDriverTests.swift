import SimBridgeHost
import SimBridgeWire
import TestKit
import Testing

@Suite struct SimulatedDriverTests {
    @Test func aTextComesBackAfterAMoment() async throws {
        let clock = TestClock()
        let driver = SimulatedDriver(clock: clock)
        let told = Told()
        try await told.follow(driver) {
            async let sent: Void = driver.sendText("hi", to: "+1 555", sim: 2)
            try await clock.advance(by: .milliseconds(500))
            try await sent
            #expect(told.texts.isEmpty)
            try await clock.advance(by: .seconds(2))
            try await told.until { $0.texts.count == 1 }
        }
        #expect(told.texts.map(\.body) == ["You said: hi"])
        #expect(told.texts.map(\.from) == ["+1555"])
        #expect(told.texts.map(\.sim) == [2])
    }

    @Test func aCallIsAnsweredAndHungUp() async throws {
        let clock = TestClock()
        let driver = SimulatedDriver(clock: clock)
        let told = Told()
        try await told.follow(driver) {
            try await driver.placeCall(to: "+1", sim: 1, reference: 4)
            try await told.until { $0.calls.count == 1 }
            try await clock.advance(by: .seconds(3))
            try await told.until { $0.calls.count == 2 }
            #expect(await driver.hangUp() == 1)
            try await told.until { $0.calls.count == 3 }
        }
        #expect(told.calls.map(\.state) == [.dialing, .active, .ended])
        #expect(told.calls.allSatisfy { $0.reference == 4 })
    }

    @Test func somebodyWhoIsNotAnsweredGivesUp() async throws {
        let clock = TestClock()
        let driver = SimulatedDriver(clock: clock)
        let told = Told()
        try await told.follow(driver) {
            try await driver.ring(from: "+1", sim: 1)
            try await clock.advance(by: .seconds(30))
            try await told.until { $0.calls.count == 2 }
        }
        #expect(told.calls.map(\.reason) == [nil, "Missed"])
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
        #expect(await outcome() == "The network did not say whether it took the text")
        await driver.fail(nil)
        #expect(await outcome() == "sent")
        await #expect(throws: TelephonyError.noSuchSIM(3)) { try await driver.sendText("x", to: "1", sim: 3) }
        await #expect(throws: TelephonyError.invalidNumber) { try await driver.sendText("x", to: "Bank", sim: 1) }
    }

    @Test func nobodyAnswersWhereNobodyShall() async throws {
        let clock = TestClock()
        var script = SimulatedDriver.Script()
        script.failure = .unanswered
        let driver = SimulatedDriver(script: script, clock: clock)
        let told = Told()
        try await told.follow(driver) {
            try await driver.placeCall(to: "+1", sim: 1, reference: nil)
            try await told.until { $0.calls.count == 1 }
            try await clock.advance(by: .seconds(30))
            try await told.until { $0.calls.count == 2 }
        }
        #expect(told.calls.last?.reason == "No answer")
    }
}
