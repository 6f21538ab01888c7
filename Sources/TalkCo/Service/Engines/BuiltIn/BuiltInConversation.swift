import Foundation

/// A conversation that follows a script.
final class BuiltInConversation: Conversation {
    /// The ears and the voice of a conversation.
    struct Senses: Sendable {
        var voice: (any Voice)?
        var ears: (any Ears)?
        var pace: Pace
        var network = CallerNetwork.machine
    }

    /// The script and its state. A turn advances it once.
    private actor Tutor {
        private var script: any TutorScript
        private var choices: [String] = []

        init(_ script: any TutorScript) { self.script = script }

        func greeting() -> ScriptReply { keep(script.greeting()) }
        func answer(_ words: String) -> ScriptReply { keep(script.answer(words)) }
        func notUnderstood() -> ScriptReply { keep(script.notUnderstood()) }
        func offered() -> [String] { choices }

        private func keep(_ reply: ScriptReply) -> ScriptReply {
            choices = reply.choices
            return reply
        }
    }

    private let tutor: Tutor
    private let senses: Senses

    init(script: any TutorScript, senses: Senses) {
        tutor = Tutor(script)
        self.senses = senses
    }

    func greeting() -> AsyncThrowingStream<TurnPiece, any Error> {
        let tutor = tutor
        return pieces { ([], await tutor.greeting()) }
    }

    func answer(_ input: TurnInput) -> AsyncThrowingStream<TurnPiece, any Error> {
        let (tutor, ears, network) = (tutor, senses.ears, senses.network)
        return pieces {
            switch input {
            case .text(let words): return ([], await tutor.answer(words))
            case .speech(let samples):
                let words = try await ears?.words(in: samples, offered: tutor.offered(), for: network) ?? ""
                return ([.transcript(words)], await words.isEmpty ? tutor.notUnderstood() : tutor.answer(words))
            }
        }
    }

    func listen(_ samples: Data) { senses.ears?.listen(samples) }

    func close() async {}

    private func pieces(
        _ begin: @escaping @Sendable () async throws -> (first: [TurnPiece], reply: ScriptReply)
    ) -> AsyncThrowingStream<TurnPiece, any Error> {
        let turn = BuiltInTurn(senses: senses, begin: begin)
        return AsyncThrowingStream { try await turn.next() }
    }
}

/// The pieces of one answer, produced on demand.
private actor BuiltInTurn {
    private let senses: BuiltInConversation.Senses
    private var begin: (@Sendable () async throws -> (first: [TurnPiece], reply: ScriptReply))?
    private var ready: [TurnPiece] = []
    private var audio: AsyncThrowingStream<Data, any Error>.Iterator?
    private var last: [TurnPiece] = []

    init(
        senses: BuiltInConversation.Senses,
        begin: @escaping @Sendable () async throws -> (first: [TurnPiece], reply: ScriptReply)
    ) {
        self.senses = senses
        self.begin = begin
    }

    func next() async throws -> TurnPiece? {
        if let begin {
            self.begin = nil
            let (first, reply): ([TurnPiece], ScriptReply)
            do {
                (first, reply) = try await begin()
            } catch let error as EngineError {
                // The conversation continues, and the recording can be sent again.
                last = [.failure(error.description)]
                return last.removeFirst()
            }
            ready = first
            last = [.response(reply.text)] + (reply.choices.isEmpty ? [] : [.choices(reply.choices)])
            audio = senses.voice?.speech(reply.text, pace: reply.isSlow ? .slow : senses.pace, for: senses.network)
                .makeAsyncIterator()
        }
        if !ready.isEmpty { return ready.removeFirst() }
        if let chunk = try await nextChunk() { return .audio(chunk) }
        return last.isEmpty ? nil : last.removeFirst()
    }

    private func nextChunk() async throws -> Data? {
        guard var iterator = audio else { return nil }
        audio = nil
        do {
            guard let chunk = try await iterator.next(isolation: self) else { return nil }
            audio = iterator
            return chunk
        } catch is EngineError {
            // The response is sent without the rest of its sound.
            return nil
        }
    }
}
