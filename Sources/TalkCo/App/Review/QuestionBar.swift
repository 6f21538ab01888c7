import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The field for a question about the open segment, in any language.
struct QuestionBar: View {
    @Bindable var review: ReviewViewModel
    let segment: Segment.ID
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .bottom, spacing: 0) {
            TextField(
                "", text: $review[draftFor: segment],
                prompt: Text("Ask in any language", bundle: .module), axis: .vertical
            )
            .textFieldStyle(.plain)
            .lineLimit(1...4)
            .sendsWithReturn { if canAsk { review.submitCorrection(for: segment) } }
            .padding(.leading, Metrics.padding)
            .padding(.vertical, 12)
            .frame(minHeight: Metrics.field)
            .fieldTouchArea()
            .accessibilityLabel(Text("Ask about this sentence, in any language", bundle: .module))
            .accessibilityIdentifier("question-field")
            sendButton
        }
        .background(palette.card, in: RoundedRectangle(cornerRadius: Metrics.field / 2))
        .overlay { RoundedRectangle(cornerRadius: Metrics.field / 2).stroke(palette.outline).allowsHitTesting(false) }
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 10)
        .column()
        .background { palette.background.ignoresSafeArea() }
        .overlay(alignment: .top) { Rectangle().fill(palette.outline).frame(height: 1).allowsHitTesting(false) }
        // Each segment has a text field of its own.
        .id(segment)
    }

    private var canAsk: Bool { review.canAsk(about: segment) }

    private var sendButton: some View {
        Button {
            review.submitCorrection(for: segment)
        } label: {
            Image(systemName: "arrow.up")
                .font(.body.weight(.semibold))
                .foregroundStyle(canAsk ? palette.onAccent : palette.secondary)
                .frame(width: 36, height: 36)
                .background(canAsk ? palette.accent : palette.outline.opacity(0.5), in: Circle())
                .frame(width: Metrics.field, height: Metrics.field)
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .disabled(!canAsk)
        .keyboardShortcut(.return, modifiers: .command)
        .accessibilityLabel(Text("Ask", bundle: .module))
    }
}

extension ReviewViewModel {
    /// The text in the field for questions about a segment.
    fileprivate subscript(draftFor segment: Segment.ID) -> String {
        get { drafts[segment] ?? "" }
        set { drafts[segment] = newValue }
    }
}
