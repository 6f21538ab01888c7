import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// The age of events, without synchronized clocks.
@Suite struct PageClockTests {
    private let start = ContinuousClock.now

    @Test func theFastestFrameSetsTheClockOffset() {
        var clock = PageClock()
        #expect(clock.moment(of: 5_000, receivedAt: start) == start)
        // As fast as the first one.
        #expect(age(clock.moment(of: 6_000, receivedAt: start + .seconds(1)), at: 1) < .milliseconds(5))
        // This one took 45 s longer.
        let late = age(clock.moment(of: 7_000, receivedAt: start + .seconds(47)), at: 47)
        #expect(late > .milliseconds(44_900) && late <= .seconds(45))
    }

    @Test func aFasterFrameCorrectsTheEstimate() {
        var clock = PageClock()
        _ = clock.moment(of: 0, receivedAt: start + .seconds(3))
        #expect(clock.moment(of: 10_000, receivedAt: start + .seconds(10)) == start + .seconds(10))
        #expect(age(clock.moment(of: 11_000, receivedAt: start + .seconds(14)), at: 14) > .milliseconds(2_990))
    }

    @Test func timeDifferencesFollowThePageClock() {
        var clock = PageClock()
        _ = clock.moment(of: 0, receivedAt: start)
        let first = clock.moment(of: 1_000, receivedAt: start + .milliseconds(1_900))
        let second = clock.moment(of: 1_400, receivedAt: start + .milliseconds(1_901))
        let difference = first.duration(to: second)
        #expect(difference > .milliseconds(399) && difference < .milliseconds(401))
    }

    @Test func slowPageClocksDoNotMakeEventsLate() {
        var clock = PageClock()
        for minute in 0...1_440 {
            // 100 parts in a million: 8.6 s a day.
            let moment = clock.moment(of: Double(minute) * 60_000 * 0.9999, receivedAt: start + .seconds(minute * 60))
            #expect(age(moment, at: minute * 60) < .milliseconds(100))
        }
    }

    @Test(arguments: [nil, .infinity, -.infinity, .nan, 1e300, -1e300])
    func framesWithoutATimeCountAsNew(_ time: Double?) {
        var clock = PageClock()
        #expect(clock.moment(of: time, receivedAt: start) == start)
    }

    private func age(_ moment: ContinuousClock.Instant, at seconds: Int) -> Duration {
        moment.duration(to: start + .seconds(seconds))
    }

    // MARK: The time that an app reads

    private struct Taps: View {
        let phone: Phone
        @State private var last: ContinuousClock.Instant?
        @State private var difference = Duration.zero
        @State private var isNow = false
        var body: some View {
            Button("tap") {
                let time = phone.inputTime
                difference = last.map { $0.duration(to: time) } ?? .zero
                last = time
            }
            Button("later") {
                Task {
                    let before = ContinuousClock.now
                    isNow = phone.inputTime >= before
                }
            }
            Text(verbatim: "difference \(Int((difference / .milliseconds(100)).rounded()))")
            Text(verbatim: "now \(isNow)")
        }
    }

    @Test func aHandlerKnowsWhenTheUserTapped() async throws {
        try await TestSite.run(limits: TestSite.standingClock) {
            Taps(phone: $0)
        } body: { site in
            try await site.page { page in
                let button = try await page.find("tap")
                // Both arrive at once; the user took 1.2 s.
                try await page.send("tap", button, at: PageProbe.openingTime - 2_000)
                try await page.send("tap", button, at: PageProbe.openingTime - 800)
                try await page.wait(for: "difference 12")
                try await page.send("tap", page.find("later"), at: PageProbe.openingTime - 1_000)
                try await page.wait(for: "now true")
            }
        }
    }
}
