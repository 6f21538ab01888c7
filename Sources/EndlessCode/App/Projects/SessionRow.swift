import EndlessCodeClient
import EndlessCodeWire
import SwiftUI
import ViewKit

/// An action on a session.
enum SessionAction: Hashable {
    case resume, pause, end

    /// Returns the actions for a session in a state.
    static func all(for state: Session.State) -> [SessionAction] {
        switch state {
        case .active: [.pause, .end]
        case .paused, .crashed: [.resume, .end]
        case .terminated: [.resume]
        }
    }
}

/// A session with its state. A tap opens the conversation.
struct SessionRow: View {
    let session: Session
    let asks: Bool
    let now: Date
    let open: () -> Void
    let act: (SessionAction) -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 0) {
            Button {
                open()
            } label: {
                VStack(alignment: .leading, spacing: 3) {
                    SessionMark(session: session, asks: asks).font(.headline)
                    HStack(spacing: 8) {
                        RelativeTime(date: session.lastActive, now: now)
                        messages
                    }
                    .font(.footnote)
                    .foregroundStyle(palette.secondary)
                    if let tree = session.workTree {
                        Text("Work tree \(AgentClient.shown(tree))", bundle: .module)
                            .font(.footnote)
                            .foregroundStyle(palette.secondary)
                            .lineLimit(1)
                    }
                }
                .frame(maxWidth: .infinity, minHeight: 64, alignment: .leading)
                .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
            menu
        }
        .accessibilityGroup("session \(AgentClient.text(session.id))")
    }

    private var messages: Text {
        session.messageCount == 1
            ? Text("1 message", bundle: .module) : Text("\(session.messageCount) messages", bundle: .module)
    }

    private var menu: some View {
        Menu {
            ForEach(SessionAction.all(for: session.state), id: \.self) { action in
                Button(role: action == .end ? .destructive : nil) {
                    act(action)
                } label: {
                    label(of: action)
                }
            }
        } label: {
            Image(systemName: "ellipsis.circle").control()
        }
        .accessibilityLabel(Text("Session Actions", bundle: .module))
    }

    private func label(of action: SessionAction) -> some View {
        Label {
            switch action {
            case .resume: Text("Resume", bundle: .module)
            case .pause: Text("Pause", bundle: .module)
            case .end: Text("End…", bundle: .module)
            }
        } icon: {
            Image(systemName: action == .resume ? "play.fill" : action == .pause ? "pause.fill" : "stop.fill")
        }
    }
}
