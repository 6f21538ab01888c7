import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// One turn of the conversation: the learner's words with their marks and, while expanded, the explanations.
struct SegmentCard: View {
    let segment: Segment
    let review: ReviewViewModel
    let isExpanded: Bool
    let toggle: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            header
            if isExpanded { SegmentDetail(segment: segment, review: review) }
        }
        .card()
        .overlay {
            RoundedRectangle(cornerRadius: Metrics.corner)
                .stroke(isExpanded ? palette.accent : Color.clear, lineWidth: 2)
                .allowsHitTesting(false)
        }
        .accessibilityGroup("segment-\(segment.turnIndex)")
    }

    private var header: some View {
        Button {
            toggle()
        } label: {
            VStack(alignment: .leading, spacing: 10) {
                HStack(alignment: .top, spacing: 8) {
                    MarkedText(text: segment.userText, marks: segment.aiMarks)
                        .multilineTextAlignment(.leading)
                        .frame(maxWidth: .infinity, alignment: .leading)
                    Image(systemName: isExpanded ? "chevron.up" : "chevron.down")
                        .font(.footnote)
                        .foregroundStyle(palette.secondary)
                        .frame(height: 22)
                        .accessibilityHidden(true)
                }
                if !types.isEmpty { IssueBadges(types: types) }
            }
            .frame(minHeight: Metrics.control)
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.text)
        .accessibilityValue(isExpanded ? Text("Open", bundle: .module) : Text("Closed", bundle: .module))
        .accessibilityIdentifier("toggle-\(segment.turnIndex)")
    }

    /// The issue types of all marks, each once.
    private var types: [String] {
        var seen: Set<String> = []
        return segment.aiMarks.flatMap(\.issueTypes).filter { seen.insert($0).inserted }
    }
}
