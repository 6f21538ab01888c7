import SwiftUI

/// Alerts.
struct AlertPage: View {
    @State private var answer = "none"
    @State private var showsNote = false
    @State private var asksToDelete = false
    @State private var asksAmongThree = false
    @State private var asksForName = false
    @State private var fails = false
    @State private var name = ""

    var body: some View {
        List {
            Section {
                Button("A note") { showsNote = true }
                Button("A question") { asksToDelete = true }
                Button("Three answers") { asksAmongThree = true }
                Button("A field") { asksForName = true }
                Button("An error") { fails = true }
            }
            Section {
                ValueRow("Answer", answer, identifier: "answer")
            }
        }
        .alert("Saved", isPresented: $showsNote) {}
        .alert("Delete the message?", isPresented: $asksToDelete) {
            Button("Delete", role: .destructive) { answer = "deleted" }
            Button("Cancel", role: .cancel) { answer = "cancelled" }
        } message: {
            Text("It is removed from all your devices. This cannot be undone.")
        }
        .alert("Which one?", isPresented: $asksAmongThree) {
            ForEach(["One", "Two", "Three"], id: \.self) { choice in Button(choice) { answer = choice } }
        }
        .alert("Your name", isPresented: $asksForName) {
            TextField("Name", text: $name)
            Button("OK") { answer = "name \(name)" }
            Button("Cancel", role: .cancel) {}
        } message: {
            Text("It is shown to others.")
        }
        .alert(isPresented: $fails, error: SampleError()) {
            Button("Try again") { answer = "again" }
        }
    }
}

nonisolated private struct SampleError: LocalizedError {
    var errorDescription: String? { "The box cannot be reached" }
}
