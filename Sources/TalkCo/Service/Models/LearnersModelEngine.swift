import Logging
import TalkCoWire

/// The engine that uses the models of learners who have chosen one, and the engine of the service for all others.
struct LearnersModelEngine: SpeechEngine {
    let standard: any SpeechEngine
    /// Returns the current engines of the service, whose transcription and voice the learner's model uses too.
    let current: @Sendable () -> Engines
    let hosts: ModelHosts
    let clock: any Clock<Duration>
    let logger: Logger

    func open(_ brief: TalkBrief) async throws -> any Conversation {
        guard let choice = brief.model else { return try await standard.open(brief) }
        let senses = current()
        let engine = PipelineEngine(
            transcription: senses.transcription, chat: HostModel(choice, hosts: hosts, clock: clock), speech: senses.voice,
            substitute: standard, logger: logger)
        return try await engine.open(brief)
    }

    /// Returns the description of the engine of a learner who has chosen a model.
    ///
    /// - Parameter name: The model's name for users.
    static func info(_ name: String, standard: Engines) -> EngineInfo {
        EngineInfo(
            kind: .pipeline, name: name, hearing: standard.transcription == nil ? .nothing : .anything,
            speaks: standard.voice != nil, judge: standard.info.judge,
            listens: standard.transcription == nil ? nil : true)
    }
}
