public import PlatformKit
public import SimBridgeClient
public import SwiftUI
import ViewKit

/// The root view of the SimBridge client, the remote control of another phone's SIM cards.
public struct SimBridgeRoot: View {
    private let bridge: Bridge
    private let phone: Phone
    @Environment(\.locale) private var locale

    /// The bundle of the texts.
    public static var bundle: Bundle { .module }

    public init(phone: Phone, relays: Relays) {
        bridge = Bridge.shared(on: phone, relays: relays)
        self.phone = phone
    }

    public var body: some View {
        DemonstrationGate(on: phone) {
            BridgeView(bridge: bridge, phone: phone)
        } demonstration: { phone in
            BridgeView(bridge: .demonstration(on: phone, words: DemonstrationWords(locale)), phone: phone)
        }
    }
}

/// The app on one page.
private struct BridgeView: View {
    let bridge: Bridge
    let phone: Phone
    @State private var page: BridgePage
    @Environment(\.scenePhase) private var scenePhase
    @Environment(\.locale) private var locale

    init(bridge: Bridge, phone: Phone) {
        (self.bridge, self.phone) = (bridge, phone)
        _page = State(initialValue: BridgePage(biometrics: phone.biometrics))
    }

    var body: some View {
        PhaseView(bridge: bridge, page: page)
            .task { await bridge.run() }
            .onChange(of: scenePhase, initial: true) { bridge.setInFront(scenePhase == .active, page: page) }
            .onChange(of: locale, initial: true) { bridge.noticeWords = NoticeWords(locale) }
            .onAppear { bridge.setInFront(scenePhase == .active, page: page) }
            .onDisappear { bridge.remove(page) }
            .onOpenURL { page.take($0) }
            .themed(.simBridge, on: phone)
    }
}

/// Selects the screen by the state of the account and the lock of this page.
private struct PhaseView: View {
    let bridge: Bridge
    let page: BridgePage

    var body: some View {
        if bridge.phase == .starting {
            ProgressView().page()
        } else if bridge.phase == .login || bridge.isLocked(page) && page.wantsPassword {
            // One view for both, so that a login of another account that starts on a locked page keeps its state when it fails.
            LoginView(bridge: bridge, page: page)
        } else if bridge.isLocked(page) {
            // A locked page shows nothing of the account: no screens, alerts or calls.
            UnlockView(bridge: bridge, page: page)
        } else {
            OpenView(bridge: bridge, page: page)
        }
    }
}

/// The screens of an account with their alerts and the call cover.
private struct OpenView: View {
    @Bindable var bridge: Bridge
    let page: BridgePage
    @State private var showsCall = false
    /// The incoming call; after its end, the last incoming call, which the cover shows while it closes.
    @State private var call: PhoneCall?
    /// The alert that the incoming call interrupted, shown again after the call; nil if none. Other alerts appear above the call.
    @State private var interrupted: Bridge.Alert?

    var body: some View {
        content
            // A pairing link opened from the host's QR code.
            .onChange(of: page.offeredCode, initial: true) {
                if page.offeredCode != nil, bridge.phase == .ready { bridge.beginPairing() }
            }
            .onChange(of: bridge.incomingCall, initial: true) { if let incoming = bridge.incomingCall { call = incoming } }
            .onChange(of: bridge.incomingCall?.id, initial: true) { showCall(bridge.incomingCall != nil) }
            .onChange(of: bridge.alert) { if bridge.alert != interrupted { interrupted = nil } }
            .fullScreenCover(isPresented: $showsCall) {
                if let call {
                    IncomingCallView(bridge: bridge, call: call) { showCall(false) }
                        .alerts(of: bridge, isOn: bridge.alert != interrupted)
                }
            }
            .alerts(of: bridge, isOn: !showsCall)
            .biometricOffer(of: bridge, on: page, isOn: !showsCall)
    }

    private func showCall(_ isShown: Bool) {
        interrupted = isShown ? bridge.alert : nil
        showsCall = isShown
    }

    @ViewBuilder private var content: some View {
        if bridge.phase == .pairing {
            PairView(bridge: bridge, page: page)
        } else {
            MainView(bridge: bridge, page: page) { showCall(true) }
        }
    }

}

