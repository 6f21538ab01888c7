public import LocalLLMClient
public import PlatformKit
public import SwiftUI
import ViewKit

/// The root view of the LocalLLM client: a chat with the model on the user's own computer.
public struct LocalLLMRoot: View {
    private let client: ChatClient
    private let phone: Phone
    @State private var window = AppWindow()
    @Environment(\.scenePhase) private var scenePhase

    /// The bundle of the texts.
    public static var bundle: Bundle { .module }

    public init(phone: Phone, network: HostNetwork) {
        client = ChatClient.shared(on: phone, network: network)
        self.phone = phone
    }

    public var body: some View {
        screen
            .task { await client.run() }
            .onChange(of: scenePhase, initial: true) { client.setInFront(scenePhase == .active, screen: window) }
            .onAppear { client.setInFront(scenePhase == .active, screen: window) }
            .onDisappear { client.setInFront(false, screen: window) }
            .sheet(isPresented: $window.showsDebugScreen) { DebugView(client: client, phone: phone) }
            .themed(.localLLM, on: phone)
    }

    @ViewBuilder private var screen: some View {
        if client.screen == .chat, let conversation = client.conversation {
            ChatView(client: client, conversation: conversation, phone: phone, window: window)
        } else {
            ConnectView(client: client, phone: phone, window: window)
        }
    }
}

/// One window or page of the app.
@Observable
final class AppWindow {
    /// Count of taps on a header that opens the debug screen.
    static let debugTapCount = 7
    /// Maximum time between two of these taps.
    static let debugTapInterval = Duration.seconds(2)

    var showsDebugScreen = false
    @ObservationIgnored private var tapCount = 0
    @ObservationIgnored private var lastTap: ContinuousClock.Instant?

    nonisolated deinit {}

    /// Counts a tap on a header.
    func tapHeader(at time: ContinuousClock.Instant) {
        if let lastTap, time - lastTap > Self.debugTapInterval { tapCount = 0 }
        lastTap = time
        tapCount += 1
        guard tapCount >= Self.debugTapCount else { return }
        tapCount = 0
        showsDebugScreen = true
    }
}
