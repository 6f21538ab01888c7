package import LocalLLMWire

/// A built-in engine for a computer without a model. Its answers say so, and depend on the conversation only.
package struct DemoEngine: Engine {
    package static let model = "demo"

    private let clock: any Clock<Duration>
    private let pause: Duration

    /// - Parameter pause: The pause after each word.
    package init(clock: any Clock<Duration> = ContinuousClock(), pause: Duration = .milliseconds(30)) {
        (self.clock, self.pause) = (clock, pause)
    }

    package var name: String { "The built-in demo (no language model)" }

    package func models() async throws -> [EngineModel] { [EngineModel(Self.model)] }

    package func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        guard request.model == Self.model else {
            throw EngineError(.modelNotAvailable, "The demo has one model, which is called \(Self.model).")
        }
        try await receive(.progress(ChatProgress(.reading)))
        for piece in Self.pieces(of: Self.answer(to: request.turns)) {
            try await clock.sleep(for: pause)
            try await receive(.text(piece))
        }
        return .stop
    }

    /// Returns the answer to a conversation.
    package static func answer(to turns: [ChatTurn]) -> String {
        let prompt = turns.last?.content ?? ""
        let words = prompt.split(whereSeparator: \.isWhitespace)
        // A prompt may contain fences of any length.
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: prompt) + 1))
        return """
            This is the **demo** of LocalLLM. No language model answers here: this text is computed from your prompt. \
            To chat with a model, install Ollama on your computer and run “switchboard localllm host” there.

            Your prompt has \(words.count) word\(words.count == 1 ? "" : "s") in \(prompt.utf8.count) bytes, \
            and \(turns.count - 1) earlier turn\(turns.count == 2 ? "" : "s") came with it:

            \(fence)
            \(prompt)
            \(fence)

            The words from last to first: \(words.reversed().joined(separator: " "))
            """
    }

    private static func longestRun(of character: Character, in text: String) -> Int {
        var (longest, run) = (0, 0)
        for next in text {
            run = next == character ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// Returns the text in pieces that end after a space or a newline.
    private static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for character in text {
            piece.append(character)
            guard character == " " || character == "\n" else { continue }
            pieces.append(piece)
            piece = ""
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }
}
