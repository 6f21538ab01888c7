package import SwiftUI

/// A key of a keypad that does one thing on a tap and another on a long press.
///
/// It is no `Button`: the action of a button runs after a long press as well, and a long press on a button may not run at all.
package struct HoldKey<Label: View>: View {
    private let words: Text
    private let holdWords: Text
    private let tap: () -> Void
    private let hold: () -> Void
    private let label: (Bool) -> Label
    @State private var isPressed = false

    /// - Parameters:
    ///   - words: The accessibility label.
    ///   - holdWords: The name of the accessibility action that stands for the long press.
    ///   - label: Draws the key; true while it is pressed.
    package init(
        _ words: Text, holdWords: Text, tap: @escaping () -> Void, hold: @escaping () -> Void,
        @ViewBuilder label: @escaping (Bool) -> Label
    ) {
        (self.words, self.holdWords, self.tap, self.hold, self.label) = (words, holdWords, tap, hold, label)
    }

    package var body: some View {
        label(isPressed)
            .contentShape(Rectangle())
            .onTapGesture { tap() }
            .onLongPressGesture {
                hold()
            } onPressingChanged: {
                isPressed = $0
            }
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(words)
            .accessibilityAddTraits(.isButton)
            .accessibilityAction { tap() }
            .accessibilityAction(named: holdWords) { hold() }
    }
}
