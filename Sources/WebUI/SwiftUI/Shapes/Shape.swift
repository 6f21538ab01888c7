/// A form that fills its rectangle. The size is known in the browser only: a custom shape is evaluated once, for a rectangle of 100 × 100, and
/// its path is stretched.
nonisolated public protocol Shape: View, Sendable {
    nonisolated func path(in rect: CGRect) -> Path
    /// The clipping that draws the shape in the browser.
    nonisolated var _corners: _Corners { get }
}

extension Shape {
    public nonisolated var _corners: _Corners { .path(path(in: CGRect(x: 0, y: 0, width: 100, height: 100)), isStretched: true) }

    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) {
        _ShapeView._render(_ShapeView(shape: view, paint: nil, line: nil), context)
    }

    @MainActor public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> some View {
        _ShapeView(shape: self, paint: content._paint, line: nil, fill: style)
    }
    @MainActor public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
        _ShapeView(shape: self, paint: content._paint, line: StrokeStyle(lineWidth: lineWidth))
    }
    @MainActor public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View {
        _ShapeView(shape: self, paint: content._paint, line: style)
    }
}

/// A shape that can draw a border inside its edges.
nonisolated public protocol InsettableShape: Shape {}

extension InsettableShape {
    @MainActor public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View
    {
        _ShapeView(shape: self, paint: content._paint, line: StrokeStyle(lineWidth: lineWidth))
    }
}

/// The style of a stroke. On built-in shapes every dash pattern becomes the browser's dashed border.
public struct StrokeStyle: Equatable, Sendable {
    public var lineWidth: CGFloat
    public var dash: [CGFloat]
    public init(lineWidth: CGFloat = 1, dash: [CGFloat] = []) {
        self.lineWidth = lineWidth
        self.dash = dash
    }
}

struct _ShapeView<S: Shape>: View {
    let shape: S
    let paint: _Paint?
    let line: StrokeStyle?
    var fill = FillStyle()

    static func _render(_ view: Self, _ context: _RenderContext) {
        let paint = (view.paint ?? context.environment.foreground ?? .level(1)).resolved(in: context.environment)
        let corners = view.shape._corners
        // A path can be filled with a colour only.
        if case .path(let path, let isStretched) = corners, view.line != nil || paint.isColor {
            var attributes = Attributes()
            attributes[.outline] = .text(path.outline)
            attributes[flag: .inPoints] = !isStretched
            var style: [StyleRule] = [view.line.map { .stroke(paint, $0) } ?? .fill(paint, isEvenOdd: view.fill.isEOFilled)]
            if path.isRectilinear || !view.fill.isAntialiased { style.append(.crispEdges) }
            context.element(.path, style: style, attributes: attributes, layout: .filling)
            return
        }
        var style: [StyleRule] = [.corners(corners)]
        if let line = view.line {
            style.append(.border(paint, width: line.lineWidth, dash: !line.dash.isEmpty))
        } else {
            style.append(.background(paint))
        }
        context.element(.shape, style: style, layout: .filling)
    }
}

nonisolated public struct Rectangle: InsettableShape {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
    public nonisolated var _corners: _Corners { .clipped }
}

/// The form of rounded corners. Both are drawn as circular ones here.
public enum RoundedCornerStyle: Hashable, Sendable { case circular, continuous }

nonisolated public struct RoundedRectangle: InsettableShape {
    public var cornerSize: CGSize
    public nonisolated init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        cornerSize = CGSize(width: cornerRadius, height: cornerRadius)
    }
    public nonisolated func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerSize: cornerSize) }
    public nonisolated var _corners: _Corners { .radius(cornerSize.width) }
}

/// The radii of the four corners of a rectangle.
public struct RectangleCornerRadii: Hashable, Sendable {
    public var topLeading: CGFloat
    public var bottomLeading: CGFloat
    public var bottomTrailing: CGFloat
    public var topTrailing: CGFloat
    public init(topLeading: CGFloat = 0, bottomLeading: CGFloat = 0, bottomTrailing: CGFloat = 0, topTrailing: CGFloat = 0) {
        self.topLeading = topLeading
        self.bottomLeading = bottomLeading
        self.bottomTrailing = bottomTrailing
        self.topTrailing = topTrailing
    }
}

nonisolated public struct UnevenRoundedRectangle: InsettableShape {
    public var cornerRadii: RectangleCornerRadii
    public nonisolated init(cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous) {
        self.cornerRadii = cornerRadii
    }
    public nonisolated init(
        topLeadingRadius: CGFloat = 0, bottomLeadingRadius: CGFloat = 0, bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0, style: RoundedCornerStyle = .continuous
    ) {
        cornerRadii = RectangleCornerRadii(
            topLeading: topLeadingRadius, bottomLeading: bottomLeadingRadius, bottomTrailing: bottomTrailingRadius,
            topTrailing: topTrailingRadius)
    }
    public nonisolated func path(in rect: CGRect) -> Path {
        var path = Path()
        path.addRoundedRect(in: rect, cornerRadii: cornerRadii)
        return path
    }
    public nonisolated var _corners: _Corners { .each(cornerRadii) }
}

nonisolated public struct Capsule: InsettableShape {
    public nonisolated init(style: RoundedCornerStyle = .continuous) {}
    public nonisolated func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
    }
    public nonisolated var _corners: _Corners { .capsule }
}

nonisolated public struct Circle: InsettableShape {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side))
    }
    public nonisolated var _corners: _Corners { .circle }
}

nonisolated public struct Ellipse: InsettableShape {
    public nonisolated init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
    public nonisolated var _corners: _Corners { .ellipse }
}

extension Shape where Self == Rectangle { public static var rect: Rectangle { Rectangle() } }
extension Shape where Self == Capsule { public static var capsule: Capsule { Capsule() } }
extension Shape where Self == Circle { public static var circle: Circle { Circle() } }
extension Shape where Self == Ellipse { public static var ellipse: Ellipse { Ellipse() } }
extension Shape where Self == RoundedRectangle {
    public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) -> RoundedRectangle {
        RoundedRectangle(cornerRadius: cornerRadius, style: style)
    }
}

extension View {
    public func clipShape<S: Shape>(_ shape: S) -> some View { styled(.corners(shape._corners)) }
    public func cornerRadius(_ radius: CGFloat) -> some View { styled(.corners(.radius(radius))) }
    public func clipped() -> some View { styled(.corners(.clipped)) }
    public func contentShape<S: Shape>(_ shape: S) -> some View { attribute(.hitTesting, .on) }
}
