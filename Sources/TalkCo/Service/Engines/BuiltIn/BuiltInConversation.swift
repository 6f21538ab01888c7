import Foundation

/// A conversation that follows a script.
final class BuiltInConversation: Conversation {
    /// The programs that a conversation uses.
    struct Programs: Sendable {
        var voice: ProgramVoice?
        var recognizer: ChoiceRecognizer?
        var pace: SpeechProgram.Pace
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
    private let programs: Programs

    init(script: any TutorScript, programs: Programs) {
        tutor = Tutor(script)
        self.programs = programs
    }

    func greeting() -> AsyncThrowingStream<TurnPiece, any Error> {
        let tutor = tutor
        return pieces { ([], await tutor.greeting()) }
    }

    func answer(_ input: TurnInput) -> AsyncThrowingStream<TurnPiece, any Error> {
        let (tutor, recognizer, network) = (tutor, programs.recognizer, programs.network)
        return pieces {
            switch input {
            case .text(let words): return ([], await tutor.answer(words))
            case .speech(let samples):
                let choices = await tutor.offered()
                guard let index = try await recognizer?.choice(among: choices, in: samples, for: network) else {
                    return ([.transcript("")], await tutor.notUnderstood())
                }
                return ([.transcript(choices[index])], await tutor.answer(choices[index]))
            }
        }
    }

    func close() async {}

    private func pieces(
        _ begin: @escaping @Sendable () async throws -> (first: [TurnPiece], reply: ScriptReply)
    ) -> AsyncThrowingStream<TurnPiece, any Error> {
        let turn = BuiltInTurn(programs: programs, begin: begin)
        return AsyncThrowingStream { try await turn.next() }
    }
}

/// The pieces of one answer, made as they are asked for.
private actor BuiltInTurn {
    private let programs: BuiltInConversation.Programs
    private var begin: (@Sendable () async throws -> (first: [TurnPiece], reply: ScriptReply))?
    private var ready: [TurnPiece] = []
    private var audio: AsyncThrowingStream<Data, any Error>.Iterator?
    private var last: [TurnPiece] = []

    init(
        programs: BuiltInConversation.Programs,
        begin: @escaping @Sendable () async throws -> (first: [TurnPiece], reply: ScriptReply)
    ) {
        self.programs = programs
        self.begin = begin
    }

    func next() async throws -> TurnPiece? {
        if let begin {
            self.begin = nil
            let (first, reply) = try await begin()
            ready = first
            last = [.response(reply.text)] + (reply.choices.isEmpty ? [] : [.choices(reply.choices)])
            audio = programs.voice?.speech(reply.text, pace: reply.isSlow ? .slow : programs.pace, for: programs.network)
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
            // The words arrive without the rest of their sound.
            return nil
        }
    }
}
