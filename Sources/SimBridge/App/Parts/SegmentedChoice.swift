import SwiftUI

/// A few choices beside each other, of which one counts.
struct SegmentedChoice<Value: Hashable>: View {
    let choices: [(value: Value, title: Text)]
    @Binding var chosen: Value
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 4) {
            ForEach(0..<choices.count, id: \.self) { choice(choices[$0].value, choices[$0].title) }
        }
        .padding(4)
        .background(palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
    }

    private func choice(_ value: Value, _ title: Text) -> some View {
        let isChosen = value == chosen
        return Button {
            chosen = value
        } label: {
            title
                .font(.subheadline.weight(.semibold))
                .lineLimit(1)
                .foregroundStyle(isChosen ? palette.onContainer : palette.onSurfaceVariant)
                .padding(.horizontal, 4)
                .frame(maxWidth: .infinity, minHeight: 40)
                .background(isChosen ? palette.container : .clear, in: RoundedRectangle(cornerRadius: 9))
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }
}
