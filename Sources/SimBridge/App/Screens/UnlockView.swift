import SimBridgeClient
import SwiftUI

/// Opens for the owner of the phone only.
struct UnlockView: View {
    let bridge: Bridge
    let page: BridgePage
    @State private var isWorking = false
    @State private var problem: BridgeProblem?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 20) {
            Spacer()
            Image(systemName: "faceid")
                .font(.system(size: 56))
                .foregroundStyle(palette.primary)
                .accessibilityHidden(true)
            Text("SimBridge is locked", bundle: .module)
                .font(.title2.bold())
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h1)
            Text("Show that it is you to go on.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
            Spacer()
            ErrorText(problem: problem)
            Button {
                unlock()
            } label: {
                HStack(spacing: 10) {
                    if isWorking { ProgressView().tint(palette.onSurfaceVariant) }
                    Text("Unlock", bundle: .module)
                }
            }
            .buttonStyle(FilledButtonStyle())
            .disabled(isWorking)
            Button {
                bridge.usePassword(on: page)
            } label: {
                Text("Use the password instead", bundle: .module)
            }
            .buttonStyle(TextButtonStyle())
        }
        .padding(Metrics.loginPadding)
        .column()
        .page()
    }

    private func unlock() {
        isWorking = true
        problem = nil
        Task {
            do {
                try await bridge.unlock(page, reason: "SimBridge")
            } catch {
                problem = error as? BridgeProblem
            }
            isWorking = false
        }
    }
}
