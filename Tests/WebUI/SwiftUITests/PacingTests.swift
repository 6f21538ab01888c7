import SwiftUI
import Testing

/// When changes reach a page.
@MainActor
@Suite struct PacingTests {
    @MainActor @Observable final class Model { var number = 0 }

    struct Root: View {
        let model: Model
        var body: some View {
            Text(verbatim: "number \(model.number)")
            Button("add") { model.number += 1 }
        }
    }

    @Test func aBurstBecomesFewFlushesAndNothingIsLost() async throws {
        let model = Model()
        let screen = ViewDriver(Root(model: model))
        var flushes = 0
        screen.host.onChanges = { _, _ in flushes += 1 }
        for _ in 0..<1000 {
            model.number += 1
            await Task.yield()
        }
        try await screen.wait { screen.texts.contains("number 1000") }
        #expect(flushes < 500)
    }

    @Test func whatAPersonDoesIsShownAtOnce() throws {
        let screen = ViewDriver(Root(model: Model()))
        var flushes = 0
        screen.host.onChanges = { _, _ in flushes += 1 }
        for number in 1...20 {
            try screen.tap("add")
            #expect(flushes == number)
        }
    }

    @Test func whileThePageHasNotCaughtUpChangesWait() async throws {
        let model = Model()
        let screen = ViewDriver(Root(model: model))
        var flushes = 0
        screen.host.onChanges = { _, _ in flushes += 1 }
        screen.host.holdsBack = true
        for _ in 0..<50 {
            model.number += 1
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(flushes == 0)
        screen.host.holdsBack = false
        try await screen.wait { flushes == 1 }
        #expect(screen.texts.contains("number 50"))
    }

    @Test func aViewThatNeverComesToRestDoesNotHang() {
        struct Restless: View {
            @State private var count = 0
            var body: some View { Text("count").onChange(of: count, initial: true) { count += 1 } }
        }
        let screen = ViewDriver(
            VStack {
                Restless()
                Text("calm")
            })
        #expect(screen.has("calm"))
    }
}
