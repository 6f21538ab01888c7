package import SwiftUI

/// A failure in words that are read aloud, once, with details or further views in their place.
package struct ProblemLabel<Content: View>: View {
    private let words: String
    private let symbol: String
    private let identifier: String
    private let content: Content
    @Environment(\.palette) private var palette

    /// - Parameters:
    ///   - words: The words that are read aloud.
    ///   - content: The views beside the symbol.
    package init(
        _ words: String, symbol: String = "exclamationmark.circle.fill", identifier: String = "problem",
        @ViewBuilder content: () -> Content
    ) {
        (self.words, self.symbol, self.identifier, self.content) = (words, symbol, identifier, content())
    }

    package var body: some View {
        HStack(alignment: .top, spacing: 8) {
            Image(systemName: symbol).accessibilityHidden(true)
            content
        }
        .foregroundStyle(palette.error)
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityGroup(identifier)
        .announces(words)
    }
}

extension ProblemLabel where Content == Text {
    package init(_ words: String, symbol: String = "exclamationmark.circle.fill", identifier: String = "problem") {
        self.init(words, symbol: symbol, identifier: identifier) { Text(verbatim: words).font(.subheadline) }
    }
}
