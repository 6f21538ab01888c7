import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// The last row of a paged list. Loads the next page when it appears.
struct OlderRow: View {
    let bridge: Bridge
    let list: HistoryList
    /// Returns the count of visible rows; pages are loaded until the count grows. Nil if every message is a row.
    var rowCount: (@MainActor () -> Int)?
    /// True to load only when tapped, for a row that may be visible from the start.
    var loadsManually = false
    @State private var isPaused = false
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        if list.hasMore {
            VStack(spacing: 4) {
                if let problem = list.olderProblem {
                    ErrorText(problem: problem)
                    button(Text("Try again", bundle: .module))
                } else if isPaused || loadsManually {
                    button(Text("Load older messages", bundle: .module))
                } else {
                    ProgressView().accessibilityLabel(Text("Loading older messages", bundle: .module)).onAppear { load() }
                }
            }
            .frame(maxWidth: .infinity, minHeight: Metrics.control)
            .listRowBackground(palette.surface)
            .listRowSeparator(.hidden)
            // After each page the row gets a new identity, so that it appears again.
            .id(rowCount.map { [$0()] } ?? [list.items.count, list.items.last.map { Int($0.id.rawValue) } ?? 0])
        }
    }

    private func button(_ words: Text) -> some View {
        Button(words) { load() }
            .buttonStyle(TextButtonStyle())
    }

    private func load() {
        command.run {
            guard let rowCount else { return await bridge.loadMore(list) }
            isPaused = false
            let before = rowCount()
            isPaused = !(await bridge.loadMore(list) { rowCount() > before })
        }
    }
}
