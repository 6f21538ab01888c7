import SwiftUI

/// A button filled with a colour, as wide as there is room.
struct FilledButtonStyle: ButtonStyle {
    enum Role { case primary, call, end }
    var role = Role.primary

    func makeBody(configuration: Configuration) -> some View { FilledButton(role: role, configuration: configuration) }
}

private struct FilledButton: View {
    let role: FilledButtonStyle.Role
    let configuration: ButtonStyleConfiguration
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.headline)
            .frame(maxWidth: .infinity, minHeight: 50)
            .padding(.horizontal, 12)
            .foregroundStyle(isEnabled ? foreground : palette.onSurface)
            .background(isEnabled ? background : palette.outline.opacity(0.6), in: RoundedRectangle(cornerRadius: Metrics.corner))
            .opacity(configuration.isPressed ? 0.8 : 1)
    }

    private var background: Color {
        switch role {
        case .primary: palette.primary
        case .call: palette.secondary
        case .end: palette.error
        }
    }

    private var foreground: Color {
        switch role {
        case .primary: palette.onPrimary
        case .call: palette.onSecondary
        case .end: palette.onError
        }
    }
}

/// A button that is only its words.
struct TextButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View { TextButton(configuration: configuration) }
}

private struct TextButton: View {
    let configuration: ButtonStyleConfiguration
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.subheadline.weight(.semibold))
            .foregroundStyle(isEnabled ? palette.link : palette.onSurfaceVariant)
            .frame(minHeight: 44)
            .contentShape(Rectangle())
            .opacity(configuration.isPressed ? 0.6 : 1)
    }
}

extension View {
    /// On a card.
    func card(padding: CGFloat = Metrics.cardPadding) -> some View { modifier(Card(padding: padding)) }

    /// A page on the product's surface.
    func page() -> some View { modifier(Page()) }

    /// In a column that does not become too wide to read.
    func column() -> some View { frame(maxWidth: Metrics.column).frame(maxWidth: .infinity) }
}

private struct Card: ViewModifier {
    let padding: CGFloat
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .padding(padding)
            .frame(maxWidth: .infinity, alignment: .leading)
            .background(palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
    }
}

private struct Page: ViewModifier {
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .foregroundStyle(palette.onSurface)
            .background { palette.surface.ignoresSafeArea() }
    }
}
