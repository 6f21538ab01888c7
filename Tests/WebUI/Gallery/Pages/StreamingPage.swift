import SwiftUI

/// A text that grows a hundred times a second, beside a field to type in.
struct StreamingPage: View {
    @State private var model = StreamModel()
    @State private var draft = ""

    var body: some View {
        VStack(spacing: 12) {
            StreamedText(model: model)
            StreamControls(model: model)
            TextField("Type while it grows", text: $draft, axis: .vertical)
                .textFieldStyle(.roundedBorder)
                .lineLimit(1...4)
            Text("Typed: \(draft)")
                .foregroundStyle(.secondary)
                .accessibilityIdentifier("typed")
                .frame(maxWidth: .infinity, alignment: .leading)
        }
        .padding()
        .task(id: model.isRunning) { await model.run() }
    }
}

/// A stream of words, as from a language model.
@Observable
final class StreamModel {
    private(set) var text = ""
    private(set) var updates = 0
    private(set) var isRunning = false

    private static let words = "the quick brown fox jumps over the lazy dog and thinks about it for a while".split(separator: " ")
    /// The number of words after which the stream ends.
    static let maximumUpdateCount = 1_000

    func start() {
        text = ""
        updates = 0
        isRunning = true
    }

    func stop() { isRunning = false }

    /// Adds a word every `pause` until it is stopped, has added ``maximumUpdateCount``, or is cancelled; then it can be run again.
    func run(pause: Duration = .milliseconds(10)) async {
        var due = ContinuousClock.now
        while isRunning {
            due += pause
            // Cancelled when the page is covered or goes away.
            guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return }
            text += Self.words[updates % Self.words.count] + " "
            updates += 1
            if updates == Self.maximumUpdateCount { isRunning = false }
        }
    }
}

private struct StreamedText: View {
    let model: StreamModel

    var body: some View {
        ScrollView {
            Text(model.text)
                .accessibilityIdentifier("stream")
                .padding(12)
                .frame(maxWidth: .infinity, alignment: .leading)
        }
        .defaultScrollAnchor(.bottom)
        .background(Color(uiColor: .secondarySystemBackground), in: RoundedRectangle(cornerRadius: 12))
    }
}

private struct StreamControls: View {
    let model: StreamModel

    var body: some View {
        HStack {
            Button(model.isRunning ? "Stop" : "Start") { model.isRunning ? model.stop() : model.start() }
                .buttonStyle(.borderedProminent)
            Spacer()
            Text("Updates: \(model.updates)")
                .monospacedDigit()
                .accessibilityIdentifier("updates")
        }
    }
}
