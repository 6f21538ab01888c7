/// An outline of lines and curves. As a view, a path is drawn in points from the top leading corner; a custom ``Shape`` creates a
/// path for its rectangle.
nonisolated public struct Path: Equatable, Sendable {
    private enum Element: Equatable {
        case move(CGPoint)
        case line(CGPoint)
        case quadCurve(CGPoint, control: CGPoint)
        case curve(CGPoint, control1: CGPoint, control2: CGPoint)
        case close
    }
    private var elements: [Element] = []

    public init() {}
    public init(_ rect: CGRect) { addRect(rect) }
    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: cornerSize, style: style)
    }
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }
    public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }
    public init(_ callback: (inout Path) -> Void) { callback(&self) }

    public var isEmpty: Bool { elements.isEmpty }

    public mutating func move(to end: CGPoint) { elements.append(.move(end)) }

    // Without a current point there is no line, as on Apple's systems.
    public mutating func addLine(to end: CGPoint) { if !isEmpty { elements.append(.line(end)) } }
    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
        if !isEmpty { elements.append(.quadCurve(end, control: control)) }
    }
    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        if !isEmpty { elements.append(.curve(end, control1: control1, control2: control2)) }
    }
    public mutating func closeSubpath() { if !isEmpty, elements.last != .close { elements.append(.close) } }

    public mutating func addLines(_ lines: [CGPoint]) {
        guard let first = lines.first else { return }
        move(to: first)
        for point in lines.dropFirst() { addLine(to: point) }
    }
    public mutating func addRect(_ rect: CGRect) {
        let (right, bottom) = (rect.maxX, rect.maxY)
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: right, y: rect.minY), CGPoint(x: right, y: bottom),
            CGPoint(x: rect.minX, y: bottom),
        ])
        closeSubpath()
    }
    public mutating func addRects(_ rects: [CGRect]) { for rect in rects { addRect(rect) } }

    /// Adds a rectangle whose corners are quarter ellipses.
    public mutating func addRoundedRect(in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, corners: Array(repeating: cornerSize, count: 4))
    }
    public mutating func addEllipse(in rect: CGRect) {
        addRoundedRect(in: rect, cornerSize: CGSize(width: rect.width / 2, height: rect.height / 2))
    }
    public mutating func addRoundedRect(
        in rect: CGRect, cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous
    ) {
        let radii = [cornerRadii.topLeading, cornerRadii.topTrailing, cornerRadii.bottomTrailing, cornerRadii.bottomLeading]
        addRoundedRect(in: rect, corners: radii.map { CGSize(width: $0, height: $0) })
    }

    /// Adds a rectangle with these corner sizes, clockwise from the top left corner.
    private mutating func addRoundedRect(in rect: CGRect, corners: [CGSize]) {
        for (number, size) in corners.enumerated() {
            let width = min(max(size.width, 0), rect.width / 2)
            let height = min(max(size.height, 0), rect.height / 2)
            let center = CGPoint(
                x: number == 0 || number == 3 ? rect.minX + width : rect.maxX - width,
                y: number < 2 ? rect.minY + height : rect.maxY - height)
            addArc(
                center, width, height, from: .pi * (1 + Double(number) / 2), by: width > 0 && height > 0 ? .pi / 2 : 0,
                isNew: number == 0)
        }
        closeSubpath()
    }

    /// Adds an arc, with a line from the current point to its start. The y axis points down, so the arc runs clockwise on screen where `clockwise` is
    /// false.
    public mutating func addArc(center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool) {
        let turn = 2 * Double.pi
        var sweep = (endAngle.radians - startAngle.radians) * (clockwise ? -1 : 1)
        // A full turn or more, in either direction, is a circle.
        if abs(sweep) >= turn { sweep = turn } else if sweep < 0 { sweep += turn }
        addArc(center, radius, radius, from: startAngle.radians, by: clockwise ? -sweep : sweep, isNew: isEmpty)
    }

    /// Adds a part of an ellipse, in curves of at most a quarter.
    private mutating func addArc(
        _ center: CGPoint, _ width: CGFloat, _ height: CGFloat, from start: Double, by sweep: Double, isNew: Bool
    ) {
        func point(_ angle: Double, out: Double = 0) -> CGPoint {
            CGPoint(
                x: center.x + width * (cos(angle) - out * sin(angle)), y: center.y + height * (sin(angle) + out * cos(angle)))
        }
        if isNew { move(to: point(start)) } else { addLine(to: point(start)) }
        guard sweep.isFinite, sweep != 0 else { return }
        let pieces = (abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)
        let step = sweep / pieces
        let out = tan(step / 4) * 4 / 3
        for number in 0..<Int(pieces) {
            let (from, to) = (start + step * Double(number), start + step * Double(number + 1))
            addCurve(to: point(to), control1: point(from, out: out), control2: point(to, out: -out))
        }
    }
}

