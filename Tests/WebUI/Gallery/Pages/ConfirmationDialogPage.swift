import SwiftUI

/// Confirmation dialogs.
struct ConfirmationDialogPage: View {
    @State private var answer = "none"
    @State private var asks = false
    @State private var asksWithTitle = false

    var body: some View {
        List {
            Section {
                Button("Without a title") { asks = true }
                Button("With title and message") { asksWithTitle = true }
            }
            Section {
                ValueRow("Answer", answer, identifier: "answer")
            }
        }
        .confirmationDialog("Sort the list", isPresented: $asks) {
            Button("By name") { answer = "name" }
            Button("By date") { answer = "date" }
        }
        .confirmationDialog("Delete the draft?", isPresented: $asksWithTitle, titleVisibility: .visible) {
            Button("Save it") { answer = "saved" }
            Button("Delete it", role: .destructive) { answer = "deleted" }
            Button("Keep writing", role: .cancel) { answer = "kept" }
        } message: {
            Text("What is not saved is lost.")
        }
    }
}
