public import EndlessCodeClient
import EndlessCodeWire
public import PlatformKit
public import SwiftUI
import ViewKit

/// The root view of EndlessCode, the remote control of coding agents on the user's own computer.
public struct EndlessCodeRoot: View {
    private let client: AgentClient
    private let phone: Phone
    @State private var navigation = AppNavigation()
    @Environment(\.scenePhase) private var scenePhase
    @Environment(\.locale) private var locale

    /// The bundle of the texts.
    public static var bundle: Bundle { .module }

    public init(phone: Phone, network: ServerNetwork) {
        client = AgentClient.shared(on: phone, network: network)
        self.phone = phone
    }

    public var body: some View {
        MainView(client: client, phone: phone, navigation: navigation)
            .task { await client.run() }
            .onChange(of: scenePhase, initial: true) { client.setInFront(scenePhase == .active, screen: navigation) }
            .onChange(of: locale, initial: true) { client.noticeWords = NoticeWords(locale) }
            .onAppear { client.setInFront(scenePhase == .active, screen: navigation) }
            .onDisappear { client.setInFront(false, screen: navigation) }
            .themed(.endlessCode, on: phone)
    }
}

/// The four tabs, with the connection banner and the alerts that they share.
private struct MainView: View {
    let client: AgentClient
    let phone: Phone
    @Bindable var navigation: AppNavigation
    @State private var showsAlert = false
    @SceneStorage("tab") private var savedTab = ""
    @SceneStorage("session") private var savedSession = ""

    var body: some View {
        VStack(spacing: 0) {
            ConnectionBanner(client: client, navigation: navigation)
            if client.isReady { tabs } else { ProgressView().page() }
        }
        .background { PageBackground() }
        // The servers may be read after the first frame.
        .onChange(of: client.isReady, initial: true) { restore() }
        .onChange(of: navigation.tab) { savedTab = navigation.tab.rawValue }
        .onChange(of: navigation.chat) { savedSession = navigation.chat.last.map(AgentClient.text) ?? "" }
        // The sessions of one server are unknown to another.
        .onChange(of: client.current) { old, _ in if old != nil { navigation.chat = [] } }
        .onChange(of: client.wantedSession, initial: true) {
            guard let session = client.wantedSession else { return }
            client.wantedSession = nil
            navigation.open(session)
        }
        .onChange(of: client.alert, initial: true) { showsAlert = client.alert != nil }
        .announces(client.status == .connected ? client.status.words : nil, atFirst: false)
        .onChange(of: showsAlert) { if !showsAlert { client.dismissAlert() } }
        .alert(Text("Something Went Wrong", bundle: .module), isPresented: $showsAlert) {
            Button(Text("OK", bundle: .module)) { showsAlert = false }
        } message: {
            Text(verbatim: client.alert?.words ?? "")
        }
    }

    private var tabs: some View {
        TabView(selection: $navigation.tab) {
            ProjectsTab(client: client, phone: phone, navigation: navigation)
                .tabItem { Label(title: { Text("Projects", bundle: .module) }, icon: { Image(systemName: "folder") }) }
                .tag(AppNavigation.Tab.projects)
            ChatTab(client: client, phone: phone, navigation: navigation)
                .tabItem {
                    Label(title: { Text("Chat", bundle: .module) }, icon: { Image(systemName: "bubble.left.and.bubble.right") })
                }
                .badge(client.prompts.count)
                .tag(AppNavigation.Tab.chat)
            FilesTab(client: client, navigation: navigation)
                .tabItem { Label(title: { Text("Files", bundle: .module) }, icon: { Image(systemName: "doc.text") }) }
                .tag(AppNavigation.Tab.files)
            SettingsTab(client: client, phone: phone, navigation: navigation)
                .tabItem { Label(title: { Text("Settings", bundle: .module) }, icon: { Image(systemName: "gearshape") }) }
                .tag(AppNavigation.Tab.settings)
        }
    }

    private func restore() {
        if let tab = AppNavigation.Tab(rawValue: savedTab) {
            navigation.tab = tab
        } else if client.isReady, client.server == nil {
            navigation.tab = .settings
        }
        if let session = AgentClient.sessionID(savedSession), navigation.chat.isEmpty { navigation.chat = [session] }
    }
}

private struct PageBackground: View {
    @Environment(\.palette) private var palette

    var body: some View { palette.background.ignoresSafeArea() }
}
