package import SwiftUI

/// A symbol and words in place of missing content, with buttons that may help.
package struct Placeholder<Actions: View>: View {
    private let symbol: String
    /// Nil for the colour of secondary text.
    private let color: Color?
    private let title: Text
    private let words: Text?
    private let actions: Actions
    @Environment(\.palette) private var palette

    package init(
        symbol: String, color: Color? = nil, title: Text, words: Text? = nil,
        @ViewBuilder actions: () -> Actions
    ) {
        (self.symbol, self.color, self.title, self.words, self.actions) = (symbol, color, title, words, actions())
    }

    package var body: some View {
        VStack(spacing: 10) {
            Image(systemName: symbol).font(.system(size: 36)).foregroundStyle(color ?? palette.secondary).accessibilityHidden(true)
            title.font(.headline).multilineTextAlignment(.center).accessibilityAddTraits(.isHeader)
            if let words {
                words.font(.subheadline).foregroundStyle(palette.secondary).multilineTextAlignment(.center)
            }
            actions
        }
        .frame(maxWidth: .infinity)
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 48)
    }
}

extension Placeholder where Actions == EmptyView {
    package init(symbol: String, color: Color? = nil, title: Text, words: Text? = nil) {
        self.init(symbol: symbol, color: color, title: title, words: words) {}
    }
}
