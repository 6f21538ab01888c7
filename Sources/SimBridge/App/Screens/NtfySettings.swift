import SimBridgeClient
import SwiftUI
import ViewKit

/// The section of the settings about the ntfy app, for a phone without a push service of its own.
struct NtfySettings: View {
    let bridge: Bridge
    @Environment(\.palette) private var palette

    var body: some View {
        Section {
            NtfyRows(address: bridge.ntfyAddress, set: { try await bridge.setNtfy($0) }, copy: { try await bridge.copy($0) }) {
                ErrorText(problem: $0)
            }
            .listRowBackground(palette.card)
        } header: {
            Text("ntfy", bundle: .module).foregroundStyle(palette.onSurfaceVariant)
        } footer: {
            NtfyInstruction(hasAddress: bridge.ntfyAddress != nil).foregroundStyle(palette.onSurfaceVariant)
        }
    }
}
