import SwiftUI
import Testing

/// Paths and custom shapes.
@MainActor
@Suite struct PathTests {
    private struct Triangle: Shape {
        func path(in rect: CGRect) -> Path {
            Path { path in
                path.move(to: CGPoint(x: rect.midX, y: rect.minY))
                path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
                path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
                path.closeSubpath()
            }
        }
    }
    private let square = CGRect(x: 0, y: 0, width: 100, height: 100)

    private func path<V: View>(_ view: V) throws -> Element {
        try #require(ViewDriver(view).visible.first { $0.kind == .path })
    }

    @Test func outlinesAreSVGPaths() {
        #expect(Path(CGRect(x: 1, y: 2, width: 3, height: 4)).outline == "M1 2H4V6H1Z")
        let curves = Path { path in
            path.move(to: .zero)
            path.addLine(to: CGPoint(x: 1.0 / 3, y: 5))
            path.addQuadCurve(to: CGPoint(x: 1, y: 2), control: CGPoint(x: 3, y: 4))
            path.addCurve(to: CGPoint(x: 1, y: 2), control1: CGPoint(x: 3, y: 4), control2: CGPoint(x: 5, y: 6))
            path.closeSubpath()
            path.closeSubpath()
            path.addLine(to: CGPoint(x: 0, y: 7))
        }
        #expect(curves.outline == "M0 0L0.333 5Q3 4 1 2C3 4 5 6 1 2ZL0 7")
        #expect(
            Path(ellipseIn: square).outline
                == "M0 50C0 22.386 22.386 0 50 0C77.614 0 100 22.386 100 50C100 77.614 77.614 100 50 100C22.386 100 0 77.614 0 50Z")
        #expect(Path { $0.addLines([.zero, CGPoint(x: 0, y: 9)]) }.outline == "M0 0V9")
    }

    @Test func aLineNeedsACurrentPoint() {
        var path = Path()
        #expect(path.isEmpty)
        path.addLine(to: .zero)
        path.addQuadCurve(to: .zero, control: .zero)
        path.addCurve(to: .zero, control1: .zero, control2: .zero)
        path.addLines([])
        path.closeSubpath()
        #expect(path.isEmpty)
        path.move(to: .zero)
        #expect(!path.isEmpty)
        #expect(path.outline == "M0 0")
    }

    @Test func invalidNumbersBecomeZero() {
        var path = Path(CGRect(x: Double.nan, y: .infinity, width: 1e300, height: -.infinity))
        path.addArc(center: .zero, radius: .nan, startAngle: .degrees(.nan), endAngle: .degrees(.infinity), clockwise: false)
        path.addEllipse(in: CGRect(x: 0, y: 0, width: -5, height: Double.nan))
        #expect(!path.outline.contains("n"))
        #expect(!path.outline.contains("e"))
    }

    @Test func arcDirectionsAreFlippedAsInSwiftUI() {
        func ends(_ start: Double, _ end: Double, _ clockwise: Bool) -> (pieces: Int, farthest: CGPoint?) {
            let path = Path {
                $0.addArc(
                    center: .zero, radius: 10, startAngle: .degrees(start), endAngle: .degrees(end), clockwise: clockwise)
            }
            let corners = path.polygons.first ?? []
            return (path.outline.count { $0 == "C" }, corners.isEmpty ? nil : corners[corners.count / 2])
        }
        // The y axis points down.
        #expect(ends(0, 90, false).pieces == 1)
        #expect(ends(0, 90, false).farthest.map { $0.x > 5 && $0.y > 5 } == true)
        #expect(ends(0, 90, true).pieces == 3)
        #expect(ends(0, -90, true).farthest.map { $0.x > 5 && $0.y < -5 } == true)
        #expect(ends(-90, 270, false).pieces == 4)
        #expect(ends(0, 360, true).pieces == 4)
        #expect(ends(0, 5000, false).pieces == 4)
        #expect(ends(30, 30, false).pieces == 0)
    }

    @Test func anArcJoinsTheCurrentPoint() {
        let slice = Path { path in
            path.move(to: .zero)
            path.addArc(center: .zero, radius: 10, startAngle: .zero, endAngle: .degrees(90), clockwise: false)
            path.closeSubpath()
        }
        #expect(slice.outline.hasPrefix("M0 0H10C10 5.523 5.523 10 0 10Z"))
    }

    @Test func shapesAreEvaluatedOnceForAHundredByAHundred() throws {
        let element = try path(Triangle().fill(.red))
        #expect(element.attributes[.outline] == "M50 0L100 100H0Z")
        #expect(element.attributes[.inPoints] == nil)
        #expect(element.style == [.fill(.color(.red), isEvenOdd: false)])
        #expect(element.flags == .both)
    }

    @Test func aPathWithoutAShapeIsInPoints() throws {
        let element = try path(Path(CGRect(x: 5, y: 5, width: 30, height: 30)).stroke(.blue, lineWidth: 3))
        #expect(element.attributes[.inPoints] == .on)
        #expect(element.style == [.stroke(.color(.blue), StrokeStyle(lineWidth: 3)), .crispEdges])
    }

    @Test func aShapeInheritsItsColour() throws {
        #expect(try path(Triangle()).style == [.fill(.level(1), isEvenOdd: false)])
        #expect(try path(Triangle().foregroundStyle(.green)).style == [.fill(.color(.green), isEvenOdd: false)])
        #expect(try path(VStack { Triangle() }.foregroundStyle(.green)).style == [.fill(.color(.green), isEvenOdd: false)])
        #expect(try path(Triangle().opacity(0.5)).style == [.opacity(0.5), .fill(.level(1), isEvenOdd: false)])
    }

    @Test func aFillMayBeEvenOddAndHaveHardEdges() throws {
        let style = FillStyle(eoFill: true, antialiased: false)
        #expect(try path(Triangle().fill(.red, style: style)).style == [.fill(.color(.red), isEvenOdd: true), .crispEdges])
    }

    @Test func squaresHaveCrispEdges() throws {
        struct Squares: Shape {
            func path(in rect: CGRect) -> Path {
                Path { path in
                    for place in 0..<41 where place % 3 != 0 {
                        let side = rect.width / 41
                        path.addRect(CGRect(x: Double(place) * side, y: Double(place) * side, width: side, height: side))
                    }
                }
            }
        }
        #expect(try path(Squares()).style.contains(.crispEdges))
        #expect(try !path(Triangle()).style.contains(.crispEdges))
        #expect(try !path(Path(ellipseIn: square)).style.contains(.crispEdges))
        // The closing line is oblique.
        #expect(try !path(Path { $0.addLines([.zero, CGPoint(x: 5, y: 0), CGPoint(x: 5, y: 5)]) }).style.contains(.crispEdges))
    }

    @Test func anOverlongPathEndsWithACompleteElement() throws {
        let long = Path { path in
            path.addRects((0..<10_000).map { CGRect(x: Double($0), y: 0.123, width: 0.5, height: 1) })
        }
        let outline = long.outline
        #expect(outline.utf8.count <= Path.maximumLength)
        #expect(outline.utf8.count > Path.maximumLength - 30)
        #expect(try #require(outline.split(separator: "M").first) == "0 0.123H0.5V1.123H0Z")
        // The rest after the cut is dropped.
        let pieces = outline.count { $0.isLetter }
        var same = Path()
        for number in 0..<(pieces / 5 + 1) { same.addRect(CGRect(x: Double(number), y: 0.123, width: 0.5, height: 1)) }
        #expect(same.outline.hasPrefix(outline))
    }

    @Test func onlyBoxesTakeGradients() throws {
        let gradient = ViewDriver(Triangle().fill(.linearGradient))
        let shape = try #require(gradient.visible.first { $0.kind == .shape })
        #expect(shape.style.first == .corners(.path(Triangle().path(in: square), isStretched: true)))
        let clipped = ViewDriver(Text("a").clipShape(Triangle())).visible.last
        #expect(clipped?.style == [.corners(.path(Triangle().path(in: square), isStretched: true))])
    }

    @Test func theShapesOfTheSystemHavePathsToo() {
        let wide = CGRect(x: 10, y: 10, width: 80, height: 40)
        func box<S: Shape>(_ shape: S) -> CGRect {
            let corners = shape.path(in: wide).polygons.flatMap { $0 }
            let (x, y) = (corners.map(\.x), corners.map(\.y))
            let (left, top) = (x.min() ?? 0, y.min() ?? 0)
            return CGRect(x: left, y: top, width: (x.max() ?? 0) - left, height: (y.max() ?? 0) - top)
        }
        func isSame(_ one: CGRect, _ other: CGRect) -> Bool {
            abs(one.minX - other.minX) + abs(one.minY - other.minY) + abs(one.maxX - other.maxX) + abs(one.maxY - other.maxY) < 0.01
        }
        #expect(isSame(box(Rectangle()), wide))
        #expect(isSame(box(RoundedRectangle(cornerRadius: 500)), wide))
        #expect(isSame(box(UnevenRoundedRectangle(topLeadingRadius: 10)), wide))
        #expect(isSame(box(Capsule()), wide))
        #expect(isSame(box(Ellipse()), wide))
        #expect(isSame(box(Circle()), CGRect(x: 30, y: 10, width: 40, height: 40)))
    }
}

extension ShapeStyle where Self == LinearGradient {
    fileprivate static var linearGradient: LinearGradient {
        LinearGradient(colors: [.red, .blue], startPoint: .top, endPoint: .bottom)
    }
}
