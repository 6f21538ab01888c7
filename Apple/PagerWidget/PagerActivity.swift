import ActivityKit
import Pager2077Wire
import SwiftUI
import WidgetKit

/// The Live Activity of a message, on the lock screen and in the Dynamic Island.
struct PagerActivity: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: PagerActivityAttributes.self) { context in
            PagerGlass(state: context.state)
                .widgetURL(context.attributes.link)
                .activityBackgroundTint(GlassColor.glass)
                .activitySystemActionForegroundColor(GlassColor.ink)
        } dynamicIsland: { context in
            DynamicIsland {
                DynamicIslandExpandedRegion(.leading) {
                    Text(context.state.sender)
                        .font(.custom("PagerLCD", size: 18))
                        .foregroundStyle(GlassColor.glass)
                        .lineLimit(1)
                }
                DynamicIslandExpandedRegion(.trailing) {
                    MessageTime(state: context.state)
                        .font(.custom("PagerLCD", size: 13.5))
                        .foregroundStyle(GlassColor.glass)
                }
                DynamicIslandExpandedRegion(.bottom) {
                    Text(context.state.message)
                        .font(.custom("PagerLCD", size: 18))
                        .foregroundStyle(GlassColor.ink)
                        .lineLimit(3)
                        .frame(maxWidth: .infinity, alignment: .leading)
                        .padding(8)
                        .background(GlassColor.glass, in: RoundedRectangle(cornerRadius: 8))
                }
            } compactLeading: {
                PagerMark()
            } compactTrailing: {
                Text(context.state.sender)
                    .font(.custom("PagerLCD", size: 13.5))
                    .foregroundStyle(GlassColor.glass)
                    .lineLimit(1)
                    .frame(maxWidth: 72)
            } minimal: {
                PagerMark()
            }
            .widgetURL(context.attributes.link)
            .keylineTint(GlassColor.glass)
        }
    }
}

/// The display of the pager with a message on it.
private struct PagerGlass: View {
    let state: PagerActivityAttributes.ContentState

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            HStack {
                Text(state.sender).lineLimit(1)
                Spacer()
                MessageTime(state: state)
            }
            .font(.custom("PagerLCD", size: 13.5))
            Text(state.message)
                .font(.custom("PagerLCD", size: 18))
                .lineLimit(3)
            if state.totalMessages > 1 {
                Text("\(state.messageIndex)/\(state.totalMessages)")
                    .font(.custom("PagerLCD", size: 13.5))
            }
        }
        .foregroundStyle(GlassColor.ink)
        .frame(maxWidth: .infinity, alignment: .leading)
        .padding()
        .accessibilityElement(children: .combine)
    }
}

private struct MessageTime: View {
    let state: PagerActivityAttributes.ContentState

    var body: some View { Text(state.timestamp, style: .time) }
}

private struct PagerMark: View {
    var body: some View {
        Image(systemName: "envelope.fill")
            .foregroundStyle(GlassColor.glass)
            .accessibilityLabel("Pager")
    }
}

/// The colours of the app's display, repeated here because the extension does not link the app's module.
private enum GlassColor {
    static let ink = Color(red: 0.10, green: 0.15, blue: 0.07)
    static let glass = Color(red: 0.71, green: 0.78, blue: 0.49)
}
