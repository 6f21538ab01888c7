import SwiftUI

/// A filled button of full width.
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

/// A button without a background.
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
    /// Puts the view on a card.
    func card(padding: CGFloat = Metrics.cardPadding) -> some View { modifier(Card(padding: padding)) }

    /// Fills the screen with the app's surface colour.
    func page() -> some View { modifier(Page()) }

    /// Limits the view to a readable width, centred.
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
