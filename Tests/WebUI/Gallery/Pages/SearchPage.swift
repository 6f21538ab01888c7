import SwiftUI

/// A list with a search field.
struct SearchPage: View {
    private static let names = ["Ada", "Barbara", "Edsger", "Grace", "Ken", "Margaret"]
    @State private var text = ""
    @State private var submitted = ""

    private var found: [String] { text.isEmpty ? Self.names : Self.names.filter { $0.localizedCaseInsensitiveContains(text) } }

    var body: some View {
        SearchResults(names: found, text: text, submitted: submitted)
            .searchable(text: $text, prompt: "Names")
            .onSubmit(of: .search) { submitted = text }
    }
}

private struct SearchResults: View {
    let names: [String]
    let text: String
    let submitted: String
    @Environment(\.isSearching) private var isSearching

    var body: some View {
        if names.isEmpty {
            ContentUnavailableView.search(text: text)
        } else {
            List {
                ValueRow("Searching", isSearching ? "yes" : "no", identifier: "searching")
                ValueRow("Submitted", submitted, identifier: "submitted")
                ForEach(names, id: \.self) { Text(verbatim: $0) }
            }
        }
    }
}
