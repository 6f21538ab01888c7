package import SwiftUI

/// A button that shows a symbol only.
package struct SymbolButton: View {
    private let symbol: String
    private let words: Text
    private let color: Color?
    private let action: @MainActor () -> Void
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    /// - Parameters:
    ///   - words: The words of VoiceOver.
    ///   - color: Nil for the accent colour of the theme.
    package init(symbol: String, _ words: Text, color: Color? = nil, action: @escaping @MainActor () -> Void) {
        (self.symbol, self.words, self.color, self.action) = (symbol, words, color, action)
    }

    package var body: some View {
        Button {
            action()
        } label: {
            Image(systemName: symbol).control()
        }
        .buttonStyle(.plain)
        .foregroundStyle(isEnabled ? color ?? palette.accent : palette.secondary)
        .accessibilityLabel(words)
    }
}
