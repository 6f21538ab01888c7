import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The Chat tab: the sessions that are not terminated, and the conversation of one.
struct ChatTab: View {
    let client: AgentClient
    let phone: Phone
    @Bindable var navigation: AppNavigation

    var body: some View {
        NavigationStack(path: $navigation.chat) {
            LiveSessions(client: client, navigation: navigation)
                .bar(Text("Chat", bundle: .module), client, navigation)
                .navigationDestination(for: Session.ID.self) { id in
                    ChatView(client: client, conversation: client.conversation(id), phone: phone, navigation: navigation)
                        // A tapped notification may replace one conversation by another.
                        .id(id)
                }
        }
    }
}

/// The sessions that are not terminated, of all projects.
private struct LiveSessions: View {
    let client: AgentClient
    let navigation: AppNavigation
    @State private var now = Date()
    @Environment(\.palette) private var palette

    var body: some View {
        List {
            if client.liveSessions.isEmpty { empty.plainRow() }
            ForEach(client.liveSessions) { session in
                Button {
                    navigation.open(session.id)
                } label: {
                    LiveSessionRow(client: client, session: session, now: now)
                }
                .buttonStyle(.plain)
                .listRowBackground(palette.background)
            }
        }
        .plainList()
        .refreshable {
            await client.refreshLiveSessions()
            now = Date()
        }
        .onAppear { now = Date() }
    }

    private var empty: some View {
        Placeholder(
            symbol: "bubble.left.and.bubble.right", title: Text("No sessions yet", bundle: .module),
            words: Text("Start one in a project.", bundle: .module)
        ) {
            Button(Text("Show Projects", bundle: .module)) { navigation.tab = .projects }
                .buttonStyle(TextButtonStyle())
        }
    }
}

private struct LiveSessionRow: View {
    let client: AgentClient
    let session: Session
    let now: Date
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            VStack(alignment: .leading, spacing: 3) {
                Text(verbatim: client.project(session.projectId)?.name ?? "").font(.headline).lineLimit(1)
                HStack(spacing: 8) {
                    SessionMark(session: session, asks: !client.prompts(of: session.id).isEmpty)
                    RelativeTime(date: session.lastActive, now: now)
                }
                .font(.footnote)
                .foregroundStyle(palette.secondary)
            }
            Spacer()
            Image(systemName: "chevron.right").font(.footnote).foregroundStyle(palette.secondary).accessibilityHidden(true)
        }
        .frame(minHeight: 56)
        .contentShape(Rectangle())
    }
}

/// The state of a session in a word and a colour.
struct SessionMark: View {
    let session: Session
    /// True if a question of the session is open.
    var asks = false
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 5) {
            Circle().fill(color).frame(width: 8, height: 8).accessibilityHidden(true)
            words
        }
        .fixedSize()
    }

    private var isWaiting: Bool { asks || session.activity == .waiting }

    private var color: Color {
        switch session.state {
        case .active: isWaiting ? palette.warning : session.activity == .working ? palette.accent : palette.success
        case .paused, .terminated: palette.secondary
        case .crashed: palette.error
        }
    }

    private var words: Text {
        switch session.state {
        case .active:
            isWaiting
                ? Text("Asks you", bundle: .module)
                : session.activity == .working ? Text("Working", bundle: .module) : Text("Ready", bundle: .module)
        case .paused: Text("Paused", bundle: .module)
        case .terminated: Text("Ended", bundle: .module)
        case .crashed: Text("Crashed", bundle: .module)
        }
    }
}
