import SwiftUI
import ViewKit

/// A spinner with words.
struct BusyRow: View {
    let words: String
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 10) {
            ProgressView().accessibilityHidden(true)
            Text(verbatim: words).font(.subheadline).foregroundStyle(palette.secondary)
        }
        .frame(maxWidth: .infinity, minHeight: Metrics.control, alignment: .leading)
        .accessibilityGroup("busy")
        .announces(words)
    }
}
