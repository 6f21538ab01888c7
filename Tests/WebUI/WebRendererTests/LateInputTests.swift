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
