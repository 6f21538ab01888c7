import SimBridgeClient
import SwiftUI

/// How the line to the relay is, in the colour of its state.
struct StatusCardView: View {
    let bridge: Bridge
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: Metrics.gap) {
            Image(systemName: symbol)
                .font(.system(size: Metrics.statusIcon))
                .foregroundStyle(color)
                .accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 2) {
                title.font(.headline)
                detail.font(.subheadline).foregroundStyle(palette.onSurfaceVariant)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            if bridge.status == .disconnected {
                Button {
                    bridge.reconnect()
                } label: {
                    Text("Reconnect", bundle: .module)
                }
                .buttonStyle(TextButtonStyle())
            }
        }
        .padding(Metrics.statusCardPadding)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(color.opacity(0.1), in: RoundedRectangle(cornerRadius: Metrics.corner))
        .accessibilityElement(children: .contain)
        .accessibilityIdentifier("status")
    }

    private var symbol: String {
        switch bridge.status {
        case .connected: "checkmark.circle.fill"
        case .connecting: "cloud.fill"
        case .disconnected: "cloud.slash.fill"
        }
    }

    private var color: Color {
        switch bridge.status {
        case .connected: palette.secondary
        case .connecting: palette.warning
        case .disconnected: palette.error
        }
    }

    private var title: Text {
        switch bridge.status {
        case .connected: Text("Connected", bundle: .module)
        case .connecting: Text("Connecting…", bundle: .module)
        case .disconnected: Text("Disconnected", bundle: .module)
        }
    }

    private var detail: Text {
        switch bridge.status {
        case .connected: Text("Texts and calls arrive at once.", bundle: .module)
        case .connecting: Text("Reaching the relay.", bundle: .module)
        case .disconnected where bridge.isReplaced: Text("This device is in use elsewhere.", bundle: .module)
        case .disconnected: Text("It is tried again by itself.", bundle: .module)
        }
    }
}
