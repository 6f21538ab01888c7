import Foundation
import Logging
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

    /// Checks that the parts are there. With a substitute each turn finds out for itself.
    func open(_ brief: TalkBrief) async throws -> any Conversation {
        guard substitute == nil else { return PipelineConversation(self, brief) }
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
