import SimBridgeClient
import SwiftUI

/// A call in a conversation.
struct CallRow: View {
    let call: CallRecord
    let showsSIM: Bool
    let open: (Route) -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            open(.dialer(call.number))
        } label: {
            VStack(spacing: 2) {
                CallSummary(call: call).font(.subheadline.weight(.semibold))
                HStack(spacing: 6) {
                    MomentText(date: call.time)
                    if showsSIM, let sim = call.sim { Text("SIM \(sim)", bundle: .module) }
                }
                .font(.caption)
                .foregroundStyle(palette.onSurfaceVariant)
            }
            .padding(.horizontal, 16)
            .frame(minHeight: 48)
            .background(palette.card, in: RoundedRectangle(cornerRadius: 24))
        }
        .buttonStyle(.plain)
        .disabled(call.number.isEmpty)
    }
}

/// The direction and the outcome of a call in one row.
struct CallSummary: View {
    let call: CallRecord
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 6) {
            Image(systemName: call.isIncoming ? "phone.arrow.down.left" : "phone.arrow.up.right").accessibilityHidden(true)
            call.words
        }
        .foregroundStyle(isFailure ? palette.errorText : palette.onSurfaceVariant)
    }

    private var isFailure: Bool {
        switch call.outcome {
        case .missed, .expired, .failed: true
        default: false
        }
    }
}
