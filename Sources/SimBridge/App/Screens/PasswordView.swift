import SimBridgeClient
import SwiftUI
import ViewKit

/// The sheet for changing the password.
struct PasswordView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var old = ""
    @State private var new = ""
    @State private var command = UserCommand()
    @Environment(\.dismiss) private var dismiss
    @Environment(\.palette) private var palette

    var body: some View {
        FormSheet(title: "Change Password") {
            fields
            ErrorText(problem: command.problem)
            button
        }
    }

    private var fields: some View {
        VStack(spacing: Metrics.gap) { inputs }
            // Applies to a revealed password, which must not be changed like a word.
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
    }

    @ViewBuilder private var inputs: some View {
        InputField(title: "Current password", identifier: "old-password", text: $old, isSecure: true)
            .textContentType(.password)
        VStack(alignment: .leading, spacing: 6) {
            InputField(title: "New password", identifier: "new-password", text: $new, isSecure: true)
                .textContentType(.newPassword)
                .submitLabel(.done)
                .onSubmit { change() }
            Text("Use at least 8 characters. Avoid common passwords.", bundle: .module)
                .font(.footnote)
                .foregroundStyle(palette.onSurfaceVariant)
        }
        Text("Your other devices and hosts will be logged out.", bundle: .module)
            .font(.subheadline)
            .frame(maxWidth: .infinity, alignment: .leading)
    }

    private var button: some View {
        Button {
            change()
        } label: {
            HStack(spacing: 10) {
                if command.isRunning { ProgressView().tint(palette.onSurfaceVariant) }
                Text("Change Password", bundle: .module)
            }
        }
        .buttonStyle(FilledButtonStyle())
        .disabled(!isComplete || command.isRunning)
    }

    private var isComplete: Bool { !old.isEmpty && !new.isEmpty }

    private func change() {
        guard isComplete else { return }
        command.run {
            try await bridge.changePassword(from: old, to: new, on: page)
            dismiss()
        }
    }
}
