import PlatformKit
import SimBridgeClient
import SwiftUI
import ViewKit

/// The section of the settings about the ntfy app, for a phone without a push service of its own.
struct NtfySettings: View {
    let bridge: Bridge
    @State private var wantsNtfy = false
    @State private var command = UserCommand()
    /// The address that was copied last; nil if none was.
    @State private var copied: URL?
    @Environment(\.palette) private var palette

    var body: some View {
        Section {
            Toggle(isOn: $wantsNtfy) { Text("Notify through the ntfy app", bundle: .module) }
                .onChange(of: wantsNtfy) { setNtfy() }
                .onChange(of: bridge.ntfyAddress, initial: true) { wantsNtfy = bridge.ntfyAddress != nil }
                .disabled(command.isRunning)
                .listRowBackground(palette.card)
            if let address = bridge.ntfyAddress {
                Link(destination: address) {
                    Text(verbatim: address.absoluteString).font(.footnote.monospaced()).foregroundStyle(palette.link)
                }
                .accessibilityIdentifier("ntfy-address")
                .listRowBackground(palette.card)
                Button {
                    command.run {
                        try await bridge.copy(address.absoluteString)
                        copied = address
                    }
                } label: {
                    (copied == address ? Text("Address copied", bundle: .module) : Text("Copy address", bundle: .module))
                        .foregroundStyle(palette.link)
                }
                .listRowBackground(palette.card)
            }
            if let problem = command.problem { ErrorText(problem: problem).listRowBackground(palette.card) }
        } header: {
            Text("ntfy", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
        } footer: {
            instruction.foregroundStyle(palette.onSurfaceVariant)
        }
    }

    private var instruction: Text {
        if bridge.ntfyAddress == nil {
            Text("The ntfy app shows notifications while SimBridge is closed. Install it on this phone first.", bundle: .module)
        } else {
            Text("Subscribe to this address in the ntfy app. Anyone who knows it can read your notifications.", bundle: .module)
        }
    }

    private func setNtfy() {
        guard wantsNtfy != (bridge.ntfyAddress != nil) else { return }
        command.run {
            try await bridge.setNtfy(wantsNtfy)
        } onFailure: { _ in
            wantsNtfy = bridge.ntfyAddress != nil
        }
    }
}
