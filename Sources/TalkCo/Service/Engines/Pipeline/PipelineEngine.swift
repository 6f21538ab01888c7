import Foundation
import Logging
import NetworkingKit
import TalkCoWire

/// The engine of a chat model, with what hears and what speaks: servers with OpenAI's interfaces, or programs of this machine.
struct PipelineEngine: SpeechEngine {
    /// Nil where nothing understands free speech: turns are typed then.
    let transcription: (any Transcription)?
    let chat: any ChatModel
    /// Nil for answers without a voice.
    let speech: (any Voice)?
    /// Answers the turns that the model does not; nil to report its failure.
    var substitute: (any SpeechEngine)?
    let logger: Logger

    /// The time that a transcription server has to refuse a talk that a substitute can hold.
    private static let refusalTime = Duration.seconds(3)

    /// Checks that the parts are there. With a substitute each turn finds out for itself, but a wrong setting is named before the first one.
    func open(_ brief: TalkBrief) async throws -> any Conversation {
        guard substitute == nil else {
            // A server that cannot be reached may be back when the learner speaks.
            do {
                if let transcription {
                    try await withTimeout(Self.refusalTime, clock: chat.clock) { try await transcription.check() }
                }
            } catch let error as EngineError where error.code == .unreachable || error.code == .timedOut {
            } catch is TransportError {
            }
            return PipelineConversation(self, brief)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let transcription { group.addTask { try await transcription.check() } }
            group.addTask { try await chat.check() }
            if let speech { group.addTask { try await speech.check() } }
            // The first failure ends the others.
            for try await _ in group {}
        }
        return PipelineConversation(self, brief)
    }
}
