import MarkdownKit
import WireKit

/// An answer while the model writes it: without the model's thoughts, and split into sentences for the voice.
actor AnswerWriting {
    private let startsInThoughts: Locked<Bool>
    private let maximumLength: Int
    private let sentences: Mailbox<String>
    private var filter: ThoughtFilter
    private var splitter = SentenceSplitter()
    private var whole = ""
    private var length = 0

    /// - Parameters:
    ///   - startsInThoughts: See ``ChatModel/startsInThoughts``.
    ///   - maximumLength: The maximum length of the answer, in characters. The rest is dropped.
    init(startsInThoughts: Locked<Bool>, maximumLength: Int, _ sentences: Mailbox<String>) {
        (self.startsInThoughts, self.maximumLength, self.sentences) = (startsInThoughts, maximumLength, sentences)
        filter = ThoughtFilter(startsInThoughts: startsInThoughts.withLock { $0 })
    }

    func receive(_ piece: String) async throws { try await add(filter.receive(piece)) }

    /// Returns the whole answer, trimmed.
    func finish() async throws -> String {
        try await add(filter.finish())
        if let rest = splitter.finish() { try await sentences.send(rest) }
        return whole.trimmed
    }

    private func add(_ outputs: [ThoughtFilter.Output]) async throws {
        for output in outputs {
            switch output {
            case .thought: break
            case .withdraw:
                startsInThoughts.withLock { $0 = true }
                (whole, length, splitter) = ("", 0, SentenceSplitter())
                sentences.clear()
            case .text(let text):
                guard length < maximumLength else { continue }
                whole += text
                length += text.count
                for sentence in splitter.receive(text) { try await sentences.send(sentence) }
            }
        }
    }
}
