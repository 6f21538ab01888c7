import Pager2077Client
import SwiftUI
import ViewKit

/// A list of rows, or a placeholder.
struct ListScreen: View {
    let handset: Handset
    /// The placeholder for an empty list.
    var empty: Text?
    /// The paragraphs above the rows.
    var explanation: [Text] = []

    private var selected: Row.ID? { handset.rows.isEmpty ? nil : handset.rows[handset.cursor].id }

    var body: some View {
        if handset.rows.isEmpty {
            if let empty { empty.frame(maxWidth: .infinity, maxHeight: .infinity) }
        } else {
            ScrollViewReader { proxy in
                ScrollView {
                    VStack(alignment: .leading, spacing: 0) {
                        ForEach(explanation.indices, id: \.self) { index in
                            explanation[index].font(LCD.small).padding(.horizontal, 4).padding(.bottom, 8)
                        }
                        ForEach(handset.rows) { row in
                            RowView(row: row, isSelected: row.id == selected) { handset.choose(row.id) }
                        }
                    }
                }
                // Keep the selected row visible while the keys move the selection.
                .onChange(of: handset.rows.first?.id, initial: true) { handset.selectFirstRow() }
                .scrolls(proxy, to: selected, onChangeOf: selected)
            }
        }
    }
}

private struct RowView: View {
    let row: Row
    let isSelected: Bool
    let choose: @MainActor () -> Void

    var body: some View {
        Button(action: choose) {
            HStack(spacing: 6) {
                Text(verbatim: isSelected ? "▶\u{FE0E}" : " ").accessibilityHidden(true)
                row.title.lineLimit(2)
                Spacer()
                if let detail = row.detail { detail.lineLimit(1) }
                if let mark = row.mark {
                    Text(verbatim: mark).accessibilityLabel(
                        row.spokenMark.map { Text($0, bundle: .module) } ?? Text(verbatim: mark))
                }
            }
            .foregroundStyle(isSelected ? LCD.lit : LCD.ink)
            .padding(.horizontal, 4)
            .frame(minHeight: 44)
            .background(isSelected ? LCD.ink : Color.clear, in: Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(isSelected ? .isSelected : [])
    }
}
