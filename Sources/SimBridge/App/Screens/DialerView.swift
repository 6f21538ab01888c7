import SimBridgeClient
import SwiftUI
import ViewKit

/// The dialer and the current call.
struct DialerView: View {
    let bridge: Bridge
    @State private var number: String
    @State private var chosenSIM: Int?
    @State private var command = UserCommand()
    @State private var isConfirming = false
    @Environment(\.palette) private var palette

    /// - Parameter number: The initial contents of the number field.
    init(bridge: Bridge, number: String) {
        self.bridge = bridge
        _number = State(initialValue: number)
    }

    var body: some View {
        ScrollView {
            VStack(spacing: 14) {
                if let call = bridge.call, call.isUnderWay || !call.isIncoming { CallCard(bridge: bridge, call: call) }
                ErrorText(problem: command.problem)
                if bridge.call?.isUnderWay != true { dialer }
            }
            .padding(Metrics.padding)
            .column()
        }
        .scrollDismissesKeyboard(.interactively)
        .safeAreaInset(edge: .bottom, spacing: 0) { if bridge.call?.isUnderWay != true { callButton } }
        .page()
        .navigationTitle(Text("Call", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
    }

    @ViewBuilder private var dialer: some View {
        HStack(spacing: 4) {
            TextField("", text: $number, prompt: Text("Phone number", bundle: .module).foregroundStyle(palette.placeholder))
                .textFieldStyle(.plain)
                .font(.title2.monospacedDigit())
                .multilineTextAlignment(.center)
                .keyboardType(.phonePad)
                .textContentType(.telephoneNumber)
                .frame(minHeight: 48)
                .fieldTouchArea()
                .accessibilityLabel(Text("Phone number", bundle: .module))
                .accessibilityIdentifier("number")
            Button {
                number = String(number.dropLast())
            } label: {
                Image(systemName: "delete.left").foregroundStyle(palette.onSurfaceVariant).frame(
                    width: Metrics.control, height: Metrics.control)
            }
            .buttonStyle(.plain)
            .disabled(number.isEmpty)
            .accessibilityLabel(Text("Delete last digit", bundle: .module))
        }
        DialPad { number += $0 }
        SIMSelector(bridge: bridge, sim: sim, chosen: $chosenSIM)
    }

    /// The call button, below the scrolling content and so above the keyboard.
    private var callButton: some View {
        Button {
            call()
        } label: {
            HStack(spacing: 8) {
                Image(systemName: "phone.fill").accessibilityHidden(true)
                Text("Call", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle(role: .call))
        .disabled(number.isEmpty || sim == nil)
        .confirmationDialog(Text("Change SIM settings?", bundle: .module), isPresented: $isConfirming, titleVisibility: .visible) {
            Button(Text("Dial \(number)", bundle: .module)) { call(isConfirmed: true) }
        } message: {
            Text("This code changes settings of the SIM card, such as call forwarding.", bundle: .module)
        }
        .closes($isConfirming, forCallsOf: bridge)
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 10)
        .column()
        .background { palette.surface.ignoresSafeArea() }
    }

    /// The slot of the SIM card that the user has chosen, else of the card of the conversation with the number; nil if unknown.
    private var sim: Int? { bridge.sim(for: number, isOpen: false, chosen: chosenSIM) }

    private func call(isConfirmed: Bool = false) {
        guard let sim else { return }
        if !isConfirmed, bridge.changesSettings(number) { return isConfirming = true }
        let tapped = bridge.tapTime
        command.run { try await bridge.placeCall(to: number, sim: sim, tapped: tapped, isConfirmed: isConfirmed) }
    }
}

/// The current or the last call.
private struct CallCard: View {
    let bridge: Bridge
    let call: PhoneCall
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: Metrics.gap) {
            Image(systemName: call.isUnderWay ? "phone.fill" : "phone.down.fill")
                .font(.system(size: Metrics.statusIcon))
                .foregroundStyle(color)
                .accessibilityHidden(true)
            VStack(spacing: 4) {
                contact(call.number).font(.title2.weight(.semibold))
                Text(verbatim: call.state.words)
                    .font(.headline)
                    .foregroundStyle(palette.onSurfaceVariant)
                    .announces(call.state.words)
                if call.state == .active, let answered = call.answeredAt { CallTimer(bridge: bridge, since: answered) }
                if let sim = call.sim {
                    Text("SIM \(sim)", bundle: .module).font(.subheadline).foregroundStyle(palette.onSurfaceVariant)
                }
            }
            if let answer = call.answer { Text(verbatim: answer).textSelection(.enabled).foregroundStyle(palette.onSurface) }
            ErrorText(problem: command.problem)
            button
        }
        .padding(20)
        .frame(maxWidth: .infinity)
        .background(color.opacity(0.1), in: RoundedRectangle(cornerRadius: Metrics.corner))
    }

    @ViewBuilder private var button: some View {
        if call.state == .queued {
            Text("The call will be placed if the host is back online within 10 seconds.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
                .multilineTextAlignment(.center)
        }
        if call.isUnderWay {
            Button {
                hangUp()
            } label: {
                HStack(spacing: 8) {
                    Image(systemName: "phone.down.fill").accessibilityHidden(true)
                    Text("Hang Up", bundle: .module)
                }
            }
            .buttonStyle(FilledButtonStyle(role: .end))
        } else {
            Button(Text("Close", bundle: .module)) { bridge.dismissCall() }
                .buttonStyle(TextButtonStyle())
        }
    }

    private var color: Color {
        switch call.state {
        case .active: palette.secondary
        case .requested, .queued, .dialing, .ringing: palette.warning
        case .ended: palette.onSurfaceVariant
        case .expired, .failed: palette.error
        }
    }

    private func hangUp() {
        // A queued call of an offline host cannot be ended.
        if call.state == .queued, !bridge.isHostOnline { return command.problem = .hostOffline }
        let tapped = bridge.tapTime
        command.run { try await bridge.hangUp(tapped: tapped) }
    }
}
