import SwiftUI
import ViewKit

/// The text that replaces missing content.
struct Placeholder: View {
    let symbol: String
    let title: Text
    var words: Text?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 10) {
            Image(systemName: symbol).font(.system(size: 36)).foregroundStyle(palette.accent).accessibilityHidden(true)
            title.font(.headline).multilineTextAlignment(.center).accessibilityAddTraits(.isHeader)
            if let words {
                words.font(.subheadline).foregroundStyle(palette.secondary).multilineTextAlignment(.center)
            }
        }
        .frame(maxWidth: .infinity)
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 40)
    }
}
