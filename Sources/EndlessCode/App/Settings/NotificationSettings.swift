import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The settings of notifications: on or off, their content, and their service.
struct NotificationSettings: View {
    let client: AgentClient
    @State private var isWanted = false
    @State private var showsContent = false
    @State private var command = UserCommand()
    @Environment(\.isPageSecure) private var isPageSecure

    var body: some View {
        Section {
            Toggle(isOn: $isWanted) { Text("Notifications", bundle: .module) }
                // The command runs in the tap, in which the browser may ask for the permission.
                .onChange(of: isWanted) { set(isWanted) }
                .onChange(of: client.wantsNotifications, initial: true) { isWanted = client.wantsNotifications }
            if client.wantsNotifications {
                Toggle(isOn: $showsContent) { Text("Show Content", bundle: .module) }
                    .onChange(of: showsContent) { client.setNotificationContent(showsContent ? .full : .nothing) }
                    .onChange(of: client.notificationContent, initial: true) { showsContent = client.notificationContent == .full }
            }
        } footer: {
            words
        }
        if client.hasNtfy || client.ntfyAddress != nil { NtfySettings(client: client) }
    }

    private func set(_ isWanted: Bool) {
        guard isWanted != client.wantsNotifications else { return }
        command.runNext { await client.setNotifications(isWanted) }
    }

    private var words: Text {
        guard client.wantsNotifications else {
            return Text("When the agent asks you or has finished, and you are not looking at the app.", bundle: .module)
        }
        // The permission is known before a server is. The ntfy app shows notifications without it.
        if client.notificationPermission == .denied, client.ntfyAddress == nil { return refusal }
        switch client.push {
        case .blocked, .insecure: return refusal
        case .noService, .notOffered:
            return Text("There is no push service for this phone: you are notified only while the app is open.", bundle: .module)
        case .failed(let problem): return Text(verbatim: problem.words)
        case .connecting: return Text("Connecting to the push service", bundle: .module)
        case .off, .on:
            return client.notificationContent == .full
                ? Text("Notifications show the project and the beginning of the text.", bundle: .module)
                : Text("Notifications contain no text of yours.", bundle: .module)
        }
    }

    private var refusal: Text {
        isPageSecure
            ? Text("Notifications are not allowed. Allow them for this app in the phone’s settings.", bundle: .module)
            : .insecurePage
    }
}

/// The ntfy app, for a phone without a push service of its own.
private struct NtfySettings: View {
    let client: AgentClient

    var body: some View {
        Section {
            NtfyRows(address: client.ntfyAddress, set: { try await client.setNtfy($0) }, copy: { try await client.copy($0) }) {
                ProblemText(problem: $0)
            }
        } footer: {
            NtfyInstruction(hasAddress: client.ntfyAddress != nil)
        }
    }
}
