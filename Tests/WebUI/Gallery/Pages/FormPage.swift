import SwiftUI

/// A form of settings.
struct FormPage: View {
    @State private var name = ""
    @State private var isOnline = true
    @State private var showsPreviews = false
    @State private var saved = "never"

    var body: some View {
        Form {
            Section("Profile") {
                TextField("Name", text: $name)
                ValueRow("Initial", name.first.map(String.init) ?? "none", identifier: "initial")
            }
            Section {
                Toggle("Online", isOn: $isOnline)
                Toggle("Show previews", isOn: $showsPreviews).disabled(!isOnline)
                NavigationLink("More") { Text("Nothing more").navigationTitle("More") }
            } header: {
                Text("Notifications")
            } footer: {
                Text("Previews need to be online.")
            }
            Section {
                Button("Save") { saved = name }
                    .disabled(name.isEmpty)
                ValueRow("Saved", saved, identifier: "saved")
            }
            Section {
                Button("Sign out", role: .destructive) { name = "" }
            }
        }
    }
}
