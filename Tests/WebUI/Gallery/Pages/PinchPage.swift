import SwiftUI

/// Two fingers change the size of a text that scrolls both ways.
struct PinchPage: View {
    @State private var size: CGFloat = 14
    @State private var scale: CGFloat = 1
    @State private var pinches = 0
    @State private var taps = 0

    /// Whole points, so that few scales are drawn.
    private var shownSize: CGFloat { min(max((size * scale).rounded(), 8), 40) }

    var body: some View {
        VStack(alignment: .leading) {
            Text("\(Int(shownSize)) points after \(pinches) pinches, \(taps) taps")
                .monospacedDigit()
                .accessibilityIdentifier("size")
            ScrollView([.horizontal, .vertical]) {
                Text(verbatim: Self.code)
                    .font(.system(size: shownSize, design: .monospaced))
                    .fixedSize(horizontal: true, vertical: false)
                    .padding()
            }
            .accessibilityIdentifier("code")
            .onTapGesture { taps += 1 }
            .simultaneousGesture(
                MagnifyGesture()
                    .onChanged { scale = $0.magnification }
                    .onEnded { _ in
                        size = shownSize
                        scale = 1
                        pinches += 1
                    })
        }
        .padding()
    }

    private static let code = (1...60)
        .map { "let line\($0) = \"a line of code that is wider than the screen of any phone that is held upright\"" }
        .joined(separator: "\n")
}
