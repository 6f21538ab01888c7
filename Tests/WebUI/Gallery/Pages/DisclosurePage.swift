import SwiftUI

/// Groups that open and close, and views for missing content.
struct DisclosurePage: View {
    @State private var isOpen = true

    var body: some View {
        List {
            DisclosureGroup("Closed at first") {
                Text("First secret")
                Text("Second secret")
            }
            DisclosureGroup("Open at first", isExpanded: $isOpen) {
                ValueRow("Open", isOpen ? "yes" : "no", identifier: "open")
            }
            Section {
                DisclosureGroup {
                    Text("Below a label")
                } label: {
                    Label("With a symbol", systemImage: "folder")
                }
            }
            Section("ContentUnavailableView") {
                ContentUnavailableView(
                    "No Files", systemImage: "folder", description: Text("Files appear here once there are some."))
            }
        }
    }
}
