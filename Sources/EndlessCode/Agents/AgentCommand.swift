package import Foundation

/// A command to a running agent.
package enum AgentCommand: Hashable, Sendable {
    /// A prompt of the user. One sent while a turn runs waits for its end.
    ///
    /// - Parameters:
    ///   - text: Not only white space.
    ///   - id: The id under which the agent keeps the prompt, where it keeps one.
    ///   - isRepeat: An earlier run was told the prompt, and may have taken it up without a word.
    case prompt(_ text: String, id: UUID, isRepeat: Bool = false)
    /// Ends the turn, not the conversation. The agent answers with a result of reason ``AgentResult/interrupted``.
    case interrupt
    case answer(AgentPrompt.ID, AgentAnswer)
}

/// The reason why an agent could not be started or a command was refused.
package enum AgentError: Error, Equatable {
    /// No executable file at `path`, or no program of that name in `PATH`. `CLI_NOT_FOUND` on the wire.
    case programNotFound(String)
    /// The project's folder does not exist or is not a folder.
    case folderNotFound(String)
    /// The system refused to start the program.
    case startFailed(String)
    /// A conversation id that could be taken for an option, or that the agent does not use.
    case invalidConversationID
    case invalidPermissionMode(String)
    /// The agent is not running, or its input was closed.
    case notRunning
    /// A prompt without visible characters.
    case emptyPrompt
    /// The agent did not read its input for too long, or too many prompts wait for their turn.
    case inputFull
    /// The prompt was answered or withdrawn, or never existed.
    case promptClosed
    /// An answer of another kind than the prompt, or one that was not offered.
    case invalidAnswer
}
