/// One aspect of the appearance of an element. `WebRenderer` translates it to CSS.
package enum StyleRule: Equatable, Sendable {
    // Text
    case font(Font)
    case foreground(_Paint)
    /// The colour of a placeholder.
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
    /// The gaps between the columns and the rows of a grid.
    case cellSpacing(horizontal: CGFloat?, vertical: CGFloat?)
    /// The position of a cell in its column.
    case cellAlignment(HorizontalAlignment)
    case padding(EdgeInsets)
    /// The distance of a row's content from its edges.
    case rowInsets(EdgeInsets)
    indirect case frame(FrameRule)
    case aspectRatio(CGFloat?, ContentMode)
    case fixedSize(horizontal: Bool, vertical: Bool)
    case minimumLength(CGFloat)
    /// The share of a stack's length that the element takes, in proportion to the other shares.
    case share(Double)
    // Paint
    case background(_Paint)
    case border(_Paint, width: CGFloat, dash: Bool)
    case corners(_Corners)
    // Paths
    case fill(_Paint, isEvenOdd: Bool)
    case stroke(_Paint, StrokeStyle)
    /// Edges without antialiasing.
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

/// The sizes of a `frame`, in points; nil where unspecified.
package struct FrameRule: Equatable, Sendable {
    package var minWidth: CGFloat?
    package var width: CGFloat?
    package var maxWidth: CGFloat?
    package var minHeight: CGFloat?
    package var height: CGFloat?
    package var maxHeight: CGFloat?
    package var alignment = Alignment.center
}

/// The clipping of a box.
public enum _Corners: Equatable, Sendable {
    case radius(CGFloat)
    case each(RectangleCornerRadii)
    case capsule
    case ellipse
    /// The largest centred circle.
    case circle
    /// A rectangle.
    case clipped
    /// A path in points or, stretched to the box, in hundredths of its sides.
    case path(Path, isStretched: Bool)
}

/// A resolved paint.
public indirect enum _Paint: Equatable, Sendable {
    case color(Color)
    case linear(Gradient, from: UnitPoint, to: UnitPoint)
    case radial(Gradient, center: UnitPoint, from: CGFloat, to: CGFloat)
    case angular(Gradient, center: UnitPoint, from: Angle, to: Angle)
    case material(Material)
    case tint
    case background
    /// A level of the hierarchy: 1 is the label colour, 2 to 5 are fainter.
    case level(Int)
    case faded(_Paint, Double)

    /// True if the paint is a single colour.
    var isColor: Bool {
        switch self {
        case .linear, .radial, .angular, .material: false
        default: true
        }
    }
}
