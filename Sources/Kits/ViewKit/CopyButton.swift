import PlatformKit
package import SwiftUI

/// Copies texts. An object, because views are compared by their bytes, which those of a protocol value do not allow.
@MainActor
final class Copier {
    private let clipboard: any Clipboard

    init(_ clipboard: any Clipboard) { self.clipboard = clipboard }

    /// Returns whether the phone took the text.
    func copy(_ text: String) async -> Bool {
        // A phone that refuses keeps the button as it is.
        (try? await clipboard.copy(text)) != nil
    }
}

/// Copies a text to the clipboard of the theme.
package struct CopyButton: View {
    package enum Look: Hashable, Sendable {
        case symbol
        /// The words for a part that is code.
        case codeWords
        case symbolAndWords
    }

    private let text: String
    private let look: Look
    @State private var isCopied = false
    @Environment(\.copier) private var copier
    @Environment(\.palette) private var palette

    package init(text: String, look: Look = .symbol) { (self.text, self.look) = (text, look) }

    package var body: some View {
        Group {
            switch look {
            case .symbol:
                Button(action: copy) { symbol.font(.footnote).control() }
                    .buttonStyle(.plain)
                    .foregroundStyle(isCopied ? palette.success : palette.secondary)
                    .accessibilityLabel(words)
            case .codeWords:
                Button(isCopied ? words : Text("Copy Code", bundle: .module), action: copy).buttonStyle(TextButtonStyle())
            case .symbolAndWords:
                Button(action: copy) {
                    HStack(spacing: 6) {
                        symbol.accessibilityHidden(true)
                        words
                    }
                }
                .buttonStyle(TextButtonStyle(alignment: .leading))
            }
        }
        .onChange(of: text) { isCopied = false }
    }

    private var symbol: Image { Image(systemName: isCopied ? "checkmark" : "doc.on.doc") }
    private var words: Text { isCopied ? Text("Copied", bundle: .module) : Text("Copy", bundle: .module) }

    private func copy() {
        let text = text
        Task { isCopied = await copier?.copy(text) ?? false }
    }
}
