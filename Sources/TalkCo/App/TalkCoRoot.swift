public import PlatformKit
public import SwiftUI
public import TalkCoClient
import ViewKit

/// The root view of TalkCo, spoken English with a tutor.
public struct TalkCoRoot: View {
    private let talk: TalkCo
    private let phone: Phone
    @State private var navigation = AppNavigation()
    @Environment(\.scenePhase) private var scenePhase

    /// The bundle of the texts.
    public static var bundle: Bundle { .module }

    /// - Parameter phone: The phone, with the keyboard, microphone and loudspeaker of this page or window.
    public init(_ talk: TalkCo, on phone: Phone) {
        self.talk = talk
        self.phone = phone
    }

    public var body: some View {
        MainTabView(talk: talk, phone: phone, navigation: navigation)
            .task { await talk.run() }
            .onChange(of: scenePhase, initial: true) { setInFront(scenePhase == .active) }
            .onAppear { setInFront(scenePhase == .active) }
            .onDisappear { setInFront(false) }
            .language(talk.settings.language)
            .themed(.talkCo, on: phone)
    }

    private func setInFront(_ isInFront: Bool) { talk.setInFront(isInFront, screen: navigation, phone: phone) }
}
