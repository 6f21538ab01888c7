import SwiftUI

/// Pushing and leaving pages.
struct NavigationPage: View {
    @State private var fruit: String?
    @State private var isPresented = false
    @State private var showsPath = false

    var body: some View {
        List {
            Section("Links") {
                NavigationLink("By value", value: 1)
                NavigationLink("By view") { PlainPage(title: "By view") }
                NavigationLink("Disabled", value: 2).disabled(true)
                NavigationLink(value: 3) { Label("With a symbol", systemImage: "star.fill") }
            }
            Section("Buttons") {
                Button("By item") { fruit = "Apple" }
                Button("By a flag") { isPresented = true }
                ValueRow("Item", fruit ?? "none", identifier: "item")
                ValueRow("Flag", isPresented ? "set" : "not set", identifier: "flag")
                Button("A stack with a path") { showsPath = true }
            }
            Section("Titles") {
                NavigationLink("Large title") { TitlePage(title: "Large title", mode: .large) }
                NavigationLink("Inline title") { TitlePage(title: "Inline title", mode: .inline) }
                NavigationLink("Long title") {
                    TitlePage(title: "A title that is much too long for any bar of any telephone", mode: .large)
                }
                NavigationLink("No bar") { HiddenBarPage() }
                NavigationLink("No back button") { HiddenBackPage() }
            }
        }
        .navigationDestination(for: Int.self) { NumberPage(number: $0) }
        .navigationDestination(item: $fruit) { PlainPage(title: $0) }
        .navigationDestination(isPresented: $isPresented) { PlainPage(title: "By a flag") }
        .sheet(isPresented: $showsPath) { PathStack() }
    }
}

/// A page that links to the next of its kind.
private struct NumberPage: View {
    let number: Int

    var body: some View {
        List {
            NavigationLink("Next number", value: number + 1)
        }
        .navigationTitle("Number \(number)")
        .navigationBarTitleDisplayMode(.inline)
    }
}

/// A page with a custom back button.
private struct PlainPage: View {
    let title: String
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 16) {
            Text("This is the page “\(title)”.")
            Button("Go back") { dismiss() }.buttonStyle(.bordered)
        }
        .navigationTitle(title)
        .navigationBarTitleDisplayMode(.inline)
    }
}

/// A page whose title can change.
private struct TitlePage: View {
    let title: String
    let mode: NavigationBarItem.TitleDisplayMode
    @State private var changes = 0

    var body: some View {
        List {
            Button("Change the title") { changes += 1 }
            NavigationLink("Next page") { PlainPage(title: "After a longer one") }
            ForEach(1..<31, id: \.self) { Text("Row \($0)") }
        }
        .navigationTitle(changes == 0 ? title : "Title \(changes)")
        .navigationBarTitleDisplayMode(mode)
    }
}

private struct HiddenBarPage: View {
    var body: some View {
        PlainPage(title: "No bar").toolbar(.hidden, for: .navigationBar)
    }
}

private struct HiddenBackPage: View {
    var body: some View {
        PlainPage(title: "No back button").navigationBarBackButtonHidden()
    }
}

/// A stack with a path that buttons change.
private struct PathStack: View {
    @State private var path: [Int] = []
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack(path: $path) {
            controls
                .navigationTitle("Root")
                .navigationDestination(for: Int.self) { number in
                    controls.navigationTitle("Page \(number)")
                }
                .toolbar {
                    ToolbarItem(placement: .cancellationAction) { Button("Close") { dismiss() } }
                }
        }
    }

    private var controls: some View {
        List {
            ValueRow("Path", path.isEmpty ? "empty" : path.map(String.init).joined(separator: " "), identifier: "path")
            Button("Push") { path.append(path.count + 1) }
            Button("Push three") { path += [path.count + 1, path.count + 2, path.count + 3] }
            Button("Pop") { _ = path.popLast() }
            Button("Pop to the root") { path = [] }
        }
        .navigationBarTitleDisplayMode(.inline)
    }
}
