import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The conversation of a session on the whole screen.
struct ChatView: View {
    let client: AgentClient
    let conversation: Conversation
    let phone: Phone
    let navigation: AppNavigation
    @State private var screen = ChatScreen()
    @State private var asksWhatToDo = false
    @Environment(\.verticalSizeClass) private var height

    private var session: Session? { client.sessions[conversation.id] }
    private var project: Project? { session.flatMap { client.project($0.projectId) } }

    var body: some View {
        TranscriptView(
            client: client, conversation: conversation, phone: phone, screen: screen, folder: project?.path
        )
        .safeAreaInset(edge: .bottom, spacing: 0) {
            ChatFooter(client: client, conversation: conversation, phone: phone, screen: screen)
        }
        .page()
        .navigationTitle(Text(verbatim: project?.name ?? ""))
        .navigationBarTitleDisplayMode(.inline)
        .toolbar {
            ToolbarItem(placement: .topBarTrailing) { menuButton }
            ToolbarItem(placement: .topBarTrailing) { ConnectionIcon(client: client, navigation: navigation) }
        }
        // On an iPhone, too, the keyboard covers the tabs.
        .toolbar(phone.keyboard.isShown ? .hidden : .automatic, for: .tabBar)
        // A phone in landscape has hardly any room above its keyboard.
        .toolbar(phone.keyboard.isShown && height == .compact ? .hidden : .automatic, for: .navigationBar)
        .background {
            PromptPresenter(
                client: client, conversation: conversation, screen: screen, navigation: navigation,
                folder: project?.path)
        }
        .task { await client.open(conversation) }
        .task {
            screen.clock = phone.clock
            while !Task.isCancelled {
                screen.now = Date()
                do { try await phone.clock.sleep(for: .seconds(30)) } catch { return }
            }
        }
    }

    private var menuButton: some View {
        Button {
            asksWhatToDo = true
        } label: {
            Image(systemName: "ellipsis.circle").control()
        }
        .accessibilityLabel(Text("Session", bundle: .module))
        .accessibilityIdentifier("session-menu")
        .confirmationDialog(Text("Session", bundle: .module), isPresented: $asksWhatToDo, titleVisibility: .hidden) {
            if let session {
                Button(Text("Show Files", bundle: .module)) { navigation.openFiles(of: session.projectId) }
                if session.state == .active {
                    command(Text("Pause Session", bundle: .module), nil) { () async throws(CodeProblem) in
                        try await client.pause(session.id)
                    }
                }
                if session.state != .terminated {
                    command(Text("End Session", bundle: .module), .destructive) { () async throws(CodeProblem) in
                        try await client.terminate(session.id)
                    }
                }
            }
        }
    }

    private func command(_ words: Text, _ role: ButtonRole?, _ action: @escaping @MainActor () async throws(CodeProblem) -> Void)
        -> some View
    {
        Button(words, role: role) { screen.run(action) }
    }
}

/// The state of one chat screen that is not part of the conversation.
@MainActor @Observable
final class ChatScreen {
    /// The time to which relative times refer.
    var now = Date()
    @ObservationIgnored var clock: any Clock<Duration> = ContinuousClock()
    @ObservationIgnored private let command = UserCommand()
    /// The failure of the last command; nil without one.
    var problem: CodeProblem? { command.problem }
    var isRunning: Bool { command.isRunning }
    var composer = ComposerVisibility()
    /// True while the end of the transcript is in sight.
    var isAtEnd = true
    /// Count of requests to scroll to the end.
    private(set) var scrollsToEnd = 0
    /// The question on the sheet; nil without a sheet.
    var shownPrompt: PromptRequest.ID?
    var isComposing = false

    nonisolated deinit {}

    func scrollToEnd() { scrollsToEnd += 1 }

    /// Runs a command of the user. A failure becomes ``problem``.
    func run(_ action: @escaping @MainActor () async throws -> Void) { command.run(action) }

    func report(_ problem: CodeProblem?) { command.problem = problem }
}
