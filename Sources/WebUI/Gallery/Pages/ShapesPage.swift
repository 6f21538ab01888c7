import SwiftUI

/// Forms: filled, outlined, to cut with.
struct ShapesPage: View {
    private let columns = Array(repeating: GridItem(.flexible(), spacing: 16), count: 3)

    var body: some View {
        SamplePage {
            Sample("Filled") { LazyVGrid(columns: columns, spacing: 16) { filled } }
            Sample("Outlined") { LazyVGrid(columns: columns, spacing: 16) { outlined } }
            Sample("Cut") { LazyVGrid(columns: columns, spacing: 16) { cut } }
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

    private func tile(_ name: String, @ViewBuilder shape: () -> some View) -> some View {
        VStack(spacing: 6) {
            shape().frame(height: 64)
            Text(name).font(.caption)
        }
    }
}

extension ShapeStyle {
    /// All room in this style, cut to `shape`.
    fileprivate func clipped(in shape: some Shape) -> some View { Rectangle().fill(self).clipShape(shape) }
}
