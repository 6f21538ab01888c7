package import SwiftUI
import Testing

// Views and models of an app: with package access, compiled with and without the main actor as the default isolation.

package enum Theme: Equatable, Sendable { case plain, loud }

private struct ThemeKey: EnvironmentKey {
    static let defaultValue = Theme.plain
}

extension EnvironmentValues {
    package var theme: Theme {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
}

@MainActor
@Observable
package final class NoteModel: Identifiable {
    package let id: Int
    package var text: String
    package var isPinned = false

    package init(id: Int, text: String) {
        self.id = id
        self.text = text
    }
}

@MainActor
@Observable
package final class NotesModel {
    package enum Phase: Equatable, Sendable {
        case idle, loading, ready
        case failed(String)
    }
    package private(set) var phase = Phase.idle
    package private(set) var notes: [NoteModel] = []
    package var draft = ""
    private let source: AsyncStream<String>

    package init(source: AsyncStream<String>) { self.source = source }

    /// Follows the source until the calling task is cancelled.
    package func run() async {
        phase = .loading
        await Task.yield()
        phase = .ready
        for await text in source { add(text) }
    }

    package func add(_ text: String) { notes.append(NoteModel(id: notes.count, text: text)) }
    package func send() {
        guard !draft.isEmpty else { return }
        add(draft)
        draft = ""
    }
    package func remove(_ note: NoteModel) { notes.removeAll { $0.id == note.id } }
}

package struct NotesScreen: View {
    private let model: NotesModel
    @State private var path: [Int] = []
    @State private var isAsking = false
    @Environment(\.scenePhase) private var phase

    package init(model: NotesModel) { self.model = model }

    package var body: some View {
        NavigationStack(path: $path) {
            content
                .navigationTitle("Notes")
                .navigationBarTitleDisplayMode(.inline)
                .toolbar { tools }
                .navigationDestination(for: Int.self) { id in
                    if let note = model.notes.first(where: { $0.id == id }) { NotePage(note: note) { model.remove(note) } }
                }
        }
        .environment(model)
        .environment(\.theme, .loud)
        .task { await model.run() }
        .confirmationDialog("Remove all?", isPresented: $isAsking) {
            Button("Remove", role: .destructive) { for note in model.notes { model.remove(note) } }
        }
    }

    @ViewBuilder private var content: some View {
        switch model.phase {
        case .idle, .loading: ProgressView("Loading")
        case .ready where model.notes.isEmpty: Text("No notes").foregroundStyle(.secondary)
        case .ready: list
        case .failed(let reason): Label(reason, systemImage: "xmark.octagon").foregroundStyle(.red)
        }
        Composer()
    }

    private var list: some View {
        List {
            Section("Pinned") { rows(model.notes.filter(\.isPinned)) }
            Section { rows(model.notes.filter { !$0.isPinned }) }
        }
    }

    private func rows(_ notes: [NoteModel]) -> some View {
        ForEach(notes) { note in NavigationLink(value: note.id) { NoteRow(note: note) } }
    }

    @ToolbarContentBuilder private var tools: some ToolbarContent {
        ToolbarItem(placement: .topBarTrailing) {
            Button("Remove all", systemImage: "trash") { isAsking = true }
                .disabled(model.notes.isEmpty)
        }
    }
}

private struct NoteRow: View {
    let note: NoteModel
    @Environment(\.theme) private var theme

    var body: some View {
        HStack(spacing: 8) {
            if note.isPinned { Image(systemName: "pin.fill").accessibilityLabel("Pinned") }
            Text(note.text).card(isLoud: theme == .loud)
            Spacer(minLength: 0)
        }
    }
}

private struct NotePage: View {
    @Bindable var note: NoteModel
    let remove: () -> Void
    @Environment(\.dismiss) private var dismiss
    @FocusState private var isFocused: Bool

    var body: some View {
        Form {
            TextField("Text", text: $note.text, axis: .vertical).focused($isFocused)
            Toggle("Pinned", isOn: $note.isPinned)
            Button("Remove", role: .destructive) {
                remove()
                dismiss()
            }
            .buttonStyle(BigButtonStyle())
        }
        .navigationTitle(note.text)
        .onAppear { isFocused = true }
        .onChange(of: note.isPinned) { old, new in if old != new { isFocused = false } }
    }
}

private struct Composer: View {
    @Environment(NotesModel.self) private var model

    var body: some View {
        @Bindable var model = model
        HStack {
            TextField("New note", text: $model.draft).onSubmit(model.send)
            Button("Send", action: model.send).disabled(model.draft.isEmpty)
        }
        .padding()
        .background(.bar)
    }
}

private struct Card: ViewModifier {
    let isLoud: Bool
    @Environment(\.colorScheme) private var colorScheme

    func body(content: Content) -> some View {
        content
            .padding(8)
            .background(isLoud ? Color.accentColor : Color(uiColor: .secondarySystemBackground), in: .rect(cornerRadius: 8))
            .opacity(colorScheme == .dark ? 0.9 : 1)
    }
}

extension View {
    fileprivate func card(isLoud: Bool) -> some View { modifier(Card(isLoud: isLoud)) }
}

private struct BigButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .frame(maxWidth: .infinity)
            .scaleEffect(configuration.isPressed ? 0.96 : 1)
            .animation(.snappy, value: configuration.isPressed)
    }
}

/// A small app, driven as a user would.
@MainActor
@Suite struct AppTests {
    private func make() -> (ViewDriver, NotesModel, AsyncStream<String>.Continuation) {
        let (source, continuation) = AsyncStream.makeStream(of: String.self)
        let model = NotesModel(source: source)
        return (ViewDriver(NotesScreen(model: model)), model, continuation)
    }

    @Test func theAppLoadsAndFollowsItsSource() async throws {
        let (screen, _, source) = make()
        #expect(screen.has("Loading"))
        try await screen.wait(for: "No notes")
        source.yield("first")
        try await screen.wait(for: "first")
        #expect(!screen.has("No notes"))
    }

    @Test func notesAreWrittenOpenedPinnedAndRemoved() async throws {
        let (screen, model, _) = make()
        try await screen.wait(for: "No notes")
        #expect(throws: DriverError.self) { try screen.tap("Send") }
        #expect(throws: DriverError.self) { try screen.tap("Remove all") }
        try screen.type("milk", into: "New note")
        try screen.tap("Send")
        try screen.type("bread", into: "New note")
        try screen.submit("New note")
        #expect(model.notes.map(\.text) == ["milk", "bread"])
        #expect(try screen.find("New note").attributes[.value] == "")

        try screen.tap("milk")
        #expect(screen.title == "milk")
        #expect(try screen.find("Text").attributes[.focused] == .on)
        try screen.type("oat milk", into: "Text")
        #expect(screen.title == "oat milk")
        try screen.tap("Pinned")
        #expect(try screen.find("Text").attributes[.focused] == nil)
        try screen.back()
        #expect(screen.has("Pinned"))
        try screen.tap("oat milk")
        try screen.press("Remove", down: true)
        try screen.press("Remove", down: false)
        try screen.tap("Remove")
        #expect(screen.title == "Notes")
        #expect(model.notes.map(\.text) == ["bread"])

        try screen.tap("Remove all")
        try screen.tap("Remove")
        #expect(screen.has("No notes"))
    }

    @Test func leavingTheScreenEndsItsWork() async throws {
        weak var weakModel: NotesModel?
        do {
            let (screen, model, _) = make()
            weakModel = model
            try await screen.wait(for: "No notes")
        }
        for _ in 0..<10_000 where weakModel != nil { await Task.yield() }
        #expect(weakModel == nil)
    }
}
