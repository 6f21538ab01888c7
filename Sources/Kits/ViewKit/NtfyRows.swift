package import SwiftUI

/// Settings of the ntfy app, for a phone without a push service of its own: a switch, and the address to subscribe to.
package struct NtfyRows<Problem: Error, Failure: View>: View {
    private let address: URL?
    private let set: (Bool) async throws -> Void
    private let copy: (String) async throws -> Void
    private let failure: (Problem) -> Failure
    @State private var isOn = false
    @State private var command = UserCommand<Problem>()
    /// The address that was copied last.
    @State private var copied: URL?
    @Environment(\.palette) private var palette

    /// - Parameters:
    ///   - address: The address of this phone's notifications; nil while they do not go through ntfy.
    ///   - set: Turns notifications through ntfy on or off.
    package init(
        address: URL?, set: @escaping (Bool) async throws -> Void, copy: @escaping (String) async throws -> Void,
        @ViewBuilder failure: @escaping (Problem) -> Failure
    ) {
        (self.address, self.set, self.copy, self.failure) = (address, set, copy, failure)
    }

    package var body: some View {
        Toggle(isOn: $isOn) { Text("Notify through the ntfy app", bundle: .module) }
            .disabled(command.isRunning)
            .onChange(of: isOn) { if isOn != (address != nil) { command.run { try await set(isOn) } } }
            .onChange(of: address, initial: true) { isOn = address != nil }
            .onChange(of: command.isRunning) { if !command.isRunning { isOn = address != nil } }
        if let address {
            Link(destination: address) {
                Text(verbatim: address.absoluteString).font(.footnote.monospaced()).foregroundStyle(palette.accent)
            }
            .accessibilityIdentifier("ntfy-address")
            Button {
                command.run {
                    try await copy(address.absoluteString)
                    copied = address
                }
            } label: {
                (copied == address ? Text("Address copied", bundle: .module) : Text("Copy address", bundle: .module))
                    .foregroundStyle(palette.accent)
            }
        }
        if let problem = command.problem { failure(problem) }
    }
}

/// The instruction below ``NtfyRows``.
package struct NtfyInstruction: View {
    private let hasAddress: Bool

    package init(hasAddress: Bool) { self.hasAddress = hasAddress }

    package var body: some View {
        hasAddress
            ? Text("Subscribe to this address in the ntfy app. Anyone who knows it can read your notifications.", bundle: .module)
            : Text("The ntfy app shows notifications while this app is closed. Install it on this phone first.", bundle: .module)
    }
}
