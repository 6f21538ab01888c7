import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// An incoming call, full screen until it ends.
struct IncomingCallView: View {
    let bridge: Bridge
    let call: PhoneCall
    let hide: () -> Void
    /// True after the user chose to answer and was referred to the host.
    @State private var isAnswering = false
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        ScrollView {
            VStack(spacing: isCompact ? 12 : 24) {
                caller
                guidance
                ErrorText(problem: command.problem)
                VStack(spacing: 12) { buttons }
            }
            .padding(isCompact ? Metrics.padding : Metrics.loginPadding)
            .padding(.top, isCompact ? 0 : 24)
            .column()
        }
        .page()
        .accessibilityGroup("incoming-call")
        .announces(news)
    }

    /// True in landscape orientation on a phone, where all buttons must be visible without scrolling.
    private var isCompact: Bool { height == .compact }

    private var caller: some View {
        VStack(spacing: 8) {
            if !isCompact {
                Image(systemName: "phone.arrow.down.left")
                    .font(.system(size: 56))
                    .foregroundStyle(palette.secondary)
                    .accessibilityHidden(true)
            }
            contact(call.number)
                .font(.largeTitle.bold())
                .multilineTextAlignment(.center)
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h1)
            state.font(.headline).foregroundStyle(palette.onSurfaceVariant)
            card.font(.subheadline).foregroundStyle(palette.onSurfaceVariant)
        }
    }

    @ViewBuilder private var state: some View {
        if let answered = call.answeredAt {
            CallTimer(bridge: bridge, since: answered)
        } else {
            Text("Incoming call", bundle: .module)
        }
    }

    /// The SIM card and its carrier.
    @ViewBuilder private var card: some View {
        if let sim = call.sim {
            let carrier = bridge.sims.first { $0.slot == sim }?.carrier ?? ""
            Text("SIM \(sim) \(carrier)", bundle: .module)
        }
    }

    private var guidance: some View {
        Text(verbatim: guidanceWords)
            .fontWeight(isAnswering && call.answeredAt == nil ? .semibold : nil)
            .multilineTextAlignment(.center)
    }

    private var guidanceWords: String {
        if call.answeredAt != nil { return String(localized: "The call is taking place on \(host).", bundle: .module) }
        return isAnswering
            ? String(localized: "Waiting for an answer on \(host)…", bundle: .module)
            : String(localized: "To answer, pick up \(host). The call takes place on that phone.", bundle: .module)
    }

    /// The announcement to users of a screen reader: the incoming call, then each change of the guidance.
    private var news: String {
        call.answeredAt == nil && !isAnswering ? String(localized: "Incoming call", bundle: .module) : guidanceWords
    }

    private var host: String { bridge.hostName(of: call) }

    @ViewBuilder private var buttons: some View {
        if isCompact {
            HStack(spacing: 12) { answerAndEnd }
        } else {
            answerAndEnd
        }
        Button(Text("Hide", bundle: .module)) { hide() }
            .buttonStyle(TextButtonStyle())
    }

    @ViewBuilder private var answerAndEnd: some View {
        if call.answeredAt == nil {
            Button {
                isAnswering = true
            } label: {
                label("phone.fill", Text("Answer on the host", bundle: .module))
            }
            .buttonStyle(FilledButtonStyle(role: .call))
            .disabled(isAnswering)
        }
        Button {
            hangUp()
        } label: {
            label("phone.down.fill", call.answeredAt == nil ? Text("Decline", bundle: .module) : Text("Hang Up", bundle: .module))
        }
        .buttonStyle(FilledButtonStyle(role: .end))
    }

    private func label(_ symbol: String, _ words: Text) -> some View {
        HStack(spacing: 8) {
            Image(systemName: symbol).accessibilityHidden(true)
            words
        }
    }

    private func hangUp() {
        let tapped = bridge.tapTime
        command.run { try await bridge.hangUp(tapped: tapped) }
    }
}

/// The running duration of a call.
struct CallTimer: View {
    let bridge: Bridge
    let since: Date
    @State private var seconds = 0

    var body: some View {
        Text(verbatim: callDuration(seconds))
            .monospacedDigit()
            .task(id: since) { await bridge.followSeconds(since: since) { seconds = $0 } }
    }
}

/// Formats a duration as `1:05`, or as `1:00:05` from one hour on.
func callDuration(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, rest) = (seconds / 60, two(seconds % 60))
    return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\(two(minutes % 60)):\(rest)"
}
