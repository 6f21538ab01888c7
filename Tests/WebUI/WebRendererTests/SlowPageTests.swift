import ServerKit
import SwiftUI
import TestKit
import Testing

@testable import WebRenderer

/// A slow page gets combined frames.
@Suite struct SlowPageTests {
    @MainActor @Observable
    final class Flood {
        static let size = 262_144
        var number = 0
        var text: String { "\(number) " + String(repeating: String(number % 10), count: Self.size) }
    }

    struct FloodView: View {
        let model: Flood
        var body: some View {
            Text(verbatim: model.text)
            Text(verbatim: "number \(model.number)")
        }
    }

    @Test func slowPagesGetCombinedFrames() async throws {
        let model = await Flood()
        let changes = 60
        // A page that does not read answers no pings.
        let limits = Sessions.Limits(heartbeat: .init(interval: .seconds(600)))
        try await TestSite.run(limits: limits) { _ in
            FloodView(model: model)
        } body: { site in
            try await site.page { page in
                // Without reading: 60 texts of 256 KiB are 15 MB, more than sockets hold.
                for _ in 0..<changes {
                    await MainActor.run { model.number += 1 }
                    try await Task.sleep(for: ViewHost.pace)
                }
                try await page.wait(for: "number \(changes)")
                #expect(await page.bytes < changes * Flood.size * 3 / 4)
                #expect(await page.texts.contains { $0.hasPrefix("\(changes) ") })
            }
        }
    }

    /// A tree of thousands of elements takes many turns to evaluate and to write. Its page gets it whole, and no acknowledgement before what it is of.
    @Test func largeTreesArriveWhole() async throws {
        let flood = await Flood()
        try await TestSite.run(limits: TestSite.standingClock) { _ in
            ForEach(0..<1500, id: \.self) { Text("row \($0) \(flood.number)") }
            Button("count") { flood.number += 1 }
        } body: { site in
            try await site.page { page in
                for number in 1...3 {
                    #expect(await page.texts.filter { $0.hasPrefix("row ") }.count == 1500)
                    try await page.tap("count")
                    try await page.waitForAck()
                    #expect(await page.texts.filter { $0.hasPrefix("row ") && $0.hasSuffix(" \(number)") }.count == 1500)
                }
            }
        }
    }
}
