package import SwiftUI

/// A style for a button of full width.
package struct WideButtonStyle: ButtonStyle {
    /// The weight of the button among others.
    package enum Role { case main, other, destructive }

    private let role: Role

    package init(role: Role = .main) { self.role = role }

    package func makeBody(configuration: Configuration) -> some View { WideButton(configuration: configuration, role: role) }
}

private struct WideButton: View {
    let configuration: ButtonStyleConfiguration
    let role: WideButtonStyle.Role
    @Environment(\.palette) private var palette
    @Environment(\.theme) private var theme
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.headline)
            .multilineTextAlignment(.center)
            .padding(.horizontal, 12)
            .frame(maxWidth: .infinity, minHeight: 50)
            .foregroundStyle(foreground)
            .background(background, in: RoundedRectangle(cornerRadius: theme.corner))
            .contentShape(Rectangle())
            .opacity(configuration.isPressed ? 0.75 : 1)
    }

    private var foreground: Color {
        guard isEnabled else { return palette.secondary }
        switch role {
        case .main: return palette.onAccent
        case .other: return palette.accent
        case .destructive: return palette.error
        }
    }

    private var background: Color { isEnabled && role == .main ? palette.accent : palette.card }
}
