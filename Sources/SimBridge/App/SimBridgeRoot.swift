public import PlatformKit
public import SimBridgeClient
public import SwiftUI

/// The remote control of another phone's SIM cards.
public struct SimBridgeRoot: View {
    private let bridge: Bridge
    /// This screen, among those that show the same phone.
    @State private var screen = ScreenIdentity()
    @Environment(\.scenePhase) private var scenePhase
    @Environment(\.palette) private var palette

    public init(phone: Phone, relays: Relays) { bridge = Bridge.shared(on: phone, relays: relays) }

    public var body: some View {
        PhaseView(bridge: bridge)
            .tint(palette.link)
            .task { await bridge.run() }
            .onChange(of: scenePhase, initial: true) { bridge.setInFront(scenePhase == .active, screen: screen) }
            .onDisappear { bridge.setInFront(false, screen: screen) }
    }
}

private final class ScreenIdentity {}

/// The screen that the state of the account asks for.
private struct PhaseView: View {
    @Bindable var bridge: Bridge

    var body: some View {
        content
            .alert(Text("Problem", bundle: .module), isPresented: $bridge.isAlertShown) {
                Button {
                    bridge.dismissAlert()
                } label: {
                    Text("OK", bundle: .module)
                }
            } message: {
                alertWords
            }
            .alert(Text("Unlock with your face or finger?", bundle: .module), isPresented: $bridge.isBiometricOffered) {
                Button {
                    Task { try? await bridge.enableBiometrics() }
                } label: {
                    Text("Turn on", bundle: .module)
                }
                Button(role: .cancel) {
                } label: {
                    Text("Not now", bundle: .module)
                }
            } message: {
                Text("SimBridge then opens only for you. You can change this in the settings.", bundle: .module)
            }
    }

    @ViewBuilder private var content: some View {
        switch bridge.phase {
        case .starting: ProgressView().page()
        case .locked: UnlockView(bridge: bridge)
        case .login: LoginView(bridge: bridge)
        case .pairing: PairView(bridge: bridge)
        case .ready: MainView(bridge: bridge)
        }
    }

    private var alertWords: Text {
        switch bridge.alert?.content {
        case .host(let reason?): Text(verbatim: reason)
        case .problem(let problem): problem.words
        default: Text("The host reported an error.", bundle: .module)
        }
    }
}

/// Where one can go from the dashboard.
enum Place: Hashable {
    case compose, dialer, history, settings
    case conversation(String)
}

/// The dashboard, and what is opened from it.
private struct MainView: View {
    let bridge: Bridge
    @State private var path: [Place] = []

    var body: some View {
        NavigationStack(path: $path) {
            DashboardView(bridge: bridge, open: { path.append($0) })
                .navigationDestination(for: Place.self) { destination($0) }
        }
        .onChange(of: bridge.wantedConversation, initial: true) {
            guard let number = bridge.wantedConversation else { return }
            bridge.wantedConversation = nil
            path = [.conversation(number)]
        }
    }

    @ViewBuilder private func destination(_ place: Place) -> some View {
        switch place {
        case .compose: ComposeView(bridge: bridge, number: nil)
        case .conversation(let number): ComposeView(bridge: bridge, number: number)
        case .dialer: DialerView(bridge: bridge)
        case .history: HistoryView(bridge: bridge, open: { path.append($0) })
        case .settings: SettingsView(bridge: bridge)
        }
    }
}
