import PlatformKit
import SimBridgeClient
import SwiftUI

/// The server, the devices, the lock, and the way out.
struct SettingsView: View {
    let bridge: Bridge
    @State private var wantsBiometrics = false
    @State private var problem: BridgeProblem?
    @Environment(\.palette) private var palette

    var body: some View {
        Form {
            account
            host
            if bridge.isBiometricAvailable { lock }
            notifications
            Section { LogoutButton(bridge: bridge) }
        }
        .navigationTitle(Text("Settings", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .onAppear { wantsBiometrics = bridge.isBiometricEnabled }
    }

    private var account: some View {
        Section {
            InfoRow(title: "Server URL", value: bridge.preferences.serverURL ?? "")
            InfoRow(title: "Username", value: bridge.preferences.username ?? "")
            InfoRow(title: "Device name", value: bridge.preferences.deviceName ?? "")
            InfoRow(title: "Device ID", value: bridge.deviceID.map { "\($0)" } ?? "")
        } header: {
            Text("This phone", bundle: .module)
        }
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
                    .foregroundStyle(Color.primary)
                }
                .accessibilityAddTraits(isChosen ? .isSelected : [])
            }
            Button {
                bridge.beginPairing()
            } label: {
                Text("Pair another host", bundle: .module).foregroundStyle(palette.link)
            }
        } header: {
            Text("Paired Host", bundle: .module)
        }
    }

    private var lock: some View {
        Section {
            Toggle(isOn: $wantsBiometrics) { Text("Unlock with face or finger", bundle: .module) }
                .onChange(of: wantsBiometrics) { setBiometrics() }
            ErrorText(problem: problem)
        } footer: {
            Text("SimBridge then opens only for who this phone recognises.", bundle: .module)
        }
    }

    private func setBiometrics() {
        guard wantsBiometrics != bridge.isBiometricEnabled else { return }
        problem = nil
        Task {
            do {
                if wantsBiometrics { try await bridge.enableBiometrics() } else { try await bridge.disableBiometrics() }
            } catch {
                problem = error as? BridgeProblem
                wantsBiometrics = bridge.isBiometricEnabled
            }
        }
    }

    private var notifications: some View {
        Section {
            switch bridge.notificationPermission {
            case .granted: InfoRow(title: "Notifications", value: "✓")
            case .denied: Text("Notifications are turned off for this app.", bundle: .module)
            case .undecided:
                Button {
                    Task { await bridge.requestNotifications() }
                } label: {
                    Text("Turn on notifications", bundle: .module).foregroundStyle(palette.link)
                }
            }
        } footer: {
            Text("For texts and calls that come while the app is in the background.", bundle: .module)
        }
    }
}

private struct InfoRow: View {
    let title: LocalizedStringKey
    let value: String

    var body: some View {
        HStack(alignment: .firstTextBaseline) {
            Text(title, bundle: .module)
            Spacer()
            Text(verbatim: value).foregroundStyle(.secondary).multilineTextAlignment(.trailing).textSelection(.enabled)
        }
        .accessibilityElement(children: .combine)
    }
}
