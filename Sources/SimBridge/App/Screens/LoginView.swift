import SimBridgeClient
import SwiftUI

/// The relay, and an account on it: logging in, or making one.
struct LoginView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var server = ""
    @State private var username = ""
    @State private var password = ""
    /// A new account is made.
    @State private var registers = false
    @State private var isWorking = false
    @State private var problem: BridgeProblem?
    @Environment(\.palette) private var palette

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
            let kept = bridge.saved.serverURL ?? bridge.relays.preset
            server = bridge.relays.isOwn && kept == bridge.relays.preset ? "" : kept
            username = bridge.saved.username ?? ""
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
        VStack(alignment: .leading, spacing: 6) {
            InputField(title: "Password", identifier: "password", text: $password, isSecure: true)
                .textContentType(registers ? .newPassword : .password)
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .submitLabel(.go)
                .onSubmit { begin() }
            if registers {
                Text("At least 8 characters, and not one that everybody uses.", bundle: .module)
                    .font(.footnote)
                    .foregroundStyle(palette.onSurfaceVariant)
            }
        }
    }

    /// Empty it means this box, which is no address elsewhere.
    @ViewBuilder private var serverField: some View {
        if bridge.relays.isOwn {
            InputField(title: "Server URL", identifier: "server", example: "This box, unless you type another", text: $server)
        } else {
            InputField(title: "Server URL", identifier: "server", example: "https://relay.example.com", text: $server)
        }
    }

    @ViewBuilder private var buttons: some View {
        Button {
            begin()
        } label: {
            HStack(spacing: 10) {
                if isWorking { ProgressView().tint(palette.onSurfaceVariant) }
                registers ? Text("Create Account", bundle: .module) : Text("Log In", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle())
        .disabled(!isComplete || isWorking)
        Button {
            registers.toggle()
            problem = nil
        } label: {
            registers ? Text("I have an account", bundle: .module) : Text("Create an account", bundle: .module)
        }
        .buttonStyle(TextButtonStyle())
        .disabled(isWorking)
        if page.wantsPassword {
            Button {
                page.wantsPassword = false
            } label: {
                Text("Back", bundle: .module)
            }
            .buttonStyle(TextButtonStyle())
        }
    }

    private var isComplete: Bool { ![address, username, password].contains(where: \.isEmpty) }
    private var address: String { server.isEmpty && bridge.relays.isOwn ? bridge.relays.preset : server }

    private func begin() {
        guard isComplete, !isWorking else { return }
        isWorking = true
        problem = nil
        Task {
            do {
                try await bridge.logIn(server: address, username: username, password: password, registers: registers, on: page)
            } catch {
                problem = error as? BridgeProblem
            }
            isWorking = false
        }
    }
}
