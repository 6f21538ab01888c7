import SwiftUI
import ViewKit

/// A filled button of full width.
struct FilledButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View { FilledButton(configuration: configuration) }
}

private struct FilledButton: View {
    let configuration: ButtonStyleConfiguration
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.headline)
            .frame(maxWidth: .infinity, minHeight: 50)
            .foregroundStyle(isEnabled ? palette.onAccent : palette.secondary)
            .background(isEnabled ? palette.accent : palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
            .opacity(configuration.isPressed ? 0.8 : 1)
    }
}
