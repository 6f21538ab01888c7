import LocalLLMWire
import MarkdownKit
import WireKit

/// The output of an engine's answer without the thoughts of the model, of which only the progress is reported. If an answer ends
/// without other text, its thoughts are passed on, so that they are not lost.
struct AnswerOutput {
    private var filter: ThoughtFilter
    private var isThinking = false
    /// The thoughts that the server keeps apart from the answer.
    private var thoughts = ""
    private var hasText = false
    private let model: String
    private let habits: ThinkingHabits
    private let didReceivePiece: @Sendable () -> Void
    private let receive: @Sendable (EngineEvent) async throws -> Void

    init(
        of model: String, _ habits: ThinkingHabits, _ didReceivePiece: @escaping @Sendable () -> Void,
        _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) {
        filter = ThoughtFilter(startsInThoughts: habits.startsInThoughts(model))
        (self.model, self.habits) = (model, habits)
        (self.didReceivePiece, self.receive) = (didReceivePiece, receive)
    }

    /// Processes a piece of thoughts that the server keeps apart from the answer. The text then contains no thoughts.
    mutating func thought(_ piece: String) async throws {
        if !isThinking {
            try await pass(filter.finish())
            filter = ThoughtFilter()
            habits.set(false, for: model)
        }
        if thoughts.utf8.count < ThoughtFilter.maximumThoughtSize { thoughts += piece }
        try await reportThought()
    }

    /// Processes a piece of the text, which may contain thoughts in tags.
    mutating func text(_ piece: String) async throws { try await pass(filter.receive(piece)) }

    /// Ends a complete answer.
    mutating func finish() async throws {
        try await pass(filter.finish())
        if filter.isMissingOpening { habits.set(true, for: model) }
        if !filter.hasThoughts { habits.set(false, for: model) }
        try await passThoughts()
    }

    /// Ends an incomplete answer.
    mutating func breakOff() async throws { try await passThoughts() }

    /// Passes on the thoughts of an answer without other text, in an unclosed tag: a client shows them apart from answers.
    private mutating func passThoughts() async throws {
        // A tag in the thoughts would end them.
        let text = (thoughts + filter.thoughts).replacing(/<\/think>/.ignoresCase(), with: "").prefix(
            utf8: ThoughtFilter.maximumThoughtSize)
        guard !hasText, text.contains(where: { !$0.isWhitespace }) else { return }
        try await send("<think>\n" + text)
    }

    private mutating func pass(_ outputs: [ThoughtFilter.Output]) async throws {
        for output in outputs {
            switch output {
            case .thought: try await reportThought()
            case .text(let text): try await send(text)
            // The text that was sent before was thoughts, as the tag tells the client.
            case .withdraw(let tag): try await send(tag)
            }
        }
    }

    private mutating func send(_ text: String) async throws {
        if text.contains(where: { !$0.isWhitespace }) { hasText = true }
        didReceivePiece()
        try await receive(.text(text))
        // The receiver may have waited.
        didReceivePiece()
    }

    private mutating func reportThought() async throws {
        didReceivePiece()
        if !isThinking { try await receive(.progress(ChatProgress(.thinking))) }
        isThinking = true
    }
}

/// The models whose answers begin inside of their thoughts, because the template has written the opening tag: decided by the
/// latest answer of a model, and before that by its name.
struct ThinkingHabits: Sendable {
    private static let names = ["qwq", "-r1", "thinking", "reasoner", "reasoning"]

    private let known = Locked<[String: Bool]>([:])

    func startsInThoughts(_ model: String) -> Bool {
        known.withLock { $0[model] } ?? Self.names.contains { model.lowercased().contains($0) }
    }

    func set(_ startsInThoughts: Bool, for model: String) { known.withLock { $0[model] = startsInThoughts } }
}
