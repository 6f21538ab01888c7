import SimBridgeClient
import SwiftUI
import ViewKit

/// A button that opens the sheet for deleting the account.
struct DeleteAccountButton: View {
    let bridge: Bridge
    @State private var isShown = false
    @Environment(\.palette) private var palette

    var body: some View {
        Button(role: .destructive) {
            isShown = true
        } label: {
            Text("Delete Account…", bundle: .module).foregroundStyle(palette.errorText)
        }
        .accessibilityIdentifier("delete-account")
        .sheet(isPresented: $isShown) { DeleteAccountView(bridge: bridge) }
        .closes($isShown, forCallsOf: bridge)
    }
}

/// The sheet for deleting the account: a list of the data to be deleted, and the password.
private struct DeleteAccountView: View {
    let bridge: Bridge
    @State private var password = ""
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        FormSheet(title: "Delete Account") {
            explanation
            InputField(title: "Password", identifier: "delete-password", text: $password, isSecure: true)
                .textContentType(.password)
                .submitLabel(.done)
            ErrorText(problem: command.problem)
            button
        }
    }

    @ViewBuilder private var explanation: some View {
        let name = bridge.saved.username ?? ""
        Text("This deletes the account “\(name)” on the relay:", bundle: .module)
        item(title: "all devices of the account, and their pairing with the host", symbol: "simcard.fill")
        item(title: "all texts and calls in the history, and texts that were not sent yet", symbol: "bubble.left.fill")
        item(title: "the notifications of all devices", symbol: "bell.fill")
        Text("Your other devices and hosts are logged out at once, and forget the account.", bundle: .module)
        Text("You cannot undo this.", bundle: .module).fontWeight(.semibold)
    }

    private func item(title: LocalizedStringKey, symbol: String) -> some View {
        HStack(alignment: .firstTextBaseline, spacing: 10) {
            Image(systemName: symbol).foregroundStyle(palette.errorText).frame(width: 24).accessibilityHidden(true)
            Text(title, bundle: .module)
        }
        .accessibilityElement(children: .combine)
    }

    private var button: some View {
        Button(role: .destructive) {
            command.run { try await bridge.deleteAccount(password: password) }
        } label: {
            HStack(spacing: 10) {
                if command.isRunning { ProgressView().tint(palette.onSurfaceVariant) }
                Text("Delete Account", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle(role: .end))
        .disabled(password.isEmpty || command.isRunning)
        .accessibilityIdentifier("confirm-deletion")
    }
}
