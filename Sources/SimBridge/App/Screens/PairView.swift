import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// The screen for entering the host's pairing code.
struct PairView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var code = ""
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                header
                CodeField(code: $code).submitLabel(.go).onSubmit { pair() }
                ErrorText(problem: command.problem)
                VStack(spacing: 8) { buttons }
            }
            .padding(Metrics.loginPadding)
            .column()
        }
        .page()
        .onChange(of: code) {
            // The error referred to the previous code.
            if !code.isEmpty { command.problem = nil }
            pair()
        }
        .onChange(of: page.offeredCode, initial: true) { if let offered = page.takeOfferedCode() { code = offered } }
    }

    private var header: some View {
        VStack(spacing: 8) {
            Image(systemName: "link")
                .font(.system(size: 44))
                .foregroundStyle(palette.primary)
                .accessibilityHidden(true)
            Text("Pair with a host", bundle: .module)
                .font(.title.bold())
                .multilineTextAlignment(.center)
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h1)
            Text("Enter the 6-digit code shown on the Host device", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
                .multilineTextAlignment(.center)
            Text("To get a code, run “switchboard simbridge host” on the machine with the SIM cards.", bundle: .module)
                .font(.footnote)
                .foregroundStyle(palette.onSurfaceVariant)
                .multilineTextAlignment(.center)
        }
        .padding(.vertical, 8)
    }

    @ViewBuilder private var buttons: some View {
        Button {
            pair()
        } label: {
            HStack(spacing: 10) {
                if command.isRunning { ProgressView().tint(palette.onSurfaceVariant) }
                Text("Pair", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle())
        .disabled(!PairingCode.isWellFormed(code) || command.isRunning)
        if bridge.host != nil {
            Button(Text("Cancel", bundle: .module)) { bridge.cancelPairing() }
                .buttonStyle(TextButtonStyle())
        } else {
            LogoutButton(bridge: bridge)
                .buttonStyle(TextButtonStyle())
            // An account without a host has no other screen.
            DeleteAccountButton(bridge: bridge)
                .buttonStyle(TextButtonStyle())
        }
    }

    private func pair() {
        guard PairingCode.isWellFormed(code) else { return }
        command.run {
            // Request permission within the tap's own task: browsers require a user gesture.
            await bridge.requestNotifications()
            try await bridge.pair(code: code)
        } onFailure: { problem in
            // Keep the code after a network error, for another try.
            if problem != .network, problem != .timeout { code = "" }
        }
    }
}

/// A button that logs out after a confirmation.
struct LogoutButton: View {
    let bridge: Bridge
    @State private var isConfirming = false
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        Button(role: .destructive) {
            isConfirming = true
        } label: {
            Text("Log Out", bundle: .module).foregroundStyle(palette.errorText)
        }
        .confirmationDialog(Text("Log out?", bundle: .module), isPresented: $isConfirming, titleVisibility: .visible) {
            Button(Text("Log Out", bundle: .module), role: .destructive) { command.run { await bridge.logOut() } }
        } message: {
            Text("All data for this account, including unsent messages, will be removed from this phone.", bundle: .module)
        }
        .closes($isConfirming, forCallsOf: bridge)
    }
}
