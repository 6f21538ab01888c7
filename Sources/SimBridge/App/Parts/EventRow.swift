import SimBridgeClient
import SimBridgeWire
import SwiftUI

/// An event of the feed.
struct EventRow: View {
    let event: FeedEvent
    @Environment(\.palette) private var palette

    var body: some View {
        let summary = HistorySummary(event)
        HStack(alignment: .firstTextBaseline, spacing: 10) {
            DirectionMark(direction: summary.direction).frame(width: 20)
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

/// A symbol for the direction of a text or a call, or for a report, which has no direction.
struct DirectionMark: View {
    let direction: HistorySummary.Direction?
    @Environment(\.palette) private var palette

    var body: some View {
        switch direction {
        case .outgoing:
            Image(systemName: "arrow.up.right").foregroundStyle(palette.link)
                .accessibilityLabel(Text("Outgoing", bundle: .module))
        case .incoming:
            Image(systemName: "arrow.down.left").foregroundStyle(palette.onSurfaceVariant)
                .accessibilityLabel(Text("Incoming", bundle: .module))
        case nil: Image(systemName: "info.circle").foregroundStyle(palette.onSurfaceVariant).accessibilityHidden(true)
        }
    }
}

/// A badge with the kind of a message.
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
