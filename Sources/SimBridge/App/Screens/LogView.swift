import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// The log: all relayed messages, and the events of the line.
struct LogView: View {
    let bridge: Bridge
    @State private var kind = Kind.messages
    @State private var device: Device.ID?
    @State private var shown: HistoryItem?

    private enum Kind: Hashable { case messages, events }

    var body: some View {
        VStack(spacing: 0) {
            VStack(spacing: 10) {
                SegmentedChoice(
                    choices: [
                        (.messages, Text("All messages", bundle: .module)), (.events, Text("Recent events", bundle: .module)),
                    ], selection: $kind)
                if kind == .messages, bridge.hosts.count > 1 { filter }
            }
            .padding(.horizontal, Metrics.padding)
            .padding(.vertical, 10)
            .column()
            switch kind {
            case .messages: LogList(bridge: bridge, list: bridge.history(of: device), show: { shown = $0 }).id(device)
            case .events: EventList(bridge: bridge)
            }
        }
        .page()
        .navigationTitle(Text("Log", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .task(id: device) { await bridge.begin(bridge.history(of: device)) }
        .sheet(item: $shown) { PayloadView(item: $0) }
        // An incoming call covers the screen.
        .onChange(of: bridge.incomingCall?.id) { if bridge.incomingCall != nil { shown = nil } }
    }

    private var filter: some View {
        ScrollView(.horizontal, showsIndicators: false) {
            SegmentedChoice(
                choices: [(nil, Text("All hosts", bundle: .module))] + bridge.hosts.map { ($0.id, Text(verbatim: $0.name)) },
                selection: $device)
        }
    }
}

/// The history, newest first.
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
            Text("No messages yet.", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
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
            DirectionMark(direction: summary.direction).frame(width: 20)
            VStack(alignment: .leading, spacing: 4) {
                // The time is next to the badge, which has a fixed width.
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

/// The full contents of a message.
private struct PayloadView: View {
    let item: HistoryItem
    @Environment(\.dismiss) private var dismiss

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
                    Button(Text("Done", bundle: .module)) { dismiss() }
                }
            }
        }
    }
}

/// The recent events, newest first.
private struct EventList: View {
    let bridge: Bridge
    @Environment(\.palette) private var palette

    var body: some View {
        List {
            if bridge.events.isEmpty {
                Text("New events from the host appear here.", bundle: .module)
                    .foregroundStyle(palette.onSurfaceVariant)
                    .frame(maxWidth: .infinity)
                    .padding(.vertical, 40)
                    .listRowBackground(palette.surface)
                    .listRowSeparator(.hidden)
            }
            ForEach(bridge.events) { EventRow(event: $0).listRowBackground(palette.surface) }
        }
        .listStyle(.plain)
        .scrollContentBackground(.hidden)
        .accessibilityIdentifier("events")
    }
}
