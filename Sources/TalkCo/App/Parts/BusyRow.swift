import SwiftUI
import ViewKit

/// A spinner with words.
struct BusyRow: View {
    let words: Text
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 10) {
            ProgressView().accessibilityHidden(true)
            words.font(.subheadline).foregroundStyle(palette.secondary)
        }
        .frame(maxWidth: .infinity, minHeight: Metrics.control, alignment: .leading)
        .accessibilityGroup("busy", isLive: true)
    }
}
