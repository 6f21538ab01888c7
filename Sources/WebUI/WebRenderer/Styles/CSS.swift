import SwiftUI

/// The translation of styles to CSS. Rules for all elements of a kind are in `Resources/page.css`.
@MainActor
enum CSS {
    /// Returns the declarations of an element, without those of the style sheet.
    static func declarations(of element: Element) -> String {
        guard !element.style.isEmpty else { return "" }
        var writer = Declarations()
        writer.isOutlined = element.style.contains { if case .border = $0 { true } else { false } }
        for rule in element.style { writer.add(rule, to: element.kind) }
        return writer.text
    }

    /// Returns a name as a CSS string. Characters that could end the string are dropped; font names have none.
    nonisolated static func quoted(_ name: String) -> String {
        "\"\(name.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })\""
    }

    /// Returns the duration and curve of a `transition`.
    nonisolated static func motion(_ animation: Animation) -> String {
        let milliseconds = { (seconds: Double) in "\(Int((seconds / max(animation.speedFactor, 0.01) * 1000).rounded()))ms" }
        let curve =
            switch animation.curve {
            case .linear: "linear"
            case .easeIn: "ease-in"
            case .easeOut: "ease-out"
            case .easeInOut: "ease-in-out"
            case .spring(let bounce): bounce > 0 ? "cubic-bezier(0.3, \(1 + bounce), 0.4, 1)" : "cubic-bezier(0.2, 0.8, 0.2, 1)"
            }
        let delay = animation.delaySeconds > 0 ? " \(milliseconds(animation.delaySeconds))" : ""
        return "\(milliseconds(animation.duration)) \(curve)\(delay)"
    }
}

/// The declarations of one element. Several rules may contribute to one property.
private struct Declarations {
    private var result: [String] = []
    private var transforms: [String] = []
    private var filters: [String] = []
    private var decorations: [String] = []
    private var opacity = 1.0
    var isOutlined = false
    /// The line height of the font; until a font is set `1lh`, the line height of the parent element.
    private var lineHeight = "1lh"

    var text: String {
        var all = result
        if !transforms.isEmpty { all.append("transform:" + transforms.joined(separator: " ")) }
        if !filters.isEmpty { all.append("filter:" + filters.joined(separator: " ")) }
        if !decorations.isEmpty { all.append("text-decoration:" + decorations.joined(separator: " ")) }
        if opacity != 1 { all.append("opacity:\(opacity.css)") }
        return all.joined(separator: ";")
    }

    private mutating func set(_ property: String, _ value: String) { result.append("\(property):\(value)") }

