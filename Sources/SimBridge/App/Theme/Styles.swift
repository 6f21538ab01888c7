import SwiftUI
import ViewKit

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
