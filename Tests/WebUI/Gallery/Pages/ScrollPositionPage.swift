import SwiftUI

/// A bar that leaves while the user scrolls down, by the row at the top.
struct ScrollPositionPage: View {
    @State private var row: Int?
    @State private var isBarShown = true

    var body: some View {
        ScrollView {
            LazyVStack(spacing: 0) {
                ForEach(0..<200) { number in
                    Text("Line \(number)").frame(maxWidth: .infinity, minHeight: 44)
                }
            }
            .scrollTargetLayout()
        }
        .accessibilityIdentifier("lines")
        .scrollPosition(id: $row)
        .onChange(of: row) { old, new in
            guard let new else { return }
            withAnimation { isBarShown = new < old ?? 0 || new == 0 }
        }
        .safeAreaInset(edge: .bottom) {
            HStack {
                Text("At \(row ?? 0)").accessibilityIdentifier("row")
                Spacer()
                Button("Line 100") { row = 100 }
                if isBarShown { Text("The bar").transition(.opacity) }
            }
            .padding()
        }
    }
}
