import PlatformKit
import SwiftUI
import TalkCoClient
import ViewKit

/// The two tabs: practice, and the learner's profile.
struct MainTabView: View {
    let talk: TalkCo
    let phone: Phone
    @Bindable var navigation: AppNavigation
    @SceneStorage("tab") private var savedTab = AppNavigation.Tab.practice

    var body: some View {
        ZStack {
            if talk.phase == .ready { tabs } else { ProgressView().page() }
        }
        .onAppear { if !phone.isDemonstration { navigation.tab = savedTab } }
        .onChange(of: navigation.tab) { if !phone.isDemonstration { savedTab = navigation.tab } }
    }

    private var tabs: some View {
        TabView(selection: $navigation.tab) {
            TopicSelectionView(talk: talk, phone: phone, navigation: navigation)
                .tabItem {
                    Label(title: { Text("Practice", bundle: .module) }, icon: { Image(systemName: "bubble.left.and.bubble.right") })
                }
                .tag(AppNavigation.Tab.practice)
            ProfileView(talk: talk, phone: phone, navigation: navigation)
                .tabItem { Label(title: { Text("Me", bundle: .module) }, icon: { Image(systemName: "person.crop.circle") }) }
                .tag(AppNavigation.Tab.me)
        }
    }
}
