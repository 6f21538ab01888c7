import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// What was relayed, and the conversations that it makes.
struct HistoryView: View {
    let bridge: Bridge
    let open: (Place) -> Void
    @State private var kind = Kind.log
    @State private var device: Device.ID?
    @State private var shown: HistoryItem?
    @Environment(\.palette) private var palette

    private enum Kind: Hashable { case log, conversations }

    var body: some View {
        VStack(spacing: 0) {
            VStack(spacing: 10) {
                SegmentedChoice(
                    choices: [
                        (.log, Text("All messages", bundle: .module)), (.conversations, Text("Conversations", bundle: .module)),
                    ], chosen: $kind)
                if kind == .log, bridge.hosts.count > 1 { filter }
            }
            .padding(.horizontal, Metrics.padding)
            .padding(.vertical, 10)
            .column()
            switch kind {
            case .log: LogList(bridge: bridge, list: bridge.history(of: device), show: { shown = $0 }).id(device)
            case .conversations: ConversationList(bridge: bridge, open: open)
            }
        }
        .page()
        .navigationTitle(Text("History", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .task(id: device) { await bridge.refresh(bridge.history(of: device)) }
        .sheet(item: $shown) { PayloadView(item: $0) }
    }

    private var filter: some View {
        ScrollView(.horizontal, showsIndicators: false) {
            SegmentedChoice(
                choices: [(nil, Text("All hosts", bundle: .module))] + bridge.hosts.map { ($0.id, Text(verbatim: $0.name)) },
                chosen: $device)
        }
    }
}

/// Rows of the history, the newest first.
private struct LogList: View {
    let bridge: Bridge
    let list: HistoryList
    let show: (HistoryItem) -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        List {
            if case .failed(let problem) = list.phase { ErrorText(problem: problem).listRowBackground(palette.surface) }
            if list.isEmpty { empty.listRowBackground(palette.surface).listRowSeparator(.hidden) }
            ForEach(list.items) { item in
                Button {
                    show(item)
                } label: {
                    HistoryRow(item: item, numbers: list.numbers)
                }
                .buttonStyle(.plain)
                .listRowBackground(palette.surface)
            }
            OlderRow(bridge: bridge, list: list)
        }
        .listStyle(.plain)
        .scrollContentBackground(.hidden)
        .refreshable { await bridge.refresh(list) }
    }

    private var empty: some View {
        VStack(spacing: 10) {
            Image(systemName: "tray").font(.system(size: 36)).foregroundStyle(palette.onSurfaceVariant).accessibilityHidden(true)
            Text("Nothing was relayed yet.", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
        }
        .frame(maxWidth: .infinity)
        .padding(.vertical, 40)
    }
}

private struct HistoryRow: View {
    let item: HistoryItem
    let numbers: [RequestID: String]
    @Environment(\.palette) private var palette

    var body: some View {
        let summary = HistorySummary(item, numbers: numbers)
        HStack(alignment: .top, spacing: 12) {
            Image(systemName: summary.isOutgoing ? "arrow.up.right" : "arrow.down.left")
                .foregroundStyle(summary.isOutgoing ? palette.link : palette.onSurfaceVariant)
                .accessibilityLabel(summary.isOutgoing ? Text("Outgoing", bundle: .module) : Text("Incoming", bundle: .module))
            VStack(alignment: .leading, spacing: 4) {
                // The time stands beside what does not grow.
                HStack(spacing: 8) {
                    Badge(badge: summary.badge)
                    Spacer()
                    if let date = item.date { MomentText(date: date).font(.caption).foregroundStyle(palette.onSurfaceVariant) }
                }
                summary.title.font(.subheadline.weight(.semibold)).foregroundStyle(palette.onSurface).lineLimit(1)
                if let detail = summary.detail {
                    detail.font(.subheadline).foregroundStyle(palette.onSurfaceVariant).lineLimit(2)
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .padding(.vertical, 4)
        .contentShape(Rectangle())
    }
}

/// Everything that one message said.
private struct PayloadView: View {
    let item: HistoryItem
    @Environment(\.dismiss) private var dismiss
    @Environment(\.palette) private var palette

    var body: some View {
        NavigationStack {
            ScrollView {
                VStack(alignment: .leading, spacing: Metrics.gap) {
                    if let date = item.date { Text(date, format: .dateTime).font(.headline) }
                    if let state = item.state { state.words.font(.subheadline) }
                    Text(verbatim: item.prettyPayload)
                        .font(.footnote.monospaced())
                        .textSelection(.enabled)
                        .accessibilityIdentifier("payload")
                        .card()
                }
                .frame(maxWidth: .infinity, alignment: .leading)
                .padding(Metrics.padding)
            }
            .page()
            .navigationTitle(Text("Message", bundle: .module))
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .confirmationAction) {
                    Button {
                        dismiss()
                    } label: {
                        Text("Done", bundle: .module).foregroundStyle(palette.link)
                    }
                }
            }
        }
    }
}

/// Texts by number.
private struct ConversationList: View {
    let bridge: Bridge
    let open: (Place) -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        let conversations = bridge.conversations
        List {
            if conversations.isEmpty, !bridge.history.hasMore {
                Text("No texts yet.", bundle: .module)
                    .foregroundStyle(palette.onSurfaceVariant)
                    .frame(maxWidth: .infinity)
                    .padding(.vertical, 40)
                    .listRowBackground(palette.surface)
                    .listRowSeparator(.hidden)
            }
            ForEach(conversations) { conversation in
                Button {
                    open(.conversation(conversation.number))
                } label: {
                    row(conversation)
                }
                .buttonStyle(.plain)
                .listRowBackground(palette.surface)
            }
            OlderRow(bridge: bridge, list: bridge.history) { bridge.conversations.count }
        }
        .listStyle(.plain)
        .scrollContentBackground(.hidden)
        .refreshable { await bridge.refresh(bridge.history) }
    }

    private func row(_ conversation: Conversation) -> some View {
        HStack(spacing: 12) {
            Image(systemName: "person.crop.circle.fill").font(.title).foregroundStyle(palette.onSurfaceVariant).accessibilityHidden(
                true)
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: conversation.number).font(.headline).foregroundStyle(palette.onSurface).lineLimit(1)
                MomentText(date: conversation.last.time).font(.caption).foregroundStyle(palette.onSurfaceVariant)
                Text(verbatim: conversation.last.body).font(.subheadline).foregroundStyle(palette.onSurfaceVariant).lineLimit(1)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .padding(.vertical, 4)
        .contentShape(Rectangle())
    }
}
