import NetworkingKit
import Testing

/// The state machine of a line: connecting, giving up and retrying.
@Suite struct LineTests {
    private let lost = LineFailure(.network, "lost")

    private func line() -> Line { Line(random: { 0.5 }) }

    /// A line whose connection 1 is open since `time`.
    private func open(at time: Duration = .zero) -> Line {
        var line = line()
        #expect(line.handle(.start, at: .zero) == [.connect(attempt: 1)])
        #expect(line.handle(.opened(attempt: 1), at: time) == [])
        #expect(line.state == .open)
        return line
    }

    @Test func delayGrowsWithEachFailure() {
        var line = line()
        _ = line.handle(.start, at: .zero)
        var delays: [Duration] = []
        for attempt in 1...8 {
            for case .wait(let delay, _) in line.handle(.failed(attempt: attempt, lost), at: .zero) { delays.append(delay) }
            #expect(line.handle(.due(attempt: attempt), at: .zero) == [.connect(attempt: attempt + 1)])
        }
        #expect(delays == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    }

    @Test func lineWithLimitedTriesClosesAfterTheLastOne() {
        var line = Line(backoff: Backoff(delays: [.seconds(1)], jitter: 0, tries: 2), random: { 0.5 })
        _ = line.handle(.start, at: .zero)
        for attempt in 1...2 {
            #expect(line.handle(.failed(attempt: attempt, lost), at: .zero) == [.wait(.seconds(1), attempt: attempt)])
            _ = line.handle(.due(attempt: attempt), at: .zero)
        }
        #expect(line.handle(.failed(attempt: 3, lost), at: .zero) == [])
        #expect(line.state == .closed(lost))
        #expect(line.handle(.start, at: .zero) == [.connect(attempt: 4)])
        #expect(line.handle(.failed(attempt: 4, lost), at: .zero) == [.wait(.seconds(1), attempt: 4)], "the count begins anew")
    }

    @Test func backoffResetsAfterAStableConnectionOnly() {
        var line = open()
        #expect(line.handle(.failed(attempt: 1, lost), at: .seconds(1)) == [.wait(.seconds(1), attempt: 1)])
        _ = line.handle(.due(attempt: 1), at: .seconds(2))
        _ = line.handle(.opened(attempt: 2), at: .seconds(2))
        #expect(line.handle(.failed(attempt: 2, lost), at: .seconds(5)) == [.wait(.seconds(2), attempt: 2)])
        _ = line.handle(.due(attempt: 2), at: .seconds(7))
        _ = line.handle(.opened(attempt: 3), at: .seconds(7))
        #expect(line.handle(.failed(attempt: 3, lost), at: .seconds(17)) == [.wait(.seconds(1), attempt: 3)])
    }

    @Test func wakeEndsTheWait() {
        var line = open()
        _ = line.handle(.failed(attempt: 1, lost), at: .zero)
        #expect(line.handle(.wake, at: .zero) == [.stopWaiting, .connect(attempt: 2)])
        #expect(line.handle(.wake, at: .zero) == [], "it is being connected already")
        _ = line.handle(.opened(attempt: 2), at: .zero)
        #expect(line.handle(.wake, at: .zero) == [.probe])
    }

    @Test func attemptThatFailsAfterAWakeIsFollowedByAnotherAtOnce() {
        var line = line()
        _ = line.handle(.start, at: .zero)
        _ = line.handle(.failed(attempt: 1, lost), at: .zero)
        _ = line.handle(.due(attempt: 1), at: .zero)
        #expect(line.handle(.wake, at: .zero) == [])
        #expect(line.handle(.failed(attempt: 2, lost), at: .zero) == [.connect(attempt: 3)])
        #expect(line.state == .connecting)
        #expect(
            line.handle(.failed(attempt: 3, lost), at: .zero) == [.wait(.seconds(1), attempt: 3)], "once, and the count begins anew"
        )
    }

    @Test func wakeBeforeTheConnectionOpensIsForgotten() {
        var line = line()
        _ = line.handle(.start, at: .zero)
        _ = line.handle(.wake, at: .zero)
        _ = line.handle(.opened(attempt: 1), at: .zero)
        #expect(line.handle(.failed(attempt: 1, lost), at: .zero) == [.wait(.seconds(1), attempt: 1)])
    }

    @Test func eventsOfEarlierConnectionsAreIgnored() {
        var line = open()
        _ = line.handle(.failed(attempt: 1, lost), at: .zero)
        _ = line.handle(.wake, at: .zero)
        #expect(line.handle(.failed(attempt: 1, lost), at: .zero) == [])
        #expect(line.handle(.due(attempt: 1), at: .zero) == [])
        #expect(line.handle(.opened(attempt: 1), at: .zero) == [])
        #expect(line.state == .connecting)
    }

    @Test func finalFailureIsNotRetriedUntilStarted() {
        var line = open()
        let final = LineFailure(.token, "401", isFinal: true)
        #expect(line.handle(.failed(attempt: 1, final), at: .zero) == [])
        #expect(line.state == .closed(final))
        #expect(line.handle(.wake, at: .zero) == [])
        #expect(line.handle(.start, at: .zero) == [.connect(attempt: 2)])
    }

    @Test func endClosesInEveryState() {
        var open = open()
        #expect(open.handle(.end, at: .zero) == [.disconnect])
        #expect(open.state == .closed(nil))
        var waiting = self.open()
        _ = waiting.handle(.failed(attempt: 1, lost), at: .zero)
        #expect(waiting.handle(.end, at: .zero) == [.stopWaiting])
        #expect(waiting.handle(.due(attempt: 1), at: .zero) == [])
        var idle = line()
        #expect(idle.handle(.end, at: .zero) == [])
    }

    @Test func jitterIsBounded() {
        for chance in [0.0, 0.25, 0.5, 1.0] {
            var line = Line(random: { chance })
            _ = line.handle(.start, at: .zero)
            guard case .wait(let delay, _)? = line.handle(.failed(attempt: 1, lost), at: .zero).first else {
                Issue.record("it does not wait")
                continue
            }
            #expect((Duration.seconds(0.75)...Duration.seconds(1.25)).contains(delay))
        }
    }
}