    mutating func add(_ rule: StyleRule, to kind: ElementKind) {
        switch rule {
        case .font(let font): add(font)
        case .foreground(let paint): addForeground(paint)
        case .promptForeground(let paint): set("--placeholderText", paint.color)
        case .textAlignment(let alignment): set("text-align", alignment.css)
        case .lineSpacing(let spacing): set("line-height", "calc(\(lineHeight) + \(spacing.px))")
        case .kerning(let kerning): set("letter-spacing", kerning.px)
        case .underline: decorations.append("underline")
        case .strikethrough: decorations.append("line-through")
        case .textCase(let textCase): set("text-transform", textCase == .uppercase ? "uppercase" : "lowercase")

        case .stack(let spacing, let alignment): add(spacing, alignment, kind)
        case .columns(let columns, let spacing, let alignment): add(columns, spacing, alignment)
        case .layerAlignment(let alignment): set("place-items", alignment.css)
        case .cellSpacing(let horizontal, let vertical):
            if let horizontal { set("column-gap", horizontal.px) }
            if let vertical { set("row-gap", vertical.px) }
        case .cellAlignment(let alignment): set("justify-self", alignment.css)
        case .padding(let insets): set("padding", insets.css)
        case .rowInsets(let insets): set("--insets", insets.css)
        case .frame(let frame): add(frame)
        case .aspectRatio(let ratio, let mode): add(ratio, mode)
        case .fixedSize(let horizontal, let vertical):
            if horizontal {
                set("width", "max-content")
                set("max-width", "none")
                set("flex-shrink", "0")
            }
            if vertical { set("flex-shrink", "0") }
        case .minimumLength(let length):
            set("min-width", length.px)
            set("min-height", length.px)

        case .share(let part):
            let part = max(part.isFinite ? part : 0, 0)
            set("flex", "\(part.css) \(part.css) 0")
            set("min-width", "0")
            set("min-height", "0")

        case .background(.material(let material)):
            set("background", "var(--material-\(material.css))")
            set("backdrop-filter", "var(--blur)")
            set("-webkit-backdrop-filter", "var(--blur)")
        case .background(let paint): set("background", paint.css)
        case .border(let paint, let width, let isDashed):
            set("border", "\(width.px) \(isDashed ? "dashed" : "solid") \(paint.color)")
        case .corners(let corners): add(corners)
        case .fill(let paint, let isEvenOdd):
            set("fill", paint.color)
            if isEvenOdd { set("fill-rule", "evenodd") }
        case .stroke(let paint, let line):
            set("stroke", paint.color)
            set("stroke-width", line.lineWidth.px)
            if !line.dash.isEmpty { set("stroke-dasharray", line.dash.map(\.css).joined(separator: " ")) }
        case .crispEdges: set("shape-rendering", "crispEdges")
        case .tint(let paint):
            set("--tint", paint.color)
            // A switch is green by default.
            set("--switch", paint.color)
        case .opacity(let value): opacity *= min(max(value.isFinite ? value : 1, 0), 1)
        case .shadow(let color, let radius, let x, let y):
            filters.append("drop-shadow(\(x.px) \(y.px) \(radius.px) \(color.css))")
        case .blur(let radius): filters.append("blur(\(radius.px))")
        case .brightness(let amount): filters.append("brightness(\((1 + amount).css))")
        case .saturation(let amount): filters.append("saturate(\(amount.css))")
        case .grayscale(let amount): filters.append("grayscale(\(amount.css))")

        case .offset(let offset): transforms.append("translate(\(offset.width.px),\(offset.height.px))")
        case .rotation(let angle, let anchor):
            set("transform-origin", anchor.css)
            transforms.append("rotate(\(angle.degrees.css)deg)")
        case .scale(let scale, let anchor):
            set("transform-origin", anchor.css)
            transforms.append("scale(\(scale.width.css),\(scale.height.css))")
        case .zIndex(let index): set("z-index", index.css)
        case .motion(let animation): set("transition", "all \(CSS.motion(animation))")
        }
    }

    private mutating func addForeground(_ paint: _Paint) {
        switch paint {
        case .linear, .radial, .angular:
            set("background", paint.css)
            set("background-clip", "text")
            set("-webkit-background-clip", "text")
            set("color", "transparent")
        default: set("color", paint.color)
        }
    }

    private mutating func add(_ spacing: CGFloat?, _ alignment: Alignment, _ kind: ElementKind) {
        if let spacing { set("gap", spacing.px) }
        switch kind {
        case .vstack: if alignment.horizontal != .center { set("align-items", alignment.horizontal.css) }
        case .hstack, .cellrow: if alignment.vertical != .center { set("align-items", alignment.vertical.css) }
        default: if alignment != .center { set("place-items", alignment.css) }
        }
    }

    private mutating func add(_ columns: [GridItem], _ spacing: CGFloat?, _ alignment: HorizontalAlignment) {
        let tracks = columns.map { item in
            switch item.size {
            case .fixed(let width): width.px
            case .flexible(let minimum, let maximum): "minmax(\(minimum.px),\(maximum.isFinite ? maximum.px : "1fr"))"
            case .adaptive(let minimum, let maximum):
                "repeat(auto-fill,minmax(min(\(minimum.px),100%),\(maximum.isFinite ? maximum.px : "1fr")))"
            }
        }
        set("grid-template-columns", tracks.joined(separator: " "))
        if let spacing { set("row-gap", spacing.px) }
        if let gap = columns.lazy.compactMap(\.spacing).first { set("column-gap", gap.px) }
        if alignment != .center { set("justify-items", alignment.css) }
    }

