import SwiftUI

/// Vertical and horizontal scrolling, and staying at the end of growing content.
struct ScrollViewPage: View {
    @State private var lines = (1...40).map { "Line \($0)" }

    var body: some View {
        VStack(spacing: 12) {
            horizontal
            HStack(spacing: 12) {
                vertical
                growing
            }
            HStack {
                Text("Lines: \(lines.count)").accessibilityIdentifier("count")
                Spacer()
                Button("Add a line") { lines.append("Line \(lines.count + 1)") }
                    .buttonStyle(.borderedProminent)
            }
        }
        .padding()
    }

    private var horizontal: some View {
        ScrollView(.horizontal, showsIndicators: false) {
            HStack {
                ForEach(1..<21, id: \.self) { number in
                    Text("\(number)")
                        .font(.title2)
                        .frame(width: 72, height: 72)
                        .background(Color.teal.opacity(0.3), in: RoundedRectangle(cornerRadius: 12))
                }
            }
        }
        .accessibilityIdentifier("horizontal")
    }

    private var vertical: some View {
        ScrollView {
            LazyVStack(alignment: .leading, spacing: 8) {
                ForEach(1..<41, id: \.self) { Text("Row \($0)") }
            }
            .padding(8)
        }
        .accessibilityIdentifier("vertical")
        .background(Color(uiColor: .secondarySystemBackground), in: RoundedRectangle(cornerRadius: 12))
    }

    private var growing: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 8) {
                ForEach(lines, id: \.self) { Text($0) }
            }
            .padding(8)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .defaultScrollAnchor(.bottom)
        .clipped()
        .accessibilityIdentifier("growing")
        .background(Color(uiColor: .secondarySystemBackground), in: RoundedRectangle(cornerRadius: 12))
    }
}