// MARK: Page representation

extension Path {
    /// Maximum length of one path on the page, in bytes. Elements beyond it are omitted.
    package static let maximumLength = 65_536

    /// The path in the syntax of `d` in SVG.
    package var outline: String {
        var text = ""
        var last: (x: String, y: String)?
        /// Returns a path command with its points.
        func piece(_ sign: String, _ points: CGPoint...) -> String {
            let places = points.map { (x: $0.x.plain, y: $0.y.plain) }
            defer { last = places.last }
            guard sign == "L", let last, let end = places.first, end.x == last.x || end.y == last.y else {
                return sign + places.map { "\($0.x) \($0.y)" }.joined(separator: " ")
            }
            return end == last ? "" : end.y == last.y ? "H\(end.x)" : "V\(end.y)"
        }
        for element in elements {
            let piece =
                switch element {
                case .move(let end): piece("M", end)
                case .line(let end): piece("L", end)
                case .quadCurve(let end, let control): piece("Q", control, end)
                case .curve(let end, let control1, let control2): piece("C", control1, control2, end)
                case .close: piece("Z")
                }
            guard text.utf8.count + piece.utf8.count <= Self.maximumLength else { break }
            text += piece
        }
        return text
    }

    /// The corners of each subpath, with curves as polylines.
    package var polygons: [[CGPoint]] {
        var result: [[CGPoint]] = []
        var current: [CGPoint] = []
        func finish() {
            if current.count > 1 { result.append(current) }
        }
        /// Appends points on the Bézier curve with these control points.
        func bend(_ points: [CGPoint]) {
            let start = current.last ?? points[0]
            for step in 1...12 {
                var all = [start] + points
                let part = Double(step) / 12
                while all.count > 1 {
                    all = zip(all, all.dropFirst()).map { one, next in
                        CGPoint(x: one.x + (next.x - one.x) * part, y: one.y + (next.y - one.y) * part)
                    }
                }
                current.append(all[0])
            }
        }
        for element in elements {
            switch element {
            case .move(let end):
                finish()
                current = [end]
            case .line(let end): current.append(end)
            case .quadCurve(let end, let control): bend([control, end])
            case .curve(let end, let control1, let control2): bend([control1, control2, end])
            case .close:
                finish()
                current = Array(current.prefix(1))
            }
        }
        finish()
        return result
    }

    /// True if all edges are parallel to an axis, so that they can be drawn without antialiasing.
    var isRectilinear: Bool {
        let isBent = elements.contains { if case .curve = $0 { true } else if case .quadCurve = $0 { true } else { false } }
        return !isBent
            && polygons.allSatisfy { corners in
                zip(corners, corners.dropFirst() + corners.prefix(1)).allSatisfy {
                    abs($0.x - $1.x) < 1e-6 || abs($0.y - $1.y) < 1e-6
                }
            }
    }
}

extension Double {
    /// The number with at most three decimal places; 0 for NaN and infinity.
    package var plain: String {
        guard isFinite, abs(self) < 1e9 else { return "0" }
        let thousandths = (self * 1000).rounded() / 1000
        return Int(exactly: thousandths).map(String.init) ?? thousandths.description
    }
}

extension CGFloat {
    package var plain: String { Double(self).plain }
}

extension Path: Shape {
    public func path(in rect: CGRect) -> Path { self }
    public var _corners: _Corners { .path(self, isStretched: false) }
}
