import EndlessCodeClient
import SwiftUI
import ViewKit

/// The state of the connection, in every bar. A tap opens the settings.
struct ConnectionIcon: View {
    let client: AgentClient
    let navigation: AppNavigation
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            navigation.tab = .settings
        } label: {
            ConnectionStatus(client.status, goodNews: .connected, unknown: .connecting) {
                Image(systemName: $0.symbol).foregroundStyle($0.color(in: palette)).accessibilityLabel(Text(verbatim: $0.words))
            }
            .control()
        }
        .buttonStyle(.plain)
        .accessibilityIdentifier("connection")
    }
}

extension AgentClient.Status {
    fileprivate var symbol: String {
        switch self {
        case .connected: "wifi"
        case .connecting: "antenna.radiowaves.left.and.right"
        case .disconnected: "wifi.slash"
        }
    }

    @MainActor func color(in palette: Palette) -> Color {
        switch self {
        case .connected: palette.success
        case .connecting: palette.warning
        case .disconnected: palette.error
        }
    }

    @MainActor var words: String {
        switch self {
        case .connected: String(localized: "Connected", bundle: .module)
        case .connecting: String(localized: "Connecting", bundle: .module)
        case .disconnected: String(localized: "Disconnected", bundle: .module)
        }
    }
}

extension View {
    /// Adds the bar of a screen, with its title and the state of the connection.
    func bar(_ title: Text, _ client: AgentClient, _ navigation: AppNavigation) -> some View {
        navigationTitle(title)
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .topBarTrailing) { ConnectionIcon(client: client, navigation: navigation) }
            }
    }
}
