import SwiftUI
import TalkCoClient
import ViewKit

/// The words of a message.
struct MessageBubble: View {
    let message: ChatMessage
    /// True while the message is played.
    let isPlaying: Bool
    @Environment(\.palette) private var palette

    var body: some View {
        content
            .padding(.horizontal, 14)
            .padding(.vertical, 10)
            .frame(minHeight: Metrics.control)
            .background(message.role == .user ? palette.prompt : palette.card, in: shape)
            .overlay { shape.stroke(isPlaying ? palette.accent : Color.clear, lineWidth: 2).allowsHitTesting(false) }
            .accessibilityElement(children: .contain)
            .accessibilityLabel(message.role == .user ? Text("You", bundle: .module) : Text("Tutor", bundle: .module))
            .accessibilityIdentifier(message.role == .user ? "message-user" : "message-tutor")
    }

    @ViewBuilder private var content: some View {
        if !message.text.isEmpty {
            Text(verbatim: message.text).font(.body).lineSpacing(3).textSelection(.enabled)
        } else if message.role == .user {
            HStack(spacing: 8) {
                Image(systemName: "waveform").accessibilityHidden(true)
                Text("Your recording", bundle: .module)
            }
            .foregroundStyle(palette.secondary)
        } else if isPlaying {
            HStack(spacing: 8) {
                Image(systemName: "speaker.wave.2").foregroundStyle(palette.accent).accessibilityHidden(true)
                Text("The tutor is speaking…", bundle: .module).foregroundStyle(palette.secondary)
            }
        } else if message.state == .complete {
            Text("No words", bundle: .module).foregroundStyle(palette.secondary)
        } else {
            ProgressView().accessibilityLabel(Text("The tutor is thinking…", bundle: .module))
        }
    }

    private var shape: UnevenRoundedRectangle {
        let (large, small): (CGFloat, CGFloat) = (18, 6)
        return message.role == .user
            ? UnevenRoundedRectangle(
                topLeadingRadius: large, bottomLeadingRadius: large, bottomTrailingRadius: small, topTrailingRadius: large)
            : UnevenRoundedRectangle(
                topLeadingRadius: large, bottomLeadingRadius: small, bottomTrailingRadius: large, topTrailingRadius: large)
    }
}
