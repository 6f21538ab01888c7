/// Colours with their positions from 0 to 1.
public struct Gradient: ShapeStyle, Hashable {
    public struct Stop: Hashable, Sendable {
        public var color: Color
        public var location: CGFloat
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }
    public var stops: [Stop]
    public init(stops: [Stop]) { self.stops = stops }
    public init(colors: [Color]) {
        let last = max(colors.count - 1, 1)
        stops = colors.enumerated().map { Stop(color: $1, location: CGFloat($0) / CGFloat(last)) }
    }
    public var _paint: _Paint { .linear(self, from: .top, to: .bottom) }
}

/// A subtle gradient of one colour.
public struct AnyGradient: ShapeStyle, Hashable {
    private let gradient: Gradient
    public init(_ gradient: Gradient) { self.gradient = gradient }
    public var _paint: _Paint { gradient._paint }
}

nonisolated public struct LinearGradient: ShapeStyle, View {
    public let _paint: _Paint
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        _paint = .linear(gradient, from: startPoint, to: endPoint)
    }
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }
    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
    }
    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) { context.fill(view._paint) }
}

nonisolated public struct RadialGradient: ShapeStyle, View {
    public let _paint: _Paint
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        _paint = .radial(gradient, center: center, from: startRadius, to: endRadius)
    }
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(gradient: Gradient(colors: colors), center: center, startRadius: startRadius, endRadius: endRadius)
    }
    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) { context.fill(view._paint) }
}

nonisolated public struct AngularGradient: ShapeStyle, View {
    public let _paint: _Paint
    public init(gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .degrees(360)) {
        _paint = .angular(gradient, center: center, from: startAngle, to: endAngle)
    }
    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(gradient: Gradient(colors: colors), center: center, startAngle: startAngle, endAngle: endAngle)
    }
    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) { context.fill(view._paint) }
}

extension _RenderContext {
    /// Fills the available space with `paint`.
    fileprivate func fill(_ paint: _Paint) { element(.shape, style: [.background(paint)], layout: .filling) }
}
