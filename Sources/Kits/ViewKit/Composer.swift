package import SwiftUI

extension View {
    /// Lets Return on an attached keyboard send the text in the field; Shift-Return breaks the line. Return of a keyboard on the
    /// screen breaks the line, and Return that ends a composition does neither.
    ///
    /// - Parameter send: Called also when there is nothing to send.
    package func sendsWithReturn(_ send: @escaping () -> Void) -> some View {
        onKeyPress(.return, phases: [.down, .repeat]) { press in
            guard press.modifiers.isDisjoint(with: [.shift, .control, .option, .command]) else { return .ignored }
            if press.phase == .down { send() }
            return .handled
        }
    }
}

/// The text field of a composer. It grows with its text.
package struct ComposerField: View {
    @Binding private var text: String
    private let prompt: Text
    private let identifier: String
    private let lines: Int
    private let height: CGFloat
    private let isFocused: FocusState<Bool>.Binding
    private let send: () -> Void

    /// - Parameters:
    ///   - lines: Maximum lines without scrolling.
    ///   - height: The height with one line.
    ///   - send: Called on Return of an attached keyboard, also when there is nothing to send.
    package init(
        text: Binding<String>, prompt: Text, identifier: String, lines: Int = 6, height: CGFloat = Metrics.field,
        isFocused: FocusState<Bool>.Binding, send: @escaping () -> Void
    ) {
        _text = text
        (self.prompt, self.identifier, self.lines, self.height) = (prompt, identifier, lines, height)
        (self.isFocused, self.send) = (isFocused, send)
    }

    package var body: some View {
        TextField("", text: $text, prompt: prompt, axis: .vertical)
            .textFieldStyle(.plain)
            .lineLimit(1...lines)
            .sendsWithReturn(send)
            .padding(.leading, Metrics.padding)
            .padding(.vertical, height / 2 - 12)
            .frame(minHeight: height)
            .fieldTouchArea(isFocused)
            .accessibilityLabel(prompt)
            .accessibilityIdentifier(identifier)
    }
}

/// The round button of a composer: Send, or Stop while an answer is under way.
package struct ComposerButton: View {
    package enum Role: Hashable, Sendable {
        case send, stop
        /// Stop beside Send, in the colours of text.
        case quietStop
    }

    private let role: Role
    private let isEnabled: Bool
    private let height: CGFloat
    private let action: @MainActor () -> Void
    @Environment(\.palette) private var palette

    /// - Parameter height: That of the field.
    package init(
        _ role: Role, isEnabled: Bool = true, height: CGFloat = Metrics.field, action: @escaping @MainActor () -> Void
    ) {
        (self.role, self.isEnabled, self.height, self.action) = (role, isEnabled, height, action)
    }

    package var body: some View {
        Button {
            action()
        } label: {
            Image(systemName: role == .send ? "arrow.up" : "stop.fill")
                .font(.body.weight(.semibold))
                .foregroundStyle(isEnabled ? foreground : palette.secondary)
                .frame(width: height - 12, height: height - 12)
                .background(isEnabled ? background : palette.outline.opacity(0.5), in: Circle())
                .frame(width: height, height: height)
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .disabled(!isEnabled)
        .keyboardShortcut(role == .send ? .return : ".", modifiers: .command)
        .accessibilityLabel(role == .send ? Text("Send", bundle: .module) : Text("Stop", bundle: .module))
    }

    private var foreground: Color { role == .quietStop ? palette.background : palette.onAccent }
    private var background: Color { role == .quietStop ? palette.text : palette.accent }
}

extension View {
    /// Draws the outline of a composer around its field and its buttons.
    package func composerOutline(height: CGFloat = Metrics.field) -> some View { modifier(ComposerOutline(height: height)) }
}

private struct ComposerOutline: ViewModifier {
    let height: CGFloat
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .background(palette.card, in: RoundedRectangle(cornerRadius: height / 2))
            .overlay { RoundedRectangle(cornerRadius: height / 2).stroke(palette.outline).allowsHitTesting(false) }
    }
}
