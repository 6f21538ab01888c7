import SwiftUI

/// Sheets of all heights, without dismissal, nested, and a full-screen cover.
struct SheetPage: View {
    @State private var kind: SheetKind?
    @State private var isCovered = false
    @State private var isPushed = false
    @State private var last = "none"

    var body: some View {
        List {
            Section {
                ForEach(SheetKind.allCases) { kind in
                    Button(kind.rawValue) { self.kind = kind }
                }
                Button("Full screen cover") { isCovered = true }
            }
            Section {
                ValueRow("Dismissed", last, identifier: "dismissed")
            }
        }
        .sheet(item: $kind, onDismiss: { last = "sheet" }) { SheetContent(kind: $0) { isPushed = true } }
        .fullScreenCover(isPresented: $isCovered, onDismiss: { last = "cover" }) { CoverContent() }
        .navigationDestination(isPresented: $isPushed) { Text("Shown behind the sheet").navigationTitle("Next page") }
    }
}

nonisolated private enum SheetKind: String, CaseIterable, Identifiable {
    case plain = "Plain sheet"
    case medium = "Half height"
    case both = "Half or full height"
    case fraction = "A quarter"
    case staying = "Only by its button"
    case nested = "Sheet in a sheet"
    case long = "With a long list"
    case behind = "Next page behind it"

    var id: Self { self }
}

private struct SheetContent: View {
    let kind: SheetKind
    let push: () -> Void

    var body: some View {
        switch kind {
        case .plain: SheetBody(title: "Plain")
        case .medium: SheetBody(title: "Half").presentationDetents([.medium])
        case .both: SheetBody(title: "Half or full").presentationDetents([.medium, .large]).presentationDragIndicator(.visible)
        case .fraction: SheetBody(title: "A quarter").presentationDetents([.fraction(0.25)])
        case .staying: SheetBody(title: "Staying").interactiveDismissDisabled()
        case .nested: NestingSheet()
        case .long: LongSheet()
        case .behind:
            VStack {
                Button("Show the next page") { push() }
                SheetBody(title: "Above")
            }
            .presentationDetents([.medium])
        }
    }
}

private struct SheetBody: View {
    let title: String
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 16) {
            Text(title).font(.title2)
            Button("Dismiss") { dismiss() }.buttonStyle(.borderedProminent)
        }
        .padding()
    }
}

private struct NestingSheet: View {
    @State private var showsInner = false
    @State private var text = ""

    var body: some View {
        VStack(spacing: 16) {
            TextField("Kept while covered", text: $text).textFieldStyle(.roundedBorder)
            Button("Show the inner sheet") { showsInner = true }
            SheetBody(title: "Outer")
        }
        .padding()
        .sheet(isPresented: $showsInner) { SheetBody(title: "Inner") }
    }
}

private struct LongSheet: View {
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            List(1..<41, id: \.self) { Text("Row \($0)") }
                .navigationTitle("Long")
                .navigationBarTitleDisplayMode(.inline)
                .toolbar {
                    ToolbarItem(placement: .confirmationAction) { Button("Done") { dismiss() } }
                }
        }
        .presentationDetents([.medium, .large])
    }
}

private struct CoverContent: View {
    var body: some View {
        SheetBody(title: "Cover")
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .background(Color.orange.opacity(0.2))
    }
}
