public import SwiftUI

/// A bar from zero to a value, along the axis with the numbers. Bars of the same category are stacked.
public struct BarMark: ChartContent {
    private let mark: _Mark
    public var _marks: [_Mark] { [mark] }

    /// - Parameters:
    ///   - width: The thickness of a vertical bar.
    ///   - height: The thickness of a horizontal bar.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>, y: PlottableValue<Y>, width: MarkDimension = .automatic, height: MarkDimension = .automatic
    ) {
        mark = _Mark(x: x.position, y: y.position, xLabel: x.label, yLabel: y.label, width: width, height: height)
    }
}

/// The thickness of a bar.
public struct MarkDimension: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    enum Base: Hashable {
        case points(CGFloat)
        /// A fraction of the space for one category.
        case ratio(CGFloat)
    }
    let base: Base

    public static let automatic = MarkDimension(base: .ratio(0.65))
    public static func fixed(_ value: CGFloat) -> MarkDimension { MarkDimension(base: .points(value)) }
    public static func ratio(_ value: CGFloat) -> MarkDimension { MarkDimension(base: .ratio(value)) }

    private init(base: Base) { self.base = base }
    public init(integerLiteral value: Int) { self = .fixed(CGFloat(value)) }
    public init(floatLiteral value: Double) { self = .fixed(value) }
}
