import SwiftUI

/// A style without a look that reports when the button is pressed and released.
struct HoldButtonStyle: ButtonStyle {
    let onPressingChanged: (Bool) -> Void

    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .onChange(of: configuration.isPressed) { _, isPressed in onPressingChanged(isPressed) }
    }
}
