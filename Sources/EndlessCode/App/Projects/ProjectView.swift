import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The sessions of a project.
struct ProjectView: View {
    let client: AgentClient
    let phone: Phone
    let navigation: AppNavigation
    let project: Project.ID
    @State private var command = UserCommand()
    @State private var now = Date()
    @State private var ended: Session.ID?
    @State private var asksForEnd = false
    @Environment(\.palette) private var palette

    var body: some View {
        List {
            if let path = client.project(project)?.path {
                Text(verbatim: path).font(.footnote).foregroundStyle(palette.secondary).padding(.top, 8).plainRow()
            }
            NewSessionRow(command: command) { start() }.plainRow()
            if let problem = command.problem { ProblemText(problem: problem).padding(.vertical, 8).plainRow() }
            FilesRow { navigation.openFiles(of: project) }.row()
            TitleRow(title: Text("Sessions", bundle: .module))
            PhaseRow(phase: client.sessionsPhase(of: project), hasContent: !sessions.isEmpty) {
                await client.refreshSessions(of: project)
            }
            if sessions.isEmpty, client.sessionsPhase(of: project) == .loaded {
                Placeholder(
                    symbol: "bubble.left.and.bubble.right", title: Text("No sessions yet", bundle: .module),
                    words: Text("Start one, and tell the agent what to do.", bundle: .module)
                )
                .plainRow()
            }
            ForEach(sessions) { session in
                SessionRow(
                    session: session, asks: !client.prompts(of: session.id).isEmpty, now: now,
                    open: { navigation.open(session.id) }, act: { act($0, on: session.id) }
                )
                .row()
            }
        }
        .plainList()
        .refreshable {
            await client.refreshSessions(of: project)
            now = Date()
        }
        .bar(Text(verbatim: client.project(project)?.name ?? ""), client, navigation)
        .task(id: client.status) { if client.status == .connected { await client.refreshSessions(of: project) } }
        .ticking($now, phone.clock)
        .confirmationDialog(
            Text("End this session?", bundle: .module), isPresented: $asksForEnd, titleVisibility: .visible
        ) {
            Button(Text("End Session", bundle: .module), role: .destructive) {
                if let ended { command.runNext { try await client.terminate(ended) } }
            }
        } message: {
            Text("The agent stops. The conversation stays, and can be resumed.", bundle: .module)
        }
    }

    private var sessions: [Session] { client.sessions(of: project) }

    private func start() {
        command.run { navigation.open(try await client.startSession(in: project)) }
    }

    private func act(_ action: SessionAction, on session: Session.ID) {
        switch action {
        case .resume: command.runNext { try await client.resume(session) }
        case .pause: command.runNext { try await client.pause(session) }
        case .end:
            ended = session
            asksForEnd = true
        }
    }
}

/// The button that starts a session.
private struct NewSessionRow: View {
    let command: UserCommand
    let start: () -> Void

    var body: some View {
        Button {
            start()
        } label: {
            HStack(spacing: 8) {
                if command.isRunning {
                    ProgressView().accessibilityHidden(true)
                } else {
                    Image(systemName: "plus").accessibilityHidden(true)
                }
                Text("New Session", bundle: .module)
            }
        }
        .buttonStyle(WideButtonStyle())
        .disabled(command.isRunning)
        .padding(.vertical, 8)
    }
}

private struct FilesRow: View {
    let open: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            open()
        } label: {
            HStack(spacing: 12) {
                Image(systemName: "doc.text").foregroundStyle(palette.accent).frame(width: 28).accessibilityHidden(true)
                Text("Files and Changes", bundle: .module)
                Spacer()
                Image(systemName: "chevron.right").font(.footnote).foregroundStyle(palette.secondary).accessibilityHidden(true)
            }
            .frame(minHeight: Metrics.control)
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
    }
}
