/// One thing about how an element looks. `WebRenderer` says it in CSS.
package enum StyleRule: Equatable, Sendable {
    // Text
    case font(Font)
    case foreground(_Paint)
    /// Of what a field shows while it is empty.
    case promptForeground(_Paint)
    case textAlignment(TextAlignment)
    case lineSpacing(CGFloat)
    case kerning(CGFloat)
    case underline, strikethrough
    case textCase(Text.Case)
    // Boxes
    case stack(spacing: CGFloat?, alignment: Alignment)
    indirect case columns([GridItem], spacing: CGFloat?, alignment: HorizontalAlignment)
    case layerAlignment(Alignment)
    case padding(EdgeInsets)
    indirect case frame(FrameRule)
    case aspectRatio(CGFloat?, ContentMode)
    case fixedSize(horizontal: Bool, vertical: Bool)
    case minimumLength(CGFloat)
    // _Paint
    case background(_Paint)
    case border(_Paint, width: CGFloat, dash: Bool)
    case corners(_Corners)
    // Paths
    case fill(_Paint, isEvenOdd: Bool)
    case stroke(_Paint, StrokeStyle)
    /// Edges without anything in between the pixels.
    case crispEdges
    // Effects
    case tint(_Paint)
    case opacity(Double)
    indirect case shadow(Color, radius: CGFloat, x: CGFloat, y: CGFloat)
    case blur(CGFloat)
    case brightness(Double), saturation(Double), grayscale(Double)
    // Place
    case offset(CGSize)
    case rotation(Angle, UnitPoint)
    case scale(CGSize, UnitPoint)
    case zIndex(Double)
    // Time
    case motion(Animation)
}

/// The sizes a `frame` asks for, in points; nil where it leaves them open.
package struct FrameRule: Equatable, Sendable {
    package var minWidth: CGFloat?
    package var width: CGFloat?
    package var maxWidth: CGFloat?
    package var minHeight: CGFloat?
    package var height: CGFloat?
    package var maxHeight: CGFloat?
    package var alignment = Alignment.center
}

/// How the corners of a box are rounded, or what else is cut off.
public enum _Corners: Equatable, Sendable {
    case radius(CGFloat)
    case each(RectangleCornerRadii)
    case capsule
    case ellipse
    /// The largest circle in the middle.
    case circle
    /// Square corners that still cut off what stands out.
    case clipped
    /// All but what is in the path, which is in points or, stretched to the box, in hundredths of its sides.
    case path(Path, isStretched: Bool)
}

/// What is drawn with, after the environment was asked.
public indirect enum _Paint: Equatable, Sendable {
    case color(Color)
    case linear(Gradient, from: UnitPoint, to: UnitPoint)
    case radial(Gradient, center: UnitPoint, from: CGFloat, to: CGFloat)
    case angular(Gradient, center: UnitPoint, from: Angle, to: Angle)
    case material(Material)
    case tint
    case background
    /// 1 is the label colour, 2 to 5 are fainter.
    case level(Int)
    case faded(_Paint, Double)

    /// One colour everywhere.
    var isColor: Bool {
        switch self {
        case .linear, .radial, .angular, .material: false
        default: true
        }
    }
}
