import SwiftUI

/// List styles, insertion and removal, and row styles.
struct ListPage: View {
    @State private var fruit = ["Apple", "Banana", "Cherry"]
    private let more = ["Date", "Elderberry", "Fig", "Grape"]

    var body: some View {
        List {
            Section("Looks") {
                NavigationLink("Plain") { ListLook().listStyle(.plain).navigationTitle("Plain") }
                NavigationLink("Grouped") { ListLook().listStyle(.grouped).navigationTitle("Grouped") }
                NavigationLink("Inset grouped") { ListLook().listStyle(.insetGrouped).navigationTitle("Inset grouped") }
            }
            Section {
                ForEach(fruit, id: \.self) { CountedRow(name: $0) }
                Button("Add at the top") { add() }
                Button("Reverse") { fruit.reverse() }
                Button("Remove the last", role: .destructive) { _ = fruit.popLast() }
            } header: {
                Text("Rows that come and go")
            } footer: {
                Text("Each row counts its own taps, wherever it goes.")
            }
            Section("Rows that look different") {
                Text("Coloured").listRowBackground(Color.yellow.opacity(0.3))
                Text("No line below").listRowSeparator(.hidden)
                Text("Insets of its own").listRowInsets(EdgeInsets(top: 24, leading: 48, bottom: 24, trailing: 16))
                Text("Two lines, because there is more to say in this row than would ever fit into a single one")
            }
        }
    }

    private func add() {
        if let next = more.first(where: { !fruit.contains($0) }) { fruit.insert(next, at: 0) }
    }
}

/// A row with state.
private struct CountedRow: View {
    let name: String
    @State private var taps = 0

    var body: some View { Button("\(name): \(taps)") { taps += 1 } }
}

/// The same rows in a list style.
private struct ListLook: View {
    var body: some View {
        List {
            Section("First") {
                ForEach(1..<4, id: \.self) { Text("Row \($0)") }
            }
            Section {
                ForEach(4..<7, id: \.self) { number in
                    Label("Row \(number)", systemImage: "star.fill")
                }
            } header: {
                Text("Second")
            } footer: {
                Text("A footer says more about a section.")
            }
            Section {
                ForEach(7..<21, id: \.self) { Text("Row \($0)") }
            }
        }
        .navigationBarTitleDisplayMode(.inline)
    }
}
