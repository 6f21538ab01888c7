import SwiftUI

/// Appearance, disappearance, tasks, and the phase of the scene.
struct LifetimePage: View {
    @State private var events: [String] = []
    @State private var showsChild = false
    @State private var number = 1
    @Environment(\.scenePhase) private var phase

    var body: some View {
        List {
            Section {
                Toggle("Show the child", isOn: $showsChild)
                if showsChild { Child(note: note) }
                Button("Restart the task") { number += 1 }
                NavigationLink("Cover this page") { Text("Come back to see what happened.").navigationTitle("Cover") }
                ValueRow("Phase", phase.name, identifier: "phase")
            }
            Section("What happened") {
                ForEach(events.indices, id: \.self) { Text(events[$0]) }
                Button("Clear") { events = [] }
            }
        }
        .onAppear { note("page appeared") }
        .onDisappear { note("page disappeared") }
        .onChange(of: phase) { old, new in note("\(old.name) to \(new.name)") }
        .task(id: number) { note("task \(number) started") }
    }

    private func note(_ event: String) { events.append(event) }
}

private struct Child: View {
    let note: (String) -> Void

    var body: some View {
        Text("Child")
            .onAppear { note("child appeared") }
            .onDisappear { note("child disappeared") }
    }
}

extension ScenePhase {
    fileprivate var name: String {
        switch self {
        case .active: "active"
        case .inactive: "inactive"
        case .background: "background"
        @unknown default: "unknown"
        }
    }
}
