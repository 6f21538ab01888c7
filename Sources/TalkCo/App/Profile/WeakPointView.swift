import SwiftUI
import TalkCoWire
import ViewKit

/// A repeated mistake: the pattern, with the learner's examples and their corrections.
struct WeakPointView: View {
    let point: WeakPoint
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            Text(verbatim: point.pattern).font(.body.weight(.medium))
            ForEach(Array(point.examples.enumerated()), id: \.offset) { _, example in
                VStack(alignment: .leading, spacing: 0) {
                    Text(verbatim: example.wrong).strikethrough().foregroundStyle(palette.secondary)
                    Text(verbatim: example.correct).foregroundStyle(palette.success)
                }
                .font(.subheadline)
                .padding(.leading, 12)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}
