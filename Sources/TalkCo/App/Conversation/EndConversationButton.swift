import SwiftUI
import TalkCoClient
import ViewKit

/// The button that ends the conversation; asks first if words of the learner would be lost.
struct EndConversationButton: View {
    let conversation: ConversationViewModel
    @State private var asks = false

    var body: some View {
        Button(Text("End", bundle: .module)) {
            if conversation.hasUnsentTurn { asks = true } else { conversation.endConversation() }
        }
        .disabled(conversation.phase == .ending || conversation.phase == .over)
        .accessibilityLabel(Text("End Conversation", bundle: .module))
        .accessibilityIdentifier("end-conversation")
        .confirmationDialog(Text("End the conversation?", bundle: .module), isPresented: $asks, titleVisibility: .visible) {
            Button(Text("End Anyway", bundle: .module), role: .destructive) { conversation.endConversation() }
            Button(Text("Keep Talking", bundle: .module), role: .cancel) {}
        } message: {
            Text("Your last words have no answer yet. They would not be reviewed.", bundle: .module)
        }
    }
}
