import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// The code that the host shows.
struct PairView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var code = ""
    @State private var isWorking = false
    @State private var problem: BridgeProblem?
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                header
                CodeField(code: $code).submitLabel(.go).onSubmit { pair() }
                ErrorText(problem: problem)
                VStack(spacing: 8) { buttons }
            }
            .padding(Metrics.loginPadding)
            .column()
        }
        .page()
        .onChange(of: code) {
            // What was wrong was the code before.
            if !code.isEmpty { problem = nil }
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
            Text("“switchboard simbridge host” shows it, on the machine with the SIM cards.", bundle: .module)
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
                if isWorking { ProgressView().tint(palette.onSurfaceVariant) }
                Text("Pair", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle())
        .disabled(!PairingCode.isWellFormed(code) || isWorking)
        if bridge.host != nil {
            Button {
                bridge.cancelPairing()
            } label: {
                Text("Cancel", bundle: .module)
            }
            .buttonStyle(TextButtonStyle())
        } else {
            LogoutButton(bridge: bridge)
                .buttonStyle(TextButtonStyle())
        }
    }

    private func pair() {
        guard PairingCode.isWellFormed(code), !isWorking else { return }
        isWorking = true
        problem = nil
        Task {
            // Inside of what the tap has started: browsers ask for nothing else.
            await bridge.requestNotifications()
            do {
                try await bridge.pair(code: code)
            } catch {
                problem = error as? BridgeProblem
                // Without a network the same code may do the next time.
                if problem != .network, problem != .timeout { code = "" }
            }
            isWorking = false
        }
    }
}

/// Asks, and then ends the account on this phone.
struct LogoutButton: View {
    let bridge: Bridge
    @State private var asks = false
    @Environment(\.palette) private var palette

    var body: some View {
        Button(role: .destructive) {
            asks = true
        } label: {
            Text("Log Out", bundle: .module).foregroundStyle(palette.errorText)
        }
        .confirmationDialog(Text("Log out?", bundle: .module), isPresented: $asks, titleVisibility: .visible) {
            Button(role: .destructive) {
                Task { await bridge.logOut() }
            } label: {
                Text("Log Out", bundle: .module)
            }
        } message: {
            Text("Everything of this account is removed from this phone, texts that wait to be sent included.", bundle: .module)
        }
    }
}
