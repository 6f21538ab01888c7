import SimBridgeClient
import SwiftUI
import ViewKit

/// The lock screen.
struct UnlockView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 20) {
            Spacer()
            Image(systemName: "lock.fill")
                .font(.system(size: 56))
                .foregroundStyle(palette.primary)
                .accessibilityHidden(true)
            Text("SimBridge is locked", bundle: .module)
                .font(.title2.bold())
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h1)
            Text("Verify your identity to continue.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
            Spacer()
            ErrorText(problem: command.problem)
            Button {
                command.run { try await bridge.unlock(page) }
            } label: {
                HStack(spacing: 10) {
                    if command.isRunning { ProgressView().tint(palette.onSurfaceVariant) }
                    Text("Unlock", bundle: .module)
                }
            }
            .buttonStyle(FilledButtonStyle())
            .disabled(command.isRunning)
            Button(Text("Use the password instead", bundle: .module)) { bridge.usePassword(on: page) }
                .buttonStyle(TextButtonStyle())
        }
        .padding(Metrics.loginPadding)
        .column()
        .page()
    }
}
