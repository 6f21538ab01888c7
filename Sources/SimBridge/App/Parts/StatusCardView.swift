import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// The status of each hop to the mobile network: the line to the relay, the host, its SIM cards. The colour shows the worst of them.
struct StatusCardView: View {
    let bridge: Bridge
    /// The seconds until the next attempt to reach the relay; nil unless the line waits for an attempt.
    @State private var seconds: Int?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            status { LineStatus(bridge: bridge, standing: $0, seconds: seconds) }
            Divider()
            HostLine(bridge: bridge)
            ForEach(bridge.sims) { SIMLine(sim: $0) }
        }
        .padding(Metrics.cardPadding)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background { status { RoundedRectangle(cornerRadius: Metrics.corner).fill($0.color(in: palette).opacity(0.1)) } }
        .accessibilityGroup("status")
        .task(id: bridge.nextAttempt) {
            seconds = nil
            await bridge.followSecondsToNextAttempt { seconds = $0 }
        }
    }

    private func status(@ViewBuilder _ content: @escaping (Bridge.Standing) -> some View) -> some View {
        ConnectionStatus(bridge.standing, goodNews: .ready, .hostAway, unknown: .connecting, content: content)
    }
}

extension Bridge.Standing {
    @MainActor fileprivate func color(in palette: Palette) -> Color {
        switch self {
        case .ready: palette.secondary
        case .connecting, .hostAway: palette.warning
        case .disconnected, .replaced, .notPaired: palette.error
        }
    }
}

/// The status of the line in words.
private struct LineStatus: View {
    let bridge: Bridge
    let standing: Bridge.Standing
    let seconds: Int?
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: symbol)
                .font(.system(size: Metrics.statusIcon))
                .foregroundStyle(standing.color(in: palette))
                .frame(width: Metrics.statusIcon)
                .accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 2) {
                title.font(.headline)
                detail.font(.subheadline).foregroundStyle(palette.onSurfaceVariant)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            action
        }
    }

    @ViewBuilder private var action: some View {
        switch standing {
        case .disconnected, .replaced:
            Button(Text("Reconnect", bundle: .module)) { bridge.reconnect() }
                .buttonStyle(TextButtonStyle())
        case .notPaired:
            Button(Text("Pair again", bundle: .module)) { bridge.beginPairing() }
                .buttonStyle(TextButtonStyle())
        case .ready, .hostAway, .connecting: EmptyView()
        }
    }

    private var symbol: String {
        switch standing {
        case .ready: "checkmark.circle.fill"
        case .hostAway, .notPaired: "exclamationmark.circle.fill"
        case .connecting: "cloud.fill"
        case .disconnected, .replaced: "xmark.circle.fill"
        }
    }

    private var title: Text {
        switch standing {
        case .ready: Text("Connected", bundle: .module)
        case .hostAway: Text("Host Offline", bundle: .module)
        case .notPaired: Text("Not paired", bundle: .module)
        case .connecting: Text("Connecting…", bundle: .module)
        case .disconnected, .replaced: Text("Disconnected", bundle: .module)
        }
    }

    private var detail: Text {
        switch standing {
        case .ready: Text("Ready for messages and calls.", bundle: .module)
        case .hostAway: Text("Connected to the relay. Messages will be sent when the host is back online.", bundle: .module)
        case .notPaired: Text("This phone is no longer paired with the host. Pair again to continue.", bundle: .module)
        case .connecting: Text("Connecting to the relay.", bundle: .module)
        case .disconnected: disconnected
        case .replaced: Text("This device is in use elsewhere. Reconnect to use it here.", bundle: .module)
        }
    }

    private var disconnected: Text {
        guard bridge.nextAttempt != nil, let seconds else {
            return Text("Can’t reach the relay. Reconnecting automatically.", bundle: .module)
        }
        return Text("Can’t reach the relay. Next attempt in \(seconds) s.", bundle: .module)
    }
}

/// A row with the name and the presence of the host.
private struct HostLine: View {
    let bridge: Bridge
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: "antenna.radiowaves.left.and.right").foregroundStyle(palette.onSurfaceVariant).frame(
                width: Metrics.statusIcon
            )
            .accessibilityHidden(true)
            Text("Paired Host: \(bridge.host?.name ?? "")", bundle: .module)
                .font(.subheadline.weight(.semibold))
                .frame(maxWidth: .infinity, alignment: .leading)
            // The host's presence is known only while connected to the relay.
            ConnectionStatus(bridge.status == .connected, goodNews: true, unknown: false) { isConnected in
                if isConnected { presence }
            }
        }
        .accessibilityElement(children: .combine)
    }

    private var presence: some View {
        HStack(spacing: 6) {
            Circle().fill(bridge.isHostOnline ? palette.secondary : palette.warning).frame(width: 10, height: 10)
                .accessibilityHidden(true)
            bridge.isHostOnline ? Text("online", bundle: .module) : Text("offline", bundle: .module)
        }
        .font(.subheadline)
        .foregroundStyle(palette.onSurfaceVariant)
    }
}
