import SwiftUI
import ViewKit

/// A text field with a label above it.
struct InputField: View {
    let title: LocalizedStringKey
    /// The accessibility identifier, by which the browser page restores unsent text after a reconnection.
    let identifier: String
    var example: Text?
    @Binding var text: String
    var isSecure = false
    @State private var isRevealed = false
    @FocusState private var focus: FieldKind?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            Text(title, bundle: .module)
                .font(.footnote.weight(.medium))
                .foregroundStyle(palette.onSurfaceVariant)
                .accessibilityHidden(true)
            HStack(spacing: 4) {
                fields
                if isSecure { eye }
            }
            .padding(.trailing, isSecure ? 2 : 0)
            .fieldBackground()
        }
    }

    private enum FieldKind { case secure, plain }

    /// The visible field. A secure input has both fields, because the keyboard closes if the focused field is removed.
    private var fields: some View {
        ZStack {
            if isSecure { field(.secure, SecureField("", text: $text, prompt: prompt)) }
            field(.plain, TextField("", text: $text, prompt: prompt))
        }
    }

    private func field(_ kind: FieldKind, _ field: some View) -> some View {
        let isShown = (kind == .plain) == (isRevealed || !isSecure)
        return
            field
            .textFieldStyle(.plain)
            .foregroundStyle(palette.onSurface)
            .accessibilityLabel(Text(title, bundle: .module))
            .accessibilityIdentifier(isShown ? identifier : "")
            .accessibilityHidden(!isShown)
            .padding(.leading, 14)
            .padding(.trailing, isSecure ? 0 : 14)
            .frame(minHeight: 48)
            .fieldTouchArea($focus, equals: kind)
            .opacity(isShown ? 1 : 0)
            .allowsHitTesting(isShown)
    }

    private var prompt: Text? { example?.foregroundStyle(palette.placeholder) }

    private var eye: some View {
        SymbolButton(
            symbol: isRevealed ? "eye.slash.fill" : "eye.fill",
            isRevealed ? Text("Hide password", bundle: .module) : Text("Show password", bundle: .module),
            color: palette.onSurfaceVariant
        ) {
            isRevealed.toggle()
            if focus != nil { focus = isRevealed ? .plain : .secure }
        }
    }
}
