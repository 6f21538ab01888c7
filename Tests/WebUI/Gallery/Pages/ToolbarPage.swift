import SwiftUI

/// Items of the bars at the top, at the bottom, and above the keyboard.
struct ToolbarPage: View {
    @State private var last = "none"
    @State private var note = ""
    @State private var hasExtra = false

    var body: some View {
        List {
            ValueRow("Last", last, identifier: "last")
            Toggle("Another item", isOn: $hasExtra)
            TextField("A field, for the bar above the keyboard", text: $note)
            NavigationLink("Bars of a dialog") { DialogBars() }
        }
        .toolbar {
            ToolbarItemGroup(placement: .topBarTrailing) {
                if hasExtra { Button("Star", systemImage: "star.fill") { last = "Star" } }
                Button("Add", systemImage: "plus") { last = "Add" }
            }
            ToolbarItemGroup(placement: .bottomBar) {
                Button("Back in time") { last = "Back in time" }
                Spacer()
                Button("Delete", role: .destructive) { last = "Delete" }
            }
            ToolbarItemGroup(placement: .keyboard) {
                Spacer()
                Button("Insert a star") { note += "★" }
            }
        }
    }
}

/// Cancel and confirm buttons, and a custom title view.
private struct DialogBars: View {
    @State private var last = "none"
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        List {
            ValueRow("Last", last, identifier: "last")
        }
        .navigationBarBackButtonHidden()
        .navigationBarTitleDisplayMode(.inline)
        .toolbar {
            ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
            ToolbarItem(placement: .principal) {
                VStack {
                    Text("In the middle").font(.headline)
                    Text("Two lines").font(.caption).foregroundStyle(.secondary)
                }
            }
            ToolbarItem(placement: .confirmationAction) { Button("Done") { last = "Done" } }
        }
    }
}
