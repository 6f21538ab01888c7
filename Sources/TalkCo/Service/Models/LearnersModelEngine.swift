import Logging
import TalkCoWire

/// Lets learners talk with the model that they have chosen, and all others with the engine of the service.
struct LearnersModelEngine: SpeechEngine {
    let standard: any SpeechEngine
    /// The engines of the service at this moment, whose ears and voice the learner's model has too.
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

    /// The engine of a learner with a model of one's own.
    ///
    /// - Parameter name: The model's name for users.
    static func info(_ name: String, standard: Engines) -> EngineInfo {
        EngineInfo(
            kind: .pipeline, name: name, hearing: standard.transcription == nil ? .nothing : .anything,
            speaks: standard.voice != nil, judge: standard.info.judge,
            listens: standard.transcription == nil ? nil : true)
    }
}