    private mutating func add(_ frame: FrameRule) {
        let sizes = [
            ("min-width", frame.minWidth), ("width", frame.width), ("min-height", frame.minHeight), ("height", frame.height),
        ]
        for case (let name, let size?) in sizes where size.isFinite { set(name, size.px) }
        for (side, limit, fixed) in [("width", frame.maxWidth, frame.width), ("height", frame.maxHeight, frame.height)] {
            // A frame grows up to its limit.
            if let limit, limit.isFinite, fixed == nil { set(side, limit.px) }
            if limit != nil { set("max-\(side)", limit?.isFinite == true ? "100%" : "none") }
        }
        if frame.alignment != .center { set("place-items", frame.alignment.css) }
    }

    private mutating func add(_ ratio: CGFloat?, _ mode: ContentMode) {
        if let ratio, ratio > 0 { set("aspect-ratio", ratio.css) }
        if mode == .fit { set("max-height", "100%") }
    }

    private mutating func add(_ corners: _Corners) {
        switch corners {
        case .radius(let radius): set("border-radius", radius.px)
        case .each(let radii):
            set(
                "border-radius",
                [radii.topLeading, radii.topTrailing, radii.bottomTrailing, radii.bottomLeading].map(\.px).joined(separator: " "))
        case .capsule: set("border-radius", "9999px")
        case .ellipse: set("border-radius", "50%")
        case .circle:
            // A clipped box cannot draw a border, so a border is a circle only around a square box.
            set("border-radius", "50%")
            if !isOutlined { set("clip-path", "circle(closest-side)") }
        case .path(let path, let isStretched): return set("clip-path", path.polygon(isStretched ? "%" : "px"))
        case .clipped: break
        }
        set("overflow", "clip")
    }

    private mutating func add(_ font: Font) {
        let (size, line, weight) = font.metrics
        set("font", "\(font.isItalic ? "italic " : "")\(font.weight?.value ?? weight) \(size)/\(line) \(font.family)")
        if font.hasMonospacedDigits { set("font-variant-numeric", "tabular-nums") }
        lineHeight = line.hasSuffix("rem") ? line : line == "normal" ? "1.2em" : "\(line)em"
    }
}

extension Font {
    /// Returns size, line height and weight of a text style at the default text size, see `Docs/iOS-Metrics.md`.
    private static func style(_ style: TextStyle) -> (size: Double, line: Double, weight: Int) {
        switch style {
        case .largeTitle: (34, 41, 400)
        case .title: (28, 34, 400)
        case .title2: (22, 28, 400)
        case .title3: (20, 25, 400)
        case .headline: (17, 22, 600)
        case .body: (17, 22, 400)
        case .callout: (16, 21, 400)
        case .subheadline: (15, 20, 400)
        case .footnote: (13, 18, 400)
        case .caption: (12, 16, 400)
        case .caption2: (11, 13, 400)
        }
    }

    /// The metrics, in rem where the font scales with the user's text size.
    fileprivate var metrics: (size: String, line: String, weight: Int) {
        switch base {
        case .style(let style):
            let (size, line, weight) = Self.style(style)
            return (rem(size), rem(line + extraLeading), weight)
        case .size(let size):
            return (size.px, "\((1.2 + extraLeading / 20).css)", 400)
        case .custom(_, let size, let style):
            return (style == nil ? size.px : rem(size), "normal", 400)
        }
    }

    private var extraLeading: Double { leading == .tight ? -2 : leading == .loose ? 2 : 0 }

    private func rem(_ points: Double) -> String { "\((points / 16).css)rem" }

    fileprivate var family: String {
        if case .custom(let name, _, _) = base { return "\(CSS.quoted(name)),var(--font)" }
        return switch design {
        case .serif: "var(--font-serif)"
        case .rounded: "var(--font-rounded)"
        case .monospaced: "var(--font-mono)"
        default: "var(--font)"
        }
    }
}

