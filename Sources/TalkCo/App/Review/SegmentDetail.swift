import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The open part of a segment's card: its marks, its voice, the tutor's answer, and the questions about it.
struct SegmentDetail: View {
    let segment: Segment
    let review: ReviewViewModel
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 14) {
            if segment.hasRecording == true {
                // With marks, each mark's detail has this button beside the better sentence.
                if segment.aiMarks.isEmpty {
                    HearRow(words: Text("Hear yourself", bundle: .module), sound: .recording(segment.id), review: review)
                }
            } else if review.canSpeak {
                HearRow(words: Text("Hear your sentence", bundle: .module), sound: .voice(segment.userText), review: review)
            }
            ForEach(segment.aiMarks) { MarkDetail(mark: $0, segment: segment, review: review) }
            VStack(alignment: .leading, spacing: 2) {
                Text("Tutor", bundle: .module).font(.caption.weight(.semibold)).foregroundStyle(palette.secondary)
                Text(verbatim: segment.aiText).font(.subheadline).textSelection(.enabled)
            }
            ForEach(segment.corrections) { CorrectionView(correction: $0) }
            if let question = review.questions[segment.id] { PendingQuestion(question: question) }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}
