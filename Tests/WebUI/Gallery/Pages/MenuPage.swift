import SwiftUI

/// Menus of actions.
struct MenuPage: View {
    @State private var last = "none"
    @State private var fruit = "apple"

    var body: some View {
        List {
            Section {
                HStack {
                    Text("In a row")
                    Spacer()
                    Menu {
                        Button("Copy", systemImage: "doc.on.doc") { last = "Copy" }
                        Button("Rename", systemImage: "pencil") { last = "Rename" }
                        Button("Locked") { last = "Locked" }.disabled(true)
                        Button("Delete", systemImage: "trash", role: .destructive) { last = "Delete" }
                    } label: {
                        Image(systemName: "ellipsis.circle").accessibilityLabel("Actions")
                    }
                }
                ValueRow("Last", last, identifier: "last")
            }
            Section {
                Menu("With a choice") {
                    Picker("Fruit", selection: $fruit) {
                        ForEach(["apple", "pear", "plum"], id: \.self) { Text($0).tag($0) }
                    }
                }
                ValueRow("Fruit", fruit, identifier: "fruit")
            }
        }
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                Menu("More", systemImage: "ellipsis") {
                    ForEach(1..<31) { number in Button("Action \(number)") { last = "Action \(number)" } }
                }
                .labelStyle(.iconOnly)
            }
        }
    }
}
