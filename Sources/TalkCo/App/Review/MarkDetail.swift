import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// A mark: the learner's words, the suggestion, and the explanation.
struct MarkDetail: View {
    let mark: Mark
    let segment: Segment
    let review: ReviewViewModel
    @Environment(\.palette) private var palette
    @Environment(\.colorScheme) private var scheme

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            row(Text("You said", bundle: .module)) {
                Text(verbatim: mark.original).strikethrough().foregroundStyle(colors.text)
            }
            row(Text("Better", bundle: .module)) {
                Text(verbatim: mark.suggestion).fontWeight(.semibold).foregroundStyle(palette.success)
            }
            Text(verbatim: mark.explanation).font(.subheadline).lineSpacing(3)
            // The learner's voice and the better sentence are adjacent, for comparison.
            if segment.hasRecording == true {
                HearRow(words: Text("Hear yourself", bundle: .module), sound: .recording(segment.id), review: review)
                    .accessibilityIdentifier("hear-yourself")
            }
            if review.canSpeak {
                HearRow(
                    words: Text("Hear the better sentence", bundle: .module), sound: .voice(betterSentence), review: review)
            }
        }
        .padding(.leading, 12)
        .overlay(alignment: .leading) { Capsule().fill(colors.strong).frame(width: 4) }
        .textSelection(.enabled)
        .accessibilityGroup("mark")
    }

    private var colors: IssueColors { IssueColors(mark.issueTypes.lazy.compactMap(IssueType.init).first, scheme) }

    /// The learner's sentence with the suggestion in place of the marked part.
    private var betterSentence: String {
        guard let range = segment.userText.range(of: mark.original) else { return mark.suggestion }
        return segment.userText.replacingCharacters(in: range, with: mark.suggestion)
    }

    private func row(_ title: Text, @ViewBuilder _ words: () -> some View) -> some View {
        VStack(alignment: .leading, spacing: 1) {
            title.font(.caption.weight(.semibold)).foregroundStyle(palette.secondary)
            words()
        }
    }
}
