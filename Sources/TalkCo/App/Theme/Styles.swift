import SwiftUI
import ViewKit

/// A button of full width.
struct WideButtonStyle: ButtonStyle {
    /// The weight of the button among others.
    enum Role { case main, other }
    var role = Role.main

    func makeBody(configuration: Configuration) -> some View { WideButton(configuration: configuration, role: role) }
}

private struct WideButton: View {
    let configuration: ButtonStyleConfiguration
    let role: WideButtonStyle.Role
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.headline)
            .multilineTextAlignment(.center)
            .padding(.horizontal, 12)
            .frame(maxWidth: .infinity, minHeight: 50)
            .foregroundStyle(!isEnabled ? palette.secondary : role == .main ? palette.onAccent : palette.accent)
            .background(
                isEnabled && role == .main ? palette.accent : palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner)
            )
            .contentShape(Rectangle())
            .opacity(configuration.isPressed ? 0.75 : 1)
    }
}

/// A button that is a card.
struct CardButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View { CardButton(configuration: configuration) }
}

private struct CardButton: View {
    let configuration: ButtonStyleConfiguration
    @Environment(\.palette) private var palette

    var body: some View {
        configuration.label
            .foregroundStyle(palette.text)
            .card()
            .contentShape(Rectangle())
            .opacity(configuration.isPressed ? 0.7 : 1)
    }
}
