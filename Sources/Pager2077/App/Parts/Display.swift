import Pager2077Client
import SwiftUI
import ViewKit

/// The display: a status line, a screen, a banner and the meanings of the keys.
struct Display<Content: View>: View {
    let title: Text
    let pager: Pager
    /// The position of the selected row, such as `2/7`.
    let position: Text?
    let banner: String?
    let hints: [Hint]
    /// True while an on-screen keyboard replaces the keypad.
    let isTyping: Bool
    let press: (Key) -> Void
    @ViewBuilder let content: () -> Content
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            StatusLine(pager: pager, title: title, position: position)
            content().frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
            if let banner { BannerLine(text: banner) }
            if !isTyping { hintLine } else if height != .compact { keyButtons }
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

    /// CALL and END, while the on-screen keyboard replaces the keypad.
    private var keyButtons: some View {
        HStack {
            ForEach(hints.filter { [.call, .end].contains($0.key) }) { hint in
                LCDButton(title: .lcd(hint.words).font(LCD.small)) { press(hint.key) }
                if hint.key == .call { Spacer() }
            }
        }
    }
}

/// The signal, the title and the number of unread messages.
private struct StatusLine: View {
    let pager: Pager
    let title: Text
    let position: Text?

    var body: some View {
        HStack(spacing: 8) {
            ConnectionStatus(pager.signal, goodNews: .full, unknown: .searching) {
                Text(verbatim: $0.bars).accessibilityLabel(Text($0.words, bundle: .module))
            }
            title.lineLimit(1).accessibilityAddTraits(.isHeader)
            Spacer()
            if let position { position.font(LCD.small).fixedSize().accessibilityHidden(true) }
            if pager.unreadCount > 0 {
                Text(verbatim: "✉\u{FE0E}\(pager.unreadCount)").fixedSize()
                    .accessibilityLabel(Text("\(pager.unreadCount) UNREAD", bundle: .module))
            }
            Text(verbatim: "\u{E000}").accessibilityHidden(true)
        }
        .overlay(alignment: .bottom) { Rectangle().fill(LCD.ink).frame(height: 2).offset(y: 4).accessibilityHidden(true) }
        .padding(.bottom, 4)
    }
}

extension Pager.Signal {
    /// The symbol in the pager's font.
    fileprivate var bars: String {
        switch self {
        case .full: "\u{E007}"
        case .searching: "\u{E005}"
        case .none: "\u{E003}"
        }
    }

    fileprivate var words: LocalizedStringKey {
        switch self {
        case .full: "CONNECTED"
        case .searching: "CONNECTING"
        case .none: "NO CONNECTION"
        }
    }
}

/// The banner with the result of the last key, in inverted colours.
struct BannerLine: View {
    let text: String

    var body: some View {
        Text(verbatim: text)
            .foregroundStyle(LCD.lit)
            .multilineTextAlignment(.center)
            .padding(.horizontal, 6)
            .padding(.vertical, 3)
            .frame(maxWidth: .infinity)
            .background(LCD.ink, in: Rectangle())
            .accessibilityIdentifier("banner")
            .announces(text)
    }
}
