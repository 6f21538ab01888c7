import PlatformKit
import SimBridgeClient
import SwiftUI
import ViewKit

/// The login screen: the relay, and logging in or creating an account.
struct LoginView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var server = ""
    @State private var username = ""
    @State private var password = ""
    @State private var deviceName = ""
    /// True to create an account.
    @State private var registers = false
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(spacing: 20) {
                header
                VStack(spacing: Metrics.gap) { fields }
                ErrorText(problem: command.problem ?? bridge.loginNotice)
                VStack(spacing: 8) { buttons }
            }
            .padding(Metrics.loginPadding)
            .column()
        }
        .page()
        .onAppear {
            let stored = bridge.saved.serverURL ?? bridge.relays.preset
            server = bridge.relays.isOwn && stored == bridge.relays.preset ? "" : stored
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
        InputField(title: "Server URL", identifier: "server", example: exampleServer, text: $server)
            .keyboardType(.URL)
            .textContentType(.URL)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
        InputField(title: "Username", identifier: "username", text: $username)
            .textContentType(.username)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
        if bridge.asksForDeviceName {
            VStack(alignment: .leading, spacing: 6) {
                InputField(title: "Device name", identifier: "device-name", text: $deviceName)
                    .autocorrectionDisabled()
                Text("Your other devices show this phone under this name.", bundle: .module)
                    .font(.footnote)
                    .foregroundStyle(palette.onSurfaceVariant)
            }
        }
        VStack(alignment: .leading, spacing: 6) {
            InputField(title: "Password", identifier: "password", text: $password, isSecure: true)
                .textContentType(registers ? .newPassword : .password)
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .submitLabel(.go)
                .onSubmit { begin() }
            if registers {
                Text("Use at least 8 characters. Avoid common passwords.", bundle: .module)
                    .font(.footnote)
                    .foregroundStyle(palette.onSurfaceVariant)
            }
        }
    }

    /// The example in the server field. An empty field selects this box, whose address has no meaning on other devices.
    private var exampleServer: Text {
        bridge.relays.isOwn ? Text("This box (default)", bundle: .module) : Text(verbatim: "https://relay.example.com")
    }

    @ViewBuilder private var buttons: some View {
        Button {
            begin()
        } label: {
            HStack(spacing: 10) {
                if command.isRunning { ProgressView().tint(palette.onSurfaceVariant) }
                registers ? Text("Create Account", bundle: .module) : Text("Log In", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle())
        .disabled(!isComplete || command.isRunning)
        Button(registers ? Text("Log in to an existing account", bundle: .module) : Text("Create an account", bundle: .module)) {
            registers.toggle()
            command.problem = nil
        }
        .buttonStyle(TextButtonStyle())
        .disabled(command.isRunning)
        if bridge.phase == .login { DemonstrationButton().disabled(command.isRunning) }
        PrivacyLink(bridge.privacyPolicy(of: address))
        if page.wantsPassword {
            Button(Text("Back", bundle: .module)) { page.wantsPassword = false }
                .buttonStyle(TextButtonStyle())
        }
    }

    private var isComplete: Bool {
        ![address, username, password].contains(where: \.isEmpty)
            && (!bridge.asksForDeviceName || PhoneName.checked(deviceName) != nil)
    }
    private var address: String { server.isEmpty && bridge.relays.isOwn ? bridge.relays.preset : server }

    private func begin() {
        guard isComplete else { return }
        command.run {
            try await bridge.logIn(
                server: address, username: username, password: password, registers: registers, deviceName: deviceName, on: page)
        }
    }
}
