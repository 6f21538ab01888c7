import LocalLLMClient
import LocalLLMWire
import SwiftUI
import ViewKit

/// A prompt and its answer in the transcript.
struct ExchangeView: View {
    let exchange: Exchange
    let client: ChatClient
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 16) {
            prompt
            answer
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    private var prompt: some View {
        Text(verbatim: exchange.prompt)
            .textSelection(.enabled)
            .padding(.horizontal, 14)
            .padding(.vertical, 10)
            .background(palette.prompt, in: RoundedRectangle(cornerRadius: 18))
            .padding(.leading, 40)
            .frame(maxWidth: .infinity, alignment: .trailing)
    }

    private var answer: some View {
        VStack(alignment: .leading, spacing: 6) {
            if !exchange.answer.isEmpty { MarkdownView(exchange.document) }
            ExchangeStatus(exchange: exchange, client: client)
            if !exchange.thoughts.isEmpty { thoughts }
            if exchange.isFinished, exchange.omittedTurns > 0 { omission }
            if exchange.isFinished { actions }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text("Answer", bundle: .module))
    }

    /// The thoughts of a model that gave no answer.
    private var thoughts: some View {
        DisclosureGroup {
            Text(verbatim: String(exchange.thoughts.suffix(Self.maximumThoughtLength)))
                .font(.footnote)
                .foregroundStyle(palette.secondary)
                .textSelection(.enabled)
                .frame(maxWidth: .infinity, alignment: .leading)
        } label: {
            Text("The model’s thoughts", bundle: .module)
                .font(.footnote)
                .frame(maxWidth: .infinity, minHeight: Metrics.control, alignment: .leading)
        }
        .accessibilityIdentifier("thoughts")
    }

    /// Maximum length of the shown thoughts, in characters; the beginning of longer thoughts is cut off.
    private static let maximumThoughtLength = 20_000

    /// The note that the model did not get the whole conversation.
    private var omission: some View {
        Text(
            "The conversation is longer than the model can read at once. The oldest messages were left out: \(exchange.omittedTurns).",
            bundle: .module
        )
        .font(.footnote)
        .foregroundStyle(palette.secondary)
        .accessibilityIdentifier("omitted")
    }

    private var actions: some View {
        HStack(spacing: 20) {
            if exchange.problem != nil { retryButton }
            if !exchange.answer.isEmpty { CopyButton(text: exchange.answer, look: .symbolAndWords) }
        }
        .buttonStyle(TextButtonStyle(alignment: .leading))
    }

    private var retryButton: some View {
        Button(Text("Retry", bundle: .module)) { client.retry(exchange) }
            .disabled(client.link != .open || client.isGenerating)
    }
}

/// The state of an answer below its text: progress, the way it ended, and what the user can do.
private struct ExchangeStatus: View {
    let exchange: Exchange
    let client: ChatClient
    @Environment(\.palette) private var palette

    var body: some View {
        switch exchange.state {
        case .waiting: waiting
        case .slow: slow
        case .streaming: streaming
        case .stopping: row(String(localized: "Stopping", bundle: .module))
        case .finished(.abort): note(Text("Stopped", bundle: .module))
        case .finished(.length): note(length)
        case .finished(.stop): if exchange.answer.isEmpty { note(Text("The model gave no answer.", bundle: .module)) }
        case .failed(let problem): ProblemText(problem: problem)
        }
    }

    private var length: Text {
        exchange.thoughts.isEmpty
            ? Text("The answer reached the maximum length.", bundle: .module)
            : Text("The model reached its maximum length while it was thinking. Ask for less at once.", bundle: .module)
    }

    @ViewBuilder private var waiting: some View {
        if client.link != .open {
            interruption
        } else if let progress = exchange.progress {
            VStack(alignment: .leading, spacing: 6) {
                row(progress.words)
                if let fraction = progress.fraction { ProgressView(value: fraction) }
            }
        } else {
            row(String(localized: "Waiting for the answer", bundle: .module))
        }
    }

    @ViewBuilder private var streaming: some View {
        // The answer may pause: the spinner shows that it has not ended.
        if client.link == .open { ProgressView().accessibilityHidden(true) } else { interruption }
    }

    /// The status while the connection is being restored; the answer continues on the host.
    @ViewBuilder private var interruption: some View {
        if client.link != .open { row(String(localized: "Connecting", bundle: .module)) }
    }

    private var slow: some View {
        VStack(alignment: .leading, spacing: 6) {
            Text(verbatim: ErrorCode.timeoutNoResponse.rawValue).font(.caption.weight(.semibold)).monospaced()
            Text("The host is still working on it.", bundle: .module)
            HStack(spacing: 20) {
                button(Text("Wait", bundle: .module)) { client.wait(for: exchange) }
                button(Text("Stop Waiting", bundle: .module)) { client.stop() }
            }
        }
        .accessibilityGroup("slow")
    }

    private func row(_ words: String) -> some View {
        HStack(spacing: 8) {
            ProgressView()
            Text(verbatim: words).font(.subheadline).foregroundStyle(palette.secondary)
        }
        .accessibilityElement(children: .contain)
        .announces(words)
    }

    private func note(_ words: Text) -> some View { words.font(.footnote).foregroundStyle(palette.secondary) }

    private func button(_ words: Text, _ action: @escaping () -> Void) -> some View {
        Button(words) { action() }
            .buttonStyle(TextButtonStyle(alignment: .leading))
    }
}
