import Foundation
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// Late commands are dropped and reported. Typed text is kept.
@Suite struct LateInputTests {
    private struct Dialer: View {
        @State private var calls = 0
        @State private var draft = ""
        @State private var presses: [String] = []
        var body: some View {
            Button("call") { calls += 1 }
            Text(verbatim: "calls \(calls)")
            TextField("draft", text: $draft).onSubmit { calls += 100 }
            Text(verbatim: "draft: \(draft)")
            Text("key").onLongPressGesture {
                calls += 10_000
            } onPressingChanged: {
                presses.append($0 ? "down" : "up")
            }
            Text(verbatim: "presses \(presses.joined(separator: " "))")
        }
    }

    private static let now = PageProbe.openingTime
    /// 45 s ago.
    private static let late = now - 45_000

    @Test func lateTapsAreDroppedAndReported() async throws {
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Dialer()
        } body: { site in
            try await site.page { page in
                let button = try await page.find("call")
                try await page.send("tap", button, at: Self.late)
                try await page.waitForAck()
                #expect(await page.late == [1])
                try await page.send("tap", button, at: Self.now)
                try await page.wait(for: "calls 1")
                try await page.waitForAck()
                #expect(await page.late == [1])
            }
        }
    }

    @Test func slightlyLateTapsAreHandled() async throws {
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Dialer()
        } body: { site in
            try await site.page { page in
                try await page.send("tap", page.find("call"), at: Self.now - 2_000)
                try await page.wait(for: "calls 1")
                #expect(await page.late.isEmpty)
            }
        }
    }

    @Test func typedTextIsKeptWithoutSubmission() async throws {
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Dialer()
        } body: { site in
            try await site.page { page in
                let field = try await page.find("draft")
                try await page.send("input", field, .string("a letter"), at: Self.late)
                try await page.send("submit", field, at: Self.late)
                try await page.wait(for: "draft: a letter")
                try await page.waitForAck()
                #expect(await page.late == [2])
                #expect(await page.texts.contains("calls 0"))
            }
        }
    }

    @Test func aLatePressStillEnds() async throws {
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Dialer()
        } body: { site in
            try await site.page { page in
                let key = try await page.find("key")
                try await page.send("press", key, .integer(1), at: Self.now)
                try await page.send("long", key, at: Self.late)
                try await page.send("press", key, .integer(0), at: Self.late)
                try await page.wait(for: "presses down up")
                try await page.waitForAck()
                #expect(await page.late == [2])
                #expect(await page.texts.contains("calls 0"))
            }
        }
    }

    /// The first report may have been lost with its connection.
    @Test func lateEventsAreReportedAgainAfterAReconnect() async throws {
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Dialer()
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                try await page.send("tap", page.find("call"), at: Self.late)
                try await page.waitForAck()
                return await page.session
            }
            try await site.page(cookie: cookie, session: session) { page in
                #expect(await page.ack == 1)
                #expect(await page.late == [1])
            }
        }
    }

    /// A page repeats an unacknowledged tap with its original time.
    @Test func repeatedLateTapsAreDropped() async throws {
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Dialer()
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { await $0.session }
            try await site.page(cookie: cookie, session: session) { page in
                try await page.send("tap", page.find("call"), sequence: 1, at: Self.late)
                try await page.waitForAck()
                #expect(await page.late == [1])
                #expect(await page.texts.contains("calls 0"))
            }
        }
    }

    /// What a gesture has shown on its way is no command, and its end is never lost.
    @Test func latePinchesAndTouchesAreNotReported() async throws {
        struct Plan: View {
            @State private var scales: [String] = []
            @State private var presses = 0
            var body: some View {
                Text("plan")
                    .gesture(
                        MagnifyGesture()
                            .onChanged { scales.append("\($0.magnification)") }
                            .onEnded { _ in scales.append("end") })
                Text("key").onLongPressGesture {
                } onPressingChanged: {
                    if $0 { presses += 1 }
                }
                Text(verbatim: "scales \(scales.joined(separator: " ")) presses \(presses)")
            }
        }
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Plan()
        } body: { site in
            try await site.page { page in
                let plan = try await page.find("plan")
                let key = try await page.find("key")
                try await page.send("press", key, .integer(1), at: Self.late)
                try await page.send("pinch", plan, .object(["m": .integer(2)]), at: Self.late)
                try await page.send("pinch", plan, .object(["m": .integer(2), "end": .integer(1)]), at: Self.late)
                try await page.wait(for: "scales 2.0 end presses 0")
                try await page.waitForAck()
                #expect(await page.late.isEmpty)
                #expect(await page.slow.isEmpty)
            }
        }
    }

    /// A process that was stopped reads late what has come in time.
    @Test func tapsOfAStandingBoxAreReportedAsSlow() async throws {
        let start = ContinuousClock.now
        let passed = Locked(Duration.zero)
        var limits = Sessions.Limits()
        limits.now = { start + passed.withLock(\.self) }
        try await TestSite.run(limits: limits) { _ in
            Dialer()
        } body: { site in
            try await site.page { page in
                let button = try await page.find("call")
                let pulse = site.sessions.pulse
                pulse.beat(at: start)
                passed.withLock { $0 = .seconds(10) }
                try await page.send("tap", button, at: Self.now)
                try await page.waitForAck()
                #expect(await page.slow == [1])
                pulse.beat(at: start + .seconds(10))
                pulse.beat(at: start + .seconds(10.5))
                try await page.send("tap", button, at: Self.now + 100)
                try await page.waitForAck()
                #expect(await page.slow == [1, 2])
                // The pause was before this one: the connection was slow.
                pulse.beat(at: start + .seconds(20))
                for half in 41...60 { pulse.beat(at: start + .seconds(Double(half) / 2)) }
                passed.withLock { $0 = .seconds(30) }
                try await page.send("tap", button, at: Self.now + 20_100)
                try await page.waitForAck()
                #expect(await page.late == [3])
                #expect(await page.texts.contains("calls 0"))
            }
        }
    }

    @MainActor @Observable
    final class Blockade {
        nonisolated let isOver = DispatchSemaphore(value: 0)
        nonisolated let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        var taps = 0

        func stand() {
            begin.yield()
            isOver.wait()
        }
    }

    /// The connection works: the page gets an answer to its ping, and the reason why its tap was not done.
    @Test func tapsOnABusyBoxAreReportedAsSlow() async throws {
        struct Root: View {
            let blockade: Blockade
            var body: some View {
                Button("block") { blockade.stand() }
                Button("tap") { blockade.taps += 1 }
                Text(verbatim: "taps \(blockade.taps)")
            }
        }
        let blockade = await Blockade()
        let start = ContinuousClock.now
        let passed = Locked(Duration.zero)
        var limits = Sessions.Limits()
        limits.now = { start + passed.withLock(\.self) }
        try await TestSite.run(limits: limits) { _ in
            Root(blockade: blockade)
        } body: { site in
            try await site.page { page in
                let tap = try await page.find("tap")
                try await page.send("tap", page.find("block"), at: Self.now)
                for await _ in blockade.begins { break }
                try await page.send("tap", tap, at: Self.now)
                let frames = await page.frames
                try await page.write(.object(["ping": .bool(true), "t": .integer(Int64(Self.now))]))
                // The box has read the tap, and its main actor stands still.
                try await page.wait { $0.frames > frames }
                #expect(await page.ack == 0)
                passed.withLock { $0 = .seconds(5) }
                blockade.isOver.signal()
                try await page.wait { $0.ack == 2 }
                #expect(await page.slow == [2])
                #expect(await page.late.isEmpty)
                #expect(await page.texts.contains("taps 0"))
            }
        }
    }

    @Test func pingsAreAnsweredWithoutChanges() async throws {
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            Dialer()
        } body: { site in
            try await site.page { page in
                for _ in 0..<3 {
                    let frames = await page.frames
                    try await page.write(.object(["ping": .bool(true), "t": .integer(Int64(Self.now))]))
                    try await page.wait { $0.frames > frames }
                }
                #expect(await page.ack == 0)
            }
        }
    }
}
