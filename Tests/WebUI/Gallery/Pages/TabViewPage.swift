import SwiftUI

/// A tab view, in a full-screen cover.
struct TabViewPage: View {
    @State private var showsTabs = false
    @State private var selection = TabChoice.first

    var body: some View {
        List {
            Button("Show the tabs") { showsTabs = true }
            ValueRow("Selected", selection.rawValue, identifier: "selected")
        }
        .fullScreenCover(isPresented: $showsTabs) { Tabs(selection: $selection) }
    }
}

nonisolated private enum TabChoice: String, Hashable {
    case first = "First"
    case second = "Second"
    case third = "Third"
}

private struct Tabs: View {
    @Binding var selection: TabChoice

    var body: some View {
        TabView(selection: $selection) {
            TabPage(title: "First", selection: $selection)
                .tabItem { Label("First", systemImage: "house.fill") }
                .tag(TabChoice.first)
            TabPage(title: "Second", selection: $selection)
                .tabItem { Label("Second", systemImage: "bubble.left.fill") }
                .badge(3)
                .tag(TabChoice.second)
            TabPage(title: "Third", selection: $selection)
                .tabItem { Label("Third", systemImage: "gear") }
                .tag(TabChoice.third)
        }
    }
}

/// A page that hides the tab bar on demand.
private struct Inside: View {
    @State private var hidesTabs = false

    var body: some View {
        Toggle("Hide the tab bar", isOn: $hidesTabs)
            .navigationTitle("Inside")
            .toolbar(hidesTabs ? .hidden : .visible, for: .tabBar)
    }
}

/// One tab, which counts to show that it keeps its state.
private struct TabPage: View {
    let title: String
    @Binding var selection: TabChoice
    @State private var taps = 0
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            List {
                Button("Taps: \(taps)") { taps += 1 }
                Button("Go to the third") { selection = .third }
                NavigationLink("A page in this tab") { Inside() }
                ForEach(1..<31, id: \.self) { Text("Row \($0)") }
            }
            .navigationTitle(title)
            .toolbar {
                ToolbarItem(placement: .confirmationAction) { Button("Close") { dismiss() } }
            }
        }
    }
}
