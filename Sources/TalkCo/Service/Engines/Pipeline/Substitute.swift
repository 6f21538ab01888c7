/// The conversation of an engine that answers in place of a model, opened when it is first needed.
actor Substitute {
    private let engine: any SpeechEngine
    private let brief: TalkBrief
    private var opened: (any Conversation)?

    init(_ engine: any SpeechEngine, _ brief: TalkBrief) { (self.engine, self.brief) = (engine, brief) }

    /// - Returns: nil if the engine cannot open a conversation either.
    /// - Throws: `CancellationError`.
    func conversation() async throws -> (any Conversation)? {
        if let opened { return opened }
        do {
            opened = try await engine.open(brief)
            return opened
        } catch is EngineError {
            return nil
        }
    }

    func close() async {
        await opened?.close()
        opened = nil
    }
}