/// The alert for an error of the host or the relay, while `isOn`: only the topmost of several presentations shows it.
private struct AlertPresenter: ViewModifier {
    @Bindable var bridge: Bridge
    let isOn: Bool

    func body(content: Content) -> some View {
        content.alert(Text("Something Went Wrong", bundle: .module), isPresented: $bridge.isAlertShown[while: isOn]) {
            Button(Text("OK", bundle: .module)) { bridge.dismissAlert() }
        } message: {
            Text(verbatim: words)
        }
    }

    private var words: String {
        switch bridge.alert?.content {
        case .host(let reason?): reason
        case .problem(let problem): problem.words
        default: String(localized: "The host reported an error. Try again.", bundle: .module)
        }
    }
}

/// The offer to unlock by biometrics after a login, while `isOn`.
private struct BiometricOffer: ViewModifier {
    @Bindable var bridge: Bridge
    let page: BridgePage
    let isOn: Bool
    @State private var command = UserCommand()

    func body(content: Content) -> some View {
        content.alert(
            Text("Unlock with your face or finger?", bundle: .module), isPresented: $bridge.isBiometricOffered[while: isOn]
        ) {
            Button(Text("Turn on", bundle: .module)) { command.run { try await bridge.enableBiometrics(on: page) } }
            Button(Text("Not now", bundle: .module), role: .cancel) {}
        } message: {
            Text("Only you will be able to open SimBridge. You can change this later in Settings.", bundle: .module)
        }
    }
}

extension View {
    fileprivate func alerts(of bridge: Bridge, isOn: Bool) -> some View { modifier(AlertPresenter(bridge: bridge, isOn: isOn)) }

    fileprivate func biometricOffer(of bridge: Bridge, on page: BridgePage, isOn: Bool) -> some View {
        modifier(BiometricOffer(bridge: bridge, page: page, isOn: isOn))
    }

    /// Closes a sheet or dialog when an incoming call covers the screen, because an iPhone shows only one presentation at a time.
    func closes(_ isPresented: Binding<Bool>, forCallsOf bridge: Bridge) -> some View {
        onChange(of: bridge.incomingCall?.id) { if bridge.incomingCall != nil { isPresented.wrappedValue = false } }
    }
}

extension Bool {
    /// True if the value and `condition` are true. Setting it sets the value.
    fileprivate subscript(while condition: Bool) -> Bool {
        get { self && condition }
        set { self = newValue }
    }
}

/// A screen opened from the dashboard.
enum Route: Hashable {
    case compose, log, settings
    /// The dialer with an initial number.
    case dialer(String)
    case conversation(String)

    /// The name of the screen for state restoration.
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

/// The dashboard and its navigation stack.
private struct MainView: View {
    let bridge: Bridge
    let page: BridgePage
    let showCall: () -> Void
    @State private var path: [Route] = []
    @SceneStorage("place") private var savedRoute = ""

    var body: some View {
        NavigationStack(path: $path) {
            DashboardView(bridge: bridge, open: { path.append($0) }, showCall: showCall)
                .navigationDestination(for: Route.self) { destination($0) }
        }
        .onAppear { if let saved = Route(name: savedRoute), !bridge.isDemonstration { path = [saved] } }
        .onChange(of: path) { saveRoute() }
        .onDisappear { if !bridge.isDemonstration, bridge.phase == .pairing || bridge.phase == .login { savedRoute = "" } }
        .onChange(of: bridge.wantedConversation, initial: true) {
            guard let number = bridge.wantedConversation else { return }
            bridge.wantedConversation = nil
            path = [.conversation(number)]
        }
    }

    /// Saves the current screen with the page, except for conversations when the app is locked by biometrics.
    private func saveRoute() {
        if bridge.isDemonstration { return }
        let route = path.first
        if case .conversation = route, bridge.isBiometricEnabled { return savedRoute = "" }
        savedRoute = route?.name ?? ""
    }

    @ViewBuilder private func destination(_ route: Route) -> some View {
        switch route {
        case .compose: ComposeView(bridge: bridge, number: nil, open: { path.append($0) })
        case .conversation(let number): ComposeView(bridge: bridge, number: number, open: { path.append($0) })
        case .dialer(let number): DialerView(bridge: bridge, number: number)
        case .log: LogView(bridge: bridge)
        case .settings: SettingsView(bridge: bridge, page: page)
        }
    }
}
