import PlatformKit
import SimBridgeClient
import SwiftUI

/// The server, the devices, the lock, and the way out.
struct SettingsView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var wantsBiometrics = false
    @State private var problem: BridgeProblem?
    @State private var changesPassword = false
    @Environment(\.palette) private var palette

    var body: some View {
        Form {
            account
            host
            password
            if bridge.isBiometricAvailable || bridge.isBiometricEnabled { lock }
            notifications
            Section { LogoutButton(bridge: bridge).listRowBackground(palette.card) }
        }
        .scrollContentBackground(.hidden)
        .page()
        .navigationTitle(Text("Settings", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .onAppear { wantsBiometrics = bridge.isBiometricEnabled }
    }

    private var account: some View {
        Section {
            InfoRow(title: "Server URL", value: server)
            InfoRow(title: "Username", value: Text(verbatim: bridge.preferences.username ?? ""))
            InfoRow(title: "Device name", value: Text(verbatim: bridge.preferences.deviceName ?? ""))
            InfoRow(title: "Device ID", value: Text(verbatim: bridge.deviceID.map { "\($0)" } ?? ""))
        } header: {
            Text("This phone", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
        }
    }

    private var server: Text {
        let address = bridge.preferences.serverURL ?? ""
        return bridge.relays.isOwn && address == bridge.relays.preset ? Text("This box", bundle: .module) : Text(verbatim: address)
    }

    private var host: some View {
        Section {
            ForEach(bridge.preferences.hosts) { host in
                let isChosen = host.id == bridge.host?.id
                Button {
                    bridge.use(host)
                } label: {
                    HStack {
                        Text(verbatim: host.name)
                        Spacer()
                        if isChosen { Image(systemName: "checkmark").foregroundStyle(palette.link).fontWeight(.semibold) }
                    }
                    .foregroundStyle(palette.onSurface)
                }
                .accessibilityAddTraits(isChosen ? .isSelected : [])
                .listRowBackground(palette.card)
            }
            Button {
                bridge.beginPairing()
            } label: {
                Text("Pair another host", bundle: .module).foregroundStyle(palette.link)
            }
            .listRowBackground(palette.card)
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
        }
        .sheet(isPresented: $changesPassword) { PasswordView(bridge: bridge, page: page) }
        // A call takes the whole screen.
        .onChange(of: bridge.incomingCall?.id) { if bridge.incomingCall != nil { changesPassword = false } }
    }

    private var lock: some View {
        Section {
            Toggle(isOn: $wantsBiometrics) { Text("Unlock with face or finger", bundle: .module) }
                .onChange(of: wantsBiometrics) { setBiometrics() }
                .listRowBackground(palette.card)
            ErrorText(problem: problem)
        } footer: {
            Text("SimBridge then opens only for who this phone recognises.", bundle: .module).foregroundStyle(
                palette.onSurfaceVariant)
        }
    }

    private func setBiometrics() {
        guard wantsBiometrics != bridge.isBiometricEnabled else { return }
        problem = nil
        Task {
            do {
                if wantsBiometrics { try await bridge.enableBiometrics(on: page) } else { try await bridge.disableBiometrics() }
            } catch {
                problem = error as? BridgeProblem
                wantsBiometrics = bridge.isBiometricEnabled
            }
        }
    }

    private var notifications: some View {
        Section {
            switch bridge.notificationPermission {
            case .granted: InfoRow(title: "Notifications", value: Text(verbatim: "✓"))
            case .denied: Text("Notifications are turned off for this app.", bundle: .module).listRowBackground(palette.card)
            case .undecided:
                Button {
                    Task { await bridge.requestNotifications() }
                } label: {
                    Text("Turn on notifications", bundle: .module).foregroundStyle(palette.link)
                }
                .listRowBackground(palette.card)
            }
        } footer: {
            Text("For texts and calls that come while the app is in the background.", bundle: .module).foregroundStyle(
                palette.onSurfaceVariant)
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
