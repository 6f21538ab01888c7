public import PlatformKit
public import SimBridgeClient
public import SwiftUI

/// The remote control of another phone's SIM cards.
public struct SimBridgeRoot: View {
    private let bridge: Bridge
    @State private var page: BridgePage
    @Environment(\.scenePhase) private var scenePhase
    @Environment(\.palette) private var palette
    @Environment(\.locale) private var locale

    public init(phone: Phone, relays: Relays) {
        bridge = Bridge.shared(on: phone, relays: relays)
        _page = State(initialValue: BridgePage(biometrics: phone.biometrics))
    }

    public var body: some View {
        PhaseView(bridge: bridge, page: page)
            .tint(palette.link)
            .task { await bridge.run() }
            .onChange(of: scenePhase, initial: true) { bridge.setInFront(scenePhase == .active, page: page) }
            .onChange(of: locale, initial: true) { bridge.noticeWords = NoticeWords(locale) }
            .onAppear { bridge.setInFront(scenePhase == .active, page: page) }
            .onDisappear { bridge.remove(page) }
            .onOpenURL { page.take($0) }
    }
}

/// The screen that the state of the account, and the lock of this page, ask for.
private struct PhaseView: View {
    let bridge: Bridge
    let page: BridgePage

    var body: some View {
        if bridge.phase == .starting {
            ProgressView().page()
        } else if bridge.phase == .login || bridge.isLocked(page) && page.wantsPassword {
            // One view for both: a login of another account begins on the one and may fail on the other.
            LoginView(bridge: bridge, page: page)
        } else if bridge.isLocked(page) {
            // Nothing of the account is on a locked page: neither screens nor alerts nor a call.
            UnlockView(bridge: bridge, page: page)
        } else {
            OpenView(bridge: bridge, page: page)
        }
    }
}

/// The screens of an account, and what stands above each of them.
private struct OpenView: View {
    @Bindable var bridge: Bridge
    let page: BridgePage
    @State private var showsCall = false

    var body: some View {
        content
            // A link of the host's QR code, once the page is open.
            .onChange(of: page.offeredCode, initial: true) {
                if page.offeredCode != nil, bridge.phase == .ready { bridge.beginPairing() }
            }
            .onChange(of: bridge.incomingCall?.id, initial: true) { showsCall = bridge.incomingCall != nil }
            .fullScreenCover(isPresented: $showsCall) {
                if let call = bridge.incomingCall { IncomingCallView(bridge: bridge, call: call) { showsCall = false } }
            }
            .alert(Text("Problem", bundle: .module), isPresented: $bridge.isAlertShown) {
                Button {
                    bridge.dismissAlert()
                } label: {
                    Text("OK", bundle: .module)
                }
            } message: {
                alertWords
            }
            .alert(Text("Unlock with your face or finger?", bundle: .module), isPresented: $bridge.isBiometricOffered) {
                Button {
                    Task { try? await bridge.enableBiometrics(on: page) }
                } label: {
                    Text("Turn on", bundle: .module)
                }
                Button(role: .cancel) {
                } label: {
                    Text("Not now", bundle: .module)
                }
            } message: {
                Text("SimBridge then opens only for you. You can change this in the settings.", bundle: .module)
            }
    }

    @ViewBuilder private var content: some View {
        if bridge.phase == .pairing {
            PairView(bridge: bridge, page: page)
        } else {
            MainView(bridge: bridge, page: page) { showsCall = true }
        }
    }

    private var alertWords: Text {
        switch bridge.alert?.content {
        case .host(let reason?): Text(verbatim: reason)
        case .problem(let problem): problem.words
        default: Text("The host reported an error.", bundle: .module)
        }
    }
}

/// A screen below the dashboard.
enum Place: Hashable {
    case compose, log, settings
    /// With a number in its field.
    case dialer(String)
    case conversation(String)

    /// The words that a scene keeps across a restart.
    fileprivate var name: String {
        switch self {
        case .compose: "compose"
        case .log: "log"
        case .settings: "settings"
        case .dialer: "dialer"
        case .conversation(let number): "conversation " + number
        }
    }

    fileprivate init?(name: String) {
        let words = name.split(separator: " ", maxSplits: 1).map(String.init)
        switch words.first {
        case "compose": self = .compose
        case "log": self = .log
        case "settings": self = .settings
        case "dialer": self = .dialer("")
        case "conversation" where words.count == 2: self = .conversation(words[1])
        default: return nil
        }
    }
}

/// The dashboard, and what is opened from it.
private struct MainView: View {
    let bridge: Bridge
    let page: BridgePage
    let showCall: () -> Void
    @State private var path: [Place] = []
    @SceneStorage("place") private var place = ""

    var body: some View {
        NavigationStack(path: $path) {
            DashboardView(bridge: bridge, open: { path.append($0) }, showCall: showCall)
                .navigationDestination(for: Place.self) { destination($0) }
        }
        .onAppear { if let kept = Place(name: place) { path = [kept] } }
        .onChange(of: path) { keepPlace() }
        .onDisappear { if bridge.phase == .pairing || bridge.phase == .login { place = "" } }
        .onChange(of: bridge.wantedConversation, initial: true) {
            guard let number = bridge.wantedConversation else { return }
            bridge.wantedConversation = nil
            path = [.conversation(number)]
        }
    }

    /// A page keeps it itself: not what a lock hides.
    private func keepPlace() {
        let place = path.first
        if case .conversation = place, bridge.isBiometricEnabled { return self.place = "" }
        self.place = place?.name ?? ""
    }

    @ViewBuilder private func destination(_ place: Place) -> some View {
        switch place {
        case .compose: ComposeView(bridge: bridge, number: nil, open: { path.append($0) })
        case .conversation(let number): ComposeView(bridge: bridge, number: number, open: { path.append($0) })
        case .dialer(let number): DialerView(bridge: bridge, number: number)
        case .log: LogView(bridge: bridge)
        case .settings: SettingsView(bridge: bridge, page: page)
        }
    }
}
