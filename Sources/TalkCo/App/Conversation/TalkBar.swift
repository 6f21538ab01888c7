import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The part below the messages: choices, problems, and the microphone or the text field.
struct TalkBar: View {
    let conversation: ConversationViewModel
    let phone: Phone
    let hasMicrophone: Bool
    /// True if the learner has switched to writing, or the microphone cannot be used.
    @State private var writes = false
    @Environment(\.palette) private var palette
    @Environment(\.isPageSecure) private var isPageSecure
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        VStack(spacing: 10) {
            if let problem = conversation.problem { problemRow(problem) }
            if conversation.phase == .closed { closedRow }
            // The keyboard leaves no room for the choices and the messages.
            if !conversation.choices.isEmpty, !phone.keyboard.isShown {
                ChoiceList(conversation: conversation, canSpeak: offersVoice)
            }
            if lacksMicrophone { insecureRow }
            if showsField {
                TextComposer(conversation: conversation, showsVoice: offersVoice ? { writes = false } : nil)
            } else {
                VoiceBar(conversation: conversation, phone: phone) { writes = true }
            }
        }
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 10)
        .column()
        .background { palette.background.ignoresSafeArea() }
        .overlay(alignment: .top) { Rectangle().fill(palette.outline).frame(height: 1).allowsHitTesting(false) }
        .onChange(of: conversation.problem, initial: true) {
            if conversation.problem?.needsTyping ?? false { writes = true }
        }
    }

    private var isRecording: Bool { conversation.recordingState != .idle }

    /// True if the learner can speak to the engine, and during a recording: the talk button stays under the finger that holds it.
    private var offersVoice: Bool {
        isRecording || hasMicrophone && (conversation.hearing != .nothing || conversation.canRecord)
    }

    /// True if the learner could speak, were the page's address secure.
    private var lacksMicrophone: Bool { !isPageSecure && !offersVoice && conversation.hearing != .nothing }

    private var showsField: Bool { writes || !offersVoice || !canSpeakNow }

    /// True unless the engine understands only the choices that it offers, and has offered none.
    private var canSpeakNow: Bool {
        conversation.hearing != .choices || !conversation.choices.isEmpty || conversation.isWaiting || conversation.canRecord
            || isRecording || conversation.phase != .open
    }

    private func problemRow(_ problem: TalkCoProblem) -> some View {
        HStack(alignment: .top, spacing: 0) {
            ProblemText(problem: problem).padding(.top, 12)
            Button {
                conversation.dismissProblem()
            } label: {
                Image(systemName: "xmark").font(.footnote).control()
            }
            .buttonStyle(.plain)
            .foregroundStyle(palette.secondary)
            .accessibilityLabel(Text("Dismiss", bundle: .module))
        }
    }

    private var insecureRow: some View {
        Text.insecurePage(Text("Write instead.", bundle: .module))
            .font(.footnote)
            .foregroundStyle(palette.secondary)
            .frame(maxWidth: .infinity, alignment: .leading)
            .accessibilityGroup("insecure-page")
    }

    private var closedRow: some View {
        let words = String(localized: "The service has closed the conversation. End it to see your review.", bundle: wordBundle)
        return Text(verbatim: words)
            .font(.subheadline)
            .foregroundStyle(palette.warning)
            .frame(maxWidth: .infinity, alignment: .leading)
            .accessibilityGroup("closed")
            .announces(words)
    }
}
