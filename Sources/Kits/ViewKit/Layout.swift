package import SwiftUI

/// The lengths that screens of all apps share, in points.
package enum Metrics {
    package static let padding: CGFloat = 16
    /// Minimum size of a control.
    package static let control: CGFloat = 44
    /// The height of a text field with one line.
    package static let field: CGFloat = 48
}

extension View {
    /// Fills the screen with the theme's background.
    package func page() -> some View { modifier(Page()) }

    /// Limits the view to the theme's width of text, centred.
    package func column() -> some View { modifier(Column()) }

    /// Puts the view on a card of full width.
    package func card(padding: CGFloat = 16) -> some View {
        self.padding(padding).frame(maxWidth: .infinity, alignment: .leading).cardBackground()
    }

    /// Draws a card behind the view.
    package func cardBackground() -> some View { modifier(CardBackground()) }

    /// Draws a card with an outline behind a field.
    package func fieldBackground() -> some View { cardBackground().modifier(CardOutline()) }

    /// Gives a symbol the size of a control.
    package func control() -> some View {
        frame(minWidth: Metrics.control, minHeight: Metrics.control).contentShape(Rectangle())
    }

    /// Makes the view a group with an identifier, for tests and VoiceOver.
    package func accessibilityGroup(_ identifier: String) -> some View {
        accessibilityElement(children: .contain).accessibilityIdentifier(identifier)
    }
}

private struct Page: ViewModifier {
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .foregroundStyle(palette.text)
            .background { palette.background.ignoresSafeArea() }
    }
}

private struct Column: ViewModifier {
    @Environment(\.theme) private var theme

    func body(content: Content) -> some View { content.frame(maxWidth: theme.column).frame(maxWidth: .infinity) }
}

private struct CardBackground: ViewModifier {
    @Environment(\.palette) private var palette
    @Environment(\.theme) private var theme

    func body(content: Content) -> some View {
        content.background(palette.card, in: RoundedRectangle(cornerRadius: theme.corner))
    }
}

private struct CardOutline: ViewModifier {
    @Environment(\.palette) private var palette
    @Environment(\.theme) private var theme

    func body(content: Content) -> some View {
        content.overlay { RoundedRectangle(cornerRadius: theme.corner).stroke(palette.outline).allowsHitTesting(false) }
    }
}
