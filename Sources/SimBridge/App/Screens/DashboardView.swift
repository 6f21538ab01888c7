import SimBridgeClient
import SwiftUI
import ViewKit

/// The dashboard: status, the call in progress, actions, the last events and conversations.
struct DashboardView: View {
    let bridge: Bridge
    let open: (Route) -> Void
    let showCall: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(spacing: 12) {
                StatusCardView(bridge: bridge)
                if let call = bridge.call, call.isUnderWay {
                    CallBanner(call: call) { call.isIncoming ? showCall() : open(.dialer("")) }
                }
                actions
                EventFeed(events: bridge.events)
                ConversationList(bridge: bridge, open: open)
            }
            .padding(Metrics.padding)
            .column()
        }
        .refreshable {
            await bridge.refreshDevices()
            await bridge.refreshSIMs()
            await bridge.refresh(bridge.history)
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
                    Image(systemName: "bubble.left.fill").accessibilityHidden(true)
                    Text("Send SMS", bundle: .module)
                }
            }
            .buttonStyle(FilledButtonStyle())
            Button {
                open(.dialer(""))
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
                open(.log)
            } label: {
                Image(systemName: "list.bullet").foregroundStyle(palette.link)
            }
            .accessibilityLabel(Text("Log", bundle: .module))
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

/// A link to the call in progress.
private struct CallBanner: View {
    let call: PhoneCall
    let open: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            open()
        } label: {
            HStack(spacing: Metrics.gap) {
                Image(systemName: "phone.fill").foregroundStyle(palette.secondary).accessibilityHidden(true)
                contact(call.number).font(.headline).foregroundStyle(palette.onSurface)
                    .frame(maxWidth: .infinity, alignment: .leading)
                Text(verbatim: call.state.words).font(.subheadline).foregroundStyle(palette.onSurfaceVariant)
            }
            .padding(Metrics.cardPadding)
            .background(palette.secondary.opacity(0.1), in: RoundedRectangle(cornerRadius: Metrics.corner))
        }
        .buttonStyle(.plain)
    }
}

/// The last events of the line, newest first. The log has more.
private struct EventFeed: View {
    let events: [FeedEvent]
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            Text("Recent events", bundle: .module)
                .font(.subheadline.weight(.semibold))
                .foregroundStyle(palette.onSurfaceVariant)
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h2)
            if events.isEmpty {
                Text("New events from the host appear here.", bundle: .module)
                    .font(.subheadline)
                    .foregroundStyle(palette.onSurfaceVariant)
            }
            ForEach(events.prefix(Self.eventCount)) { EventRow(event: $0) }
        }
        .padding(Metrics.cardPadding)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
        .accessibilityGroup("feed")
    }

    /// Maximum events on the dashboard (`Docs/Requirements.md`).
    private static let eventCount = 5
}

/// The conversations by number, latest first.
private struct ConversationList: View {
    let bridge: Bridge
    let open: (Route) -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        let conversations = bridge.conversations
        LazyVStack(spacing: 0) {
            if case .failed(let problem) = bridge.history.phase { ErrorText(problem: problem).padding(.vertical, 8) }
            if conversations.isEmpty { empty }
            ForEach(conversations) { conversation in
                VStack(spacing: 0) {
                    Button {
                        open(.conversation(conversation.number))
                    } label: {
                        ConversationRow(conversation: conversation)
                    }
                    .buttonStyle(.plain)
                    Divider()
                }
            }
            OlderRow(
                bridge: bridge, list: bridge.history, rowCount: { bridge.conversations.count },
                loadsManually: conversations.count <= Self.maximumVisibleCount)
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text("Conversations", bundle: .module))
        .accessibilityIdentifier("conversations")
    }

    /// Maximum rows that may fit below the status card on a large phone. With no more rows, older messages load only on a tap.
    private static let maximumVisibleCount = 8

    /// The placeholder, shown only once the history is known to be empty.
    @ViewBuilder private var empty: some View {
        switch bridge.history.phase {
        case .idle, .loading:
            ProgressView().accessibilityLabel(Text("Loading messages", bundle: .module)).padding(.vertical, 32)
        case .ready where !bridge.history.hasMore:
            Text("Your messages and calls appear here.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
                .padding(.vertical, 32)
        default: EmptyView()
        }
    }
}

private struct ConversationRow: View {
    let conversation: Conversation
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: "person.crop.circle.fill").font(.title).foregroundStyle(palette.onSurfaceVariant)
                .accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 2) {
                HStack(alignment: .firstTextBaseline, spacing: 8) {
                    contact(conversation.number).font(.headline).foregroundStyle(palette.onSurface).lineLimit(1)
                        .frame(maxWidth: .infinity, alignment: .leading)
                    MomentText(date: conversation.last.time).font(.caption).foregroundStyle(palette.onSurfaceVariant).fixedSize()
                }
                preview.font(.subheadline).lineLimit(1)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .padding(.vertical, 10)
        .contentShape(Rectangle())
    }

    @ViewBuilder private var preview: some View {
        switch conversation.last {
        case .text(let text):
            HStack(spacing: 6) {
                if text.isFailed {
                    Image(systemName: "exclamationmark.circle.fill").foregroundStyle(palette.errorText)
                        .accessibilityLabel(Text("Not sent", bundle: .module))
                } else if text.isOutgoing {
                    Image(systemName: "arrow.up.right").accessibilityLabel(Text("You", bundle: .module))
                }
                Text(verbatim: text.body)
            }
            .foregroundStyle(palette.onSurfaceVariant)
        case .call(let call): CallSummary(call: call)
        }
    }
}
