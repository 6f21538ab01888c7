import Foundation
import Logging
import NetworkingKit
import TalkCoWire

/// The engine of a chat model, with transcription and speech by servers with OpenAI's interfaces, or by programs of this machine.
struct PipelineEngine: SpeechEngine {
    /// The transcription; nil if nothing understands free speech, so that turns are typed.
    let transcription: (any Transcription)?
    let chat: any ChatModel
    /// The voice; nil for answers without sound.
    let speech: (any Voice)?
    /// The engine that answers the turns in which the model fails; nil to report the failure.
    var substitute: (any SpeechEngine)?
    let logger: Logger

    /// Timeout of the check of the transcription server, if there is a substitute.
    private static let refusalTime = Duration.seconds(3)

    /// Checks the engine's parts. With a substitute, only a wrong setting of the transcription is reported before the first turn.
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
            // The first failure cancels the other checks.
            for try await _ in group {}
        }
        return PipelineConversation(self, brief)
    }
}
