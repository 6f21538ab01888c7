public import Pager2077Client
public import SwiftUI

/// The pager: a display and its keys.
public struct PagerRoot: View {
    private let pager: Pager
    @State private var handset: Handset
    @Environment(\.scenePhase) private var scenePhase

    /// Files of the fonts that the views name. An app has to make them known where the system does not by itself.
    public static var fonts: [URL] {
        [Bundle.module.url(forResource: "PagerLCD", withExtension: "ttf", subdirectory: "Resources")].compactMap { $0 }
    }

    public init(_ pager: Pager) {
        self.pager = pager
        _handset = State(initialValue: Handset(pager: pager))
    }

    public var body: some View {
        VStack(spacing: 14) {
            ScreenView(handset: handset).frame(maxWidth: .infinity, maxHeight: .infinity)
            Text(verbatim: "PAGER 2077")
                .font(.caption2.weight(.bold))
                .tracking(6)
                .foregroundStyle(Color(white: 0.62))
                .accessibilityHidden(true)
            Keypad(handset: handset)
        }
        .padding(14)
        .background { Casing() }
        .task { await pager.run() }
        .onChange(of: scenePhase, initial: true) {
            pager.setAttention(attention, screen: handset)
            openWantedChat()
        }
        .onDisappear { pager.setAttention(.away, screen: handset) }
        .onChange(of: pager.wantedChat) { openWantedChat() }
        .onChange(of: pager.phase, initial: true) {
            if pager.phase == .ready { handset.restorePlace() }
            openWantedChat()
        }
    }

    private var attention: Pager.Attention {
        switch scenePhase {
        case .active: .full
        case .inactive: .partial
        default: .away
        }
    }

    /// Of several windows the one that is looked at opens it.
    private func openWantedChat() { if scenePhase == .active { handset.openWantedChat() } }
}

/// Black plastic.
private struct Casing: View {
    var body: some View {
        LinearGradient(
            colors: [Color(white: 0.20), Color(white: 0.12), Color(white: 0.09)], startPoint: .top, endPoint: .bottom
        )
        .ignoresSafeArea()
    }
}
