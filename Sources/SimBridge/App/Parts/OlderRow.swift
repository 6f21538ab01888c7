import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// The end of what was fetched. When it comes into sight, the next page is.
struct OlderRow: View {
    let bridge: Bridge
    let list: HistoryList
    /// How many rows there are of what is shown: it is fetched until there are more. Nil: every message is a row.
    var count: (@MainActor () -> Int)?
    /// Asks nobody until it is tapped: it may be in sight from the start.
    var waits = false
    @State private var isPaused = false
    @Environment(\.palette) private var palette

    var body: some View {
        if list.hasMore {
            VStack(spacing: 4) {
                if let problem = list.olderProblem {
                    ErrorText(problem: problem)
                    button(Text("Try again", bundle: .module))
                } else if isPaused || waits {
                    button(Text("Look for older messages", bundle: .module))
                } else {
                    ProgressView().accessibilityLabel(Text("Loading older messages", bundle: .module)).onAppear { load() }
                }
            }
            .frame(maxWidth: .infinity, minHeight: 44)
            .listRowBackground(palette.surface)
            .listRowSeparator(.hidden)
            // Behind what comes next it is another row, which nobody has seen yet.
            .id(count.map { [$0()] } ?? [list.items.count, list.items.last.map { Int($0.id.rawValue) } ?? 0])
        }
    }

    private func button(_ words: Text) -> some View {
        Button {
            load()
        } label: {
            words
        }
        .buttonStyle(TextButtonStyle())
    }

    private func load() {
        Task {
            guard let count else { return await bridge.loadMore(list) }
            isPaused = false
            let before = count()
            isPaused = !(await bridge.loadMore(list) { count() > before })
        }
    }
}
