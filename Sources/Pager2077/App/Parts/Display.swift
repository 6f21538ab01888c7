import Pager2077Client
import SwiftUI

/// The glass with what is on it: a line of state, a screen, and what the keys do here.
struct Display<Content: View>: View {
    let title: Text
    let pager: Pager
    /// Which line is chosen.
    let place: Text?
    let banner: Text?
    let hints: [Hint]
    /// Whether an on-screen keyboard takes the place of the keys.
    let isTyping: Bool
    let press: (Key) -> Void
    @ViewBuilder let content: () -> Content
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            StateLine(pager: pager, title: title, place: place)
            content().frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
            VStack(spacing: 0) { if let banner { BannerLine(text: banner) } }
                .accessibilityAddTraits(.updatesFrequently)
            if !isTyping { hintLine } else if height != .compact { keyLine }
        }
        .font(LCD.font)
        .foregroundStyle(LCD.ink)
        .tint(LCD.ink)
        .padding(isTyping ? 8 : 12)
        .background(
            LinearGradient(colors: LCD.glass(colorScheme), startPoint: .top, endPoint: .bottom),
            in: RoundedRectangle(cornerRadius: 8)
        )
        .overlay { LCD.scanLines.allowsHitTesting(false).accessibilityHidden(true) }
        .padding(isTyping ? 4 : 8)
        .background(Color(white: 0.07), in: RoundedRectangle(cornerRadius: 14))
    }

    private var hintLine: some View {
        HStack {
            ForEach(hints) { hint in
                Text.lcd(hint.words).font(LCD.small).foregroundStyle(LCD.faint).lineLimit(2)
                if hint.id != hints.last?.id { Spacer() }
            }
        }
        .frame(minHeight: 14)
    }

    /// CALL and END in place of those that the on-screen keyboard has hidden.
    private var keyLine: some View {
        HStack {
            ForEach(hints.filter { [.call, .end].contains($0.key) }) { hint in
                LCDButton(title: .lcd(hint.words).font(LCD.small)) { press(hint.key) }
                if hint.key == .call { Spacer() }
            }
        }
    }
}

/// Signal, title and post.
private struct StateLine: View {
    let pager: Pager
    let title: Text
    let place: Text?

    var body: some View {
        HStack(spacing: 8) {
            // By this identifier a browser page shows that its own connection is away.
            Text(verbatim: bars).accessibilityLabel(Text(signal, bundle: .module)).accessibilityIdentifier("connection")
            title.lineLimit(1).accessibilityAddTraits(.isHeader)
            Spacer()
            if let place { place.font(LCD.small).fixedSize().accessibilityHidden(true) }
            if pager.unreadCount > 0 {
                Text(verbatim: "✉\(pager.unreadCount)").fixedSize()
                    .accessibilityLabel(Text("\(pager.unreadCount) UNREAD", bundle: .module))
            }
            Text(verbatim: "\u{E000}").accessibilityHidden(true)
        }
        .overlay(alignment: .bottom) { Rectangle().fill(LCD.ink).frame(height: 2).offset(y: 4).accessibilityHidden(true) }
        .padding(.bottom, 4)
    }

    private var bars: String { pager.signal == .full ? "\u{E007}" : pager.signal == .searching ? "\u{E005}" : "\u{E003}" }
    private var signal: LocalizedStringKey {
        pager.signal == .full ? "CONNECTED" : pager.signal == .searching ? "CONNECTING" : "NO CONNECTION"
    }
}

/// The result of the last key, light on dark.
struct BannerLine: View {
    let text: Text

    var body: some View {
        text
            .foregroundStyle(LCD.lit)
            .multilineTextAlignment(.center)
            .padding(.horizontal, 6)
            .padding(.vertical, 3)
            .frame(maxWidth: .infinity)
            .background(LCD.ink)
            .accessibilityIdentifier("banner")
    }
}
