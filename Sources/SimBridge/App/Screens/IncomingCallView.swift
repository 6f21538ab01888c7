import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// An incoming call, over the whole screen, until it has ended.
struct IncomingCallView: View {
    let bridge: Bridge
    let call: PhoneCall
    let hide: () -> Void
    /// The user wants to answer, and has been told where.
    @State private var isAnswering = false
    @State private var problem: BridgeProblem?
    @Environment(\.palette) private var palette
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        ScrollView {
            VStack(spacing: isLow ? 12 : 24) {
                caller
                guidance
                ErrorText(problem: problem)
                VStack(spacing: 12) { buttons }
            }
            .padding(isLow ? Metrics.padding : Metrics.loginPadding)
            .padding(.top, isLow ? 0 : 24)
            .column()
        }
        .page()
        .accessibilityElement(children: .contain)
        .accessibilityIdentifier("incoming-call")
    }

    /// A phone on its side: all buttons have to be in sight without scrolling.
    private var isLow: Bool { height == .compact }

    private var caller: some View {
        VStack(spacing: 8) {
            if !isLow {
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
            Text("Incoming call", bundle: .module).accessibilityAddTraits(.updatesFrequently)
        }
    }

    /// Which SIM card of which phone.
    @ViewBuilder private var card: some View {
        if let sim = call.sim {
            let carrier = bridge.sims.first { $0.slot == sim }?.carrier ?? ""
            Text("SIM \(sim) \(carrier)", bundle: .module)
        }
    }

    private var guidance: some View {
        Group {
            if call.answeredAt != nil {
                Text("You speak on \(host), not on this phone.", bundle: .module)
            } else if isAnswering {
                Text("Waiting until somebody answers on \(host)…", bundle: .module).fontWeight(.semibold)
            } else {
                Text("To answer, pick up \(host): you speak there, not on this phone.", bundle: .module)
            }
        }
        .multilineTextAlignment(.center)
        .accessibilityAddTraits(.updatesFrequently)
    }

    private var host: String { bridge.hostName(of: call) }

    @ViewBuilder private var buttons: some View {
        if isLow {
            HStack(spacing: 12) { answerAndEnd }
        } else {
            answerAndEnd
        }
        Button {
            hide()
        } label: {
            Text("Hide", bundle: .module)
        }
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
        problem = nil
        let tapped = bridge.tapTime
        Task {
            do {
                try await bridge.hangUp(tapped: tapped)
            } catch {
                problem = error as? BridgeProblem
            }
        }
    }
}

/// The length of a call, counting.
struct CallTimer: View {
    let bridge: Bridge
    let since: Date
    @State private var seconds = 0

    var body: some View {
        Text(verbatim: callLength(seconds))
            .monospacedDigit()
            .task(id: since) { await bridge.followSeconds(since: since) { seconds = $0 } }
    }
}

/// `1:05`, or `1:00:05` from an hour on.
func callLength(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, rest) = (seconds / 60, two(seconds % 60))
    return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\(two(minutes % 60)):\(rest)"
}
