import SwiftUI

/// Scrolling views inside each other, across and along. What the inner one does not scroll, the outer one does.
struct NestedScrollPage: View {
    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 16) {
                chips
                upright
                ForEach(1..<41) { Text("Row \($0)") }
            }
            .padding()
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .accessibilityIdentifier("page")
    }

    /// A row of short texts, wider than the screen.
    private var chips: some View {
        ScrollView(.horizontal, showsIndicators: false) {
            HStack {
                ForEach(1..<21) { number in
                    Text("Choice \(number)")
                        .padding(12)
                        .background(Color.teal.opacity(0.3), in: RoundedRectangle(cornerRadius: 12))
                }
            }
        }
        .accessibilityIdentifier("chips")
    }

    /// A column that scrolls, in a row that scrolls.
    private var upright: some View {
        ScrollView(.horizontal) {
            HStack {
                ScrollView {
                    VStack(alignment: .leading) { ForEach(1..<41) { Text("Line \($0)") } }.padding()
                }
                .frame(width: 300, height: 200)
                .border(Color.secondary)
                .accessibilityIdentifier("inner")
                Text("Beside").frame(width: 300, height: 200).border(Color.secondary)
            }
        }
        .accessibilityIdentifier("outer")
    }
}
