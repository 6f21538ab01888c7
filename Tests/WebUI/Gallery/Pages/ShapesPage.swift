import SwiftUI

/// Shapes: filled, stroked, and for clipping.
struct ShapesPage: View {
    private let columns = Array(repeating: GridItem(.flexible(), spacing: 16), count: 3)

    var body: some View {
        SamplePage {
            Sample("Filled") { LazyVGrid(columns: columns, spacing: 16) { filled } }
            Sample("Outlined") { LazyVGrid(columns: columns, spacing: 16) { outlined } }
            Sample("Cut") { LazyVGrid(columns: columns, spacing: 16) { cut } }
            Sample("Of one's own") { LazyVGrid(columns: columns, spacing: 16) { own } }
        }
    }

    @ViewBuilder private var filled: some View {
        tile("Rectangle") { Rectangle().fill(.red) }
        tile("Rounded") { RoundedRectangle(cornerRadius: 16).fill(.orange) }
        tile("Uneven") { UnevenRoundedRectangle(topLeadingRadius: 30, bottomTrailingRadius: 30).fill(.yellow) }
        tile("Capsule") { Capsule().fill(.green) }
        tile("Circle") { Circle().fill(.blue) }
        tile("Ellipse") { Ellipse().fill(.purple) }
    }

    @ViewBuilder private var outlined: some View {
        tile("Border inside") { RoundedRectangle(cornerRadius: 16).strokeBorder(.red, lineWidth: 4) }
        tile("Stroke") { RoundedRectangle(cornerRadius: 16).stroke(.green, lineWidth: 4) }
        tile("Dashed") { Circle().stroke(.blue, style: StrokeStyle(lineWidth: 2, dash: [6])) }
    }

    @ViewBuilder private var cut: some View {
        tile("Circle") { Color.teal.gradient.clipped(in: Circle()) }
        tile("Capsule") { Color.pink.gradient.clipped(in: Capsule()) }
        tile("Corners") { Color.indigo.cornerRadius(20) }
    }

    @ViewBuilder private var own: some View {
        tile("Star") { Star().fill(.orange) }
        tile("Even-odd") { Star().fill(.orange, style: FillStyle(eoFill: true)) }
        tile("Gradient") { Star().fill(Color.pink.gradient) }
        tile("Stroke") { Wave().stroke(.blue, lineWidth: 3) }
        tile("Dashed stroke") { Wave().stroke(.blue, style: StrokeStyle(lineWidth: 2, dash: [6, 3])) }
        tile("Cut by a star") { Color.teal.clipShape(Star()) }
        tile("Squares") { Checkers().aspectRatio(1, contentMode: .fit).frame(width: 64) }
        tile("Colour around") { Star().foregroundStyle(.purple) }
        tile("In points") { Path(ellipseIn: CGRect(x: 8, y: 8, width: 48, height: 48)).stroke(.green, lineWidth: 4) }
    }

    private func tile(_ name: String, @ViewBuilder shape: () -> some View) -> some View {
        VStack(spacing: 6) {
            shape().frame(height: 64)
            Text(name).font(.caption)
        }
    }
}

extension ShapeStyle {
    /// A rectangle in this style, clipped to `shape`.
    fileprivate func clipped(in shape: some Shape) -> some View { Rectangle().fill(self).clipShape(shape) }
}

/// Five points, each joined to the next but one.
nonisolated private struct Star: Shape {
    func path(in rect: CGRect) -> Path {
        Path { path in
            path.addLines(
                (0..<5).map { number in
                    let angle = Double(number) * 0.8 * .pi
                    return CGPoint(x: rect.midX + rect.width / 2 * sin(angle), y: rect.midY - rect.height / 2 * cos(angle))
                })
            path.closeSubpath()
        }
    }
}

/// One swing up and one down.
nonisolated private struct Wave: Shape {
    func path(in rect: CGRect) -> Path {
        Path { path in
            path.move(to: CGPoint(x: rect.minX, y: rect.midY))
            path.addCurve(
                to: CGPoint(x: rect.maxX, y: rect.midY), control1: CGPoint(x: rect.width * 0.4, y: -rect.height),
                control2: CGPoint(x: rect.width * 0.6, y: rect.height * 2))
        }
    }
}

/// Adjacent squares, as many as in a QR code.
nonisolated private struct Checkers: Shape {
    func path(in rect: CGRect) -> Path {
        let side = rect.width / 29
        return Path { path in
            for row in 0..<29 {
                for column in 0..<29 where row % 7 == 0 || column % 7 == 0 || (row + column) % 2 == 0 {
                    path.addRect(
                        CGRect(x: Double(column) * side, y: Double(row) * side, width: side, height: side))
                }
            }
        }
    }
}
