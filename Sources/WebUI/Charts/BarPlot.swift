import SwiftUI

/// The bars of a chart by category, with their ends as fractions of the value axis.
struct BarPlot {
    struct Bar: Identifiable {
        let id: Int
        let mark: _Mark
        /// The start of the bar as a fraction of the value axis, from 0 to 1.
        let start: Double
        let end: Double
    }

    struct Category: Identifiable {
        let id: String
        /// The bars, sorted by their starts.
        var bars: [Bar]
    }

    struct Tick: Identifiable {
        let id: Int
        let value: Double
        /// The position as a fraction of the value axis, from 0 to 1.
        let position: Double
    }

    /// True if the bars are horizontal.
    let isHorizontal: Bool
    private(set) var categories: [Category] = []
    let ticks: [Tick]
    let showsCategories: Bool
    let showsValues: Bool

    @MainActor
    init(_ marks: [_Mark], x: AxisOptions, y: AxisOptions) {
        let isHorizontal = marks.contains { $0.x.number != nil && $0.y.number == nil }
        self.isHorizontal = isHorizontal
        showsCategories = !(isHorizontal ? y : x).isHidden
        showsValues = !(isHorizontal ? x : y).isHidden
        let spans = Self.stacked(marks, isHorizontal)
        let axis = Self.axis((isHorizontal ? x : y).domain, spans: spans.map(\.range))
        let length = axis.domain.upperBound - axis.domain.lowerBound
        func part(_ value: Double) -> Double { min(max((value - axis.domain.lowerBound) / length, 0), 1) }
        ticks = axis.ticks.enumerated().map { Tick(id: $0, value: $1, position: part($1)) }
        var indices: [String: Int] = [:]
        for (index, span) in spans.enumerated() {
            let place = indices[span.category, default: categories.count]
            if place == categories.count {
                categories.append(Category(id: span.category, bars: []))
                indices[span.category] = place
            }
            categories[place].bars.append(
                Bar(id: index, mark: marks[index], start: part(span.range.lowerBound), end: part(span.range.upperBound)))
        }
        for index in categories.indices { categories[index].bars.sort { $0.start < $1.start } }
    }

    private struct Span {
        let category: String
        let range: ClosedRange<Double>
    }

    /// Returns the range of each mark, stacked on the earlier marks of its category. Negative values are stacked downwards.
    private static func stacked(_ marks: [_Mark], _ isHorizontal: Bool) -> [Span] {
        var ends: [String: (up: Double, down: Double)] = [:]
        return marks.map { mark in
            let category = (isHorizontal ? mark.y : mark.x).name
            let number = (isHorizontal ? mark.x : mark.y).number ?? 0
            let value = number.isFinite ? number : 0
            var end = ends[category] ?? (0, 0)
            let range = value < 0 ? end.down + value...end.down : end.up...end.up + value
            if value < 0 { end.down += value } else { end.up += value }
            ends[category] = end
            return Span(category: category, range: range)
        }
    }

    /// Returns the range of the value axis, and its ticks. Without a domain, both ends and zero are ticks.
    private static func axis(_ domain: ClosedRange<Double>?, spans: [ClosedRange<Double>]) -> (
        domain: ClosedRange<Double>, ticks: [Double]
    ) {
        var lower = domain?.lowerBound ?? min(0, spans.map(\.lowerBound).min() ?? 0)
        var upper = domain?.upperBound ?? max(0, spans.map(\.upperBound).max() ?? 0)
        if !(upper - lower).isFinite || upper <= lower { (lower, upper) = (0, 1) }
        let step = roundStep((upper - lower) / 4)
        if domain == nil { (lower, upper) = ((lower / step).rounded(.down) * step, (upper / step).rounded(.up) * step) }
        let first = (lower / step).rounded(.up)
        let last = (upper / step).rounded(.down)
        return (lower...upper, stride(from: first, through: last, by: 1).prefix(20).map { $0 * step })
    }

    /// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `step`.
    private static func roundStep(_ step: Double) -> Double {
        let power = pow(10, log10(step).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= step * 0.999 } ?? step
    }
}

extension _Position {
    var number: Double? { if case .number(let number) = self { number } else { nil } }
}
