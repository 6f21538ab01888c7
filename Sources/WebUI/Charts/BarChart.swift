import SwiftUI

/// The drawing of a ``BarPlot``.
struct BarChart: View {
    let plot: BarPlot

    var body: some View {
        if plot.isHorizontal { horizontal } else { vertical }
    }

    private var horizontal: some View {
        HStack(spacing: 8) {
            if plot.showsCategories {
                VStack(spacing: 0) {
                    ForEach(plot.categories) { CategoryLabel(name: $0.id).frame(maxHeight: .infinity) }
                    if plot.showsValues { TickLabel(text: Text(verbatim: " ")) }
                }
            }
            VStack(spacing: 4) {
                ZStack {
                    if plot.showsValues { GridLines(plot: plot) }
                    VStack(spacing: 0) { ForEach(plot.categories) { CategoryBars(category: $0, isHorizontal: true) } }
                }
                if plot.showsValues { TickLabels(plot: plot) }
            }
        }
    }

    private var vertical: some View {
        HStack(spacing: 8) {
            VStack(spacing: 4) {
                ZStack {
                    if plot.showsValues { GridLines(plot: plot) }
                    HStack(spacing: 0) { ForEach(plot.categories) { CategoryBars(category: $0, isHorizontal: false) } }
                }
                if plot.showsCategories {
                    HStack(spacing: 0) {
                        ForEach(plot.categories) { CategoryLabel(name: $0.id).frame(maxWidth: .infinity) }
                    }
                }
            }
            if plot.showsValues {
                VStack(spacing: 4) {
                    TickLabels(plot: plot)
                    if plot.showsCategories { TickLabel(text: Text(verbatim: " ")) }
                }
            }
        }
    }
}

/// The bars of one category, one after the other.
private struct CategoryBars: View {
    let category: BarPlot.Category
    let isHorizontal: Bool

    var body: some View {
        if isHorizontal {
            HStack(spacing: 0) {
                ForEach(parts) { $0.content(isHorizontal: true).share($0.length) }
                Color.clear.share(rest)
            }
        } else {
            VStack(spacing: 0) {
                Color.clear.share(rest)
                ForEach(parts.reversed()) { $0.content(isHorizontal: false).share($0.length) }
            }
        }
    }

    /// The bars, and the gaps before them.
    private var parts: [BarPart] {
        var parts: [BarPart] = []
        var end = 0.0
        for bar in category.bars {
            if bar.start > end { parts.append(BarPart(id: parts.count, bar: nil, length: bar.start - end)) }
            parts.append(BarPart(id: parts.count, bar: bar, length: bar.end - bar.start))
            end = bar.end
        }
        return parts
    }

    private var rest: Double { 1 - (category.bars.last?.end ?? 0) }
}

/// A bar, or a gap between bars.
private struct BarPart: Identifiable {
    let id: Int
    let bar: BarPlot.Bar?
    let length: Double

    @MainActor @ViewBuilder
    func content(isHorizontal: Bool) -> some View {
        if let bar { BarView(bar: bar, isHorizontal: isHorizontal) } else { Color.clear }
    }
}

private struct BarView: View {
    let bar: BarPlot.Bar
    let isHorizontal: Bool

    private var mark: _Mark { bar.mark }

    var body: some View {
        if let identifier = mark.accessibilityIdentifier { named.accessibilityIdentifier(identifier) } else { named }
    }

    private var named: some View {
        thick
            .accessibilityElement()
            .accessibilityLabel(mark.accessibilityLabel ?? Text(verbatim: (isHorizontal ? mark.y : mark.x).name))
            .accessibilityValue(mark.accessibilityValue ?? value)
            .accessibilityHidden(mark.isAccessibilityHidden)
    }

    /// The label of the value, and the value.
    private var value: Text {
        let number = (isHorizontal ? mark.x : mark.y).number ?? 0
        return (isHorizontal ? mark.xLabel : mark.yLabel) + Text(verbatim: " ") + Text(number, format: .number)
    }

