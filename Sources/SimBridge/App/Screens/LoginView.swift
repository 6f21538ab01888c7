import SimBridgeClient
import SwiftUI

/// The relay, and who one is there.
struct LoginView: View {
    let bridge: Bridge
    @State private var server = ""
    @State private var username = ""
    @State private var password = ""
    @State private var work: Work?
    @State private var problem: BridgeProblem?
    @Environment(\.palette) private var palette

    private enum Work { case logIn, register }

    var body: some View {
        ScrollView {
            VStack(spacing: 20) {
                header
                VStack(spacing: Metrics.gap) { fields }
                ErrorText(problem: problem ?? bridge.loginNotice)
                VStack(spacing: 8) { buttons }
            }
            .padding(Metrics.loginPadding)
            .column()
        }
        .page()
        .onAppear {
            let kept = bridge.preferences.serverURL ?? bridge.relays.preset
            server = bridge.relays.isOwn && kept == bridge.relays.preset ? "" : kept
            username = bridge.preferences.username ?? ""
        }
    }

    private var header: some View {
        VStack(spacing: 8) {
            Image(systemName: "simcard.fill")
                .font(.system(size: 44))
                .foregroundStyle(palette.primary)
                .accessibilityHidden(true)
            Text("SimBridge Client", bundle: .module)
                .font(.title.bold())
                .multilineTextAlignment(.center)
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h1)
            Text("Text and call with the SIM cards of your other phone.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
                .multilineTextAlignment(.center)
        }
        .padding(.vertical, 8)
    }

    @ViewBuilder private var fields: some View {
        serverField
            .keyboardType(.URL)
            .textContentType(.URL)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
        InputField(title: "Username", identifier: "username", text: $username)
            .textContentType(.username)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
        InputField(title: "Password", identifier: "password", text: $password, isSecure: true)
            .textContentType(.password)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
            .submitLabel(.go)
            .onSubmit { if isComplete { begin(.logIn) } }
    }

    /// Empty it means this box, which is no address elsewhere.
    @ViewBuilder private var serverField: some View {
        if bridge.relays.isOwn {
            InputField(title: "Server URL", identifier: "server", example: "This box", text: $server)
        } else {
            InputField(title: "Server URL", identifier: "server", example: "https://relay.example.com", text: $server)
        }
    }

    @ViewBuilder private var buttons: some View {
        Button {
            begin(.logIn)
        } label: {
            HStack(spacing: 10) {
                if work == .logIn { ProgressView().tint(palette.onSurfaceVariant) }
                Text("Log In", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle())
        .disabled(!isComplete || work != nil)
        Button {
            begin(.register)
        } label: {
            HStack(spacing: 10) {
                if work == .register { ProgressView() }
                Text("Create Account", bundle: .module)
            }
        }
        .buttonStyle(TextButtonStyle())
        .disabled(!isComplete || work != nil)
    }

    private var isComplete: Bool { ![address, username, password].contains(where: \.isEmpty) }
    private var address: String { server.isEmpty && bridge.relays.isOwn ? bridge.relays.preset : server }

    private func begin(_ work: Work) {
        self.work = work
        problem = nil
        Task {
            do {
                try await bridge.logIn(server: address, username: username, password: password, registers: work == .register)
            } catch {
                problem = error as? BridgeProblem
            }
            self.work = nil
        }
    }
}
