import SimBridgeClient
import SwiftUI
import ViewKit

/// An error message.
struct ErrorText: View {
    let problem: BridgeProblem?
    @Environment(\.isPageSecure) private var isPageSecure

    var body: some View {
        if let problem { ProblemLabel(words(problem), identifier: "error") }
    }

    private func words(_ problem: BridgeProblem) -> String {
        problem == .cannotRecognise && !isPageSecure ? .insecurePage : problem.words
    }
}
