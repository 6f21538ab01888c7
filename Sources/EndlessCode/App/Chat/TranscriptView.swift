import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The entries of a conversation, the newest at the bottom.
struct TranscriptView: View {
    let client: AgentClient
    let conversation: Conversation
    let phone: Phone
    let screen: ChatScreen
    /// The project's folder.
    let folder: String?
    @State private var edge: RowID?
    @State private var window = TranscriptWindow()
    @Environment(\.timeZone) private var timeZone

    var body: some View {
        ScrollView {
            LazyVStack(alignment: .leading, spacing: 0) {
                EarlierRow(client: client, conversation: conversation, window: $window)
                let rows = rows
                let waiting = rows.firstIndex { $0.entry.isWaiting } ?? rows.endIndex
                ForEach(Array(rows[..<waiting])) { entry($0) }
                WorkingRow(client: client, conversation: conversation)
                // Waiting prompts follow the running turn.
                ForEach(Array(rows[waiting...])) { entry($0) }
                Color.clear.frame(height: 12).id(RowID.end)
            }
            .scrollTargetLayout()
            .padding(.horizontal, Metrics.padding)
            .column()
        }
        .defaultScrollAnchor(.bottom)
        .scrollPosition(id: $edge, anchor: .bottom)
        .scrollDismissesKeyboard(.interactively)
        .accessibilityIdentifier("transcript")
        .onChange(of: edge) { noteEdge() }
        .onChange(of: conversation.entries.count, initial: true) { _, count in
            window.update(entryCount: count, isAtEnd: screen.isAtEnd)
        }
        // A prompt of this phone is scrolled into sight from any position.
        .onChange(of: screen.scrollsToEnd) { edge = .end }
        .onChange(of: phone.keyboard.isShown) {
            screen.composer.layoutChanged(at: phone.inputTime)
            if phone.keyboard.isShown { edge = .end }
        }
        .overlay { if conversation.entries.isEmpty { EmptyTranscript(conversation: conversation) } }
        .overlay(alignment: .bottomTrailing) { if !screen.isAtEnd { EndButton(screen: screen) } }
        .clipped()
    }

    private func entry(_ row: TranscriptRow) -> some View {
        EntryView(row: row, client: client, conversation: conversation, screen: screen, folder: folder)
    }

    /// The rows of the entries, with the beginnings of days.
    private var rows: [TranscriptRow] {
        let days = Days(timeZone)
        let entries = conversation.entries
        let first = window.hiddenCount < entries.count ? window.hiddenCount : 0
        var last = first > 0 ? entries[first - 1].date : nil
        var answer: String?
        let latest = entries.last { !$0.isWaiting }?.id
        return entries[first...].map { entry in
            // A message of an unknown kind has no time of its own.
            let hasTime = entry.date > .distantPast
            let beginsDay = hasTime && last.map { !days.areSame($0, entry.date) } ?? true
            if hasTime { last = entry.date }
            var row = TranscriptRow(entry: entry, beginsDay: beginsDay)
            switch entry.content {
            case .agent(let text, _) where entry.parentToolUseId == nil: answer = text
            case .user: answer = nil
            case .notice: row.isLatest = entry.id == latest
            case .result: (row.answer, answer) = (answer, nil)
            default: break
            }
            return row
        }
    }

    private func noteEdge() {
        guard let edge else { return }
        let entries = conversation.entries
        let isEnd = edge == .end || entries.last.map { $0.id == edge.entry && !$0.isAgentText } ?? false
        if screen.isAtEnd != isEnd { screen.isAtEnd = isEnd }
        guard let index = isEnd ? entries.count : entries.lastIndex(where: { $0.id == edge.entry }) else { return }
        let wasShown = screen.composer.isShown
        var composer = screen.composer
        composer.scrolled(to: TranscriptPlace(entry: index, part: edge.part), isEnd: isEnd, at: phone.inputTime)
        if composer.isShown == wasShown { screen.composer = composer } else { withAnimation { screen.composer = composer } }
    }
}

/// An entry, with values that depend on the entries around it.
struct TranscriptRow: Identifiable, Hashable {
    let entry: ChatEntry
    /// True if the entry is the first of its day.
    let beginsDay: Bool
    /// The agent's last text in the turn that the entry ends; nil for other entries.
    var answer: String?
    /// True for a notice that no other entry follows.
    var isLatest = false
    var id: RowID { RowID(entry: entry.id, part: 0) }
}

extension ChatEntry {
    /// True for a text of the agent, which may be higher than the screen.
    fileprivate var isAgentText: Bool { if case .agent = content { true } else { false } }

    /// True for a prompt that the agent does not have.
    fileprivate var isWaiting: Bool {
        switch content {
        case .queued, .outgoing: true
        default: false
        }
    }
}

/// The row before the oldest entry. In sight, it shows hidden rows, or loads the page before.
private struct EarlierRow: View {
    let client: AgentClient
    let conversation: Conversation
    @Binding var window: TranscriptWindow
    @State private var loading = UserCommand()

    var body: some View {
        if window.hiddenCount > 0 || conversation.hasEarlier {
            VStack(spacing: 4) {
                if case .failed(let problem) = conversation.earlierPhase {
                    ProblemText(problem: problem)
                    Button(Text("Try Again", bundle: .module)) { load() }
                        .buttonStyle(TextButtonStyle())
                } else {
                    ProgressView()
                        .accessibilityLabel(Text("Loading earlier messages", bundle: .module))
                        .onAppear { load() }
                }
            }
            .frame(maxWidth: .infinity, minHeight: 52)
            // The id changes with each page, so that the row appears again.
            .id("\(window.hiddenCount) \(conversation.entries.first?.id ?? "earlier")")
        }
    }

    private func load() {
        if window.hiddenCount > 0 {
            window.showEarlier()
        } else {
            loading.run { await client.loadEarlier(conversation) }
        }
    }
}

/// A note below the last entry while the agent works.
private struct WorkingRow: View {
    let client: AgentClient
    let conversation: Conversation
    @Environment(\.palette) private var palette

    var body: some View {
        if let session = client.sessions[conversation.id], session.state == .active, session.activity == .working {
            HStack(spacing: 8) {
                ProgressView()
                client.status == .connected
                    ? Text("Working", bundle: .module) : Text("Waiting for the connection", bundle: .module)
            }
            .font(.subheadline)
            .foregroundStyle(palette.secondary)
            .padding(.vertical, 10)
            .accessibilityGroup("working")
        }
    }
}

/// The placeholder of a transcript without entries.
private struct EmptyTranscript: View {
    let conversation: Conversation

    var body: some View {
        Group {
            switch conversation.phase {
            case .idle, .loading: ProgressView()
            case .failed(let problem): ProblemText(problem: problem).padding(32)
            case .loaded:
                Placeholder(
                    symbol: "terminal", title: Text("What shall the agent do?", bundle: .module),
                    words: Text("Describe a task. You can watch, answer questions and allow changes here.", bundle: .module))
            }
        }
        .allowsHitTesting(false)
    }
}

/// A button that scrolls to the newest message.
private struct EndButton: View {
    let screen: ChatScreen
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            screen.scrollToEnd()
        } label: {
            Image(systemName: "chevron.down")
                .font(.body.weight(.semibold))
                .frame(width: 36, height: 36)
                .background(palette.card, in: Circle())
                .overlay { Circle().stroke(palette.outline).allowsHitTesting(false) }
                .control()
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.accent)
        .padding(8)
        .accessibilityLabel(Text("Newest message", bundle: .module))
    }
}
