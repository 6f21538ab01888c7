import SimBridgeClient
import SwiftUI
import ViewKit

/// A text message with its delivery state.
struct MessageBubble: View {
    let message: TextMessage
    let bridge: Bridge
    let open: (Route) -> Void
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: message.isOutgoing ? .trailing : .leading, spacing: 4) {
            Text(verbatim: message.body)
                .textSelection(.enabled)
                .padding(.horizontal, 14)
                .padding(.vertical, 10)
                .foregroundStyle(message.isOutgoing ? palette.onContainer : palette.onSurface)
                .background(message.isOutgoing ? palette.container : palette.card, in: RoundedRectangle(cornerRadius: 18))
            TextDetails(text: message.body, bridge: bridge, open: open)
            HStack(spacing: 6) {
                MomentText(date: message.time).fixedSize()
                if bridge.sims.count > 1, let sim = message.sim { Text("SIM \(sim)", bundle: .module).fixedSize() }
                if message.isOutgoing {
                    Image(systemName: symbol).foregroundStyle(message.isFailed ? palette.errorText : palette.onSurfaceVariant)
                        .accessibilityHidden(true)
                    state.foregroundStyle(message.isFailed ? palette.errorText : palette.onSurfaceVariant)
                }
            }
            .font(.caption)
            .foregroundStyle(palette.onSurfaceVariant)
            .padding(.horizontal, 6)
            if isRetriable { actions }
            ErrorText(problem: command.problem)
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(message.isOutgoing ? Text("You", bundle: .module) : contact(message.number))
        .padding(message.isOutgoing ? .leading : .trailing, 48)
        .frame(maxWidth: .infinity, alignment: message.isOutgoing ? .trailing : .leading)
    }

    private var actions: some View {
        HStack(spacing: 16) {
            if message.state != .waiting {
                Button(Text("Send again", bundle: .module)) { command.run { try await bridge.retry(message) } }
            }
            Button(Text("Delete", bundle: .module)) { command.run { await bridge.discard(message) } }
        }
        .buttonStyle(TextButtonStyle())
        .padding(.horizontal, 6)
    }

    private var isRetriable: Bool { message.isFailed || message.state == .unknown || message.state == .waiting }

    private var symbol: String {
        switch message.state {
        case .received, .sent: "checkmark"
        case .waiting, .queued: "clock"
        case .confirmed: "checkmark.circle"
        case .delivered: "checkmark.circle.fill"
        case .unknown: "questionmark.circle"
        case .failed: "exclamationmark.circle.fill"
        }
    }

    private var state: Text {
        switch message.state {
        case .received: Text(verbatim: "")
        case .waiting: Text("Waiting for the relay", bundle: .module)
        case .queued: Text("Waiting for the host", bundle: .module)
        case .sent: Text("Sent to the host", bundle: .module)
        case .confirmed: Text("Sent", bundle: .module)
        case .delivered: Text("Delivered", bundle: .module)
        case .unknown: Text("May not have been sent", bundle: .module)
        case .failed(let failure): failure.words
        }
    }
}
