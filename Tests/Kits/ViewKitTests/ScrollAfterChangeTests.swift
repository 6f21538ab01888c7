import SwiftUI
import Testing
import ViewKit

@MainActor
@Suite struct ScrollAfterChangeTests {
    @Observable final class Numbers {
        var count = 3
        var target: Int? { count == 5 ? nil : count }
    }

    private struct Rows: View {
        let numbers: Numbers

        var body: some View {
            ScrollViewReader { scroll in
                ScrollView {
                    VStack { ForEach(1...numbers.count, id: \.self) { Text(verbatim: "row \($0)") } }
                }
                .scrolls(scroll, to: numbers.target, anchor: .bottom, onChangeOf: numbers.count)
            }
        }
    }

    @Test func eachChangeScrollsToTheNewRowAndTheFirstFrameDoesNot() async throws {
        let numbers = Numbers()
        let screen = ViewDriver(Rows(numbers: numbers))
        func target() throws -> AttributeValue? {
            try #require(screen.visible.first { $0.kind == .scroll }).attributes[.scrollTarget]
        }
        try await screen.wait(for: "row 3")
        #expect(try target() == nil)
        for count in [4, 5, 6] {
            numbers.count = count
            try await screen.wait(for: "row \(count)")
            guard count != 5 else { continue }
            let row = try screen.find("row \(count)").id
            try await screen.wait { (try? target()) == .number(Double(row)) }
        }
    }
}
