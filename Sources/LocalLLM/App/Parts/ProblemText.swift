import LocalLLMClient
import LocalLLMWire
import SwiftUI
import ViewKit

/// A failure: its code, a sentence, and the host's own words.
struct ProblemText: View {
    let problem: ChatProblem
    @Environment(\.palette) private var palette

    var body: some View {
        ProblemLabel(problem.words, identifier: "error") {
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: problem.code.rawValue).font(.caption.weight(.semibold)).monospaced()
                Text(verbatim: problem.words).font(.subheadline)
                if let reason = problem.hostReason {
                    Text(verbatim: reason).font(.footnote).foregroundStyle(palette.secondary).textSelection(.enabled)
                        .accessibilityIdentifier("reason")
                }
            }
        }
    }
}

/// The mark of a host that has, or has not, proved its Server ID.
struct TrustMark: View {
    let isVerified: Bool
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 4) {
            Image(systemName: isVerified ? "lock.fill" : "lock.open").accessibilityHidden(true)
            isVerified ? Text("Verified", bundle: .module) : Text("Unverified", bundle: .module)
        }
        .font(.caption)
        .foregroundStyle(isVerified ? palette.success : palette.secondary)
        .fixedSize()
    }
}
