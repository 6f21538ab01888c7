package import Foundation

/// A command to a running agent.
package enum AgentCommand: Hashable, Sendable {
    /// A prompt of the user. A prompt sent during a turn waits for the end of the turn.
    ///
    /// - Parameters:
    ///   - text: The prompt; more than white space.
    ///   - id: The id under which the agent stores the prompt, if the agent stores ids.
    ///   - isRepeat: True if the prompt was sent to an earlier run, which may have taken it up without a confirmation.
    case prompt(_ text: String, id: UUID, isRepeat: Bool = false)
    /// Ends the turn, not the conversation. The agent answers with a result of reason ``AgentResult/interrupted``.
    case interrupt
    case answer(AgentPrompt.ID, AgentAnswer)
}

/// A failure to start an agent, or the refusal of a command.
package enum AgentError: Error, Equatable {
    /// No executable file at `path`, or no program of that name in `PATH`. `CLI_NOT_FOUND` on the wire.
    case programNotFound(String)
    /// The project's folder does not exist or is not a folder.
    case folderNotFound(String)
    /// The system refused to start the program.
    case startFailed(String)
    /// A conversation id that the agent could read as an option, or that has another form than the agent's ids.
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
    /// The answer is of another kind than the prompt, or was not offered.
    case invalidAnswer
}
