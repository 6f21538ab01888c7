import Pager2077Client
import SwiftUI

/// Lines to choose from, or a word in their place.
struct ListScreen: View {
    let handset: Handset
    /// Shown while there are no lines.
    var empty: Text?

    private var chosen: Row.ID? { handset.rows.isEmpty ? nil : handset.rows[handset.cursor].id }

    var body: some View {
        if handset.rows.isEmpty {
            if let empty { empty.frame(maxWidth: .infinity, maxHeight: .infinity) }
        } else {
            ScrollViewReader { proxy in
                ScrollView {
                    VStack(alignment: .leading, spacing: 0) {
                        ForEach(handset.rows) { row in
                            ListLine(row: row, isChosen: row.id == chosen) { handset.choose(row.id) }
                        }
                    }
                }
                // The keys may have led out of sight.
                .onChange(of: handset.rows.first?.id, initial: true) { handset.pin() }
                .onChange(of: chosen) { if let chosen { proxy.scrollTo(chosen) } }
            }
        }
    }
}

private struct ListLine: View {
    let row: Row
    let isChosen: Bool
    let choose: @MainActor () -> Void

    var body: some View {
        Button(action: choose) {
            HStack(spacing: 6) {
                Text(verbatim: isChosen ? "▶" : " ").accessibilityHidden(true)
                row.title.lineLimit(2)
                Spacer()
                if let detail = row.detail { detail.lineLimit(1) }
                if let mark = row.mark {
                    Text(verbatim: mark).accessibilityLabel(
                        row.spokenMark.map { Text($0, bundle: .module) } ?? Text(verbatim: mark))
                }
            }
            .foregroundStyle(isChosen ? LCD.lit : LCD.ink)
            .padding(.horizontal, 4)
            .frame(minHeight: 44)
            .background(isChosen ? LCD.ink : Color.clear)
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }
}
