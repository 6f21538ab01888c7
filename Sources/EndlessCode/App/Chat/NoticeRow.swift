import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import SwiftUI
import ViewKit

/// A remark of the agent's program, outside the conversation.
struct NoticeRow: View {
    let notice: Notice
    /// True if no entry has followed the notice.
    let isLatest: Bool
    let screen: ChatScreen
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            Image(systemName: symbol).accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 2) {
                words.textSelection(.enabled)
                if notice.kind == Notice.Kind.retry { attempt.foregroundStyle(palette.secondary) }
                if isLimit, let date = notice.nextDate {
                    HStack(spacing: 4) {
                        Text("It is reset:", bundle: .module)
                        Text(date, format: .dateTime.month(.abbreviated).day().hour().minute())
                    }
                    .foregroundStyle(palette.secondary)
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .font(.footnote)
        .foregroundStyle(isWarning ? palette.warning : palette.secondary)
        .padding(.vertical, 10)
        .accessibilityGroup("notice")
        .task(id: isWaiting) {
            // Updates the seconds until the next attempt.
            while isWaiting, !Task.isCancelled {
                screen.now = Date()
                do { try await screen.clock.sleep(for: .seconds(1)) } catch { return }
            }
        }
    }

    private var isWaiting: Bool { isLatest && notice.kind == Notice.Kind.retry }
    private var isLimit: Bool { notice.kind == Notice.Kind.limitNear || notice.kind == Notice.Kind.limitReached }

    private var isWarning: Bool {
        switch notice.kind {
        case Notice.Kind.compacting, Notice.Kind.compacted, Notice.Kind.cleared, Notice.Kind.information: false
        case Notice.Kind.retry: isLatest
        default: true
        }
    }

    private var symbol: String {
        switch notice.kind {
        case Notice.Kind.retry: "clock"
        case Notice.Kind.compacting, Notice.Kind.compacted, Notice.Kind.cleared, Notice.Kind.information: "info.circle"
        default: "exclamationmark.circle"
        }
    }

    private var words: Text {
        switch notice.kind {
        case Notice.Kind.retry: reason
        case Notice.Kind.compacting: Text("The agent is summarizing the older part of the conversation.", bundle: .module)
        case Notice.Kind.compacted:
            Text("Of the older part of the conversation the agent remembers a summary.", bundle: .module)
        case Notice.Kind.cleared: Text("The conversation was cleared. The agent remembers nothing from before.", bundle: .module)
        case Notice.Kind.forgotten:
            Text("The agent could not resume this conversation. It remembers nothing from before.", bundle: .module)
        case Notice.Kind.limitNear: Text("The provider’s usage limit is near.", bundle: .module)
        case Notice.Kind.limitReached: Text("The provider’s usage limit is reached.", bundle: .module)
        default: Text(verbatim: (notice.text ?? notice.kind).visible)
        }
    }

    private var reason: Text {
        switch notice.reason {
        case "overloaded": Text("The model’s service is overloaded.", bundle: .module)
        case "rate_limit": Text("The model’s service gets too many requests.", bundle: .module)
        case "authentication_failed":
            Text("The model’s service refuses the login. Log in to the agent on the computer.", bundle: .module)
        case "billing_error": Text("The model’s service refuses for a reason of billing.", bundle: .module)
        case "server_error": Text("The model’s service has an error.", bundle: .module)
        case "connection": Text("The model’s service cannot be reached.", bundle: .module)
        default: Text("A request to the model failed.", bundle: .module)
        }
    }

    private var attempt: Text {
        let (number, last) = (notice.attempt ?? 1, notice.maxAttempts)
        let seconds = notice.nextDate.map { Int(min(max($0.timeIntervalSince(screen.now), 0), 86_400).rounded(.up)) } ?? 0
        guard isLatest, seconds > 0 else {
            guard let last else { return Text("Attempt \(number)", bundle: .module) }
            return Text("Attempt \(number) of \(last)", bundle: .module)
        }
        guard let last else { return Text("Attempt \(number) in \(seconds) s", bundle: .module) }
        return Text("Attempt \(number) of \(last) in \(seconds) s", bundle: .module)
    }
}
