import SwiftUI
import TalkCoClient
import TalkCoWire

/// The navigation state of one window or page.
@MainActor @Observable
final class AppNavigation {
    enum Tab: String, Hashable { case practice, me }

    var tab = Tab.practice
    /// The pages above the topics.
    var path = NavigationPath()

    nonisolated deinit {}

    /// Shows a conversation.
    func open(_ conversation: ConversationViewModel) {
        tab = .practice
        path = NavigationPath([ConversationRoute(conversation: conversation)])
    }

    /// Shows the review of a session.
    func open(reviewOf session: Session.ID) {
        tab = .practice
        path = NavigationPath([ReviewRoute(session: session)])
    }

    func popToRoot() { path = NavigationPath() }
}

/// The page of a conversation.
struct ConversationRoute: Hashable {
    let conversation: ConversationViewModel

    nonisolated static func == (a: Self, b: Self) -> Bool { a.conversation === b.conversation }
    nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(conversation)) }
}

/// The page of a review that is opened from the topics.
struct ReviewRoute: Hashable {
    let session: Session.ID
}
