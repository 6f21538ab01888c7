import SwiftUI

/// Progress and activity indicators.
struct ProgressViewPage: View {
    @State private var done = 30

    private var fraction: Double { Double(done) / 100 }

    var body: some View {
        List {
            Section("Known") {
                ProgressView(value: fraction).accessibilityLabel("Plain")
                ProgressView("With a label", value: fraction)
                ProgressView("Green", value: fraction).tint(.green)
                ProgressView(value: fraction).progressViewStyle(.circular).accessibilityLabel("Circular")
                ValueRow("Done", "\(done) %", identifier: "done")
                Button("10 % more") { done = min(done + 10, 100) }
                Button("Start over") { done = 0 }
            }
            Section("Unknown") {
                ProgressView().accessibilityLabel("Spinner")
                ProgressView("Loading…")
                ProgressView().progressViewStyle(.linear).accessibilityLabel("Linear")
                HStack(spacing: 12) {
                    ProgressView().accessibilityLabel("Spinner beside text")
                    Text("Beside a text").foregroundStyle(.secondary)
                }
            }
        }
    }
}
