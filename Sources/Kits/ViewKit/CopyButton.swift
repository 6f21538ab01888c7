import PlatformKit
package import SwiftUI

/// The clipboard as an object: SwiftUI compares views by their bytes, which a protocol value does not allow.
@MainActor
final class Copier {
    private let clipboard: any Clipboard

    init(_ clipboard: any Clipboard) { self.clipboard = clipboard }

    /// Copies a text. Returns true if the phone took it.
    func copy(_ text: String) async -> Bool {
        (try? await clipboard.copy(text)) != nil
    }
}

/// A button that copies a text to the clipboard of the theme.
package struct CopyButton: View {
    package enum Look: Hashable, Sendable {
        case symbol
        /// The words *Copy Code*.
        case codeWords
        case symbolAndWords
    }

    private let text: String
    private let look: Look
    /// True if the last tap copied the text, false if it failed; nil before the first tap and after a change of the text.
    @State private var isCopied: Bool?
    @Environment(\.copier) private var copier
    @Environment(\.palette) private var palette

    package init(text: String, look: Look = .symbol) { (self.text, self.look) = (text, look) }

    package var body: some View {
        // One view, so that the modifier applies once.
        HStack(spacing: 0) {
            switch look {
            case .symbol:
                CommandButton(copy) { symbol.font(.footnote).control() }
                    .buttonStyle(.plain)
                    .foregroundStyle(color)
                    .accessibilityLabel(words)
            case .codeWords:
                CommandButton(isCopied == nil ? Text("Copy Code", bundle: .module) : words, copy).buttonStyle(TextButtonStyle())
            case .symbolAndWords:
                CommandButton(copy) {
                    HStack(spacing: 6) {
                        symbol.accessibilityHidden(true)
                        words
                    }
                }
                .buttonStyle(TextButtonStyle(alignment: .leading))
            }
        }
        .onChange(of: text) { isCopied = nil }
    }

    private var symbol: Image {
        switch isCopied {
        case nil: Image(systemName: "doc.on.doc")
        case true?: Image(systemName: "checkmark")
        case false?: Image(systemName: "exclamationmark.circle.fill")
        }
    }

    private var color: Color {
        switch isCopied {
        case nil: palette.secondary
        case true?: palette.success
        case false?: palette.error
        }
    }

    private var words: Text {
        switch isCopied {
        case nil: Text("Copy", bundle: .module)
        case true?: Text("Copied", bundle: .module)
        case false?: Text("Couldn’t copy", bundle: .module)
        }
    }

    private func copy() async { isCopied = await copier?.copy(text) ?? false }
}
