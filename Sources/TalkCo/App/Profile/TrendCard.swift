import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The rate of each kind of mistake over the last talks.
struct TrendCard: View {
    let trends: [ProfileViewModel.Trend]
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            CardTitle(title: Text("From talk to talk", bundle: .module))
            ForEach(trends) { TrendRow(trend: $0) }
            Text("Marks for each hundred words, the last talk at the right.", bundle: .module)
                .font(.footnote)
                .foregroundStyle(palette.secondary)
        }
        .card()
        .accessibilityGroup("trends")
    }
}

/// A bar for each talk, with the rates of the first and the last talk.
private struct TrendRow: View {
    private static let height: CGFloat = 36

    let trend: ProfileViewModel.Trend
    @Environment(\.palette) private var palette
    @Environment(\.colorScheme) private var scheme

    var body: some View {
        HStack(spacing: 12) {
            VStack(alignment: .leading, spacing: 2) {
                trend.type.words.font(.subheadline)
                Text("\(first) at first, now \(last)", bundle: .module).font(.footnote).foregroundStyle(palette.secondary)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            HStack(alignment: .bottom, spacing: 4) {
                ForEach(Array(trend.rates.enumerated()), id: \.offset) { _, rate in
                    RoundedRectangle(cornerRadius: 2)
                        .fill(IssueColors(trend.type, scheme).strong)
                        .frame(width: 8, height: height(of: rate))
                }
            }
            .frame(height: Self.height, alignment: .bottom)
            .accessibilityHidden(true)
        }
        .accessibilityGroup("trend-\(trend.type.rawValue)")
    }

    private var first: String { words(trend.rates.first ?? 0) }
    private var last: String { words(trend.rates.last ?? 0) }

    private func words(_ rate: Double) -> String { rate.formatted(.number.precision(.fractionLength(0...1))) }

    /// Returns the height of a talk's bar: at least 2 points, also for a talk without such a mistake.
    private func height(of rate: Double) -> CGFloat {
        let maximum = trend.rates.max() ?? 0
        return maximum > 0 ? max(2, Self.height * CGFloat(rate / maximum)) : 2
    }
}
