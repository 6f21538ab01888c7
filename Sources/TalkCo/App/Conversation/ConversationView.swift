import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// A conversation with the tutor. It has no back button: it ends with its own.
struct ConversationView: View {
    let talk: TalkCo
    let conversation: ConversationViewModel
    let phone: Phone
    let popToRoot: () -> Void
    @State private var reviewSession: Session.ID?
    @Environment(\.verticalSizeClass) private var height
    @Environment(\.locale) private var locale

    var body: some View {
        content
            .page()
            .navigationTitle(conversation.topic?.words(locale) ?? Text("Practice of weak points", bundle: .module))
            .navigationBarTitleDisplayMode(.inline)
            .navigationBarBackButtonHidden(true)
            .toolbar {
                ToolbarItem(placement: .topBarTrailing) { EndConversationButton(conversation: conversation) }
            }
            .toolbar(.hidden, for: .tabBar)
            // A phone on its side has hardly any room above its keyboard.
            .toolbar(phone.keyboard.isShown && height == .compact ? .hidden : .automatic, for: .navigationBar)
            .onAppear { conversation.startSession() }
            .onDisappear { conversation.stopPlaying() }
            .onChange(of: conversation.reviewSession, initial: true) { reviewSession = conversation.reviewSession }
            .onChange(of: conversation.isOver, initial: true) {
                if conversation.isOver, conversation.reviewSession == nil { popToRoot() }
            }
            .navigationDestination(item: $reviewSession) { session in
                ReviewView(review: talk.review(of: session), phone: phone, onComplete: popToRoot)
            }
    }

    @ViewBuilder private var content: some View {
        if case .failed(let problem) = conversation.phase {
            FailedStartView(problem: problem, retry: { conversation.startSession() }, leave: popToRoot)
        } else {
            MessageList(conversation: conversation, keyboard: phone.keyboard)
                .safeAreaInset(edge: .bottom, spacing: 0) {
                    TalkBar(conversation: conversation, phone: phone, hasMicrophone: talk.isMicrophoneAvailable)
                }
        }
    }
}
