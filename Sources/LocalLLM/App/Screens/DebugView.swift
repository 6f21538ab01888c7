import LocalLLMClient
import LocalLLMWire
import PlatformKit
import SwiftUI
import ViewKit

/// The hidden debug screen: the last attempts to connect, step by step, and the log.
struct DebugView: View {
    let client: ChatClient
    let phone: Phone
    @State private var filter = ""
    /// The result of the last tap on Copy; nil before the first one.
    @State private var isCopied: Bool?
    @State private var copying = UserCommand<Never>()
    @Environment(\.dismiss) private var dismiss
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 0) {
            bar
            ScrollView {
                VStack(alignment: .leading, spacing: 16) {
                    if let attempt = client.attempts.last { AttemptView(attempt: attempt) }
                    field
                    entries
                }
                .padding(Metrics.padding)
                .column()
            }
        }
        .page()
    }

    private var bar: some View {
        HStack(spacing: 8) {
            Text("Debug Log", bundle: .module)
                .font(.headline)
                .lineLimit(1)
                .frame(maxWidth: .infinity, alignment: .leading)
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h1)
            switch isCopied {
            case nil: SymbolButton(symbol: "doc.on.doc", Text("Copy Log", bundle: .module)) { copy() }
            case true?: SymbolButton(symbol: "checkmark", Text("Copied", bundle: .module)) { copy() }
            case false?: SymbolButton(symbol: "exclamationmark.circle.fill", Text("Couldn’t copy", bundle: .module)) { copy() }
            }
            SymbolButton(symbol: "trash", Text("Clear Log", bundle: .module)) { client.log.clear() }
            Button {
                dismiss()
            } label: {
                Text("Done", bundle: .module).fixedSize()
            }
            .buttonStyle(TextButtonStyle())
        }
        .padding(.horizontal, Metrics.padding)
        .column()
    }

    private var field: some View {
        TextField("", text: $filter, prompt: Text("Filter", bundle: .module))
            .textFieldStyle(.roundedBorder)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
            .fieldTouchArea()
            .accessibilityLabel(Text("Filter", bundle: .module))
            .accessibilityIdentifier("filter")
    }

    private var entries: some View {
        LazyVStack(alignment: .leading, spacing: 6) {
            ForEach(client.log.entries(matching: filter).reversed()) { entry in
                VStack(alignment: .leading, spacing: 0) {
                    Text(entry.date, format: .dateTime.hour().minute().second()).font(.caption).foregroundStyle(palette.secondary)
                    Text(verbatim: entry.text).font(.caption).monospaced()
                }
            }
        }
    }

    private func copy() {
        let text = client.log.entries(matching: filter).map { "\($0.date.ISO8601Format()) \($0.text)" }.joined(separator: "\n")
        copying.run { isCopied = (try? await phone.clipboard.copy(text)) != nil }
    }
}

/// The steps of one attempt to connect, with their times.
private struct AttemptView: View {
    let attempt: ConnectAttempt
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            Text("Last connection attempt", bundle: .module).font(.headline)
            ForEach(attempt.steps, id: \.step) { step in
                HStack {
                    Text(verbatim: step.step.words)
                    Spacer()
                    Text(verbatim: Self.seconds(step.start)).monospacedDigit().fixedSize()
                }
                .font(.subheadline)
            }
            if let problem = attempt.problem {
                ProblemText(problem: problem)
                if !problem.message.isEmpty { Text(verbatim: problem.message).font(.caption).foregroundStyle(palette.secondary) }
            } else if let duration = attempt.duration {
                HStack {
                    Text("Connected", bundle: .module)
                    Spacer()
                    Text(verbatim: Self.seconds(duration)).monospacedDigit().fixedSize()
                }
                .font(.subheadline)
            }
        }
        .card()
    }

    private static func seconds(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.seconds], width: .narrow, fractionalPart: .show(length: 2)))
    }
}
