import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// How everything is, and the way to everything else.
struct DashboardView: View {
    let bridge: Bridge
    let open: (Place) -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(spacing: Metrics.gap) {
                StatusCardView(bridge: bridge)
                HostCard(bridge: bridge)
                ForEach(bridge.sims) { SIMCardView(sim: $0) }
                actions
                if let call = bridge.call, call.isUnderWay { CallStrip(call: call) { open(.dialer) } }
                RecentEvents(bridge: bridge, open: open)
            }
            .padding(Metrics.padding)
            .column()
        }
        .refreshable {
            await bridge.refreshDevices()
            await bridge.refreshSIMs()
        }
        .page()
        .navigationTitle(Text("SimBridge Client", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .toolbar { toolbar }
    }

    private var actions: some View {
        HStack(spacing: 12) {
            Button {
                open(.compose)
            } label: {
                HStack(spacing: 8) {
                    Image(systemName: "message.fill").accessibilityHidden(true)
                    Text("Send SMS", bundle: .module)
                }
            }
            .buttonStyle(FilledButtonStyle())
            Button {
                open(.dialer)
            } label: {
                HStack(spacing: 8) {
                    Image(systemName: "phone.fill").accessibilityHidden(true)
                    Text("Make Call", bundle: .module)
                }
            }
            .buttonStyle(FilledButtonStyle(role: .call))
        }
    }

    @ToolbarContentBuilder private var toolbar: some ToolbarContent {
        ToolbarItem(placement: .topBarTrailing) {
            Button {
                open(.history)
            } label: {
                Image(systemName: "list.bullet").foregroundStyle(palette.link)
            }
            .accessibilityLabel(Text("History", bundle: .module))
        }
        ToolbarItem(placement: .topBarTrailing) {
            Button {
                open(.settings)
            } label: {
                Image(systemName: "gearshape.fill").foregroundStyle(palette.link)
            }
            .accessibilityLabel(Text("Settings", bundle: .module))
        }
    }
}

/// The phone that is controlled.
private struct HostCard: View {
    let bridge: Bridge
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: Metrics.gap) {
            Image(systemName: "iphone")
                .font(.title2)
                .foregroundStyle(palette.primary)
                .accessibilityHidden(true)
            Text("Paired Host: \(bridge.host?.name ?? "")", bundle: .module)
                .font(.headline)
                .frame(maxWidth: .infinity, alignment: .leading)
            HStack(spacing: 6) {
                Circle().fill(bridge.isHostOnline ? palette.secondary : palette.outline).frame(width: 10, height: 10)
                    .accessibilityHidden(true)
                (bridge.isHostOnline ? Text("online", bundle: .module) : Text("offline", bundle: .module))
                    .font(.subheadline)
                    .foregroundStyle(palette.onSurfaceVariant)
            }
        }
        .accessibilityElement(children: .combine)
        .card()
    }
}

/// The call that is under way, from elsewhere.
private struct CallStrip: View {
    let call: PhoneCall
    let open: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            open()
        } label: {
            HStack(spacing: Metrics.gap) {
                Image(systemName: "phone.fill").foregroundStyle(palette.secondary).accessibilityHidden(true)
                Text(verbatim: call.number).font(.headline).foregroundStyle(palette.onSurface)
                    .frame(maxWidth: .infinity, alignment: .leading)
                call.state.words.font(.subheadline).foregroundStyle(palette.onSurfaceVariant)
            }
            .padding(Metrics.cardPadding)
            .background(palette.secondary.opacity(0.1), in: RoundedRectangle(cornerRadius: Metrics.corner))
        }
        .buttonStyle(.plain)
    }
}

/// The last five things that happened.
private struct RecentEvents: View {
    let bridge: Bridge
    let open: (Place) -> Void
    @Environment(\.palette) private var palette

    private static let count = 5

    var body: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text("Recent events", bundle: .module)
                .font(.headline)
                .accessibilityAddTraits(.isHeader)
            if bridge.events.isEmpty {
                Text("Incoming texts and calls appear here.", bundle: .module)
                    .font(.subheadline)
                    .foregroundStyle(palette.onSurfaceVariant)
            }
            ForEach(bridge.events.prefix(Self.count)) { event in
                if case .incomingText(_, let from?, _) = event.event {
                    Button {
                        open(.conversation(PhoneNumber.normalized(from)))
                    } label: {
                        EventRow(event: event)
                    }
                    .buttonStyle(.plain)
                } else {
                    EventRow(event: event)
                }
            }
        }
        .card()
        .accessibilityElement(children: .contain)
        .accessibilityIdentifier("events")
    }
}

private struct EventRow: View {
    let event: FeedEvent
    @Environment(\.palette) private var palette

    var body: some View {
        let summary = HistorySummary(event)
        HStack(alignment: .firstTextBaseline, spacing: 10) {
            Badge(badge: summary.badge)
            VStack(alignment: .leading, spacing: 2) {
                summary.title.font(.subheadline.weight(.semibold)).foregroundStyle(palette.onSurface)
                if let detail = summary.detail {
                    detail.font(.subheadline).foregroundStyle(palette.onSurfaceVariant).lineLimit(2)
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            MomentText(date: event.time).font(.caption).foregroundStyle(palette.onSurfaceVariant).fixedSize()
        }
        .accessibilityElement(children: .combine)
    }
}

/// What kind of message it was.
struct Badge: View {
    let badge: HistorySummary.Badge
    @Environment(\.palette) private var palette

    var body: some View {
        badge.words
            .font(.caption2.weight(.bold))
            .foregroundStyle(palette.onContainer)
            .fixedSize()
            .padding(.horizontal, 8)
            .padding(.vertical, 3)
            .background(palette.container, in: Capsule())
    }
}
