public import Pager2077Client
import Pager2077Wire
public import PlatformKit
public import SwiftUI

/// The root view of the pager: a display and a keypad.
public struct PagerRoot: View {
    private let pager: Pager
    private let phone: Phone
    @State private var handset: Handset
    /// The navigation state of this page, kept across restarts.
    @SceneStorage("place") private var restorationPath = ""
    @Environment(\.scenePhase) private var scenePhase
    @Environment(\.verticalSizeClass) private var height
    @Environment(\.locale) private var locale

    /// The bundle of the texts.
    public static var bundle: Bundle { .module }

    /// The font files of the app, for platforms that do not register bundled fonts automatically.
    public static var fonts: [URL] {
        [Bundle.module.url(forResource: "PagerLCD", withExtension: "ttf")].compactMap { $0 }
    }

    /// - Parameter phone: The phone, with the keyboard of this page or window.
    public init(_ pager: Pager, on phone: Phone) {
        self.pager = pager
        self.phone = phone
        _handset = State(initialValue: Handset(pager: pager, phone: phone))
    }

    public var body: some View {
        // The display keeps its identity wherever the keypad is, so its field keeps the focus.
        HStack(spacing: 14) {
            VStack(spacing: 14) {
                ScreenView(handset: handset, appLink: phone.appLink, privacyPolicy: phone.privacyPolicy)
                    .frame(maxWidth: .infinity, maxHeight: .infinity)
                if !isTyping, height != .compact {
                    Text(verbatim: "PAGER 2077")
                        .font(.caption2.weight(.bold))
                        .tracking(6)
                        .foregroundStyle(Color(white: 0.62))
                        .accessibilityHidden(true)
                    Keypad(handset: handset)
                }
            }
            if !isTyping, height == .compact { Keypad(handset: handset).frame(width: 250) }
        }
        .padding(isTyping ? 6 : 14)
        // On a tablet display and keys keep the width of a hand; on a phone in landscape they share the full width.
        .frame(maxWidth: height == .compact ? nil : 600)
        .frame(maxWidth: .infinity)
        .background { Casing() }
        .overlay { backActions }
        .task { await pager.run() }
        .onChange(of: scenePhase, initial: true) {
            pager.setAttention(attention, screen: handset)
            openDestination()
        }
        .onDisappear { pager.setAttention(.away, screen: handset) }
        .onChange(of: pager.destination) { openDestination() }
        .onChange(of: locale, initial: true) { pager.notifications.words = NoticeWords(locale) }
        .onChange(of: pager.phase, initial: true) {
            if pager.phase == .ready, !phone.isDemonstration { handset.restore(restorationPath) }
            handset.phaseDidChange()
            openDestination()
            handset.openLinkedCode()
        }
        .onChange(of: handset.restorationPath) { if !phone.isDemonstration { restorationPath = handset.restorationPath } }
        .onChange(of: pager.signal) { if pager.signal == .full { handset.lineDidOpen() } }
        .onOpenURL { handset.open(HexCode(link: $0)) }
    }

    private var isTyping: Bool { handset.isTyping }

    /// Escape actions for the browser's Back, which acts like END: with the display's own, one for each screen that END can leave.
    /// Hidden from VoiceOver, which uses the display's.
    private var backActions: some View {
        ZStack {
            ForEach(1..<max(1, handset.depth), id: \.self) { _ in
                Color.clear.accessibilityAction(.escape) { handset.press(.end) }.accessibilityHidden(true)
            }
        }
        .allowsHitTesting(false)
    }

    private var attention: Pager.Attention {
        switch scenePhase {
        case .active: .full
        case .inactive: .partial
        default: .away
        }
    }

    /// Opens the screen of a tapped notification in the active window if there are several.
    private func openDestination() { if scenePhase == .active { handset.openDestination() } }
}

/// The pager's black plastic casing.
private struct Casing: View {
    var body: some View {
        LinearGradient(
            colors: [Color(white: 0.20), Color(white: 0.12), Color(white: 0.09)], startPoint: .top, endPoint: .bottom
        )
        .ignoresSafeArea()
    }
}
