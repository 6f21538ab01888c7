import SwiftUI
import ViewKit

/// A button style with the appearance of a card.
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
