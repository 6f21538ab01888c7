import SwiftUI

/// A button style that adds no appearance and reports presses and releases.
struct HoldButtonStyle: ButtonStyle {
    let onPressingChanged: (Bool) -> Void

    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .onChange(of: configuration.isPressed) { _, isPressed in onPressingChanged(isPressed) }
    }
}
