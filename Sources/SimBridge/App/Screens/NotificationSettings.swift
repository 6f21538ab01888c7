import PlatformKit
import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// The section of the settings about notifications.
struct NotificationSettings: View {
    let bridge: Bridge
    @State private var wantsPush = false
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette
    @Environment(\.isPageSecure) private var isPageSecure

    var body: some View {
        Section {
            Toggle(isOn: $wantsPush) { Text("Notify when SimBridge is closed", bundle: .module) }
                .onChange(of: wantsPush) { setPush() }
                .announces(bridge.pushContent == nil ? nil : words, atFirst: false)
                .onChange(of: bridge.pushContent, initial: true) { wantsPush = bridge.pushContent != nil }
                .disabled(command.isRunning)
                .listRowBackground(palette.card)
            permission
            state
        } header: {
            Text("Notifications", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
        } footer: {
            if bridge.pushContent == nil {
                Text("Get notified about messages and calls when the app is in the background.", bundle: .module).foregroundStyle(
                    palette.onSurfaceVariant)
            }
        }
        if bridge.hasNtfy { NtfySettings(bridge: bridge) }
        if bridge.pushContent != nil {
            Section {
                ForEach(PushContent.allCases, id: \.self) { choice($0) }
            } header: {
                Text("Notifications show", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
            } footer: {
                if bridge.isBiometricEnabled {
                    Text("Notifications show no sender and no text while SimBridge is locked with face or finger.", bundle: .module)
                        .foregroundStyle(palette.onSurfaceVariant)
                }
            }
        }
    }

    private func setPush() {
        guard wantsPush != (bridge.pushContent != nil) else { return }
        // The system asks for permission within the tap's own task: browsers require a user gesture.
        command.run {
            await bridge.setPush(wantsPush ? PushContent.nothing : nil)
        }
    }

    // MARK: State

    @ViewBuilder private var permission: some View {
        switch bridge.notificationPermission {
        case .granted: EmptyView()
        case .denied where !isPageSecure: Text.insecurePage.listRowBackground(palette.card)
        case .denied:
            Text("Notifications are off. Turn them on for this app in the system settings.", bundle: .module).listRowBackground(
                palette.card)
        case .undecided:
            Button {
                command.run { await bridge.requestNotifications() }
            } label: {
                Text("Turn on notifications", bundle: .module).foregroundStyle(palette.link)
            }
            .listRowBackground(palette.card)
        }
    }

    @ViewBuilder private var state: some View {
        if bridge.pushContent != nil, let words {
            Text(verbatim: words)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
                .frame(maxWidth: .infinity, alignment: .leading)
                .listRowBackground(palette.card)
        }
    }

    /// The state of push notifications in words; nil if they are off, or the row about the permission explains the state.
    private var words: String? {
        switch bridge.push {
        case .off, .blocked, .insecure: nil
        case .connecting: String(localized: "Setting up notifications…", bundle: .module)
        case .on where bridge.ntfyAddress != nil: String(localized: "Notifications reach the ntfy app.", bundle: .module)
        case .on: String(localized: "Notifications reach this phone.", bundle: .module)
        case .noService where bridge.hasNtfy:
            String(
                localized: "There is no push service for this phone. Use ntfy to be notified while SimBridge is closed.",
                bundle: .module)
        case .noService:
            String(
                localized: "There is no push service for this phone. You are notified only while SimBridge is open.",
                bundle: .module)
        case .notOffered:
            String(
                localized: "This relay doesn’t send notifications. You are notified only while SimBridge is open.", bundle: .module)
        case .failed:
            String(localized: "Couldn’t set up notifications. SimBridge tries again when it’s connected.", bundle: .module)
        }
    }

    // MARK: Content

    private func choice(_ content: PushContent) -> some View {
        let isSelected = content == (bridge.isBiometricEnabled ? .nothing : bridge.pushContent)
        return Button {
            command.run { await bridge.setPush(content) }
        } label: {
            HStack {
                VStack(alignment: .leading, spacing: 2) {
                    title(of: content).foregroundStyle(palette.onSurface)
                    example(of: content).font(.footnote).foregroundStyle(palette.onSurfaceVariant)
                }
                Spacer()
                if isSelected {
                    Image(systemName: "checkmark").foregroundStyle(palette.link).fontWeight(.semibold).accessibilityHidden(true)
                }
            }
        }
        .disabled(bridge.isBiometricEnabled || command.isRunning)
        .accessibilityAddTraits(isSelected ? .isSelected : [])
        .listRowBackground(palette.card)
    }

    private func title(of content: PushContent) -> Text {
        switch content {
        case .nothing: Text("Only that there is one", bundle: .module)
        case .sender: Text("Sender", bundle: .module)
        case .full: Text("Sender and text", bundle: .module)
        }
    }

    private func example(of content: PushContent) -> Text {
        switch content {
        case .nothing: Text("New text message", bundle: .module)
        case .sender: Text(verbatim: "+1 555 0100 · ") + Text("New text message", bundle: .module)
        case .full: Text(verbatim: "+1 555 0100 · …")
        }
    }
}
