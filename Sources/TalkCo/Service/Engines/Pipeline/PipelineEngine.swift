import Foundation
import Logging
import TalkCoWire

/// The engine of three servers with OpenAI's interfaces: transcription, chat and speech.
struct PipelineEngine: SpeechEngine {
    let transcription: TranscriptionServer
    let chat: ChatServer
    let speech: SpeechServer
    let logger: Logger

    /// Checks that the three servers can be reached, and that the one for transcription has its path.
    func open(_ brief: TalkBrief) async throws -> any Conversation {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in [transcription.server, chat.server, speech.server] { group.addTask { try await server.probe() } }
            group.addTask { try await transcription.probe() }
            // The first failure ends the others.
            for try await _ in group {}
        }
        return PipelineConversation(self, brief)
    }
}
