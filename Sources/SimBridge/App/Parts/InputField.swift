import SwiftUI
import ViewKit

/// A text field with a label above it.
struct InputField: View {
    let title: LocalizedStringKey
    /// Identifies the field to the browser page, which restores unsent text after a reconnection.
    let identifier: String
    var example: LocalizedStringKey?
    @Binding var text: String
    var isSecure = false
    @State private var isRevealed = false
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            Text(title, bundle: .module)
                .font(.footnote.weight(.medium))
                .foregroundStyle(palette.onSurfaceVariant)
                .accessibilityHidden(true)
            HStack(spacing: 4) {
                field
                    .textFieldStyle(.plain)
                    .foregroundStyle(palette.onSurface)
                    .accessibilityLabel(Text(title, bundle: .module))
                    .accessibilityIdentifier(identifier)
                if isSecure { eye }
            }
            .padding(.leading, 14)
            .padding(.trailing, isSecure ? 2 : 14)
            .frame(minHeight: 48)
            .cardBackground()
            .overlay { RoundedRectangle(cornerRadius: Metrics.corner).stroke(palette.outline).allowsHitTesting(false) }
        }
    }

    @ViewBuilder private var field: some View {
        if isSecure, !isRevealed {
            SecureField("", text: $text, prompt: prompt)
        } else {
            TextField("", text: $text, prompt: prompt)
        }
    }

    private var prompt: Text? { example.map { Text($0, bundle: .module).foregroundStyle(palette.placeholder) } }

    private var eye: some View {
        Button {
            isRevealed.toggle()
        } label: {
            Image(systemName: isRevealed ? "eye.slash.fill" : "eye.fill")
                .foregroundStyle(palette.onSurfaceVariant)
                .frame(width: 44, height: 44)
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityLabel(isRevealed ? Text("Hide password", bundle: .module) : Text("Show password", bundle: .module))
    }
}
