import Charts
import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// A bar for each dimension, in its colour.
struct DimensionChart: View {
    let dimensions: [ProfileViewModel.Dimension]
    @Environment(\.colorScheme) private var scheme

    var body: some View {
        Chart(dimensions) { dimension in
            BarMark(x: .value("Marks", dimension.value), y: .value("Dimension", dimension.type.rawValue), height: 18)
                .foregroundStyle(IssueColors(dimension.type, scheme).strong)
                .cornerRadius(5)
                .annotation(position: .trailing) { value(of: dimension).font(.caption).accessibilityHidden(true) }
                .accessibilityLabel(dimension.type.words)
                .accessibilityValue(value(of: dimension))
                .accessibilityIdentifier("bar-\(dimension.type.rawValue)")
        }
        .chartXScale(domain: 0...maximum)
        .chartXAxis(.hidden)
        .chartYAxis(.hidden)
    }

    /// The end of the axis, with room for the value behind the longest bar.
    private var maximum: Double { max(1, (dimensions.map(\.value).max() ?? 0) * 1.25) }

    private func value(of dimension: ProfileViewModel.Dimension) -> Text {
        Text(dimension.value, format: .number.precision(.fractionLength(0...1)))
    }
}
