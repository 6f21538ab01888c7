import EndlessCodeClient
import EndlessCodeWire
import SwiftUI

/// The navigation state of one window or browser page.
@MainActor @Observable
final class AppNavigation {
    enum Tab: String, Hashable, CaseIterable { case projects, chat, files, settings }

    var tab = Tab.projects
    /// The project whose files are shown, and whose sessions the Projects tab shows.
    var project: Project.ID?
    /// The pages of the Chat tab: at most one session.
    var chat: [Session.ID] = []

    nonisolated deinit {}

    /// Shows the conversation of a session.
    func open(_ session: Session.ID) {
        if chat != [session] { chat = [session] }
        tab = .chat
    }

    /// Shows the files of a project.
    func openFiles(of project: Project.ID) {
        self.project = project
        tab = .files
    }
}
