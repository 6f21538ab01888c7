public import SwiftUI

/// A chart of bars. Like a shape, the chart fills the available space.
public struct Chart<Content: ChartContent>: View {
    private let content: Content
    @Environment(\.chartX) private var x
    @Environment(\.chartY) private var y

    public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    public init<Data, C>(_ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> C)
    where Content == ForEach<Data, Data.Element.ID, C>, Data: RandomAccessCollection, C: ChartContent, Data.Element: Identifiable {
        self.content = ForEach(data, content: content)
    }

    public init<Data, ID, C>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, ID, C>, Data: RandomAccessCollection, C: ChartContent, ID: Hashable {
        self.content = ForEach(data, id: id, content: content)
    }

    public var body: some View { BarChart(plot: BarPlot(content._marks, x: x, y: y)) }
}

/// The options of an axis.
struct AxisOptions: Equatable, Sendable {
    var domain: ClosedRange<Double>?
    var isHidden = false
}

private enum XKey: EnvironmentKey { static var defaultValue: AxisOptions { AxisOptions() } }
private enum YKey: EnvironmentKey { static var defaultValue: AxisOptions { AxisOptions() } }

extension EnvironmentValues {
    var chartX: AxisOptions {
        get { self[XKey.self] }
        set { self[XKey.self] = newValue }
    }
    var chartY: AxisOptions {
        get { self[YKey.self] }
        set { self[YKey.self] = newValue }
    }
}

/// The range of values that an axis shows.
public protocol ScaleDomain {
    var _range: ClosedRange<Double>? { get }
}

extension ClosedRange: ScaleDomain where Bound: Plottable {
    public var _range: ClosedRange<Double>? {
        guard case .number(let lower) = lowerBound.primitivePlottable._position,
            case .number(let upper) = upperBound.primitivePlottable._position
        else { return nil }
        return lower...upper
    }
}

extension View {
    public func chartXScale<Domain: ScaleDomain>(domain: Domain) -> some View {
        transformEnvironment(\.chartX) { $0.domain = domain._range }
    }
    public func chartYScale<Domain: ScaleDomain>(domain: Domain) -> some View {
        transformEnvironment(\.chartY) { $0.domain = domain._range }
    }
    public func chartXAxis(_ visibility: Visibility) -> some View {
        transformEnvironment(\.chartX) { $0.isHidden = visibility == .hidden }
    }
    public func chartYAxis(_ visibility: Visibility) -> some View {
        transformEnvironment(\.chartY) { $0.isHidden = visibility == .hidden }
    }
}
