import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// A conversation with the tutor. Instead of a back button it has Pause and End; a swipe back asks first.
struct ConversationView: View {
    let talk: TalkCo
    let conversation: ConversationViewModel
    let phone: Phone
    /// Shows the topics. The learner can continue the conversation from there.
    let pause: () -> Void
    let popToRoot: () -> Void
    @State private var asksToLeave = false
    @State private var reviewSession: Session.ID?
    @Environment(\.verticalSizeClass) private var height
    @Environment(\.locale) private var locale

    var body: some View {
        content
            .overlay(alignment: .leading) { edge }
            .accessibilityAction(.escape) { leave() }
            .page()
            .navigationTitle(conversation.topic?.words(locale) ?? Text("Practice of weak points", bundle: .module))
            .navigationBarTitleDisplayMode(.inline)
            .navigationBarBackButtonHidden(true)
            .toolbar {
                ToolbarItem(placement: .topBarLeading) {
                    Button(Text("Pause", bundle: .module)) { pauseTalk() }
                        .disabled(!conversation.canPause)
                        .accessibilityIdentifier("pause")
                }
                ToolbarItem(placement: .topBarTrailing) { EndConversationButton(conversation: conversation) }
            }
            .toolbar(.hidden, for: .tabBar)
            // In landscape, a phone has hardly any room above its keyboard.
            .toolbar(phone.keyboard.isShown && height == .compact ? .hidden : .automatic, for: .navigationBar)
            .confirmationDialog(
                Text("Leave the conversation?", bundle: .module), isPresented: $asksToLeave, titleVisibility: .visible
            ) {
                Button(Text("Go On Later", bundle: .module)) { pauseTalk() }
                Button(Text("End Conversation", bundle: .module), role: .destructive) { conversation.endConversation() }
                Button(Text("Keep Talking", bundle: .module), role: .cancel) {}
            } message: {
                Text("The topics offer to go on with it. If you end it, its review begins.", bundle: .module)
            }
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

    /// The edge from which a finger swipes back.
    private var edge: some View {
        Color.clear
            .frame(width: Metrics.padding)
            .contentShape(Rectangle())
            .gesture(DragGesture(minimumDistance: 30).onEnded { if $0.translation.width > 60 { leave() } })
            .accessibilityHidden(true)
    }

    /// Asks to pause or end the conversation; leaves a conversation that has not begun without asking.
    private func leave() {
        if conversation.canPause {
            asksToLeave = true
        } else if case .failed = conversation.phase {
            popToRoot()
        } else {
            conversation.endConversation()
        }
    }

    private func pauseTalk() {
        conversation.pause()
        pause()
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