    @ViewBuilder private var thick: some View {
        switch (isHorizontal ? mark.height : mark.width).base {
        case .points(let points):
            bare.frame(width: isHorizontal ? nil : points, height: isHorizontal ? points : nil)
                .frame(maxWidth: .infinity, maxHeight: .infinity)
        case .ratio(let ratio):
            if isHorizontal {
                VStack(spacing: 0) { ratioParts(ratio) }
            } else {
                HStack(spacing: 0) { ratioParts(ratio) }
            }
        }
    }

    @ViewBuilder private func ratioParts(_ ratio: Double) -> some View {
        Color.clear.share(max(0, 1 - ratio))
        bare.share(ratio * 2)
        Color.clear.share(max(0, 1 - ratio))
    }

    private var bare: some View {
        RoundedRectangle(cornerRadius: mark.cornerRadius)
            .fill(mark.style ?? AnyShapeStyle(.tint))
            .opacity(mark.opacity)
            .overlay(alignment: isOverlay ? .center : isHorizontal ? .trailing : .top) {
                if let annotation = mark.annotation { placed(annotation) }
            }
    }

    private var isOverlay: Bool { mark.annotation?.position == .overlay }

    /// Returns the annotation, centred on the bar or, in a frame of zero length, beyond the end of the bar.
    @ViewBuilder private func placed(_ annotation: _Mark.Annotation) -> some View {
        if isOverlay {
            annotation.content
        } else if isHorizontal {
            annotation.content.fixedSize().offset(x: annotation.spacing).frame(width: 0, alignment: .leading)
        } else {
            annotation.content.fixedSize().padding(.bottom, annotation.spacing).frame(height: 0, alignment: .bottom)
        }
    }
}

private struct CategoryLabel: View {
    let name: String

    var body: some View {
        Text(verbatim: name).font(.caption).foregroundStyle(.secondary).fixedSize().accessibilityHidden(true)
    }
}

private struct TickLabel: View {
    let text: Text

    var body: some View { text.font(.caption2).foregroundStyle(.secondary).accessibilityHidden(true) }
}

/// A section of the value axis up to the next tick, or up to the end of the axis: there `tick` is nil.
private struct TickSpace: Identifiable {
    let id: Int
    let length: Double
    let tick: BarPlot.Tick?

    static func all(_ ticks: [BarPlot.Tick]) -> [TickSpace] {
        let starts = [0] + ticks.map(\.position)
        let ends = ticks.map(\.position) + [1]
        return starts.indices.map {
            TickSpace(id: $0, length: ends[$0] - starts[$0], tick: ticks.indices.contains($0) ? ticks[$0] : nil)
        }
    }
}

/// The grid lines at the ticks.
private struct GridLines: View {
    let plot: BarPlot

    var body: some View {
        if plot.isHorizontal {
            HStack(spacing: 0) { ForEach(TickSpace.all(plot.ticks)) { space($0) } }
        } else {
            VStack(spacing: 0) { ForEach(TickSpace.all(plot.ticks).reversed()) { space($0) } }
        }
    }

    @ViewBuilder private func space(_ space: TickSpace) -> some View {
        if plot.isHorizontal {
            Color.clear.share(space.length)
            if space.tick != nil { line.frame(width: 1) }
        } else {
            if space.tick != nil { line.frame(height: 1) }
            Color.clear.share(space.length)
        }
    }

    private var line: some View { Rectangle().fill(Color(uiColor: .separator)) }
}

/// The values at the ticks, each centred at its tick.
private struct TickLabels: View {
    let plot: BarPlot

    var body: some View {
        if plot.isHorizontal {
            HStack(spacing: 0) { ForEach(TickSpace.all(plot.ticks)) { space($0) } }
        } else {
            VStack(alignment: .leading, spacing: 0) { ForEach(TickSpace.all(plot.ticks).reversed()) { space($0) } }
        }
    }

    @ViewBuilder private func space(_ space: TickSpace) -> some View {
        if plot.isHorizontal {
            Color.clear.frame(height: 1).share(space.length, fillsHeight: false)
            if let tick = space.tick { label(tick).fixedSize().frame(width: 0) }
        } else {
            if let tick = space.tick { label(tick).fixedSize().frame(height: 0) }
            Color.clear.frame(width: 1).share(space.length)
        }
    }

    private func label(_ tick: BarPlot.Tick) -> some View { TickLabel(text: Text(tick.value, format: .number)) }
}
