package import SwiftUI

/// A style for a button of words only, at least as large as a control.
package struct TextButtonStyle: ButtonStyle {
    /// The alignment of a label that is smaller than the button.
    private let alignment: Alignment

    package init(alignment: Alignment = .center) { self.alignment = alignment }

    package func makeBody(configuration: Configuration) -> some View {
        TextButton(configuration: configuration, alignment: alignment)
    }
}

private struct TextButton: View {
    let configuration: ButtonStyleConfiguration
    let alignment: Alignment
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.subheadline.weight(.semibold))
            .foregroundStyle(isEnabled ? palette.accent : palette.secondary)
            .frame(minWidth: Metrics.control, minHeight: Metrics.control, alignment: alignment)
            .contentShape(Rectangle())
            .opacity(configuration.isPressed ? 0.6 : 1)
    }
}

extension Button where Label == Text {
    /// Creates a button with localized words.
    package init(_ words: Text, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { words }
    }
}