extension _Paint {
    /// The value of `background`.
    fileprivate var css: String {
        switch self {
        case .linear(let gradient, let from, let to):
            // CSS has an angle instead of two points. For the usual points the line is the same.
            let angle = atan2(to.x - from.x, from.y - to.y) * 180 / .pi
            return "linear-gradient(\(angle.css)deg,\(gradient.css))"
        case .radial(let gradient, let center, let from, let to):
            let stops = gradient.stops.map { "\($0.color.css) \((from + (to - from) * $0.location).px)" }
            return "radial-gradient(circle at \(center.css),\(stops.joined(separator: ",")))"
        case .angular(let gradient, let center, let from, let to):
            let stops = gradient.stops.map { "\($0.color.css) \(((to.degrees - from.degrees) * $0.location).css)deg" }
            return "conic-gradient(from \((from.degrees + 90).css)deg at \(center.css),\(stops.joined(separator: ",")))"
        default: return color
        }
    }

    /// The colour, or the first colour of a gradient.
    fileprivate var color: String {
        switch self {
        case .color(let color): color.css
        case .linear(let gradient, _, _), .radial(let gradient, _, _, _), .angular(let gradient, _, _, _):
            gradient.stops.first?.color.css ?? "transparent"
        case .material(let material): "var(--material-\(material.css))"
        case .tint: "var(--tint)"
        case .background: "var(--systemBackground)"
        case .level(let level):
            "var(--\(["label", "secondaryLabel", "tertiaryLabel", "quaternaryLabel"][min(max(level, 1), 4) - 1]))"
        case .faded(let paint, let share): "color-mix(in srgb, \(paint.color) \((share * 100).css)%, transparent)"
        }
    }
}

extension Color {
    fileprivate var css: String {
        switch base {
        case .system(let name): mixed("var(--\(name))")
        case .tint: mixed("var(--tint)")
        case .rgb(let red, let green, let blue):
            "rgb(\(red.byte) \(green.byte) \(blue.byte)\(alpha == 1 ? "" : " / \(alpha.css)"))"
        }
    }

    private func mixed(_ color: String) -> String {
        alpha == 1 ? color : "color-mix(in srgb, \(color) \((alpha * 100).css)%, transparent)"
    }
}

extension Path {
    /// Returns all subpaths as one polygon: the lines that connect the subpaths enclose no area.
    fileprivate func polygon(_ unit: String) -> String {
        func places(_ corners: [CGPoint]) -> String {
            corners.map { "\($0.x.css)\(unit) \($0.y.css)\(unit)" }.joined(separator: ",")
        }
        let all = polygons
        let start = all.first?.first ?? .zero
        var text = places([start])
        for corners in all {
            let piece = "," + places(corners + [corners[0], start])
            guard text.utf8.count + piece.utf8.count <= Self.maximumLength else { break }
            text += piece
        }
        return "polygon(\(text))"
    }
}

extension Gradient {
    fileprivate var css: String { stops.map { "\($0.color.css) \(($0.location * 100).css)%" }.joined(separator: ",") }
}

extension Material {
    fileprivate var css: String { thickness == .ultraThick ? "thick" : thickness.rawValue }
}

extension UnitPoint {
    fileprivate var css: String { "\((x * 100).css)% \((y * 100).css)%" }
}

extension EdgeInsets {
    fileprivate var css: String {
        if top == bottom, leading == trailing { return top == leading ? top.px : "\(top.px) \(leading.px)" }
        return "\(top.px) \(trailing.px) \(bottom.px) \(leading.px)"
    }
}

extension Alignment {
    fileprivate var css: String { "\(vertical.css) \(horizontal.css)" }
}

extension HorizontalAlignment {
    fileprivate var css: String { self == .leading ? "start" : self == .trailing ? "end" : "center" }
}

extension VerticalAlignment {
    fileprivate var css: String {
        switch self {
        case .top: "start"
        case .bottom: "end"
        case .firstTextBaseline: "baseline"
        case .lastTextBaseline: "last baseline"
        default: "center"
        }
    }
}

extension TextAlignment {
    // Layouts are from left to right, whatever the direction of a text.
    fileprivate var css: String { self == .leading ? "left" : self == .trailing ? "right" : "center" }
}

extension Double {
    fileprivate var css: String { plain }
    fileprivate var byte: String { Int((min(max(isFinite ? self : 0, 0), 1) * 255).rounded()).description }
}

extension CGFloat {
    fileprivate var css: String { Double(self).css }
    fileprivate var px: String { self == 0 ? "0" : "\(css)px" }
}
