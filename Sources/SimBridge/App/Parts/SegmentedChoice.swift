import SwiftUI
import ViewKit

/// A segmented picker.
struct SegmentedChoice<Value: Hashable>: View {
    let choices: [(value: Value, title: Text)]
    @Binding var selection: Value
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 4) {
            ForEach(0..<choices.count, id: \.self) { choice(choices[$0].value, choices[$0].title) }
        }
        .padding(4)
        .cardBackground()
    }

    private func choice(_ value: Value, _ title: Text) -> some View {
        let isSelected = value == selection
        return Button {
            selection = value
        } label: {
            title
                .font(.subheadline.weight(.semibold))
                .lineLimit(1)
                .foregroundStyle(isSelected ? palette.onContainer : palette.onSurfaceVariant)
                .padding(.horizontal, 4)
                .frame(maxWidth: .infinity, minHeight: 40)
                .background(isSelected ? palette.container : .clear, in: RoundedRectangle(cornerRadius: 9))
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(isSelected ? .isSelected : [])
    }
}
