import SwiftUI
import TalkCoWire
import ViewKit

/// The parts of a summary.
struct SummaryCards: View {
    let summary: SessionSummary
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 14) {
            if !summary.overall.isEmpty { text(Text("Overall", bundle: .module), summary.overall) }
            if !summary.strengths.isEmpty { strengths }
            if !weaknesses.isEmpty { weakPoints }
            if let level = summary.levelAssessment, !level.isEmpty { text(Text("Level", bundle: .module), level) }
        }
    }

    private func text(_ title: Text, _ words: String) -> some View {
        VStack(alignment: .leading, spacing: 8) {
            CardTitle(title: title)
            Text(verbatim: words).lineSpacing(4)
        }
        .card()
    }

    private var strengths: some View {
        VStack(alignment: .leading, spacing: 10) {
            CardTitle(title: Text("Strengths", bundle: .module))
            ForEach(Array(summary.strengths.enumerated()), id: \.offset) { _, strength in
                HStack(alignment: .top, spacing: 10) {
                    Image(systemName: "checkmark.circle.fill").foregroundStyle(palette.success).accessibilityHidden(true)
                    Text(verbatim: strength).lineSpacing(3).frame(maxWidth: .infinity, alignment: .leading)
                }
            }
        }
        .card()
        .accessibilityGroup("strengths")
    }

    private var weakPoints: some View {
        VStack(alignment: .leading, spacing: 12) {
            CardTitle(title: Text("What to work on", bundle: .module))
            ForEach(weaknesses, id: \.type) { weakness in
                VStack(alignment: .leading, spacing: 6) {
                    IssueBadge(type: weakness.type)
                    Text(verbatim: weakness.words).lineSpacing(3)
                }
            }
        }
        .card()
        .accessibilityGroup("weaknesses")
    }

    /// The dimensions with something to say: the known ones in their order, then others.
    private var weaknesses: [(type: String, words: String)] {
        let known = IssueType.allCases.map(\.rawValue)
        let others = summary.weaknesses.keys.filter { !known.contains($0) }.sorted()
        return (known + others).compactMap { type in
            guard let words = summary.weaknesses[type] ?? nil, !words.isEmpty else { return nil }
            return (type, words)
        }
    }
}
