import SwiftUI

/// Rows that load more when the last one becomes visible.
struct RowsPage: View {
    var body: some View {
        List {
            ForEach(Rows.Container.allCases, id: \.self) { container in
                NavigationLink(container.rawValue) { Rows(container: container).navigationTitle(container.rawValue) }
            }
            NavigationLink("Ten thousand rows") { ManyRows().navigationTitle("Ten thousand rows") }
        }
    }
}

/// More rows than can be created at once.
private struct ManyRows: View {
    @State private var isMarked = false
    @State private var first = 1

    var body: some View {
        ScrollViewReader { proxy in
            VStack(spacing: 0) {
                HStack {
                    Button("Mark") { isMarked.toggle() }
                    Spacer()
                    Button("Insert") { first -= 1 }
                    Spacer()
                    Button("Row 7,000") { proxy.scrollTo(7_000, anchor: .top) }
                }
                .padding()
                ScrollView {
                    LazyVStack(spacing: 0) {
                        ForEach(Array(first...10_000), id: \.self) { number in
                            // Different heights, which nobody can know before.
                            Text(verbatim: "Row \(number)").fontWeight(isMarked ? .bold : .regular).padding(
                                .vertical, number % 7 == 0 ? 24 : 8)
                        }
                    }
                }
            }
        }
    }
}

private struct Rows: View {
    nonisolated enum Container: String, CaseIterable {
        case list = "Rows of a list"
        case stack = "Rows of a stack"
        case grid = "Cells of a grid"
        case line = "Columns of a stack"
    }
    let container: Container
    @State private var count = 30
    @State private var seen = 0
    @State private var isMarked = false

    var body: some View {
        VStack(spacing: 0) {
            HStack {
                Text("Rows: \(count)").accessibilityIdentifier("rows")
                Spacer()
                Text("Seen: \(seen)").accessibilityIdentifier("seen")
                Spacer()
                Button("Mark") { isMarked.toggle() }
            }
            .padding()
            switch container {
            case .list: List { rows }
            case .stack: ScrollView { LazyVStack { rows } }
            case .grid: ScrollView { LazyVGrid(columns: [GridItem(.flexible()), GridItem(.flexible())]) { rows } }
            case .line: ScrollView(.horizontal) { LazyHStack { rows } }
            }
        }
    }

    private var rows: some View {
        ForEach(1...count, id: \.self) { number in
            Text("Row \(number)")
                .fontWeight(isMarked ? .bold : .regular)
                .padding()
                .onAppear { appeared(number) }
        }
    }

    private func appeared(_ number: Int) {
        seen += 1
        if number == count, count < 90 { count += 30 }
    }
}
