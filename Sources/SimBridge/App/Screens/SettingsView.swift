import PlatformKit
import SimBridgeClient
import SwiftUI
import ViewKit

/// The settings: account, hosts, password, lock, notifications and logout.
struct SettingsView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var wantsBiometrics = false
    @State private var command = UserCommand()
    @State private var changesPassword = false
    @Environment(\.palette) private var palette
    @Environment(\.isPageSecure) private var isPageSecure

    var body: some View {
        Form {
            account
            host
            if !bridge.isDemonstration {
                password
                if bridge.isBiometricAvailable || bridge.isBiometricEnabled || !isPageSecure { lock }
                NotificationSettings(bridge: bridge)
                Section {
                    LogoutButton(bridge: bridge).listRowBackground(palette.card)
                    DeleteAccountButton(bridge: bridge).listRowBackground(palette.card)
                }
            }
        }
        .scrollContentBackground(.hidden)
        .page()
        .navigationTitle(Text("Settings", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .onChange(of: bridge.isBiometricEnabled, initial: true) { wantsBiometrics = bridge.isBiometricEnabled }
    }

    private var account: some View {
        Section {
            InfoRow(title: "Server URL", value: server)
            InfoRow(title: "Username", value: Text(verbatim: bridge.saved.username ?? ""))
            InfoRow(title: "Device name", value: Text(verbatim: bridge.saved.deviceName ?? ""))
            InfoRow(title: "Device ID", value: Text(verbatim: bridge.deviceID.map { "\($0)" } ?? ""))
            PrivacyLink(bridge.privacyPolicy(of: bridge.saved.serverURL ?? "")).listRowBackground(palette.card)
        } header: {
            Text("This phone", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
        }
    }

    private var server: Text {
        if bridge.isDemonstration { return Text("No server: this is a demonstration", bundle: .module) }
        let address = bridge.saved.serverURL ?? ""
        return bridge.relays.isOwn && address == bridge.relays.preset ? Text("This box", bundle: .module) : Text(verbatim: address)
    }

    private var host: some View {
        Section {
            ForEach(bridge.saved.hosts) { host in
                let isSelected = host.id == bridge.host?.id
                Button {
                    bridge.use(host)
                } label: {
                    HStack {
                        Text(verbatim: host.name)
                        Spacer()
                        if isSelected {
                            Image(systemName: "checkmark").foregroundStyle(palette.link).fontWeight(.semibold).accessibilityHidden(
                                true)
                        }
                    }
                    .foregroundStyle(palette.onSurface)
                }
                .accessibilityAddTraits(isSelected ? .isSelected : [])
                .listRowBackground(palette.card)
            }
            if !bridge.isDemonstration {
                Button {
                    bridge.beginPairing()
                } label: {
                    Text("Pair another host", bundle: .module).foregroundStyle(palette.link)
                }
                .listRowBackground(palette.card)
            }
        } header: {
            Text("Paired Host", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
        }
    }

    private var password: some View {
        Section {
            Button {
                changesPassword = true
            } label: {
                Text("Change Password", bundle: .module).foregroundStyle(palette.link)
            }
            .listRowBackground(palette.card)
            .sheet(isPresented: $changesPassword) { PasswordView(bridge: bridge, page: page) }
            .closes($changesPassword, forCallsOf: bridge)
        }
    }

    private var lock: some View {
        Section {
            Toggle(isOn: $wantsBiometrics) { Text("Unlock with face or finger", bundle: .module) }
                .onChange(of: wantsBiometrics) { setBiometrics() }
                .disabled(command.isRunning || !isPageSecure && !bridge.isBiometricEnabled)
                .listRowBackground(palette.card)
            ErrorText(problem: command.problem)
        } footer: {
            (isPageSecure
                ? Text("Require face or fingerprint recognition to open SimBridge.", bundle: .module) : .insecurePage)
                .foregroundStyle(palette.onSurfaceVariant)
        }
    }

    private func setBiometrics() {
        guard wantsBiometrics != bridge.isBiometricEnabled else { return }
        command.run {
            if wantsBiometrics { try await bridge.enableBiometrics(on: page) } else { try await bridge.disableBiometrics() }
        } onFailure: { _ in
            wantsBiometrics = bridge.isBiometricEnabled
        }
    }
}

private struct InfoRow: View {
    let title: LocalizedStringKey
    let value: Text
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .firstTextBaseline) {
            Text(title, bundle: .module).fixedSize()
            Spacer()
            value.foregroundStyle(palette.onSurfaceVariant).multilineTextAlignment(.trailing).textSelection(
                .enabled)
        }
        .accessibilityElement(children: .combine)
        .listRowBackground(palette.card)
    }
}
