import SwiftUI

/// Fixed, flexible and adaptive columns.
struct GridPage: View {
    @State private var count = 7

    var body: some View {
        SamplePage {
            HStack {
                Text("Tiles: \(count)").accessibilityIdentifier("count")
                Spacer()
                Button("Remove") { count = max(count - 1, 0) }
                Button("Add") { count += 1 }
            }
            .buttonStyle(.bordered)
            grid("Three flexible columns", Array(repeating: GridItem(.flexible()), count: 3))
            grid("As many as fit, 60 points at least", [GridItem(.adaptive(minimum: 60))])
            grid("Fixed, flexible, fixed", [GridItem(.fixed(50)), GridItem(.flexible()), GridItem(.fixed(50))])
            Sample("Columns as wide as their widest cell") { table }
            Sample("Aligned at the leading edge") {
                LazyVGrid(columns: [GridItem(.flexible()), GridItem(.flexible())], alignment: .leading, spacing: 8) {
                    Text("Name").bold()
                    Text("Size").bold()
                    Text("A file with a long name that wraps")
                    Text("12 KB")
                }
            }
        }
    }

    private var table: some View {
        Grid(alignment: .topLeading, horizontalSpacing: 16, verticalSpacing: 6) {
            GridRow {
                Text("City").bold()
                Text("People").bold().gridColumnAlignment(.trailing)
            }
            Divider()
            ForEach(["Seoul", "Ulaanbaatar", "Lima"], id: \.self) { city in
                GridRow {
                    Text(city).accessibilityIdentifier("cell")
                    Text(city == "Lima" ? "10,092,000" : "1,672,627").gridColumnAlignment(.trailing)
                }
            }
        }
    }

    private func grid(_ title: String, _ columns: [GridItem]) -> some View {
        Sample(title) {
            LazyVGrid(columns: columns, spacing: 8) {
                ForEach(0..<count, id: \.self) { number in
                    Text("\(number + 1)")
                        .frame(maxWidth: .infinity, minHeight: 40)
                        .background(Color.blue.opacity(0.2), in: RoundedRectangle(cornerRadius: 8))
                }
            }
        }
    }
}
