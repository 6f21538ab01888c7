import SwiftUI

/// Shows the typed text in every place that takes text.
struct HostileTextPage: View {
    @State private var text = "Words"

    var body: some View {
        List {
            Section {
                TextField("Anything", text: $text, axis: .vertical)
            }
            HostileWords(text: text)
            HostileControls(text: text)
            HostileColumns(text: text)
            HostileSpeech(text: text)
            HostileQuestions(text: text)
            Section {
                NavigationLink("On a page") { HostileScreen(text: text) }
            }
        }
    }
}

/// The text in texts, and in names and labels.
private struct HostileWords: View {
    let text: String

    var body: some View {
        Section {
            Text(text).accessibilityIdentifier("text")
            Text("Interpolated \(text)").accessibilityIdentifier("interpolated")
            Text(LocalizedStringKey(text)).accessibilityIdentifier("key")
            (Text("Run ") + Text(text).bold()).accessibilityIdentifier("run")
            Text("Font").font(.custom(text, size: 17)).accessibilityIdentifier("font")
            Image(systemName: text).accessibilityLabel(text).accessibilityIdentifier("symbol")
        } header: {
            Text(text).accessibilityIdentifier("header")
        } footer: {
            Text(text).accessibilityIdentifier("footer")
        }
    }
}

private struct HostileControls: View {
    let text: String
    @State private var isOn = false
    @State private var other = ""

    var body: some View {
        Section(text) {
            Label(text, systemImage: "star.fill").accessibilityIdentifier("label")
            Button(text) {}.accessibilityIdentifier("button")
            Toggle(text, isOn: $isOn).accessibilityIdentifier("toggle")
            TextField(text, text: $other).accessibilityIdentifier("field")
            SecureField("Secure", text: $other, prompt: Text(text)).accessibilityIdentifier("secure")
            ProgressView(text).accessibilityIdentifier("progress")
            if let address = URL(string: text) {
                Link("Link \(text)", destination: address).accessibilityIdentifier("link")
            }
        }
    }
}

/// The text where a column is as wide as the screen, and where two share it.
private struct HostileColumns: View {
    let text: String

    var body: some View {
        Section("Columns") {
            LazyVStack(alignment: .leading) { Text(text).accessibilityIdentifier("lazy") }
            LazyVGrid(columns: [GridItem(.flexible()), GridItem(.flexible())]) {
                Text(text).accessibilityIdentifier("tile")
                Text("Tile")
            }
            Grid {
                GridRow {
                    Text(text).accessibilityIdentifier("cell")
                    Text("Cell")
                }
            }
        }
    }
}

private struct HostileSpeech: View {
    let text: String

    var body: some View {
        Section("Speech") {
            Button("Labelled") {}.accessibilityLabel(text)
            Button("Hinted") {}.accessibilityHint(text)
            Button("Valued") {}.accessibilityValue(text)
            Text("Identified").accessibilityIdentifier(text)
        }
    }
}

private struct HostileQuestions: View {
    let text: String
    @State private var alerts = false
    @State private var confirms = false
    @State private var showsTabs = false

    var body: some View {
        Section("Above the page") {
            Button("Alert") { alerts = true }
                .alert(text, isPresented: $alerts) {
                    Button(text) {}
                } message: {
                    Text(text)
                }
            Button("Dialog") { confirms = true }
                .confirmationDialog(text, isPresented: $confirms, titleVisibility: .visible) {
                    Button(text, role: .destructive) {}
                } message: {
                    Text(text)
                }
            Button("Tabs") { showsTabs = true }
                .fullScreenCover(isPresented: $showsTabs) { HostileTabs(text: text) }
        }
    }
}

private struct HostileTabs: View {
    let text: String
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        TabView {
            Button("Close the tabs") { dismiss() }.tabItem { Label(text, systemImage: text) }
        }
    }
}

/// The text in the bar, and in the back button of the next page.
private struct HostileScreen: View {
    let text: String

    var body: some View {
        List {
            NavigationLink("And further") { Text("Further").navigationTitle("Further") }
        }
        .navigationTitle(text)
        .toolbar {
            Button(text) {}
        }
    }
}
